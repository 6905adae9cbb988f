"""The lines of source that findings show, and the changes of them that fix a finding."""

from collections.abc import Callable
from pathlib import Path

import pytest

from btmodel.cli.source import Edit, Sources
from btmodel.lint import ArgumentEdit, Finding, Level
from btmodel.schema import Location

At = Callable[..., Finding]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "models.py"


@pytest.fixture
def at(source: Path) -> At:
    """Makes a finding on a line of the file, whose source is written first."""

    def make(text: str | bytes, line: int, field: str | None, edit: ArgumentEdit | None = None) -> Finding:
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        place = Location(str(source), line)
        return Finding("R", "r", Level.ERROR, False, "m", "Thing", field, place, "what", "why", "fix", edit)

    return make


def shown(finding: Finding) -> tuple[str, str] | None:
    """The line of a finding, and what of it is meant."""
    excerpt = Sources().excerpt(finding)
    return excerpt and (excerpt.line, excerpt.line[excerpt.start : excerpt.end])


def fixed(finding: Finding) -> str | None:
    """The file with the finding's fix applied, or None where there is none that applies."""
    edit = Sources().edit(finding)
    return edit and applied(edit, Path(edit.file).read_text(encoding="utf-8"))


def applied(edit: Edit, text: str) -> str:
    lines = text.splitlines(keepends=True)
    region = edit.region
    before = "".join(lines[: region.line - 1]) + lines[region.line - 1][: region.column]
    behind = lines[region.end_line - 1][region.end_column :] + "".join(lines[region.end_line :])
    return before + edit.text + behind


BODY = """import btmodel as bt
class Thing(
    bt.Model, table="a table",
):
    größe: int = bt.key(bt.Int(8), cardinality=5)  # bytes
    md = bt.family(
        "MD",  # no rule
    )
    x: int = bt.column(
        "ÄÖÜ",
        md,
    )
    a = bt.family("a"); b = bt.family("b"); c = bt.family("a") if 1 else a
    of = bt.query("größe", between="x")
"""


@pytest.mark.parametrize(
    ("line", "field", "edit", "line_meant", "meant"),
    [
        (2, None, None, "class Thing(", "Thing"),
        (2, None, ArgumentEdit("table", '"t"'), '    bt.Model, table="a table",', 'table="a table"'),
        (2, None, ArgumentEdit("allow", "{}"), "class Thing(", "Thing"),
        (5, "größe", None, "    größe: int = bt.key(bt.Int(8), cardinality=5)  # bytes", "bt.key(bt.Int(8), cardinality=5)"),
        (5, "größe", ArgumentEdit("codec", "bt.PaddedInt(8)"), "    größe: int = bt.key(bt.Int(8), cardinality=5)  # bytes", "bt.Int(8)"),
        (6, "MD", None, "    md = bt.family(", "bt.family("),
        (9, "x", ArgumentEdit("qualifier", '"A"'), '        "ÄÖÜ",', '"ÄÖÜ"'),
        (14, "of", ArgumentEdit(0, '"x"'), '    of = bt.query("größe", between="x")', '"größe"'),
        (14, "of", ArgumentEdit("between", '"y"'), '    of = bt.query("größe", between="x")', 'between="x"'),
    ],
)  # fmt: skip
def test_what_is_meant_is_underlined(
    at: At, line: int, field: str | None, edit: ArgumentEdit | None, line_meant: str, meant: str
) -> None:
    """The argument that a fix changes, else the name of a class, else the declaration as far as its line goes."""
    assert shown(at(BODY, line, field, edit)) == (line_meant, meant)


def test_of_several_declarations_on_a_line_the_one_is_meant(at: At) -> None:
    """A family is known by its id, an attribute by its name; where none is known, nothing is shown."""
    found = at(BODY, 13, "b", ArgumentEdit("gc", "bt.keep_all()"))
    assert shown(found) == (BODY.splitlines()[12], 'bt.family("b")')
    assert 'b = bt.family("b", gc=bt.keep_all());' in str(fixed(found))
    assert shown(at(BODY, 13, "z")) is None


