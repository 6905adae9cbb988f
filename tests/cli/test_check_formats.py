"""What ``btmodel check`` prints, which rules it is told to look at, and what its exit codes mean."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from user_project import MODELS, Run

from btmodel.cli.check import FORMATS
from btmodel.cli.problems import Problem
from btmodel.cli.report import Report
from btmodel.errors import SettingsError
from btmodel.lint import Finding, Level
from btmodel.schema import Location

PLAIN = MODELS.replace('of_shop = bt.query("shop", between="number")', "")
Write = Callable[[str], int]
WRONG = PLAIN.replace("bt.PaddedInt(8)", "bt.Int(8)")
LONG = PLAIN.replace('bt.column("total", d)', 'bt.column("THE_TOTAL_OF_ORDER", d)')
INFO = Finding(
    "KEY001", "timestamp-first", Level.INFO, False, "shop, 100%", "Order", "a", Location("a:b,c.py", 3),
    "one\r\ntwo: 100%, or so", "why", "fix",
)  # fmt: skip


@pytest.fixture
def write(project: Path) -> Write:
    """Writes the models of the project."""
    return (project / "shop" / "models.py").write_text


def test_a_finding_shows_its_line_underlined(run: Run, write: Write) -> None:
    """The argument that is to change is underlined, and nothing is coloured or wrapped in a pipe."""
    write(WRONG)
    lines = run("check", COLUMNS="40").stdout.splitlines()
    assert lines == [
        "Order  shop.models",
        "  warning KEY007 unpadded-number  Order.number (shop/models.py:9)",
        "       9 │     number: int = bt.key(bt.Int(8))",
        "         │                          ^^^^^^^^^",
        "    what  the number `number` (up to 8 digits, not padded) does not sort as its values do",
        "    why   keys are compared byte by byte, so a range of such values is not a range of rows",
        "    fix   encode `number` as `bt.PaddedInt(8)`",
        "",
        "1 model reviewed: 0 errors, 1 warning",
    ]


def test_missing_figures_are_a_line_for_each_model(run: Run, write: Write) -> None:
    """What models do not declare is listed behind all else, and drowns nothing; other formats have each finding whole."""
    lacking = (
        PLAIN.replace(', events="10/s"', "")
        .replace("cardinality=500", "")
        .replace("total: int", "total: bytes")
    )
    lacking = lacking.replace("class Order", "class {}").replace('"orders"', '"{}"')
    write(
        lacking.format("Bill", "bills")
        + lacking.format("Order", "orders").replace("bt.PaddedInt(8)", "bt.Int(8)")
    )
    lines = run("check").stdout.splitlines()
    assert [line for line in lines if "KEY007" in line or "FIG001" in line] == [
        "  warning KEY007 unpadded-number  Order.number (shop/models.py:23)",
        "info FIG001 missing-figure",
    ]
    assert lines[lines.index("info FIG001 missing-figure") :] == [
        "info FIG001 missing-figure",
        "  rules that need these workload estimates report nothing until they are declared; a rough estimate is enough",
        "    Bill (shop/models.py:5)  the `events` of the class and the `size` of `total` are not declared",
        "    Order (shop/models.py:19)  the `events` of the class and the `size` of `total` are not declared",
        "",
        "2 models reviewed: 0 errors, 1 warning, 2 infos",
    ]
    found = [one for one in json.loads(run("check", "--json").stdout)["findings"] if one["rule"] == "FIG001"]
    assert [one["model"] for one in found] == ["Bill", "Order"]
    assert run("check", "--format", "github").stdout.count("FIG001") == 2
    assert "FIG001" not in run("check", "--ignore", "FIG001").stdout


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_terminal_is_filled_and_not_overrun(run: Run, write: Write, width: int) -> None:
    """Texts are wrapped to the width of the terminal, under their beginning; a line of source is cut."""
    write(LONG.replace("    total: int =", f"    {'t' * 90}: int ="))
    shown = run("check", FORCE_COLOR="1", TERM="xterm", COLUMNS=str(width)).stdout
    assert "\x1b[33mwarning COL001" in shown
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert lines[-1] == "1 model reviewed: 0 errors, 1 warning"
    said = [line for line in lines if line.startswith("    ")]
    assert all(len(line) <= width for line in said)
    assert any(len(line) > width - 12 for line in said)
    source = next(line for line in lines if " 12 │ " in line)
    carets = lines[lines.index(source) + 1]
    assert source[carets.index("^") : carets.rindex("^") + 1].startswith('"THE_TOTAL_OF_OR')


def test_infos_are_shown_and_never_fail(capsys: pytest.CaptureFixture[str]) -> None:
    """An info is counted where there is one, and fails no check, strict or not."""
    report = Report(Path("/"), [], [], [INFO])
    FORMATS["text"](report)
    shown = capsys.readouterr().out
    assert "  info KEY001 timestamp-first  Order.a (a:b,c.py:3)" in shown
    assert shown.endswith("0 models reviewed: 0 errors, 0 warnings, 1 info\n")
    assert not report.fails(strict=True)


def test_a_report_fails_by_errors_or_what_is_unread() -> None:
    """Warnings fail where that is asked for, errors and unread modules always."""
    warned = Report(Path("/"), [], [], [evolve(INFO, level=Level.WARNING)])
    assert (warned.fails(strict=False), warned.fails(strict=True)) == (False, True)
    assert Report(Path("/"), [], [], [evolve(INFO, level=Level.ERROR)]).fails(strict=False)
    assert Report(Path("/"), [], [Problem.of(SettingsError("no"))], []).fails(strict=False)


def test_json_is_a_format(run: Run, write: Write) -> None:
    """--json is the short form of --format json; a finding says its fix."""
    write(WRONG)
    assert run("check", "--json").stdout == run("check", "--format", "json").stdout
    document = json.loads(run("check", "--json").stdout)
    assert document["models"] == 1
    assert document["findings"][0]["edit"] == {"argument": "codec", "text": "bt.PaddedInt(8)"}


def test_annotations_of_github(run: Run, write: Write, project: Path) -> None:
    """A finding is one workflow command, at the columns that are meant; a module that cannot be read is one, too."""
    write(LONG)
    one, two = run("check", "--format", "github", "shop.models", "shop.missing").stdout.splitlines()
    assert one.startswith("::error title=btmodel check::module 'shop.missing' does not exist")
    place = f"file={project.resolve()}/shop/models.py,line=12,endLine=12,col=28,endColumn=47"
    start = f"::warning {place},title=COL001 long-qualifier::Order.total: the qualifier"
    assert two.startswith(start)
    assert "%0AFix: call the cell `d:TOTAL`" in two


def test_annotations_of_github_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """Ends of lines and % never end a command, nor : and , a property."""
    FORMATS["github"](Report(Path("/"), [], [], [INFO]))
    assert capsys.readouterr().out == (
        "::notice file=a%3Ab%2Cc.py,line=3,title=KEY001 timestamp-first::"
        "Order.a: one%0D%0Atwo: 100%25, or so%0AWhy: why%0AFix: fix\n"
    )


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ((), ["FAM004", "COL001"]),
        (("--select", "FAM004"), ["FAM004"]),
        (("--select", "COL,KEY001"), ["COL001"]),
        (("--select", "fam00", "--select", "long-qualifier"), ["FAM004", "COL001"]),
        (("--ignore", "FAM"), ["COL001"]),
        (("--select", "FAM", "--ignore", "no-gc-rule"), []),
        (("--select", "TAB"), []),
    ],
)
def test_rules_are_chosen(run: Run, write: Write, options: tuple[str, ...], rules: list[str]) -> None:
    """By ids, their beginnings and names; what is not chosen is neither shown nor counted."""
    write(LONG.replace(", gc=bt.max_versions(1)", ""))
    checked = run("check", "--json", *options)
    assert [finding["rule"] for finding in json.loads(checked.stdout)["findings"]] == rules
    assert checked.returncode == int("FAM004" in rules)
    assert run("check", "--strict", *options).returncode == int(bool(rules))


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("KEY1", "did you mean KEY001?"),
        ("KYE2", "did you mean KEY002?"),
        ("timestamp-fist", "did you mean timestamp-first?"),
        ("KEYS", "did you mean KEY"),
        ("E501", "they begin with ALW, COL, FAM, "),
        ("KEY001,", "no rule is called ''"),
        ("", "expected some text, got none"),
    ],
)
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule_is_wrong_usage(run: Run, option: str, wanted: str, near: str) -> None:
    """What no rule is called, or begins so, is an error that names near ones, exit code 2."""
    told = run("check", option, wanted)
    assert told.returncode == 2
    assert near in told.stderr


def test_advice_on_existing_rows_is_in_one_place(run: Run, write: Write) -> None:
    """It is printed together, behind what can be changed, with each cost once; it fails no check, and has no edit that rewrites."""
    stored = LONG.replace('events="10/s"', 'events="10/s", existing=True')
    write(stored.replace("bt.PaddedInt(8)", "bt.Int(8)"))
    checked = run("check", "--strict")
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.splitlines() == [
        "Order  shop.models",
        "  info its rows exist already, so this is advice: each change has the cost that is named behind it",
        "    COL001 long-qualifier  Order.total (shop/models.py:12)",
        "        what  the qualifier of `d:THE_TOTAL_OF_ORDER` has 18 bytes, and its typical value only 8 (signed 64-bit integer, big-endian)",
        "        fix   call the cell `d:TOTAL`; the attribute keeps its name",
        "    cost  its cells are written again in every row",
        "    KEY007 unpadded-number  Order.number (shop/models.py:9)",
        "        what  the number `number` (up to 8 digits, not padded) does not sort as its values do",
        "        fix   encode `number` as `bt.PaddedInt(8)`",
        "    cost  a new table, and a copy of every row",
        "",
        "1 model reviewed: 0 errors, 0 warnings, 2 infos",
    ]
    (notice,) = run("check", "--format", "github").stdout.splitlines()
    assert notice.startswith("::notice file=")
    assert ",line=5,title=design of existing rows::Order: its rows exist already" in notice
    assert notice.count("%0ACost: ") == 2
    found = json.loads(run("check", "--json").stdout)["findings"]
    assert [(one["rule"], one["level"], one["cost"]) for one in found] == [
        ("COL001", "info", "its cells are written again in every row"),
        ("KEY007", "info", "a new table, and a copy of every row"),
    ]
    results = json.loads(run("check", "--format", "sarif").stdout)["runs"][0]["results"]
    assert [(one["level"], "fixes" in one) for one in results] == [("note", False)] * 2
    assert results[1]["properties"] == {"cost": "a new table, and a copy of every row"}
    assert results[1]["message"]["text"].endswith(" Cost: a new table, and a copy of every row.")
