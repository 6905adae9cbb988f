"""Revisions as files: what is written is read back, and what is wrong in one is a sentence with its place."""

import re
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest
from gc_rules import RULES
from hypothesis import example, given
from hypothesis import strategies as st
from some_revisions import FIRST, SECOND, any_revisions, folder_of, on
from some_tables import QUOTE, table

from btmodel.errors import MigrationError
from btmodel.migrate.history import AppliedRevision
from btmodel.migrate.revisions import folder
from btmodel.migrate.revisions.folder import as_text, read, read_folder, write
from btmodel.migrate.revisions.graph import graph_of
from btmodel.migrate.revisions.revision import Link, Revision
from btmodel.migrate.revisions.squashing import squash
from btmodel.migrate.revisions.standing import standing
from btmodel.migrate.revisions.steps import step_checksum
from btmodel.schema import CellLayout, Family, GcRule, KeyPart, Layout, MaxVersions, Table, TableSettings
from tests.examples_tried import examples

_texts = st.text(st.characters(exclude_categories=["Cs"]))
_values = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | _texts,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(_texts, parts, max_size=3),
)


@given(st.dictionaries(_texts, _values), st.integers(0, 4))
def test_toml_is_read_back(data: dict[str, Any], deep: int) -> None:
    """Any plain data comes back from tomllib as it was, wherever its tables begin to stand on a line."""
    lines = "\n".join(folder.written(data, lambda path: len(path) <= deep))
    assert tomllib.loads(lines) == data


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a revision without a folder of others."""
    return tmp_path_factory.mktemp("scratch") / "0001_any.toml"


@given(revision=any_revisions)
def test_a_revision_is_read_back(revision: Revision, scratch: Path) -> None:
    """A revision is what its file says, names that are in no byte included, and has the same checksum."""
    scratch.write_text(as_text(revision), encoding="utf-8")
    again = read(scratch)
    assert (repr(again), again.checksum) == (repr(revision), revision.checksum)


@given(revision=any_revisions)
def test_the_checksum_is_of_the_meaning(revision: Revision, scratch: Path) -> None:
    """Line ends, comments, a mark of byte order, blank lines and the message change no checksum."""
    text = as_text(revision, ["+ create-table:X"])
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    lines = ["# mine", *(line for one in lines for line in (one, ""))]
    changed = re.sub(r"^message = .*$", 'message = "other"', "\r\n".join(lines), count=1, flags=re.M)
    scratch.write_bytes(b"\xef\xbb\xbf" + changed.encode())
    assert read(scratch).checksum == revision.checksum


@given(any_revisions, any_revisions)
def test_other_content_has_another_checksum(one: Revision, other: Revision) -> None:
    """Two revisions have one checksum where they are the same, and only there."""
    assert (one.checksum == other.checksum) == (repr(_nameless(one)) == repr(_nameless(other)))


def _nameless(one: Revision) -> tuple[object, ...]:
    return one.parents, one.tables, one.replaces


def test_the_form_of_a_file(tmp_path: Path) -> None:
    """The form is a contract on disk, and one line is one thing that can change."""
    layout = Layout(
        "Quote",
        (KeyPart("Text(width=6)", "#", "exchange"),),
        (CellLayout("MD:BID", "value Utf8()", required=True, attribute="bid"),),
    )
    family = Family("MD", MaxVersions(1), renamed_from="OLD")
    quote = Table("QUOTE", (family,), TableSettings(deletion_protection=True), (layout,), "QUOTES")
    path = write(tmp_path, on(FIRST, message="Rename, as “QUOTE”", tables=[quote]), ["~ all"])
    assert path.name == "0002_rename_as_quote.toml"
    assert path.read_text(encoding="utf-8") == (
        "# The tables as they are once this revision is applied; written by `btmodel migrate`.\n"
        "#\n"
        "# ~ all\n"
        "format = 1\n"
        'message = "Rename, as “QUOTE”"\n'
        "\n"
        "[parents]\n"
        f'0001_quotes = "{FIRST.checksum}"\n'
        "\n"
        "[tables.QUOTE]\n"
        'renamed_from = "QUOTES"\n'
        "\n"
        "[tables.QUOTE.families]\n"
        'MD = { gc = { max_versions = 1 }, renamed_from = "OLD" }\n'
        "\n"
        "[tables.QUOTE.settings]\n"
        "deletion_protection = true\n"
        "\n"
        "[tables.QUOTE.models.Quote]\n"
        "key = [\n"
        '    { name = "exchange", codec = "Text(width=6)", behind = "#" },\n'
        "]\n"
        "\n"
        "[tables.QUOTE.models.Quote.cells]\n"
        '"MD:BID" = "required value Utf8()"\n'
        "\n"
        "[tables.QUOTE.models.Quote.attributes]\n"
        '"MD:BID" = "bid"\n'
    )


def test_checksums_are_a_contract() -> None:
    """Instances have recorded checksums: this one never changes."""
    assert FIRST.checksum == "9bb3c1fb117a1d854072283d92ac26f6"


GOOD = as_text(SECOND)
WRONG: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text[: len(text) // 2], "not TOML: "),
    (lambda text: "", "expected format = 1, got None"),
    (lambda text: text.replace("format = 1", 'format = "1"'), "expected format = 1, got '1'"),
    (
        lambda text: text.replace("format = 1", "format = 2"),
        "it is of format 2, and this btmodel reads up to 1: use the newer one that wrote it",
    ),
    (lambda text: text.replace("message", "massage"), "'massage' is not known: expected format, message"),
    (lambda text: text.replace('"trades"', "7"), "message: expected a text, got 7"),
    (lambda text: text.partition("[tables")[0], "expected \\[tables...\\]"),
    (lambda text: text.replace("0001_quotes", '"../x"'), "parents: expected the id of a revision"),
    (lambda text: text.replace("max_versions = 1", "max_versions = 0"), "expected a number of versions"),
    (lambda text: text.replace("max_versions", "max_version"), "tables: table 'QUOTE', family 'MD', gc"),
    (lambda text: f"<<<<<<< HEAD\n{text}", "not TOML: .*; git left a conflict in it"),
    (lambda text: f"x = {'9' * 5000}\n{text}", "not TOML: "),
    (lambda text: f"x = {'[' * 5000}\n{text}", "nested too deep|not TOML"),
    (lambda text: text.replace('"7d"', f'"{"9" * 5000}d"'), "expected a time such as"),
    (lambda text: 'data_steps = ["fill"]\n' + text, "should be a function in 0002_trades.py, which is not"),
    (
        lambda text: (
            text + '[tables.T.families]\nA = {gc = {max_versions = 1}, renamed_from = "B"}\n'
            'B = {gc = {max_versions = 1}, renamed_from = "A"}\n'
        ),
        "table 'T', family 'A': renamed_from: 'B' is also declared, so it was not renamed",
    ),
    (
        lambda text: text + '[tables.T]\nrenamed_from = "QUOTE"\n',
        "table 'T': renamed_from: 'QUOTE' is also declared, so it was not renamed",
    ),
    (lambda text: 'data_steps = ["a b"]\n' + text, "expected names of functions, each once, got 'a b'"),
]


@pytest.mark.parametrize(("edit", "told"), WRONG)
def test_what_is_wrong_is_one_sentence(edit: Callable[[str], str], told: str, tmp_path: Path) -> None:
    """A file that is no revision is an error on one line, which names the file and what in it."""
    path = tmp_path / "0002_trades.toml"
    path.write_text(edit(GOOD))
    with pytest.raises(MigrationError, match=f"^{re.escape(str(path))}: .*({told})") as refused:
        read(path)
    assert "\n" not in str(refused.value)


_edits = st.tuples(st.integers(0, len(GOOD)), st.integers(0, 9), st.text(max_size=5))


@examples(200)
@given(edits=st.lists(_edits, max_size=4), raw=st.binary(max_size=3))
@example(edits=[(0, 0, "\x00")], raw=b"\xff")
def test_mutated_files_are_refused_or_right(
    edits: list[tuple[int, int, str]], raw: bytes, scratch: Path
) -> None:
    """A file that anything was done to is refused in a sentence, or is a revision that is written and read again."""
    text = GOOD
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    refused_or_right(scratch, text.encode() + raw)


@given(rule=RULES, new=st.text("{}[]=\"\n.,a1\\'", max_size=8), at=st.integers(0, 400))
def test_mutated_rules_are_refused_or_right(rule: GcRule, new: str, at: int, scratch: Path) -> None:
    """The same of nested rules."""
    text = as_text(on(message="x", tables=[table("T", f=rule)]))
    refused_or_right(scratch, (text[:at] + new + text[at:]).encode())


def refused_or_right(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        revision = read(path)
    except MigrationError as error:
        told = str(error)
    else:
        path.write_text(as_text(revision), encoding="utf-8")
        told = str(path) if read(path) == revision else "another"
    assert told.startswith(str(path))


def test_names_of_files(tmp_path: Path) -> None:
    """A TOML file of another name is told, not passed over; what is none does not matter."""
    folder_of(tmp_path, FIRST)
    (tmp_path / "README.md").write_text("mine")
    assert read_folder(tmp_path).head == FIRST
    (tmp_path / "add trades.toml").write_text(GOOD)
    with pytest.raises(
        MigrationError, match=r"add trades.toml: expected a name such as 0001_add_quotes.toml"
    ):
        read_folder(tmp_path)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """No folder has no revisions; a file in its place, or a file that cannot be read, is told."""
    assert read_folder(tmp_path / "none").head is None
    (tmp_path / "file").write_text("")
    with pytest.raises(MigrationError, match="file: cannot be read: Not a directory"):
        read_folder(tmp_path / "file")
    (tmp_path / "0001_x.toml").mkdir()
    with pytest.raises(MigrationError, match=r"0001_x.toml: cannot be read: Is a directory"):
        read_folder(tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A revision never takes the place of a file."""
    path = write(tmp_path, FIRST)
    before = path.read_text()
    with pytest.raises(MigrationError, match=r"0001_quotes.toml: cannot be written: File exists"):
        write(tmp_path, on(message="quotes"))
    assert path.read_text() == before


