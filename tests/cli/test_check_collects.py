"""``btmodel check`` tells every error of every model in every module, in one run."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from user_project import MODELS, Run

from btmodel.cli.models import load_each

Write = Callable[[str, str], Path]
IMPORT = "import btmodel as bt\n"
CLIMBING = """
class {name}(bt.Model, table="{name}", events="900/s"):
    number: int = bt.key(bt.PaddedInt(4), cardinality=1000, sequential=True)
    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)
"""
HOPELESS = CLIMBING.replace('table="{name}"', 'table="{name}", evnts="5/s"')


def climbing(*names: str) -> str:
    return "".join(CLIMBING.format(name=name) for name in names)


def hopeless(name: str) -> str:
    return HOPELESS.format(name=name)


def text(problem: dict[str, Any]) -> str:
    """A problem in one text, as it is shown."""
    place = f"{problem['file']}:{problem['line']}"
    behind = problem["kind"] == "module" and problem["file"]
    front = "" if behind or not problem["file"] else f"{place}: "
    said = f"{front}{problem['message']}{f' ({place})' if behind else ''}"
    return "\n  ".join([said, *problem["notes"]])


class Checked:
    """What ``btmodel check --json`` says of some modules."""

    def __init__(self, run: Run, *modules: str) -> None:
        ran = run("check", "--json", *modules)
        assert "Traceback" not in ran.stderr
        document = json.loads(ran.stdout)
        self.code: int = ran.returncode
        self.models: int = document["models"]
        self.problems: list[str] = [text(problem) for problem in document["problems"]]
        self.findings: list[tuple[str, str]] = [(one["model"], one["rule"]) for one in document["findings"]]


@pytest.fixture
def write(project: Path) -> Iterator[Write]:
    """Writes a module of the package ``shop``."""

    def write_(name: str, text: str) -> Path:
        path = project / "shop" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    yield write_
    sys.path[:] = [folder for folder in sys.path if not folder.startswith(str(project))]
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


def test_every_class_of_a_module_is_reviewed(run: Run, write: Write) -> None:
    """Of three classes that rules refuse and one that cannot be, each is told, once."""
    path = write("a", IMPORT + climbing("One", "Two") + hopeless("Three") + climbing("Four"))
    checked = Checked(run, "shop.a")
    assert (checked.code, checked.models) == (1, 3)
    assert checked.findings == [("Four", "KEY002"), ("One", "KEY002"), ("Two", "KEY002")]
    assert checked.problems == [f"{path}:13: Three: unknown class keyword 'evnts' (did you mean events?)"]


def test_every_problem_of_a_class_is_an_error(run: Run, write: Write) -> None:
    """Of a class with three wrong declarations there are three errors, each with its place, and counted so."""
    body = 'class Two(bt.Model, table="two"):\n    a: str = bt.key()\n    b: str = bt.key(5)\n    c = bt.family(3)\n'
    path = write("a", IMPORT + climbing("One") + body)
    problems = Checked(run, "shop.a").problems
    assert [problem.partition(": Two.")[::2] for problem in problems] == [
        (f"{path}:8", "a: key: expected a key codec such as bt.Text(width=6), got nothing"),
        (f"{path}:9", "b: key: expected a key codec such as bt.Text(width=6), got 5"),
        (f"{path}:10", "c: family: expected its id as text, got 3"),
    ]
    checked = run("check", "shop.a").stdout.splitlines()
    assert sum(line.startswith("error  ") for line in checked) == 3
    assert checked[-1].startswith("1 model reviewed: 4 errors,")


def test_what_uses_a_refused_class_is_no_problem_of_its_own(run: Run, write: Write) -> None:
    """A module that stops at the use of a class that cannot be is told with the problem of the class."""
    path = write(
        "a", IMPORT + climbing("One") + hopeless("Two") + "Two(number=1, value=2)\n" + climbing("Three")
    )
    write("b", "from shop.a import One\n")
    checked = Checked(run, "shop.b", "shop.a")
    assert checked.findings == [("One", "KEY002")]
    assert checked.problems == [
        f"{path}:8: Two: unknown class keyword 'evnts' (did you mean events?)\n"
        f"  module 'shop.a' stops at {path}:12 because of it: the rest of the module is not reviewed\n"
        "  module 'shop.b' imports it, and also stops"
    ]


def test_an_error_within_a_class_body_has_its_place(run: Run, write: Write) -> None:
    """What a declaration function refuses stops the module: it is one problem with the user's line."""
    body = "class Two(bt.Model, table='two'):\n    number: int = bt.key(bt.PaddedInt(0))\n"
    path = write("a", IMPORT + climbing("One") + body + climbing("Three"))
    rule = write("b", IMPORT + climbing("Four") + "f = bt.family('f', gc=bt.max_age())\n")
    checked = Checked(run, "shop.a", "shop.b", "shop.models")
    assert checked.models == 3
    assert checked.findings == [("One", "KEY002"), ("Four", "KEY002")]
    behind = "stops there: the rest of it is not reviewed"
    assert checked.problems == [
        f"{path}:8: PaddedInt: expected at least 1 digit, got 0\n  module 'shop.a' {behind}",
        f"{rule}:7: max_age: expected an age of at least 1 ms, got datetime.timedelta(0)\n  module 'shop.b' {behind}",
    ]