@pytest.mark.parametrize(
    ("line", "field", "edit", "old", "new"),
    [
        (2, None, ArgumentEdit("table", '"t"'), 'table="a table"', 'table="t"'),
        (2, None, ArgumentEdit("events", '"1/s"'), '"a table",', '"a table", events="1/s"'),
        (5, "größe", ArgumentEdit("codec", "bt.PaddedInt(8)"), "bt.Int(8)", "bt.PaddedInt(8)"),
        (5, "größe", ArgumentEdit(0, "bt.PaddedInt(8)"), "bt.Int(8)", "bt.PaddedInt(8)"),
        (5, "größe", ArgumentEdit("cardinality", "6"), "=5)", "=6)"),
        (5, "größe", ArgumentEdit("ends", '"é"'), "cardinality=5", 'cardinality=5, ends="é"'),
        (6, "MD", ArgumentEdit("gc", "bt.max_versions(1)"), '"MD",', '"MD", gc=bt.max_versions(1)'),
        (9, "x", ArgumentEdit("qualifier", '"A"'), '"ÄÖÜ"', '"A"'),
        (14, "of", ArgumentEdit(0, '"x"'), '"größe"', '"x"'),
        (14, "of", ArgumentEdit("between", '"y"'), '"x"', '"y"'),
        (14, "of", ArgumentEdit("scan", '"why"'), 'between="x"', 'between="x", scan="why"'),
    ],
)
def test_a_fix_changes_one_argument(
    at: At, line: int, field: str | None, edit: ArgumentEdit, old: str, new: str
) -> None:
    """An argument is replaced, given by position or by name, or added behind the others; nothing else changes."""
    assert fixed(at(BODY, line, field, edit)) == BODY.replace(old, new)


@pytest.mark.parametrize(
    ("imports", "before", "after"),
    [
        ("import btmodel as b", "b.key(codec=b.Int(2))", "b.key(codec=b.PaddedInt(2))"),
        ("import btmodel", "btmodel.key(btmodel.Int(2))", "btmodel.key(btmodel.PaddedInt(2))"),
        ("from btmodel import key, PaddedInt, Int", "key(Int(2))", "key(PaddedInt(2))"),
        ("from btmodel import key as k, PaddedInt as P, Int", "k(Int(2),)", "k(P(2),)"),
        ("from btmodel import key, Int", "key(Int(2))", None),
        ("import btmodel as bt; from mine import key", "key(bt.Int(2))", None),
        ("import btmodel as bt; bt = mine", "bt.key(bt.Int(2))", None),
        ("import btmodel as bt; from mine import *", "bt.key(bt.Int(2))", None),
        ("import btmodel as bt; from mine import bt", "mine.key(bt.Int(2))", None),
        ("import btmodel as bt", "bt.key(*codecs)", None),
        ("import btmodel as bt", "bt.key(**codecs)", None),
        ("import btmodel as bt", "bt.constant('N')", None),
        ("import btmodel as bt", "bt.key(bt.Int(2)) if big else bt.key(bt.Int(1))", None),
    ],
)
def test_a_fix_is_written_as_its_module_imports(at: At, imports: str, before: str, after: str | None) -> None:
    """The names are those of the module; where one of them is lacking, or what is called is not known, there is no fix."""
    text = f"{imports}\nclass Thing(Any, table='t'):\n    n: int = {{}}\n"
    found = at(text.format(before), 3, "n", ArgumentEdit("codec", "bt.PaddedInt(2)"))
    assert fixed(found) == (after and text.format(after))


IMPORTS = "import btmodel as bt\nfrom btmodel import PaddedInt, Int, key\n"
CLASS = 'class Thing(bt.Model, table="t"):\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{IMPORTS}{CLASS}    n: int = bt.key(CODEC)\n", 4),
        (f"{IMPORTS}{CLASS}    n: int = bt.key(bt.Int(DIGITS))\n", 4),
        (f"{IMPORTS}{CLASS}    n: int = bt.key(mine.Int(2))\n", 4),
        (f"{IMPORTS}{CLASS}    n: int = bt.key(\n        bt.Int(  # why\n        2)\n    )\n", 4),
        (f"{IMPORTS}{CLASS}    bt = PaddedInt = mine\n    n: int = key(Int(2))\n", 5),
        (f"{IMPORTS}{CLASS}    class bt: pass\n    n: int = bt.key(Int(2))\n", 5),
        (f"{IMPORTS}{CLASS}    n: int = bt.key(bt.Int(2))\n    m: int = n\n", 4),
        (f"{IMPORTS}{CLASS}    m = n = bt.key(bt.Int(2))\n", 4),
        (f"{IMPORTS}{CLASS}    if big:\n        n: int = bt.key(bt.Int(2))\n", 5),
        (f"{IMPORTS}class Thing(bt.Model):\n    n: int = bt.key(bt.Int(2))\n", 4),
        (f"{IMPORTS}class Mixin(bt.Model):\n    n: int = bt.key(bt.Int(2))\n{CLASS}    m = 1\n", 4),
        (f"{IMPORTS}{CLASS}    n: int = bt.key(bt.Int(2))\n{CLASS}    m = 1\n", 4),
        (f"{IMPORTS}for _ in range(1):\n    {CLASS}        n: int = bt.key(bt.Int(2))\n", 5),
        (f"{IMPORTS}def make():\n    {CLASS}        n: int = bt.key(bt.Int(2))\n", 5),
        (f"{IMPORTS}n: int = bt.key(bt.Int(2))\n{CLASS}    n = n\n", 3),
    ],
)
def test_only_a_plain_declaration_of_the_model_itself_is_changed(at: At, text: str, line: int) -> None:
    """No name in the place of a literal, no comment in it, and no declaration that others may have a part in."""
    assert fixed(at(text, line, "n", ArgumentEdit("codec", "bt.PaddedInt(2)"))) is None


