"""SARIF of the schema review: its form, and that its fixes fix."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlparse

import pytest
from user_project import MODELS, Run

from btmodel.lint import RULES

# A mistake for each rule that proposes a fix, declared in every way there is.
MISTAKES = '''
from datetime import date, datetime

import btmodel as b


class Order(b.Model, table="my ördérs", events="10/s"):  # TAB006
    """Ä: an order."""

    shop: str = b.key(b.Text(max_length=12), cardinality=500, mirror="d:ADDRESS_OF_THE_SHOP")  # COL001
    nümber: int = b.key(codec=b.Int(8))  # KEY007
    at: datetime = b.key(b.ReversedMillis())  # KEY014

    d = b.family(
        "d", gc=b.max_versions(1),
    )
    total: int = b.column(
        "THE_TOTAL_OF_ORDERS",  # COL001
        d,
    )
    shared = b.family("größe", gc=b.max_versions(1))  # FAM002
    ä: int = b.column("Ä", shared); other: int = b.column("Ä", shared)  # COL002

    of = b.query("shopp", between="nümber")  # QRY001
    one = b.query("shopp")  # QRY001, the first round
    of_number = b.query("shop", "nümber", between="at")


class Bill(
    b.Model, table="bills", allow={"KEY0001": "one a day \\ud800",
                                   "FAM004": "say \\"why\\"", "TAB006": "it works"}  # ALW002, ALW003, ALW004
):
    day: date = b.key(b.DateText("%d%m%Y"))
    d = b.family("d", gc=b.max_versions(1))
    total: int = b.column("total", d)


class Site(b.Model, table="sites"):
    name: str = b.key(b.Text(max_length=253), domain=True)  # KEY011
    d = b.family("d", gc=b.max_versions(1))
    total: int = b.column("total", d)


class User(b.Model, table="users"):
    number: int = b.key(b.PaddedInt(8), sequential=True)  # KEY002
    device: int = b.key(b.BigEndian(4))  # KEY006
    d = b.family("all_that_is_known_of_it", gc=b.max_versions(1))  # FAM003
    total: int = b.column("total", d)


class Load(b.Model, table="load", bucket="day", events="500/h"):
    machine: str = b.key(b.Text(max_length=20), cardinality=500)
    day: date = b.key(b.DateText())
    d = b.family("d", gc=b.max_versions(5))  # FAM006
    load: b.History[float] = b.history("load", d, every="1h")


class Seen(b.Model, table="seen", allow={"KEY001": "in order"}):  # ALW003
    user: str = b.key(b.Text(max_length=20), cardinality=500)
    at: datetime = b.key(b.EpochMillis())  # KEY015
    d = b.family("d", gc=%s)  # FAM008
    seen: int = b.column("seen", d)

    newest = b.query("user", between="at", newest=True)
'''.replace("%s", " | ".join(f"b.max_age(days={days})" for days in range(30, 130)))
FIXED = {
    "ALW002", "ALW003", "ALW004", "COL001", "COL002", "FAM002", "FAM003", "FAM006", "FAM008", "KEY002", "KEY006",
    "KEY007", "KEY011", "KEY014", "KEY015", "QRY001", "TAB006",
}  # fmt: skip


def sarif(run: Run, *arguments: str) -> dict[str, Any]:
    """The one run of the log that a check gives."""
    log = json.loads(run("check", "--format", "sarif", *arguments).stdout)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    found = log["runs"][0]
    assert isinstance(found, dict)
    return found


def apply(run: dict[str, Any]) -> int:
    """Make the changes of a run as an editor does, which skips those that touch another one; how many there were."""
    bases = run["originalUriBaseIds"]
    changes = [
        change
        for found in run["results"]
        for edit in found.get("fixes", ())
        for change in edit["artifactChanges"]
    ]
    files: dict[Path, set[tuple[tuple[int, int], tuple[int, int], str]]] = {}
    for change in changes:
        at = change["artifactLocation"]
        path = Path(unquote(urlparse(urljoin(bases[at["uriBaseId"]]["uri"], at["uri"])).path))
        for one in change["replacements"]:
            r = one["deletedRegion"]
            start, end = (r["startLine"], r["startColumn"]), (r["endLine"], r["endColumn"])
            files.setdefault(path, set()).add((start, end, one["insertedContent"]["text"]))
    for path, wanted in files.items():
        lines = path.read_text(encoding="utf-8").split("\n")
        touched: tuple[int, int] | None = None
        for start, end, text in sorted(wanted, reverse=True):
            if touched is not None and end >= touched:
                continue
            touched = start
            before, behind = lines[start[0] - 1][: start[1] - 1], lines[end[0] - 1][end[1] - 1 :]
            lines[start[0] - 1 : end[0]] = [before + text + behind]
        path.write_text("\n".join(lines), encoding="utf-8")
    return len(changes)


def test_the_fixes_fix_every_rule_that_has_one(run: Run, project: Path) -> None:
    """Fixes applied from the log alone, until there are none, leave a module that the review finds clean."""
    (project / "shop" / "models.py").write_text(MISTAKES, encoding="utf-8")
    seen: set[str] = set()
    for _ in range(20):
        found = sarif(run)
        seen |= {result["ruleId"] for result in found["results"] if "fixes" in result}
        if not apply(found):
            break
    text = (project / "shop" / "models.py").read_text(encoding="utf-8")
    left = [result for result in found["results"] if result["level"] != "note"]
    assert (left, found["invocations"][0]["executionSuccessful"]) == ([], True), text
    assert seen == FIXED
    assert run("check", "--strict").returncode == 0
    for comment in re.findall("#.*", MISTAKES):
        assert comment in text


def test_a_fix_says_where_rows_are_lost(run: Run, project: Path) -> None:
    """A change of what is written is for tables without data, which its description says; others say nothing of it."""
    (project / "shop" / "models.py").write_text(MISTAKES, encoding="utf-8")
    told: dict[bool, set[str]] = {True: set(), False: set()}
    for result in sarif(run)["results"]:
        for edit in result.get("fixes", ()):
            told["for a table without data" in edit["description"]["text"]].add(result["ruleId"])
    written = {rule for rule in FIXED if rule.startswith(("KEY", "COL"))} | {"FAM002", "FAM003"}
    assert told == {True: written, False: FIXED - written}


def test_rules_and_results_are_complete(run: Run, project: Path) -> None:
    """Each rule has its page, and each result names its rule, its place in file and code, and what is found there."""
    (project / "shop" / "models.py").write_text(MISTAKES, encoding="utf-8")
    found = sarif(run)
    rules = found["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["name"]) for rule in rules] == [(rule.id, rule.name) for rule in RULES]
    for rule in rules:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} {rule['name']}: ")
        assert rule["help"]["markdown"].count("```python\n") == 2
    (result,) = [each for each in found["results"] if each["ruleId"] == "TAB006"]
    assert rules[result["ruleIndex"]]["id"] == "TAB006"
    assert result["level"] == "error"
    assert result["message"]["text"].startswith("Order: 'my ördérs' is not a valid table id")
    (place,) = result["locations"]
    assert place["logicalLocations"] == [{"fullyQualifiedName": "shop.models.Order", "kind": "type"}]
    assert place["physicalLocation"]["artifactLocation"] == {
        "uri": "shop/models.py",
        "uriBaseId": "%SRCROOT%",
    }
    number = next(n for n, line in enumerate(MISTAKES.splitlines(), 1) if "TAB006" in line)
    line = MISTAKES.splitlines()[number - 1]
    column = line.index("table=") + 1
    assert place["physicalLocation"]["region"] == {
        "startLine": number, "startColumn": column, "endLine": number, "endColumn": column + len('table="my ördérs"'),
    }  # fmt: skip
    assert found["columnKind"] == "unicodeCodePoints"
    assert found["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{project.resolve().as_uri()}/"


def test_fingerprints_stay_where_lines_move(run: Run, project: Path) -> None:
    """A finding is known again in a file that has changed elsewhere, and no two are the same one."""

    def fingerprints(text: str) -> list[str]:
        (project / "shop" / "models.py").write_text(text, encoding="utf-8")
        return [result["partialFingerprints"]["finding/v1"] for result in sarif(run)["results"]]

    before = fingerprints(MISTAKES)
    assert before == fingerprints(f"# moved\n\n\n{MISTAKES}")
    assert len(set(before)) == len(before) > 5


def test_modules_that_do_not_load_are_notifications(run: Run) -> None:
    """What could not be read is told as the failure of the run, not as a result."""
    found = sarif(run, "shop.models", "shop.missing")
    (invocation,) = found["invocations"]
    (told,) = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert told["level"] == "error"
    assert "module 'shop.missing' does not exist" in told["message"]["text"]
    assert found["results"] == []


@pytest.mark.parametrize("folder", ["a b", "größe"])
def test_paths_are_uris(run: Run, project: Path, folder: str) -> None:
    """A path with blanks and other letters is escaped, as URIs are."""
    inside = project / folder
    inside.mkdir()
    (inside / "elsewhere.py").write_text(MODELS.replace(", gc=bt.max_versions(1)", ""))
    (project / "shop" / "models.py").write_text(
        f"import sys\nsys.path.insert(0, {str(inside)!r})\nfrom elsewhere import Order as Order\n"
    )
    (result,) = sarif(run)["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == f"{folder}/elsewhere.py" != uri


def log_in(folder: Path) -> dict[str, Any]:
    """The run of the log that a check in a folder gives."""
    command = [sys.executable, "-m", "btmodel", "check", "--format", "sarif"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = json.loads(done.stdout)["runs"][0]
    assert isinstance(found, dict)
    return found


def places(found: dict[str, Any]) -> list[tuple[dict[str, str], Path]]:
    """The places that a log names, in results and in fixes, each with the file that it leads to as SARIF says: see its 3.4.4 and 3.14.14."""
    (base,) = found["originalUriBaseIds"].values()
    assert base["uri"].endswith("/")
    named = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in found["results"]]
    for result in found["results"]:
        for edit in result.get("fixes", ()):
            named += [change["artifactLocation"] for change in edit["artifactChanges"]]
    return [
        (
            place,
            Path(unquote(urlparse(urljoin(base["uri"] if "uriBaseId" in place else "", place["uri"])).path)),
        )
        for place in named
    ]


WRONG = re.sub(r'bt\.family\("\w+"', 'bt.family("a b"', MODELS)


@pytest.mark.parametrize("below", [".", "shop", "shop/deeper"])
def test_paths_start_at_the_project_from_any_folder(project: Path, below: str) -> None:
    """Wherever in the project the command runs, the paths are the same."""
    (project / "shop" / "models.py").write_text(WRONG)
    (project / below).mkdir(exist_ok=True)
    found = log_in(project / below)
    assert found["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{project.resolve().as_uri()}/"
    assert len(places(found)) == 2
    for place, path in places(found):
        assert place == {"uri": "shop/models.py", "uriBaseId": "%SRCROOT%"}
        assert path == project.resolve() / "shop" / "models.py"


def test_paths_of_a_project_within_a_repository_start_at_the_repository(project: Path) -> None:
    """A code host takes a relative path as one from the root of the repository."""
    repository = project / "repository"
    (repository / ".git").mkdir(parents=True)
    app = repository / "app"
    app.mkdir()
    for name in ("shop", "pyproject.toml"):
        (project / name).rename(app / name)
    (app / "shop" / "models.py").write_text(WRONG)
    for place, path in places(log_in(app)):
        assert place == {"uri": "app/shop/models.py", "uriBaseId": "%SRCROOT%"}
        assert path == app.resolve() / "shop" / "models.py"


@pytest.mark.parametrize("way", ["{outside}", "{project}/../{outside.name}", "link"])
def test_files_outside_are_absolute(run: Run, project: Path, tmp_path_factory: Any, way: str) -> None:
    """A file elsewhere has an absolute URI without a base, also if its path begins like that of the project; one behind a link in the project is inside."""
    outside = tmp_path_factory.mktemp("elsewhere")
    (outside / "elsewhere.py").write_text(WRONG)
    (project / "link").symlink_to(outside)
    named = way.format(outside=outside, project=project)
    (project / "shop" / "models.py").write_text(
        f"import sys\nsys.path.insert(0, {str(project / named)!r})\nfrom elsewhere import Order as Order\n"
    )
    found = places(sarif(run))
    assert len(found) == 2
    for place, path in found:
        assert path.resolve() == outside.resolve() / "elsewhere.py"
        if way == "link":
            assert place == {"uri": "link/elsewhere.py", "uriBaseId": "%SRCROOT%"}
        else:
            assert place == {"uri": (outside / "elsewhere.py").as_uri()}


def test_which_rule_a_family_gets_is_left_to_its_author(run: Run, project: Path) -> None:
    """Of a family that states no rule, no fix is written: one that deletes may be wrong, and one that keeps everything would only silence the finding."""
    (project / "shop" / "models.py").write_text(MODELS.replace("gc=bt.max_versions(1)", ""))
    found = [result for result in sarif(run)["results"] if result["ruleId"] == "FAM004"]
    assert found
    assert not [result for result in found if "fixes" in result]
    before = (project / "shop" / "models.py").read_text()
    run("check", "--fix")
    assert (project / "shop" / "models.py").read_text() == before