@pytest.mark.parametrize(
    ("raising", "told"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise SystemExit", "SystemExit"),
        ("import asyncio; raise asyncio.CancelledError", "CancelledError"),
        ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("import json; json.loads('x')", "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        ("One.by_none", "AttributeError: type object 'One' has no attribute 'by_none'"),
        ("error = KeyError(1); raise error from error", "KeyError: 1"),
        (
            "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})",
            "Mute: its text cannot be read: ZeroDivisionError",
        ),
        ("exec('1 / 0')", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_module_that_raises_is_one_error(run: Run, write: Write, raising: str, told: str) -> None:
    """It is told with its place, once, whoever imports it; its models above are reviewed, and other modules."""
    path = write("a", IMPORT + climbing("One") + raising + "\n" + climbing("Two"))
    write("b", IMPORT + "import shop.a\n" + climbing("Three"))
    checked = Checked(run, "shop.b", "shop.a", "shop.models")
    assert (checked.code, checked.models) == (1, 2)
    assert checked.findings == [("One", "KEY002")]
    assert checked.problems == [
        f"module 'shop.a' does not import: {told} ({path}:7)\n  module 'shop.b' imports it, and also stops"
    ]


def test_a_module_that_does_not_parse_is_one_error(run: Run, write: Write) -> None:
    """So is one of which no line runs."""
    path = write("a", "class :\n")
    write("b", "import shop.a\n")
    (problem,) = Checked(run, "shop.a", "shop.b").problems
    assert f"SyntaxError: invalid syntax (a.py, line 1) ({path}:1)" in problem


def test_keyboard_interrupt_ends_the_check(run: Run, write: Write) -> None:
    """Who presses Ctrl-C wants no review of the others."""
    write("a", "raise KeyboardInterrupt\n")
    checked = run("check", "shop.a", "shop.models")
    assert (checked.returncode, checked.stdout, checked.stderr.strip()) == (1, "", "Aborted!")


def test_the_models_of_a_package_that_stops_are_reviewed(run: Run, write: Write) -> None:
    """A package stops with a module of its own: what its modules declared so far is its own, too."""
    write("all/__init__", "from shop.all.one import Order\nfrom shop.all.two import Bill\n")
    write("all/one", MODELS)
    bill = MODELS.replace("Order", "Bill").replace('"orders"', '"bills"').replace('"total"', '"sum"')
    write("all/two", bill + "1 / 0\n")
    checked = Checked(run, "shop.all")
    assert (checked.models, checked.findings) == (2, [])
    assert len(checked.problems) == 1


def test_models_of_other_modules_count_where_they_are_seen(run: Run, write: Write) -> None:
    """A model that two modules show counts once; one that is nowhere shown counts only where its class would be refused."""
    write("a", MODELS)
    write("b", MODELS.replace("Order", "Hidden").replace('"orders"', '"hidden"') + climbing("Refused"))
    write("c", "from shop.a import Order\nimport shop.b\n")
    checked = Checked(run, "shop.a", "shop.c")
    assert (checked.models, checked.problems) == (2, [])
    assert checked.findings == [("Refused", "KEY002")]


def test_a_class_declared_anew_hides_no_error_of_the_first(run: Run, write: Write) -> None:
    """Of two classes of one name, the one that is refused is told, though the module shows the other."""
    anew = (
        climbing("One").replace("sequential=True", "sequential=False").replace('table="One"', 'table="Anew"')
    )
    write("a", IMPORT + climbing("One") + anew)
    checked = Checked(run, "shop.a")
    assert checked.findings == [("One", "KEY002")]
    assert checked.code == 1


def test_rules_over_all_models_see_refused_classes(run: Run, write: Write) -> None:
    """Two GC rules of one family are found, though each class has an error of its own."""
    two = climbing("Two").replace('table="Two"', 'table="One"').replace("max_versions(1)", "max_versions(2)")
    write("a", IMPORT + climbing("One") + two)
    found = Checked(run, "shop.a").findings
    assert ("Two", "FAM009") in found
    assert {("One", "KEY002"), ("Two", "KEY002")} < set(found)


@pytest.mark.parametrize(
    ("keyword", "told"),
    [
        ('allow={"KEY1": "why"}', "allows 'KEY1', which is not a rule that can be suppressed"),
        ('allow={"KEY002": " "}', "allows 'KEY002' without a reason"),
        ('events="-5/s"', "events: expected a rate such as '5000/s'"),
    ],
)
def test_a_wrong_keyword_has_its_place(run: Run, write: Write, keyword: str, told: str) -> None:
    """A wrong suppression and a negative rate name model, file and line, and the other models are reviewed."""
    path = write(
        "a",
        IMPORT
        + climbing("One").replace(', events="900/s"', "").replace("bt.Model,", f"bt.Model, {keyword},")
        + climbing("Two"),
    )
    checked = run("check", "shop.a")
    assert checked.returncode == 1
    assert told in checked.stdout
    assert "One (shop/a.py:3)" in checked.stdout or f"{path}:3: One: " in checked.stdout
    assert checked.stdout.count(told) == 1
    assert "KEY002 sequential-id-first  Two.number" in checked.stdout


def test_no_half_imported_module_stays(project: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that stopped is imported anew by who asks next; one whose classes are all refused declares models."""
    write("a", IMPORT + climbing("One") + "1 / 0\n")
    write("b", IMPORT + hopeless("Two"))
    monkeypatch.chdir(project)
    models, problems = load_each(click.Context(click.Command("check")), ("shop.a", "shop.b", "json"))
    assert [schema.name for schema in models] == ["One"]
    assert [str(problem).partition(":")[0] for problem in problems[:1]] == ["module 'shop.a' does not import"]
    assert str(problems[2]) == "no model is declared in json"
    assert len(problems) == 3
    assert "shop.a" not in sys.modules


FORGOTTEN = CLIMBING.replace(', table="{name}", events="900/s"', "")


def test_a_class_whose_table_was_forgotten_is_named(run: Run, write: Write) -> None:
    """Where it is all that there is, `check` and `generate` say so; beside others it is a note. One that is inherited is none."""
    write("a", IMPORT + FORGOTTEN.format(name="One"))
    told = "no model is declared in shop.a: shop.a.One cannot be one without table="
    assert Checked(run, "shop.a").problems == [told]
    assert run("-m", "shop.a", "generate").stderr == f"error: {told}\n"
    fine = climbing("Two").replace("sequential=True", "sequential=False")
    base = FORGOTTEN.format(name="Base") + "\n\nclass Three(Base, table='three', events='1/s'): ...\n"
    write(
        "a",
        IMPORT + FORGOTTEN.format(name="One") + fine + base.replace("sequential=True", "sequential=False"),
    )
    checked = run("check", "shop.a")
    assert checked.returncode == 0, checked.stdout
    assert (
        checked.stderr == "note: shop.a.One has no table= and no model inherits from it: it is not reviewed\n"
    )


SHARED = """
class {name}(bt.Model, table={table}, events="1/s", delimiter="\\x1f"):
    kind = bt.constant("{name}")
    {field}: str = bt.key(bt.Text(max_length=4), cardinality=3)
    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)
"""


@pytest.mark.parametrize(
    ("table", "field", "why"),
    [
        ('bt.table("t", change_stream="2d")', "name", "table 't', change_stream: One states"),
        (
            '"t"',
            "other",
            "table 't', row_key_schema: Bigtable's encodings cannot express its key: One and Two",
        ),
    ],
)
def test_what_other_commands_refuse_of_a_table_is_told(
    run: Run, write: Write, table: str, field: str, why: str
) -> None:
    """Models that are well each and cannot share their table: `check` fails, as `generate` would."""
    one = SHARED.format(
        name="One", table='bt.table("t", change_stream="3d", row_key_schema=True)', field="name"
    )
    write("a", IMPORT + one + SHARED.format(name="Two", table=table, field=field))
    checked = Checked(run, "shop.a")
    assert (checked.code, checked.models, checked.findings) == (1, 2, [])
    [problem] = checked.problems
    assert problem.startswith(why)


BROKEN = """
class {name}(bt.Model, table="T", events="900/s"):
    number: int = bt.key(bt.PaddedInt(4), cardinality=1000, sequential=True)
    {key}
    f = bt.family("a_family_of_long_names", gc=bt.max_versions(1))
    value: int = bt.column("v", f)
    {column}
"""


@pytest.mark.parametrize(
    ("name", "key", "column", "problems", "rules"),
    [
        ("Column", "", "bad: complex = bt.column('c', f)", 1, ["KEY002", "FAM003"]),
        # What is missing may stand in front, so of the key nothing is known.
        ("Key", "bad: int = bt.key(bt.Text(width=3))", "", 1, ["FAM003"]),
        ("Codec", "bad: int = bt.key()", "worse: complex = bt.column('c', f)", 2, ["FAM003"]),
        (
            "Both",
            "",
            "a: complex = bt.column('a', f)\n    b: int = bt.column('v', f, default='x')",
            2,
            ["KEY002", "FAM003"],
        ),
    ],
)
def test_a_class_that_cannot_be_gets_its_other_findings(
    run: Run, write: Write, name: str, key: str, column: str, problems: int, rules: list[str]
) -> None:
    """What is declared well is reviewed, as far as that is true of the whole class; nothing is said of what is missing."""
    write("a", IMPORT + BROKEN.format(name=name, key=key, column=column))
    checked = Checked(run, "shop.a")
    assert (checked.code, checked.models, len(checked.problems)) == (1, 0, problems)
    assert [rule for _, rule in checked.findings] == rules
