"""``btmodel simulate``: what it prints, what programs read, and what it refuses."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from user_project import Run

HOT = '''
from datetime import datetime

import btmodel as bt


class Charge(bt.Model, table="CHARGE", events="20000/s"):
    """A key of the time alone."""

    at: datetime = bt.key(bt.EpochMicros())
    d = bt.family("d", gc=bt.max_versions(1))
    user: str = bt.column("u", d, cardinality=1_000_000, size=8)
    percent: int = bt.column("p", d)


class UserCharge(bt.Model, table="USER_CHARGE", events="20000/s"):
    """The user in front."""

    user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    at: datetime = bt.key(bt.EpochMicros())
    d = bt.family("d", gc=bt.max_versions(1))
    percent: int = bt.column("p", d)

    of_user = bt.query("user", between="at")


class Order(bt.Model, table="orders"):
    """Nothing is said of its load."""

    shop: str = bt.key(bt.Text(max_length=12))
    number: int = bt.key(bt.PaddedInt(8), sequential=False)

    d = bt.family("d", gc=bt.max_versions(1))
    total: int = bt.column("total", d)

    of_shop = bt.query("shop", between="number")
'''
DAYS = '''
from datetime import date

import btmodel as bt


class ByDay(bt.Model, table="by_day", bucket="day", events="11112/s"):
    """The day, then the meter."""

    day: date = bt.key(bt.DateText("%Y%m%d"))
    meter: int = bt.key(bt.PaddedInt(8), cardinality=10_000_000)
    d = bt.family("d", gc=bt.max_versions(96))
    value: bt.History[float] = bt.history("v", d)

    of_meter = bt.query("meter", between="day")
'''
# A few hours in long steps, so that it takes no time.
SHORT = ("--nodes", "10", "--for", "12h", "--step", "10min")


@pytest.fixture(autouse=True)
def hot(project: Path) -> None:
    """The project has a hot model, which the review refuses, a good one, and one that says nothing."""
    (project / "shop" / "models.py").write_text(HOT)


def simulated(run: Run, *arguments: str) -> dict[str, Any]:
    done = run("simulate", *SHORT, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_sentence_comes_first_with_a_fix_that_was_simulated(run: Run) -> None:
    """A person reads where the writes go, what to change, and how many nodes are busy then."""
    done = run("simulate", "Charge", *SHORT)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith("Charge: every write goes to one node until it is full")
    assert "that node can take 14,000 of the 20,000 events a second" in first
    found = re.search(r"make the column `user` .* a key field: (\d+) of 10 nodes busy", first)
    assert found is not None
    assert int(found[1]) >= 9
    assert "proposed key: `{user}#{at}`" in done.stdout


def test_figures_maps_and_what_they_rest_on_follow(run: Run) -> None:
    """Firm results are told apart from those that rest on assumptions, which are all listed."""
    told = run("simulate", "UserCharge", *SHORT).stdout
    for part in ("nodes busy *", "p99 wait, usual *", "a year", "Load of the nodes"):
        assert part in told
    firm, _, assumed = told.partition("Firm, whatever the service does inside")[2].partition("Assumed, ")
    assert "a table of less than a few GB is served by one node" in firm
    assert "rows and bytes follow from the declarations" in firm
    from btmodel.simulate.cluster.cluster import Assumptions, described

    for one in described(Assumptions()):
        assert one.name.replace("_", "-") in assumed


def test_programs_read_everything(run: Run) -> None:
    """JSON holds the sentence, each alternative with its figures, the firm bounds and the assumptions."""
    document = simulated(run, "Charge", "--vs", "UserCharge")
    assert document["cluster"] == {"nodes": 10, "storage": "ssd"}
    assert [one["name"] for one in document["alternatives"]] == ["Charge", "UserCharge", "proposed key"]
    charge, by_user, _ = document["alternatives"]
    assert charge["tables"][0]["key"] == "{at}"
    assert charge["writes"]["busy"] == 1
    assert set(charge["over_time"]["hottest_writes"]) == {1.0}
    assert len(charge["over_time"]["seconds"]) == 72
    assert by_user["writes"]["busy"] >= 9
    assert charge["tables"][0]["growth"]["after"]["a year"]["rows"] > 1e9
    assert {one["bound"] for one in document["firm"]} == {"tail", "small"}
    assert all(one["taken_from"] for one in document["assumptions"])
    assert document["said"][0]["hot"] is True


def test_programs_read_when_one_node_had_it_all_again(run: Run, project: Path) -> None:
    """A day in front: from midnight on, which is twelve hours after the start, and for how long."""
    (project / "shop" / "models.py").write_text(DAYS)
    days = ("--history", "30d", "--nodes", "10", "--for", "14h", "--step", "2min", "--json")
    document = json.loads(run("simulate", "ByDay", *days).stdout)
    [again] = document["alternatives"][0]["writes"]["relapses"]
    assert again["begin"] == 12 * 3600
    assert 120 <= again["seconds"] <= 1200
    assert "whenever a new `day` begins every write goes to one node" in document["said"][0]["sentence"]


def test_the_same_question_gets_the_same_answer(run: Run) -> None:
    """Nothing is drawn at random that is not drawn again."""
    assert simulated(run, "UserCharge") == simulated(run, "UserCharge")


def test_alternatives_stand_side_by_side(run: Run) -> None:
    """Salts and buckets of one model, each simulated on the same cluster."""
    names = [one["name"] for one in simulated(run, "UserCharge", "--salt", "3,10")["alternatives"]]
    assert names == ["UserCharge", "salt of 3", "salt of 10"]
    document = simulated(run, "UserCharge", "--bucket", "hour,day")
    assert [one["name"] for one in document["alternatives"]] == ["UserCharge", "a row an hour", "a row a day"]
    rows = [one["tables"][0]["growth"]["after"]["a month"]["rows"] for one in document["alternatives"]]
    assert rows == sorted(rows, reverse=True)
    done = run("simulate", "UserCharge", *SHORT, "--salt", "3")
    assert re.search(r"UserCharge +salt of 3", done.stdout)


def test_every_alternative_has_a_sentence(run: Run) -> None:
    """By the name that its column has, with and without the figures."""
    done = run("simulate", "UserCharge", *SHORT, "--salt", "3", "--vs", "Charge", "--brief")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("  ")]
    assert [line.partition(": ")[0] for line in lines] == ["UserCharge", "Charge", "salt of 3"]
    assert "every write goes to one node" in lines[1]
    said = simulated(run, "UserCharge", "--salt", "3")["said"]
    assert [one["hot"] for one in said] == [False, False]


def test_all_models_share_one_cluster(run: Run) -> None:
    """Without a name, every model that says enough is simulated; the others are named with what they lack."""
    done = run("simulate", *SHORT, "--json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert [one["model"] for one in document["alternatives"][0]["tables"]] == ["Charge", "UserCharge"]
    assert document["said"][0]["sentence"].startswith("All: 2 tables together")
    assert "left out: Order: the rate of events is not declared" in done.stderr


def test_a_file_and_flags_tell_the_workload(run: Run, project: Path) -> None:
    """What the file says holds, unless a flag says otherwise; also of what is assumed."""
    (project / "load.toml").write_text(
        '[cluster]\nnodes = 4\n[assume]\nsplit-bytes = "200MiB"\n[Order]\nevents = "7/s"\n'
        "[Order.counts]\nshop = 50\nnumber = 900\n"
    )
    done = run("simulate", "Order", "--file", "load.toml", "--for", "1h", "--json", "--events", "9/s")
    document = json.loads(done.stdout)
    assert document["cluster"]["nodes"] == 4
    table = document["alternatives"][0]["tables"][0]
    assert (table["events"], table["counts"]) == (9.0, {"shop": 50, "number": 900})
    [split] = [one for one in document["assumptions"] if one["name"] == "split_bytes"]
    assert split["value"] == 200 * 2**20


def test_real_keys_are_simulated(run: Run, project: Path) -> None:
    """Users that come often in the sample are written often: one of them has nine of ten keys here."""
    keys = [f"anna#17674848000{n:05d}" for n in range(90)] + [f"u{n}#17674848000{n:05d}" for n in range(10)]
    (project / "keys.txt").write_text("\n".join(keys))
    document = simulated(run, "UserCharge", "--keys", "keys.txt", "--history", "30d")
    assert document["alternatives"][0]["writes"]["hottest"] > 0.85


def test_keys_are_sampled_from_an_instance(run: Run) -> None:
    """Of one model, a table that lacks is an error; of several, keys are then made up, which is said."""
    alone = run("simulate", "UserCharge", *SHORT, "--brief", "--from", "local:")
    assert alone.returncode == 1
    assert "table 'USER_CHARGE' is not in" in alone.stderr
    several = run("simulate", *SHORT, "--brief", "--from", "local:")
    assert several.returncode == 0, several.stderr
    assert "UserCharge: keys are made up: table 'USER_CHARGE' is not in" in several.stderr


@pytest.mark.parametrize(
    ("library", "arguments", "wanted"),
    [
        ("numpy", ("simulate", "UserCharge"), 'pip install "btmodel[simulate]"'),
        ("numpy", ("check", "--simulate"), 'pip install "btmodel[simulate]"'),
        ("matplotlib", ("simulate", "UserCharge", "--png", "out.png"), 'pip install "btmodel[plot]"'),
    ],
)
def test_a_missing_extra_is_told_with_the_command(
    project: Path, library: str, arguments: tuple[str, ...], wanted: str
) -> None:
    """One clear sentence, before anything is computed."""
    code = f"import sys; sys.modules[{library!r}] = None; from btmodel.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=project, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert f"needs {library}: {wanted}" in done.stderr
    assert "Traceback" not in done.stderr


def test_pictures_are_written(run: Run, project: Path) -> None:
    """A page that needs nothing but itself, and a PNG."""
    pytest.importorskip("matplotlib")
    done = run("simulate", "Charge", *SHORT, "--brief", "--html", "out.html", "--png", "out.png")
    assert done.returncode == 0, done.stderr
    page = (project / "out.html").read_text()
    assert "proposed key" in page
    assert "every write goes to one node" in page
    assert (project / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("Chrage",), 1, "did you mean Charge"),
        (("Order",), 1, "the rate of events is not declared: declare events=, or give --events 5000/s"),
        (
            ("Order", "--events", "5/s"),
            1,
            "`shop` has no declared cardinality: declare cardinality=, or give --count shop",
        ),
        (("UserCharge", "--field", "user=zipff"), 1, "UserCharge.user: expected uniform, zipf"),
        (("UserCharge", "--field", "user=150%:200"), 1, "up to 100 %, got 150 %"),
        (("UserCharge", "--field", "usr=zipf"), 1, "no field 'usr' in UserCharge (did you mean user?)"),
        (("UserCharge", "--field", "Usr.user=zipf"), 1, "no model 'Usr' is simulated"),
        (("UserCharge", "--field", "user"), 2, "expected NAME=VALUE"),
        (("UserCharge", "--count", "user=none"), 1, "expected a whole number from 1 on"),
        (("UserCharge", "--read", "of_usr=1/s"), 1, "did you mean of_user?"),
        (("UserCharge", "--events", "often"), 2, "expected a rate"),
        (("UserCharge", "--growth", "much"), 2, "expected a share such as 5%"),
        (("UserCharge", "--daily", "150%"), 1, "a daily swing from 0 to 1"),
        (("UserCharge", "--nodes", "0"), 2, "0 is not in the range"),
        (("UserCharge", "--for", "long"), 2, "expected a length of time"),
        (("UserCharge", "--for", "1h", "--step", "2h"), 1, "expected a step of up to 1h"),
        (("UserCharge", "--for", "365d", "--step", "1min"), 1, "steps, got 525,600"),
        (("UserCharge", "--start", "soon"), 2, "expected a time such as"),
        (("UserCharge", "--start", "9999-12-31T20:00"), 1, "times from the year 1 to 9999"),
        (("UserCharge", "--history", "900000d"), 1, "times from the year 1 to 9999"),
        (("UserCharge", "--growth", "500%", "--for", "300d"), 1, "up to 10**12 events a second"),
        (("UserCharge", "--storage", "tape"), 1, "storage: expected ssd or hdd"),
        (("UserCharge", "--salt", "0"), 2, "expected numbers of salts from 1 on"),
        (("UserCharge", "--salt", "3,many"), 2, "expected numbers of salts from 1 on"),
        (("UserCharge", "--salt", "5000"), 1, "a salt of 1 to 1,000 values"),
        (("UserCharge", "--bucket", "fortnight"), 2, "expected one of minute, hour"),
        (("UserCharge", "--vs", "Nothing"), 1, "no model 'Nothing'"),
        (("--salt", "3"), 2, "are about one model: name it"),
        (("--keys", "keys.txt"), 2, "are about one model: name it"),
        (("UserCharge", "--assume", "split-size=1GiB"), 1, "did you mean split-"),
        (("UserCharge", "--assume", "split-bytes=large"), 1, "expected bytes such as 200MiB"),
        (("UserCharge", "--assume", "split-bytes=0"), 1, "expected a number from"),
        (("UserCharge", "--assume", "split-bytes"), 1, "expected NAME=VALUE"),
        (("UserCharge", "--file", "none.toml"), 1, "none.toml: "),
        (("UserCharge", "--keys", "none.txt"), 1, "none.txt: No such file"),
        (("UserCharge", "--from", "nowhere"), 1, "nowhere"),
        (("UserCharge", "--for", "1h", "--html", "none/out.html"), 1, "none/out.html: cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    run: Run, arguments: tuple[str, ...], code: int, why: str
) -> None:
    """Never a traceback: what was expected, and what came; with the nearest name where it is a slip of the pen."""
    done = run("simulate", *arguments)
    assert done.returncode == code, done.stderr
    assert why in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_cannot_be_read_is_told_with_its_line(run: Run, project: Path) -> None:
    """Of a file of keys, the wrong one is named."""
    (project / "keys.txt").write_text("anna#1767484800000000\nanna#yesterday\n")
    done = run("simulate", "UserCharge", "--keys", "keys.txt")
    assert done.returncode == 1
    assert "keys.txt:2: not a row key of UserCharge" in done.stderr


def test_findings_about_load_cite_what_a_simulation_shows(run: Run) -> None:
    """As text, JSON, SARIF and annotations; without the flag, nothing is simulated."""
    done = run("check", "--simulate", "--select", "KEY001")
    sim = next(line for line in done.stdout.splitlines() if line.strip().startswith("sim "))
    assert "every write goes to one node until it is full" in sim
    assert "3 of 3 nodes busy" in sim
    [finding] = json.loads(run("check", "--simulate", "--select", "KEY001", "--json").stdout)["findings"]
    assert finding["simulated"] in sim
    log = json.loads(run("check", "--simulate", "--select", "KEY001", "--format", "sarif").stdout)
    [result] = log["runs"][0]["results"]
    assert result["properties"] == {"simulated": finding["simulated"]}
    assert f"Simulated: {finding['simulated']}." in result["message"]["text"]
    assert "%0ASimulated: a large table" in run("check", "--simulate", "--format", "github").stdout
    [plain] = json.loads(run("check", "--select", "KEY001", "--json").stdout)["findings"]
    assert plain["simulated"] is None
    assert plain == {**finding, "simulated": None}


def test_help_and_checks_load_no_numpy(project: Path) -> None:
    """What the other commands have no use for is not loaded."""
    code = "import sys; from btmodel.cli.simulation import simulate; import btmodel; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr
