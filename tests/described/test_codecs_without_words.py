"""Codecs of the user's that cannot say what they write: every page says so for that field, and shows the others."""

import ast
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import attrs
import pytest
from attrs import frozen
from btmodel_codegen import generate
from click.testing import CliRunner

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.codecs import meaning_of
from btmodel.codecs.cell import CellCodec, Compressed, Either
from btmodel.codecs.key import AsInKey, Descending, KeyCodec, Kind, Length, LengthPrefixed, Order, Repeated
from btmodel.errors import DeclarationError

SOURCE = Path(bt.__file__).parent
MARK = "cannot be described: ValueError: no words"


class _Mute:
    """What the two codecs share."""

    python_type: Any = str

    @property
    def meaning(self) -> str:
        raise ValueError('no words\n""" */ --\'')

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


@frozen
class MuteKey(_Mute, KeyCodec[str]):
    """Letters, in some order."""

    kind = Kind.TEXT
    length = Length(1, 5)
    alphabet = frozenset(b"abc")
    order = Order.NONE


@frozen
class SortedKey(MuteKey):
    """Five letters, in their order."""

    length = Length(5, 5)
    order = Order.ASCENDING


@frozen
class MuteCell(_Mute, CellCodec[str]):
    """Any text."""

    typical_size = 4


@frozen
class NumberCell(MuteCell):
    """Says a number."""

    @property
    def meaning(self) -> str:
        return 5  # type: ignore[return-value]


@frozen
class Typed(CellCodec[str]):
    """Holds what it is told."""

    of: Any
    typical_size = 4
    meaning = "text"

    @property
    def python_type(self) -> Any:
        """The type, or an error."""
        if isinstance(self.of, Exception):
            raise self.of
        return self.of

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)


@pytest.fixture(scope="module")
def mute_models() -> Any:
    """A module with a model that has such codecs wherever a model can have one."""
    module = ModuleType("mute_models")
    sys.modules["mute_models"] = module

    class Mute(bt.Model, table="mute"):
        """Some model."""

        __module__ = "mute_models"
        name: str = bt.key(MuteKey(), cardinality=5, mirror="f:name")
        plain: str = bt.key(bt.Text(width=3), cardinality=5)

        f = bt.family("f", gc=bt.max_versions(1))
        seen: str = bt.column("c", f, codec=MuteCell())
        number: str = bt.column("n", f, codec=NumberCell())
        near: dict[str, str] = bt.mapping(f, MuteKey(), prefix="p", codec=MuteCell())

        of_name = bt.query("name", between="plain")

    Mute.__qualname__ = "Mute"
    module.Mute = Mute  # type: ignore[attr-defined]
    yield module
    del sys.modules["mute_models"]


@pytest.mark.parametrize(
    "command", ["show", "show Mute", "show Mute --json", "check", "check --format json", "explain a#bbb"]
)
def test_commands_say_it_of_that_field(mute_models: ModuleType, command: str) -> None:
    """No command ends in a traceback, and the other field has its words."""
    done = CliRunner().invoke(group, ["-m", "mute_models", *command.split()], env={"COLUMNS": "200"})
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert "Traceback" not in done.output
    if command in ("show Mute", "explain a#bbb"):
        assert MARK in done.output
        assert "3 bytes, padded with spaces" in done.output
    if command == "show Mute --json":
        [shown] = json.loads(done.stdout)["models"]
        assert shown["key"]["fields"][0]["encoding"].startswith(MARK)


def test_a_raw_key_is_explained_as_json(mute_models: ModuleType) -> None:
    """With the mark in the place of the words."""
    done = CliRunner().invoke(group, ["-m", "mute_models", "explain", "--json", "a#bbb"])
    assert json.loads(done.stdout)["models"][0]["fields"][0]["encoding"].startswith(MARK)


@pytest.mark.parametrize("target", ["html", "markdown", "sql", "bigquery", "json", "terraform", "repository"])
def test_every_file_is_generated(mute_models: ModuleType, target: str) -> None:
    """One such codec stops no page, and what it raised ends no comment and no docstring."""
    texts = generate([bt.schema_of(mute_models.Mute)], [target])
    if target in ("html", "markdown", "sql", "bigquery", "repository"):
        assert any(MARK in text for text in texts.values())
    for name, text in texts.items():
        if name.endswith(".py"):
            ast.parse(text)
        if name.endswith(".sql"):
            assert not [
                line for line in text.splitlines() if line.strip().startswith('"""')
            ]  # out of its comment