STEPS = on(FIRST, message="fill", tables=[QUOTE], steps=("fill_venue",))


def test_data_steps_lie_beside(tmp_path: Path) -> None:
    """Data steps are functions in the file beside, which is never run to read it."""
    folder_of(tmp_path, FIRST, STEPS)
    (tmp_path / "0002_fill.py").write_text("raise SystemExit\r\n\r\n\ndef fill_venue():  \n    ...\n")
    assert read_folder(tmp_path).named("0002").data_steps == ("fill_venue",)


def test_the_checksum_covers_the_code(tmp_path: Path) -> None:
    """What a data step does is in the checksum; line ends, and blanks at the ends of lines, are not."""
    folder_of(tmp_path, FIRST, STEPS)
    code = tmp_path / "0002_fill.py"
    code.write_bytes(b"\xef\xbb\xbfdef fill_venue():\r\n    ...  \r\n\r\n")
    assert read_folder(tmp_path).named("0002").checksum == STEPS.checksum
    code.write_text("def fill_venue():\n    pass\n")
    assert read_folder(tmp_path).named("0002").checksum != STEPS.checksum


# What a formatter, and who explains the code, may write; and code that does something else.
WRITTEN = "from x import y\n\n\n@y('A', max=10)\ndef fill_venue(row):\n    'Fill.'\n    return [f'{row.key}a', 0xF, None]\n"
FORMATTED = '''"""Filled."""
# A comment.
from x import y
@y(
    "A",
    max=10,  # another
)


def fill_venue(row):

    """Fill the venue,
    which was not there.
    """
    return [
        f"{row.key}a",
        0xF,
        None,
    ]
'''


