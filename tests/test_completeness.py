"""Completeness: what stands in several tables stands in all of them.

Whoever adds a codec, a shape, a rule, a change, a target, a setting or a command and forgets one of its tables, sees the
name of it and of the table here.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from attrs import fields
from btmodel_codegen.attribute_code import CODE
from btmodel_codegen.targets import TARGETS

import btmodel as bt
from btmodel import errors
from btmodel.cli import COMMANDS
from btmodel.cli.row_files.formats import ENDINGS
from btmodel.client.options import _DEADLINES, DEFAULT_RETRY_ON, ConnectOptions, Options
from btmodel.codecs import cell, key
from btmodel.codecs.cell.default import DEFAULTS
from btmodel.declare.declarations import ESTIMATES
from btmodel.errors import BtmodelError
from btmodel.lint import RULES
from btmodel.migrate import changes
from btmodel.rows.collections import HELD
from btmodel.rows.columns import SHAPES
from btmodel.schema import Shape, TableSettings
from btmodel.schema.limits import PERIODS
from btmodel.settings import KNOWN
from tests.schemas import POOLS

ROOT = Path(__file__).parents[1]
# Codecs that no user names, each with what stands in its place.
UNNAMED = {
    "Constant": "bt.constant()",
    "MappedCell": "bt.mapped()",
    "MappedKey": "bt.mapped()",
}
BASES = {"CellCodec", "KeyCodec"}
# Shapes whose attributes hold one value, and no collection of them.
ONE_VALUE = {Shape.VALUE: None, Shape.COUNTER: None}

# Code that knows key codecs by name. Of each codec that is not named there, by why: of some it does what is right of all, but slower.
BINARY = "BigEndian EscapedBytes LittleEndian OrderedCode OrderedInt TimeBytes UuidRaw VarInt"
NOT_NAMED: dict[str, dict[str, str]] = {
    "sql/readings.py": {
        "GoogleSQL has no function for its digits, so queries show its text": "Base58",
        "GoogleSQL has no function for its bytes, so queries show them": "EscapedBytes EscapedText OrderedCode OrderedInt VarInt",
        "times of GoogleSQL are not so fine": "EpochNanos",
        "its text is read as text": "IsoTimeText IsoWeek Joined",
        "holds no value": "Constant",
    },
    "sql/views.py": {
        "no expression writes it, so a view with it is refused where it is declared": f"{BINARY} AsInKey Base58 Base64 Descending "
        "EpochBucket EpochNanos EscapedText Hex HexInt IsoTimeText Joined LengthPrefixed MappedKey Repeated ReversedDigits "
        "ReversedDomain Week",
        "written as the bytes that the key has there": "Constant",
    },
    "guess/key_codecs.py": {
        "bytes that are no text are guessed as such": f"{BINARY} LengthPrefixed",
        "its text is guessed as text, or as digits": "Base58 Base64 Boolean EnumText EpochNanos Hex HexInt IsoTimeText Joined Week",
        "what it means stands in the declaration alone": "AsInKey EpochBucket MappedKey",
        "guessed by guess/key.py": "Constant",
    },
    "design/encodings.py": {
        "there is no codec to advise for the same values": "AsInKey Base58 Base64 Boolean Constant EnumText "
        "HexDigest Joined ReversedDomain Text",
    },
    "codecs/inline.py": {
        "compiled code calls it": f"{BINARY} AsInKey Base58 Base64 Bytes Descending EpochBucket EpochNanos EscapedText Hex HexDigest "
        "HexInt IsoTimeText IsoWeek Joined LengthPrefixed MappedKey Repeated ReversedDigits ReversedDomain UuidText Week",
    },
    "columnar/cell_arrays.py": {
        "Arrow gets it value by value": f"{BINARY} AsInKey Base58 Base64 Boolean Bytes Constant Descending EnumText EpochBucket "
        "EpochNanos EscapedText Hex HexDigest HexInt IsoTimeText IsoWeek Joined LengthPrefixed MappedKey Repeated ReversedDigits "
        "ReversedDomain UuidText Week",
    },
    "schema/key_schema.py": {
        "row key schemas of Bigtable have no such encoding": "AsInKey Base58 Base64 BigEndian Boolean DateText Descending EpochBucket "
        "EpochMicros EpochMillis EpochNanos EpochSeconds Hex HexInt Int IsoTimeText IsoWeek Joined LengthPrefixed LittleEndian MappedKey "
        "PaddedInt Repeated ReversedDigits ReversedDomain ReversedMicros ReversedMillis ReversedSeconds TimeBytes TimeText VarInt Week",
    },
    "migrate/tables/layouts.py": {
        "one with other arguments is another codec, so rows are written again": "Base58 Base64 BigEndian Boolean Constant DateText Descending "
        "EpochBucket EpochMicros EpochMillis EpochNanos EpochSeconds Hex HexDigest HexInt IsoTimeText IsoWeek Joined LittleEndian MappedKey "
        "OrderedCode OrderedInt PaddedInt ReversedDigits ReversedMicros ReversedMillis ReversedSeconds TimeBytes TimeText UuidRaw UuidText "
        "VarInt Week",
    },
}


# Key codecs without a pool of values in ``tests/schemas.py``, from which the tests of whole keys, plans and recorded layouts draw.
NOT_DRAWN = {
    "as EpochSeconds, with another unit": "EpochMicros EpochMillis EpochNanos",
    "as ReversedMillis, with another unit": "ReversedMicros ReversedSeconds",
    "as TimeText, with one format": "IsoTimeText",
    "as the codec within": "AsInKey MappedKey",
    "all fields of its key must be of it": "OrderedCode",
    "its values are compared item by item": "Joined",
    "as Hex, for texts": "HexDigest",
}


def text(*places: str) -> str:
    """The text of some files, and of all in some folders, together."""
    paths = [ROOT / place for place in places]
    files = [path for one in paths for path in ([one] if one.is_file() else sorted(one.rglob("*.*")))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.suffix in (".py", ".md"))


def lacking(names: Iterable[str], place: str, written: str) -> list[str]:
    """The names that ``written``, the text of ``place``, does not hold as words."""
    return [f"{name}: not in {place}" for name in names if not re.search(rf"\b{re.escape(name)}\b", written)]


def codecs(package: object) -> Iterator[str]:
    """The names of the codecs that a package exports."""
    for name in getattr(package, "__all__", ()):
        made = getattr(package, name)
        if isinstance(made, type) and hasattr(made, "encode") and name not in BASES:
            yield name


def test_every_codec_is_everywhere() -> None:
    """Exported at the top, documented, drawn by the strategies for users' tests, and among the cases of the property tests."""
    named = [name for package in (key, cell) for name in codecs(package) if name not in UNNAMED]
    defaults = set(DEFAULTS.values())
    wrong = [f"{name}: not in btmodel.__all__" for name in named if name not in bt.__all__]
    wrong += lacking(
        [name for name in named if name not in defaults], "README.md or docs", text("README.md", "docs")
    )
    wrong += lacking(named, "src/btmodel/testing.py", text("src/btmodel/testing.py"))
    for package, cases in ((key, "key_cases.py"), (cell, "test_cell_codecs.py")):
        own = [
            name for name in codecs(package) if name != "AsInKey"
        ]  # which has a module of cases of its own
        wrong += lacking(own, cases, text(f"tests/codecs/{cases}"))
    assert not wrong, "\n".join(wrong)


