"""Functions of row keys that are compiled for a model: they are the model's own, and refuse what the plain codec refuses."""

import inspect
import pickle
from datetime import date
from traceback import format_exception
from typing import Any

import pytest

import btmodel as bt
from btmodel.errors import QueryRefused, UndecodableKey, ValueRefused


class Visit(bt.Model, table="visits", events="1/s"):
    """A key of a constant and three fields, one of which has few values."""

    kind = bt.constant("v")
    site: str = bt.key(bt.Text(max_length=8), cardinality=5)
    page: str = bt.key(bt.Text(max_length=20), cardinality=10**9)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    count: int | None = bt.column("n", f, default=None)


class Hashed(bt.Model, table="hashed", events="1/s"):
    """A key that has no fast way."""

    id = bt.digest("url")
    name: str = bt.key(bt.Text(max_length=8), cardinality=5)

    f = bt.family("f", gc=bt.max_versions(1))
    url: str = bt.column("url", f)


class Tableless(bt.Model):
    """Passes on what it declares."""


FIELDS: dict[str, Any] = {"site": "s-1", "page": "index", "day": date(2026, 1, 2)}
KEY = b"v#s-1#index#20260102"


def test_all_ways_to_a_key_agree() -> None:
    """An instance and its fields have one key, and the key has the fields of the instance, in order."""
    for _ in range(2):  # as what is compiled at the first call, and afterwards
        assert Visit.row_key(**FIELDS) == KEY
        assert bt.key_of(Visit(**FIELDS)) == KEY
        assert Visit.read_key(KEY) == ("s-1", "index", date(2026, 1, 2))
    raw = Hashed.row_key(name="a", url="u")
    assert bt.key_of(Hashed(name="a", url="u")) == raw
    assert Hashed.read_key(raw) == ("a",)


@pytest.mark.parametrize("model", [Visit, Hashed])
def test_wrong_fields_are_refused_as_by_the_plain_codec(model: type[bt.Model]) -> None:
    """Unknown and missing names are listed, a value is told with its field, and positions are no fields."""
    fields = FIELDS if model is Visit else {"name": "a", "url": "u"}
    first = next(iter(fields))
    with pytest.raises(QueryRefused, match=r"a row key takes .*; unknown: more"):
        model.row_key(**fields, more=1)
    with pytest.raises(QueryRefused, match=f"missing: {first}"):
        model.row_key(**{name: value for name, value in fields.items() if name != first})
    with pytest.raises(QueryRefused, match=f"missing: {first}; unknown: more"):
        model.row_key(**{name: value for name, value in fields.items() if name != first}, more=1)
    for wrong in (1, "a#b", "a" * 9, "", None, "\n"):
        with pytest.raises(ValueRefused, match=rf"{model.__name__}\.{first}: expected") as by_name:
            model.row_key(**{**fields, first: wrong})
        assert "During handling" not in "".join(format_exception(by_name.value))
        with pytest.raises(ValueRefused, match=rf"{model.__name__}\.{first}: expected"):
            bt.key_of(model(**{**fields, first: wrong}))
    with pytest.raises(TypeError, match=f"by its name, as row_key\\({first}=...\\), got 1 without"):
        model.row_key(1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "raw", [b"", b"v", KEY + b"0", KEY[1:], KEY.replace(b"2026", b"2O26"), b"v##index#20260102"]
)
def test_a_wrong_key_is_told(raw: bytes) -> None:
    """What the model says of a key, the error does."""
    with pytest.raises(UndecodableKey, match="Visit"):
        Visit.read_key(raw)


@pytest.mark.parametrize("values", [{}, {"name": "a"}])
def test_a_class_without_a_table_makes_no_rows(values: dict[str, str]) -> None:
    """The error says that the table is lacking, and where it is said; a query of the class does, too."""
    for wrong in (Tableless, bt.Model):
        told = rf'{wrong.__name__} is no model of a table: give it table=, as in `class .*table="'
        with pytest.raises(bt.DeclarationError, match=told):
            wrong(**values)


def test_what_is_no_model_of_a_table_has_no_keys() -> None:
    """A class without a table says so, and so does an object of one."""
    for wrong in (Tableless, bt.Model):
        with pytest.raises(bt.DeclarationError, match="is no model of a table: give it table="):
            wrong.row_key(name=1)
        with pytest.raises(bt.DeclarationError, match="is no model of a table: give it table="):
            wrong.read_key(b"a")
    with pytest.raises(bt.DeclarationError, match="is no model of a table: give it table="):
        bt.key_of(object.__new__(Tableless))


def test_the_functions_can_be_looked_at_and_sent_elsewhere() -> None:
    """They have the names and the words of the methods whose place they take, and can be pickled as those."""
    for name in ("row_key", "read_key"):
        general, own = getattr(bt.Model, name), getattr(Visit, name)
        assert own is getattr(Visit, name)  # no descriptor and no wrapper is left
        assert own.__doc__ == general.__doc__
        assert (own.__name__, own.__qualname__) == (name, f"Visit.{name}")
        assert pickle.loads(pickle.dumps(own)) is own
        kinds = [one.kind for one in inspect.signature(own).parameters.values()]
        assert kinds == [one.kind for one in inspect.signature(general).parameters.values()]


def test_the_name_is_taken() -> None:
    """An attribute of the name would hide the function."""
    with pytest.raises(bt.DeclarationError, match=r"Wrong\.read_key: this name is taken"):

        class Wrong(bt.Model, table="wrong"):
            read_key: int = bt.key(bt.PaddedInt(3))  # type: ignore[assignment]


def test_a_model_may_have_functions_of_its_own() -> None:
    """One that asks for the compiled one by ``super()`` stays, in the model itself and where it is inherited."""

    class Marked(bt.Model):
        number: int = bt.key(bt.PaddedInt(4))
        f = bt.family("f", gc=bt.max_versions(1))
        first: str = bt.column("a", f)

        @classmethod
        def row_key(cls, /, **fields: Any) -> bytes:
            return super().row_key(number=fields["number"] + 1)

    class Inherits(Marked, table="inherits", events="1/s"):
        pass

    class Overrides(Marked, table="overrides", events="1/s"):
        @classmethod
        def read_key(cls, key: bytes, /) -> tuple[Any, ...]:
            return super().read_key(key[1:])

    for _ in range(2):
        assert Inherits.row_key(number=1) == Overrides.row_key(number=1) == b"0002"
        assert Overrides.read_key(b"!0002") == Inherits.read_key(b"0002") == (2,)


@pytest.mark.parametrize("model", [Visit, Hashed])
@pytest.mark.parametrize("given", ["v#a#b#20200501", None, 7, bytearray(b"v#a#b#20200501")])
def test_what_is_no_bytes_is_no_key(model: type[bt.Model], given: Any) -> None:
    """Anything else than bytes is refused by name, also where it reads like a key."""
    with pytest.raises(
        ValueRefused, match=rf"{model.__name__}\.read_key: expected the bytes of a row key, got"
    ):
        model.read_key(given)