def with_code(code: str) -> Revision:
    return attrs.evolve(STEPS, code=code)


def test_a_formatter_changes_no_checksum() -> None:
    """Blank lines, comments, quotes, line breaks, trailing commas and docstrings are none of what a data step does; all else is."""
    wanted = with_code(WRITTEN).checksum
    assert with_code(FORMATTED).checksum == wanted
    others = [
        WRITTEN.replace(*one)
        for one in (("10", "11"), ("None", "0"), ("0xF", "15.0"), ("a'", "b'"), ("@y", "@x"))
    ]
    assert len({wanted, *(with_code(one).checksum for one in others)}) == 1 + len(others)
    formatted = with_code(FORMATTED)
    recorded = [
        (step_checksum(formatted, "fill_venue", imports=True), formatted.checksum_with_imports),
        (step_checksum(formatted, "fill_venue"), wanted),
    ]
    assert recorded == [
        ("ba44bb0346447d7fa32d6ae648f64de4", "1e669a2daac96e0347b9bac1606412c2"),
        ("739efada69f294eddf5b7aae0c44570b", "a6740833b6f9de3930302e62ca584eab"),
    ], "instances have recorded these: they never change, in no version of Python"
    assert all(formatted.is_as(known) for _, known in recorded)


def test_what_was_recorded_of_the_lines_is_known(tmp_path: Path) -> None:
    """A checksum that was recorded of the lines of the code fits it for as long as these stay, squashed or not, and stood on or not."""
    third = on(STEPS, message="third", tables=[QUOTE])
    old = attrs.evolve(third, parents=(Link(STEPS.id, STEPS.checksum_of_lines),))
    assert STEPS.checksum != STEPS.checksum_of_lines
    found = read_folder(folder_of(tmp_path, FIRST, STEPS, old))
    at = datetime.now(UTC)
    for known in (STEPS.checksum, STEPS.checksum_of_lines):
        records = [
            AppliedRevision(FIRST.id, FIRST.checksum, at, "me"),
            AppliedRevision(STEPS.id, known, at, "me"),
        ]
        assert not standing(found, records).edited
        squashed = graph_of(tmp_path, [squash(found, found.named("0002"), "both"), old])
        assert standing(squashed, records).applied
        assert not standing(squashed, records).edited
    edited = standing(found, [AppliedRevision(STEPS.id, "0" * 32, at, "me")]).edited
    assert [one.id for one in edited] == [STEPS.id]