@pytest.mark.parametrize(
    "head",
    [
        "def make(name):\n    class Thing(bt.Model, table=name): pass",
        "def make(name):\n    class Thing(bt.Model, table='a b'): pass",
        "\nclass Thing(bt.Model, table=f'a {ENV}'): pass",
        "\nclass Thing(Prefixed, table='a b'): pass",
        "\nclass Thing(bt.Model, **settings): pass",
    ],
)
def test_only_a_plain_keyword_of_a_model_is_changed(at: At, head: str) -> None:
    """What a table is called by a name, or by another base, is not known from the source."""
    assert fixed(at(f"import btmodel as bt\n{head}\n", 3, None, ArgumentEdit("table", '"t"'))) is None


def test_a_family_is_meant_by_its_id_alone(at: At) -> None:
    """An attribute that is called like another family is not that family."""
    text = f'import btmodel as bt\nA_ID = "a"\n{CLASS}    a = bt.family("b", gc=bt.keep_all()); c = bt.family(A_ID)\n'
    for edit in (ArgumentEdit("gc", "bt.max_versions(1)"), ArgumentEdit("id", '"x"')):
        assert fixed(at(text, 4, "a", edit)) is None
        assert fixed(at(text, 4, "b", edit)) is not None


def test_a_name_of_another_module_must_be_there(at: At) -> None:
    """A fix that needs ``date`` is none for a module that does not import it."""
    text = "import btmodel as bt\nclass Thing(bt.Model, table='t'):\n    n: date = bt.key(bt.Week())\n"
    edit = ArgumentEdit("codec", "bt.Week(origin=date(2020, 1, 6))")
    assert fixed(at(text, 3, "n", edit)) is None
    known = f"from datetime import date\n{text}"
    assert "bt.key(bt.Week(origin=date(2020, 1, 6)))" in str(fixed(at(known, 4, "n", edit)))


def test_what_a_function_declares_is_not_changed(at: At) -> None:
    """A declaration in a function may be meant for more than the model in question; it is shown all the same."""
    text = "import btmodel as bt\ndef number():\n    n = bt.key(bt.Int(2))\n    return n\n"
    found = at(text, 3, "n", ArgumentEdit("codec", "bt.PaddedInt(2)"))
    assert shown(found) == ("    n = bt.key(bt.Int(2))", "bt.Int(2)")
    assert fixed(found) is None


@pytest.mark.parametrize(
    "text",
    [
        b"class Thing(:\n",
        b"",
        b"\xff\xfe",
        b"# coding: none-such\nclass Thing: pass\n",
        b"\0",
        b"import os\nx = 1\n",
    ],
)
def test_a_file_that_cannot_be_read_shows_nothing(at: At, text: bytes) -> None:
    """A file that does not parse, is no text, or holds something else by now is no error."""
    found = at(text, 3, "n", ArgumentEdit("codec", "bt.Int(1)"))
    assert (shown(found), fixed(found)) == (None, None)


@pytest.mark.parametrize("file", ["<string>", "/none/such.py", "/"])
def test_a_file_that_is_not_there_shows_nothing(at: At, file: str) -> None:
    """A model that was made of no file has no excerpt."""
    finding = Finding("R", "r", Level.ERROR, False, "m", "T", None, Location(file, 1), "a", "b", "c", None)
    assert shown(finding) is None
    assert fixed(finding) is None


def test_another_declaration_at_the_line_is_not_changed(at: At) -> None:
    """Where a file has changed since it was imported, a fix must not hit what is there now."""
    text = "import btmodel as bt\nclass Thing(bt.Model, table='t'):\n    other: int = bt.key(bt.Int(2))\n"
    assert fixed(at(text, 3, "n", ArgumentEdit("codec", "bt.PaddedInt(2)"))) is None


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-8"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_are_code_points_in_any_encoding(at: At, encoding: str, end: str) -> None:
    """What stands behind letters outside of ASCII is found where it stands."""
    text = f"# coding: {encoding}{end}import btmodel as bt{end}class Thing:{end}    ä: int = bt.key(bt.Int(2)); n = 'ü\\d'{end}"
    excerpt = Sources().excerpt(at(text.encode(encoding), 4, "ä", ArgumentEdit("codec", "bt.PaddedInt(2)")))
    assert excerpt is not None
    assert (excerpt.number, excerpt.start, excerpt.end) == (4, 20, 29)


def test_a_file_is_read_once(at: At, source: Path) -> None:
    """Many findings of one file cost one reading of it."""
    found = at(BODY, 5, "größe")
    sources = Sources()
    first = sources.excerpt(found)
    source.unlink()
    assert sources.excerpt(found) == first is not None