def test_every_key_codec_is_drawn_in_whole_keys() -> None:
    """Or it is listed in ``NOT_DRAWN`` with the reason, and has no pool."""
    drawn = {type(codec).__name__ for codec, _ in POOLS}
    listed = {name for names in NOT_DRAWN.values() for name in names.split()}
    assert drawn & listed == set()
    assert drawn | listed == {*codecs(key)}


def test_every_key_codec_is_where_code_knows_codecs_by_name() -> None:
    """Or it is listed in ``NOT_NAMED`` with the reason; nothing is listed that is there, or that is no codec."""
    every = set(codecs(key))
    wrong = []
    for place, reasons in NOT_NAMED.items():
        tree = ast.parse((ROOT / "src/btmodel" / place).read_text(encoding="utf-8"))
        named = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Name | ast.Attribute)
        }
        listed = [name for names in reasons.values() for name in names.split()]
        wrong += [
            f"{name}: not in {place}, and no reason in NOT_NAMED"
            for name in sorted(every - named - {*listed})
        ]
        wrong += [f"{name}: in NOT_NAMED, and in {place}" for name in listed if name in named]
        wrong += [
            f"{name}: in NOT_NAMED of {place}, and no key codec" for name in listed if name not in every
        ]
        wrong += [f"{name}: twice in NOT_NAMED of {place}" for name in {*listed} if listed.count(name) > 1]
    row = next(line for line in text("CONTRIBUTING.md").splitlines() if line.startswith("| a codec "))
    wrong += [f"{place}: not in the row of CONTRIBUTING.md" for place in NOT_NAMED if f"`{place}`" not in row]
    assert not wrong, "\n".join(wrong)