def test_code_may_be_edited_until_it_is_applied(tmp_path: Path) -> None:
    """Revisions stand on the tables of others: what data steps do, and whether there are any, is no matter of theirs."""
    third = on(STEPS, message="third", tables=[QUOTE])
    folder_of(tmp_path, FIRST, STEPS, third)
    applied = read_folder(tmp_path)
    (tmp_path / "0002_fill.py").write_text("def fill_venue():\n    pass\n")
    edited = read_folder(tmp_path)
    assert edited.head == third
    at = datetime.now(UTC)
    records = [AppliedRevision(one.id, one.checksum, at, "me") for one in applied.revisions.values()]
    assert [one.id for one in standing(edited, records).edited] == [STEPS.id]
    squashed = squash(edited, edited.named("0002"), "both")
    assert graph_of(tmp_path, [squashed, third]).head == third
    text = (tmp_path / "0002_fill.toml").read_text()
    (tmp_path / "0002_fill.toml").write_text(text.replace('data_steps = ["fill_venue"]\n', ""))
    (tmp_path / "0002_fill.py").unlink()
    assert read_folder(tmp_path).head == third
    (tmp_path / "0002_fill.toml").write_text(text.replace("max_versions = 1", "max_versions = 2"))
    (tmp_path / "0002_fill.py").write_text("def fill_venue():\n    pass\n")
    with pytest.raises(MigrationError, match=r"/0002_fill.toml: it was edited after 0003_third"):
        read_folder(tmp_path)


def test_data_steps_that_are_added_to_an_applied_revision_are_an_edit(tmp_path: Path) -> None:
    """Its tables are the same, and what it does is not."""
    plain = attrs.evolve(STEPS, data_steps=(), code="")
    record = AppliedRevision(STEPS.id, plain.checksum, datetime.now(UTC), "me")
    first = AppliedRevision(FIRST.id, FIRST.checksum, datetime.now(UTC), "me")
    now = standing(graph_of(tmp_path, [FIRST, STEPS]), [first, record])
    assert [one.id for one in now.edited] == [STEPS.id]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def other(): ...", r"0002_fill.py: it has no function 'fill_venue', which 0002_fill.toml names"),
        ("def fill_venue(:", r"0002_fill.py:1: not Python: "),
        ("\0", r"0002_fill.py(:\w+)?: not Python: "),
    ],
)
def test_code_that_does_not_fit(code: str, told: str, tmp_path: Path) -> None:
    """A data step that is not there, or not Python, is told before anything is applied."""
    folder_of(tmp_path, FIRST, STEPS)
    (tmp_path / "0002_fill.py").write_text(code)
    with pytest.raises(MigrationError, match=told):
        read_folder(tmp_path)


def test_code_that_nothing_names(tmp_path: Path) -> None:
    """Functions beside a revision that names none would never run, so that is told."""
    folder_of(tmp_path, FIRST)
    (tmp_path / "0001_quotes.py").write_text(STEPS.code)
    with pytest.raises(MigrationError, match=r"0001_quotes.py: 0001_quotes.toml names none of its functions"):
        read_folder(tmp_path)


def test_a_file_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is parsed once, but another text of the same file, or of the code beside it, counts at once."""
    folder_of(tmp_path, attrs.evolve(FIRST, data_steps=("fill",), code="def fill(row): ...\n"))
    path = tmp_path / f"{FIRST.id}.toml"
    first = read(path)
    assert read(path) is first
    beside = path.with_suffix(".py")
    beside.write_text("def fill(row): return 1\n")
    second = read(path)
    assert (second.code, second.checksum != first.checksum) == ("def fill(row): return 1\n", True)
    path.write_text(path.read_text().replace(FIRST.message, "another message"))
    assert read(path).message == "another message"
    beside.unlink()
    with pytest.raises(MigrationError, match="which is not there"):
        read(path)
    beside.write_text("def fill(row): ...\n")
    path.write_text("[tables\n")
    with pytest.raises(MigrationError, match="not TOML"):
        read(path)