def test_what_a_rule_says_of_such_a_codec_has_the_mark() -> None:
    """The findings are those of any other codec."""
    with pytest.raises(DeclarationError, match=rf"QRY001.*do not sort as its values do \({MARK}"):

        class Asked(bt.Model, table="asked"):
            name: str = bt.key(MuteKey(), cardinality=5)
            f = bt.family("f", gc=bt.max_versions(1))
            seen: str = bt.column("c", f)
            of_names = bt.query(between="name")


def test_codecs_around_such_a_codec_say_what_they_add() -> None:
    """The inner one alone cannot be described."""
    around: list[Any] = [
        Descending(SortedKey()),
        LengthPrefixed(MuteKey()),
        Repeated(MuteKey(), "/", least=1, most=3),
        AsInKey(MuteKey()),
        Compressed(MuteCell()),
        Either(AsInKey(bt.Text(width=3)), MuteCell()),
    ]
    for codec in around:
        assert MARK in codec.meaning
    assert meaning_of(NumberCell()) == "cannot be described: its meaning is of int, and no text"


def test_nobody_asks_a_codec_for_its_words_directly() -> None:
    """Outside of codecs, whatever shows a codec goes by ``meaning_of``."""
    folders = (SOURCE, SOURCE.parents[1] / "codegen" / "btmodel_codegen")
    asked = {
        path.relative_to(folder).as_posix()
        for folder in folders
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr == "meaning"
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "phrases", "described"))
    }
    assert asked == {"codecs/__init__.py"}


@pytest.mark.parametrize(
    ("held", "came"),
    [
        ("str", "got 'str'"),
        (5, "got 5"),
        (None, "got None"),
        (list["str"], "got list"),
        (Literal["a"], "got typing.Literal"),
        (ValueError("no type"), "it raised ValueError: no type"),
    ],
)
def test_a_codec_that_names_no_type_is_refused_where_it_is_declared(held: object, came: str) -> None:
    """With the place, what was expected, and what came."""
    wanted = (
        r"Odd\.c: python_type of Typed\(.*\): expected the class of its values, such as str or list\[int\], "
    )
    with pytest.raises(DeclarationError, match=wanted + came):

        class Odd(bt.Model, table="odd"):
            name: str = bt.key(bt.Text(width=3))
            f = bt.family("f", gc=bt.max_versions(1))
            c: str = bt.column("c", f, codec=Typed(held))


class Moody:
    """Raises, or says what it is given, when it is asked for one thing."""

    def __init__(self, said: Any) -> None:
        self.said = said

    def __get__(self, codec: object, of: object = None) -> Any:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


NO = ValueError("not today")
MOODY: list[tuple[type, str, Any, str]] = [
    (MuteKey, "length", NO, "expected the shortest and the longest encoding"),
    (MuteKey, "length", 5, "expected the shortest and the longest encoding, such as Length(1, 5), got 5"),
    (MuteKey, "length", Length(5, 1), "expected the shortest"),
    (MuteKey, "alphabet", NO, "expected a set of bytes"),
    (MuteKey, "alphabet", "abc", "expected a set of bytes, such as frozenset(b'abc'), got 'abc'"),
    (MuteKey, "kind", NO, "expected a Kind"),
    (MuteKey, "order", None, "expected an Order"),
    (MuteKey, "granularity", NO, "expected a unit of time as text"),
    (MuteKey, "separators", b".", "expected a tuple of bytes, got b'.'"),
    (MuteKey, "stated", NO, "expected a tuple of texts"),
    (MuteKey, "holds_delimiter", NO, "expected True or False"),
    (MuteKey, "self_ending", 1, "expected True or False"),
    (MuteCell, "stated", NO, "expected a tuple of texts, it raised ValueError: not today"),
    (MuteCell, "stated", "v1", "expected a tuple of texts, got 'v1'"),
    (MuteCell, "typical_size", NO, "expected a number of bytes, it raised ValueError: not today"),
    (MuteCell, "typical_size", 4.5, "expected a number of bytes, got 4.5"),
    (MuteCell, "max_size", NO, "expected a number of bytes, or None"),
    (MuteCell, "reads", NO, "expected a ByteSet"),
    (MuteCell, "writes", b"", "expected a ByteSet"),
]