def test_every_shape_is_in_each_table() -> None:
    """How its cells lie, how it is declared, how its code is written again, and what its values are in users' tests."""
    tables = {"rows.columns.SHAPES": SHAPES, "declare.declarations.ESTIMATES": ESTIMATES}
    tables |= {"rows.collections.HELD": HELD | ONE_VALUE, "btmodel_codegen.attribute_code.CODE": CODE}
    wrong = [f"{shape}: not in {name}" for name, table in tables.items() for shape in set(Shape) - set(table)]
    functions = sorted({shape.function for shape in Shape})
    wrong += [f"{name}: not in btmodel.__all__" for name in functions if name not in bt.__all__]
    wrong += lacking(functions, "docs/models.md", text("docs/models.md"))
    assert not wrong, "\n".join(wrong)


def test_every_shape_is_one_cell_entries_or_events() -> None:
    """Code that asks the facts of a shape divides them in these three, so that a shape is one of them and no other."""
    kinds = {shape: [shape.single, shape.entered, shape.eventful] for shape in Shape}
    assert [shape.name for shape, kind in kinds.items() if sum(kind) != 1] == []


def test_every_match_of_a_shape_names_all_of_them() -> None:
    """Each ``match`` over a shape ends with ``assert_never``, so that mypy reports where a new shape is not named."""
    wrong, found = [], 0
    for path in [path for folder in ("src", "codegen") for path in sorted((ROOT / folder).rglob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Match) or not ast.unparse(node.subject).endswith("shape"):
                continue
            found += 1
            if ast.unparse(node.cases[-1].body[-1]) != f"assert_never({ast.unparse(node.subject)})":
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: the last case is not assert_never")
    assert found >= 4
    assert not wrong, "\n".join(wrong)


def test_every_fact_of_a_shape_is_in_contributing() -> None:
    """The row for a new shape lists all facts that code asks shapes for, as words to search."""
    row = next(line for line in text("CONTRIBUTING.md").splitlines() if line.startswith("| a shape "))
    facts = [name for name, value in vars(Shape.VALUE).items() if isinstance(value, bool)]
    assert len(facts) > 8
    assert lacking(facts, "the row of CONTRIBUTING.md", row) == []


def test_every_rule_has_its_page_and_its_test() -> None:
    """A page of its own in docs/rules, a line in the list there, and a test that names it."""
    pages = text("docs/rules/README.md")
    tests = text("tests/lint", "tests/schema", "tests/cli")
    wrong = [
        f"{rule.id}: no page" for rule in RULES if not list((ROOT / "docs/rules").glob(f"{rule.id}*.md"))
    ]
    wrong += lacking([rule.id for rule in RULES], "docs/rules/README.md", pages)
    wrong += lacking([rule.id for rule in RULES], "tests/lint", tests)
    assert not wrong, "\n".join(wrong)


def test_every_setting_of_a_table_is_in_each_table() -> None:
    """How it is declared, described, sent, read and migrated, what the generated definitions say of it, and a case of theirs with all."""
    names = [one.name for one in fields(TableSettings)]
    places = [
        *(f"src/btmodel/{name}.py" for name in ("declare/keywords", "described", "client/admin_messages")),
        "src/btmodel/migrate/changes/settings.py",
        *(f"codegen/btmodel_codegen/{name}.py" for name in ("create_requests", "gcloud", "terraform")),
        "docs/models.md",
        "tests/codegen/cases/settings_of_all_kinds/models.py",
    ]
    lengths = {one.name for one in fields(TableSettings) if "timedelta" in str(one.type)}
    wrong = [f"{name}: not in PERIODS" for name in sorted(lengths ^ PERIODS.keys())]
    others = [name for name in names if name not in PERIODS]
    generic = (
        "src/btmodel/recorded/tables.py",
        "src/btmodel/guess/table.py",
        "codegen/btmodel_codegen/inspected.py",
    )
    wrong += [each for place in places for each in lacking(names, place, text(place))]
    wrong += [each for place in generic for each in lacking([*others, "PERIODS"], place, text(place))]
    row = next(
        line for line in text("CONTRIBUTING.md").splitlines() if line.startswith("| a setting of a table ")
    )
    wrong += [
        f"{place}: not in CONTRIBUTING.md"
        for place in (*places, *generic)
        if place.removeprefix("src/btmodel/") not in row
    ]
    assert not wrong, "\n".join(wrong)


def test_every_change_is_found_or_made_by_a_plan() -> None:
    """The name of each kind of change is in the page of what is detected."""
    verbs = [
        kind.verb
        for file in vars(changes).values()
        if isinstance(file, ModuleType)
        for kind in vars(file).values()
        if isinstance(kind, type)
        and isinstance(getattr(kind, "verb", None), str)
        and kind is not changes.gc_rules.ChangeGc  # whose names say in which direction
    ]
    assert len(verbs) > 20
    assert lacking(verbs, "docs/migrations.md", text("docs/migrations.md")) == []


def test_every_function_that_finds_changes_is_asked() -> None:
    """A line in ``FINDERS`` for each of them: without it, a plan never has the change."""
    asked = {find for finder in changes.FINDERS for find in (finder.of_both, finder.of_one)}
    finds = [
        (f"{file.__name__}.{name}", kind)
        for file in vars(changes).values()
        if isinstance(file, ModuleType)
        for name, kind in vars(file).items()
        if name.startswith("find") and getattr(kind, "__module__", "") == file.__name__
    ]
    assert len(finds) > 20
    assert [name for name, find in finds if find not in asked] == []


def test_every_target_setting_and_command_is_documented() -> None:
    """Targets with recorded texts, too; settings by their names; commands in their page."""
    wrong = lacking(TARGETS, "docs/generated-files.md", text("docs/generated-files.md"))
    recorded = {path.name for path in (ROOT / "tests/codegen/cases").rglob("expected/*")}
    for name, target in TARGETS.items():
        if not any(re.fullmatch(rf".*{re.escape(one)}", file) for one in target.prints for file in recorded):
            wrong.append(f"{name}: no recorded text in tests/codegen/cases")
    wrong += lacking(KNOWN, "README.md or docs", text("README.md", "docs"))
    wrong += lacking([f"btmodel {name}" for name in COMMANDS], "docs/commands.md", text("docs/commands.md"))
    assert not wrong, "\n".join(wrong)


def test_every_format_of_files_with_rows_is_documented() -> None:
    """A row in the page of rows for each ending, and a test of the commands that writes and reads such a file."""
    rows = re.findall(r"^\| `(\.\w+)` \|", text("docs/rows.md"), re.M)
    assert [ending for ending in ENDINGS if ending not in rows] == []
    assert lacking(ENDINGS, "tests/cli", text("tests/cli")) == []


def test_every_option_and_error_is_documented() -> None:
    """Each option of a connection has a row with its default, each error of a server one that says what to do."""
    page = text("docs/production.md")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", page, re.M))
    options = {one.name: one.default for one in fields(Options) if one.init}
    assert options.keys() == ConnectOptions.__annotations__.keys()
    assert [name for name in options if name not in rows] == []
    plain = {name: value for name, value in options.items() if type(value) is int}
    assert {name: int(rows[name].split()[0].replace(",", "")) for name in plain} == plain
    assert rows["deadline"] == ", ".join(f"{kind} {seconds:g}" for kind, seconds in _DEADLINES.items())
    assert [code for code in DEFAULT_RETRY_ON if f"`{code}`" not in rows["retry_on"]] == []
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, BtmodelError)]
    assert (
        lacking([one.__name__ for one in kinds if one is not BtmodelError], "docs/production.md", page) == []
    )


