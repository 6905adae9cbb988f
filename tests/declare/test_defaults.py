"""What a row has that is made without an attribute, and what is read of one that has no cell of it."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest

import btmodel as bt
from btmodel.rows import Cell

Open = Callable[..., bt.Database]
AT = datetime(2020, 1, 1, tzinfo=UTC)
NUMBERS = count(1)


class Entry(bt.Model, table="entries"):
    """A row whose attributes all have defaults."""

    kind: str = bt.key(bt.Text(max_length=5), default="log")
    id: UUID = bt.key(bt.UuidText(), default_factory=uuid4)
    number: int = bt.key(bt.PaddedInt(6), default_factory=NUMBERS.__next__)

    f = bt.family("f", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_versions(5))
    t = bt.family("t", gc=bt.max_versions(1))
    m = bt.family("m", gc=bt.max_versions(1))
    level: int = bt.column("l", f, default=3)
    note: str | None = bt.column("n", f, default="new")
    seen: datetime = bt.column("s", f, default_factory=lambda: AT)
    extra: dict[str, int] = bt.column("x", f, default_factory=dict)
    past: bt.History[int] = bt.history("p", h)
    tags: set[str] = bt.members(t, bt.Text(max_length=5))
    scores: dict[str, int] = bt.mapping(m, bt.Text(max_length=5))


class Plain(bt.Model, table="plain"):
    """Defaults, and no collection: its rows are read by the compiled reader that sets attributes itself."""

    id: int = bt.key(bt.PaddedInt(6), default_factory=NUMBERS.__next__)

    f = bt.family("f", gc=bt.max_versions(1))
    note: str | None = bt.column("n", f, default="new")
    made: int | None = bt.column("m", f, default_factory=NUMBERS.__next__)
    level: int = bt.column("l", f, default=3)


class Timed(bt.Model, table="timed"):
    """A row with a time of its own, which a function gives."""

    id: int = bt.key(bt.PaddedInt(2))
    at: datetime = bt.timestamp(default_factory=lambda: AT)

    f = bt.family("f", gc=bt.max_versions(1))
    level: int | None = bt.column("l", f, default=3)


def test_a_row_is_made_with_its_defaults() -> None:
    """Values are shared, functions are called for each row anew, and collections are empty."""
    one, two = Entry(), Entry(kind="other", note=None, tags={"x"})
    assert (one.kind, one.level, one.note, one.seen, one.extra) == ("log", 3, "new", AT, {})
    assert (one.past, one.tags, one.scores) == (bt.History(), set(), {})
    assert isinstance(one.past, bt.History)
    assert one.id != two.id
    assert two.number == one.number + 1
    assert one.extra is not two.extra
    assert one.scores is not two.scores
    assert (two.kind, two.note, two.tags) == ("other", None, {"x"})
    assert bt.key_of(Entry(id=UUID(int=0), number=7)) == b"log#00000000-0000-0000-0000-000000000000#000007"
    assert Timed(id=1).at == AT
    assert bt.mutation_of(Timed(id=1)).cells == [Cell("f", b"l", 1577836800000000, (3).to_bytes(8))]


def read(model: type[bt.Model], row: bt.Model, *, without: bytes, db: bt.Database) -> Any:
    """A row that was put, and read back without one of its cells."""
    from btmodel_codegen import generate

    mutation = bt.mutation_of(row, now=AT)
    kept = [cell for cell in mutation.cells if cell.qualifier != without]
    db.write(type(mutation)(mutation.table, mutation.key, kept))
    texts = generate([bt.schema_of(model)], ["repository"])
    [text] = [text for name, text in texts.items() if name.endswith("_repository.py")]
    space: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "generated", "exec"), space)
    repository = space[f"{model.__name__}Repository"](db)
    key = space[f"{model.__name__}Key"]
    [found] = repository.get_many([key(*model.read_key(mutation.key))])
    return found


@pytest.mark.parametrize("model", [Entry, Plain])
def test_defaults_are_of_new_rows_alone(database: Open, model: Any) -> None:
    """A row that is read without a cell has None, or an error, as the model says: no default is made up."""
    db = database(model)
    row = model()
    assert read(model, row, without=b"none", db=db) == row
    found = read(model, model(), without=b"n", db=db)
    assert (found.note, found.level) == (None, 3)
    if model is Plain:
        assert read(model, model(), without=b"m", db=db).made is None
    with pytest.raises(bt.UndecodableCell, match="f:l: expected a cell"):
        read(model, model(), without=b"l", db=db)


def test_a_default_that_no_key_can_hold_is_refused() -> None:
    """Its codec takes the text, and the key does not: it holds the delimiter."""
    with pytest.raises(
        bt.DeclarationError, match=r"Wrong\.kind: expected .*delimiter.*'a#b' \(as its default\)"
    ):

        class Wrong(bt.Model, table="WRONG"):
            kind: str = bt.key(bt.Text(max_length=10), default="a#b")
            id: int = bt.key(bt.PaddedInt(4))

            f = bt.family("f", gc=bt.max_versions(1))
            value: int = bt.column("v", f)