@pytest.mark.parametrize(("base", "name", "said", "wanted"), MOODY)
def test_a_codec_that_cannot_say_what_it_is_is_refused_where_it_is_declared(
    base: type, name: str, said: Any, wanted: str
) -> None:
    """Whatever it raises, the error names the property; inside another codec, too."""
    codec: Any = frozen(type("Odd", (base,), {name: Moody(said)}))()
    around: Any = Compressed(codec) if base is MuteCell else Repeated(MuteKey(), "/", least=1, most=3)
    if base is MuteKey:
        around = attrs.evolve(around)
        object.__setattr__(around, "codec", codec)  # its constructor asks, too
    for given in (codec, around):
        body: dict[str, Any] = {"__module__": __name__, "__qualname__": "Odd"}
        body["f"] = f = bt.family("f", gc=bt.max_versions(1))
        body |= (
            {"name": bt.key(given)}
            if base is MuteKey
            else {"name": bt.key(bt.Text(width=3)), "c": bt.column("c", f, codec=given)}
        )
        body["__annotations__"] = {"name": given.python_type if base is MuteKey else str, "c": str}
        if base is MuteKey:
            del body["__annotations__"]["c"]
        at = "name" if base is MuteKey else "c"
        with pytest.raises(DeclarationError, match=re.escape(wanted)) as refused:
            type(bt.Model)("Odd", (bt.Model,), body, table="odd")  # type: ignore[misc]
        assert f"Odd.{at}: {name} of Odd(" in str(refused.value)


@frozen(eq=False)
class Wordless(MuteCell):
    """An argument that cannot be written, nor compared."""

    of: Any = None


class Nothing:
    """Raises for everything."""

    def __repr__(self) -> str:
        raise ValueError("no text")

    def __eq__(self, other: object) -> bool:
        raise ValueError("no comparison")

    __hash__ = None  # type: ignore[assignment]


def test_a_codec_that_cannot_be_recorded_is_refused_where_it_is_declared() -> None:
    """Migrations record codecs as text; one that has none would end them."""
    with pytest.raises(
        DeclarationError, match=r"Odd\.c: .*expected a codec that can be written as text, .*no comparison"
    ):

        class Odd(bt.Model, table="odd"):
            name: str = bt.key(bt.Text(width=3))
            f = bt.family("f", gc=bt.max_versions(1))
            c: str = bt.column("c", f, codec=Wordless(Nothing()))


def test_a_key_that_names_no_type_is_refused_where_it_is_declared() -> None:
    """As a field, as its mirror, as a derived part and as the names of entries."""

    @frozen
    class OddKey(MuteKey):
        python_type = "str"  # type: ignore[assignment]

    @frozen
    class OddMirror(MuteKey):
        def mirror(self) -> CellCodec[str]:
            return Typed("str")

    f = bt.family("f", gc=bt.max_versions(1))
    wanted = r"python_type of .*: expected the class of its values"
    bodies: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("name", {"name": bt.key(OddKey())}, {"name": str}),
        ("name: mirror", {"name": bt.key(OddMirror(), mirror="f:c")}, {"name": str}),
        ("made", {"made": bt.derived(OddKey(), "name", by=str), "name": bt.key(MuteKey())}, {"name": str}),
        (
            "near: qualifiers",
            {"name": bt.key(MuteKey()), "near": bt.mapping(f, OddKey())},
            {"name": str, "near": dict[str, str]},
        ),
    ]
    for at, body, annotations in bodies:
        body |= {"__module__": __name__, "__qualname__": "Odd", "f": f, "__annotations__": annotations}
        with pytest.raises(DeclarationError, match=rf"Odd\.{at}: {wanted}"):
            type(bt.Model)("Odd", (bt.Model,), body, table="odd")  # type: ignore[misc]