def test_the_places_of_contributing_are_there() -> None:
    """Every file and folder that CONTRIBUTING sends its reader to."""
    table = re.findall(r"^\| .*\|$", text("CONTRIBUTING.md"), re.M)
    places = {place for line in table for place in re.findall(r"`([\w/.]+(?:/|\.py))`", line)}
    roots = [ROOT, ROOT / "src", ROOT / "src/btmodel", ROOT / "tests/bench/speed"]
    assert len(places) > 10
    assert [place for place in sorted(places) if not any((root / place).exists() for root in roots)] == []


def test_the_places_of_architecture_are_there() -> None:
    """Every file and folder that ARCHITECTURE names, by its path or by the end of it; and every file beside the rules is named there."""
    page = text("ARCHITECTURE.md")
    places = set(re.findall(r"`((?:[\w.]+/)*[\w.]+(?:/|\.py))`", page))
    there = [
        f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}"
        for folder in ("src", "codegen", "tests")
        for path in (ROOT / folder, *(ROOT / folder).rglob("*"))
    ]
    assert len(places) > 100
    assert [place for place in sorted(places) if not any(path.endswith(f"/{place}") for path in there)] == []
    files = [path.name for path in (ROOT / "src/btmodel/lint").glob("[a-z]*.py")]
    assert [name for name in sorted(files) if name not in page] == []
