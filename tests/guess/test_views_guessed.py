"""Indexes and rollups of a live table: what is declared, created and inspected is declared again with the same query."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve, fields_dict
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import BtmodelError
from btmodel.guess import TableGuess, TableSample
from btmodel.migrate import read_plan
from btmodel.migrate.applying.run import apply
from btmodel.schema import KeyField, ModelSchema, Table, layout_of, tables
from btmodel.server import start
from tests.codegen.view_models import VIEWS
from tests.codegen.view_models import Order as EveryCodec
from tests.examples_tried import examples
from tests.guess.live_tables import declared

INSTANCE = "projects/p/instances/views"


class Order(bt.Model, table="ORDER", events="10/s"):
    """An order, with columns named as their qualifiers are."""

    kind = bt.constant("o")
    shop: str = bt.key(bt.Text(max_length=4), cardinality=50)
    number: int = bt.key(bt.PaddedInt(4), cardinality=1_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("customer", f)
    note: str | None = bt.column("note", f, default=None)
    total: int = bt.column("total", f)
    weight: float | None = bt.column("weight", f, default=None)
    placed: datetime = bt.column("placed", f)
    due: date | None = bt.column("due", f, default=None)
    paid: bool = bt.column("paid", f)
    token: UUID = bt.column("token", f)
    raw: bytes = bt.column("raw", f)
    digits: int = bt.column("digits", f, codec=bt.DecimalText())


# Key fields of views, with what they are made of.
KEYS = (
    "customer: str = bt.key(bt.Text(max_length=12))",
    "customer: str = bt.key(bt.Text(max_length=12, min_length=0))",
    "customer: str = bt.key(bt.Text(width=6, min_length=2))",
    'who: str = bt.key(bt.Text(max_length=7, encoding="ascii"), of="customer", ends="::")',
    'sum: int = bt.key(bt.PaddedInt(6), of="total")',
    'count: int = bt.key(bt.Int(5), of="digits")',
    'count: int = bt.key(bt.PaddedInt(19), of="digits")',
    'day: date = bt.key(bt.DateText("%Y%m%d"), of="placed")',
    'day: date = bt.key(bt.DateText(), of="due")',
    'hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"), of="placed", ends="")',
    'week: date = bt.key(bt.IsoWeek(), of="placed")',
    'newest: datetime = bt.key(bt.ReversedMicros(), of="placed")',
    'since: datetime = bt.key(bt.EpochSeconds(), of="at")',
    "paid: bool = bt.key(bt.Boolean())",
    "token: UUID = bt.key(bt.UuidText())",
    'hex: str = bt.key(bt.HexDigest(8), of="customer")',
    "raw: bytes = bt.key(bt.Bytes(width=3))",
    "raw: bytes = bt.key(bt.Bytes(max_length=9, holds_delimiter=True))",
    'constant = bt.constant("x")',
    'other = bt.constant("x-y")',
)
WHERE = (
    '"customer": "a\'b`$\\\\"',
    '"paid": True',
    '"note": bt.present()',
    '"due": bt.present()',
    '"total": -7',
    '"raw": b"\\x00\'"',
    '"shop": "s"',
)
COVERED = (
    "note: str | None = bt.covered()",
    'noted: str = bt.covered("note")',
    'big: int = bt.covered("total")',
    "paid: bool = bt.covered()",
)
SUMMED = (
    "orders: int = bt.count()",
    'noted: int = bt.count("note")',
    'sum_: int = bt.sum_of("total")',
    'light: float | None = bt.min_of("weight")',
    'last: datetime = bt.max_of("placed")',
    'mean: float = bt.average_of("total")',
    'customers: int = bt.distinct_of("customer")',
)
TAIL = (
    'kind = bt.constant("o")',
    "shop: str = bt.covered()",
    "number: int = bt.covered()",
    "at: datetime = bt.covered()",
)


@st.composite
def views(draw: st.DrawFn) -> str:
    """The text of a class of a view, which may be one that is refused."""
    index = draw(st.booleans())
    keys: list[str] = draw(
        st.lists(
            st.sampled_from(KEYS),
            min_size=1,
            max_size=4,
            unique_by=lambda one: one.split(":")[0].split(" ")[0],
        )
    )
    if index:
        keys += draw(st.sampled_from([TAIL, TAIL[1:], (*TAIL[2:], TAIL[1])]))
    more = draw(st.lists(st.sampled_from(COVERED if index else SUMMED), min_size=1, max_size=3, unique=True))
    names = [one.split(":")[0].split(" ")[0] for one in (*keys, *more)]
    assume(len(set(names)) == len(names))
    where = draw(st.lists(st.sampled_from(WHERE), max_size=3, unique=True))
    keywords = ['of=Order, view="V", allow=ALLOWED']
    keywords += [f"where={{{', '.join(where)}}}"] if where else []
    keywords += draw(st.sampled_from([[], ['delimiter="|"'], ["deletion_protection=True"]]))
    lines = "\n    ".join((*keys, *more))
    return f"class V(bt.{'Index' if index else 'Rollup'}, {', '.join(keywords)}):\n    {lines}\n"


ALLOWED = {f"KEY{number:03}": "a test" for number in range(1, 21)}


def made(text: str) -> ModelSchema:
    """The schema of the class that ``text`` declares."""
    scope: dict[str, Any] = {
        "__name__": __name__,
        "bt": bt,
        "Order": Order,
        "ALLOWED": ALLOWED,
        "UUID": UUID,
        "date": date,
        "datetime": datetime,
    }
    exec(compile(text, __file__, "exec", flags=0, dont_inherit=True), scope)
    return bt.schema_of(scope["V"])


@pytest.fixture(scope="module")
def admin() -> Iterator[Admin]:
    with start() as server, Admin(Target(INSTANCE, server.host)) as opened:
        yield opened


def created(admin: Admin, wanted: tuple[Table, ...]) -> Table:
    """The table as the server has it, with its views, alone in its instance."""
    for table in admin.read_tables():
        for view in table.views:
            if view.deletion_protection:
                admin.protect_view(view.id, on=False)
            admin.delete_view(view.id)
        admin.delete_table(table.id)
    apply(read_plan(admin, wanted), admin)
    found = admin.table("ORDER")
    assert found is not None
    return found


def inspected(
    folder: Path, table: Table, source: ModelSchema
) -> tuple[TableGuess, dict[str, ModelSchema], str]:
    """What is guessed of a table that btmodel has migrated, the schemas of what is written, and its text."""
    sample = TableSample(table, (), whole=True, said="none is there", layouts=(layout_of(source),))
    [guess], models, text = declared(folder, [sample])
    return (
        guess,
        {schema.view.definition.id: schema for one in models if (schema := bt.schema_of(one)).view},
        text,
    )


def _codec(part: KeyField) -> object:
    """Its codec, but for what it says of a delimiter: a key without any does not show which one its texts may hold."""
    states = "holds_delimiter" in fields_dict(type(part.codec))
    return evolve(part.codec, holds_delimiter=False) if states else part.codec


@examples(
    40,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
    deadline=None,
)
@given(text=views())
def test_a_view_is_declared_again(tmp_path: Path, admin: Admin, text: str) -> None:
    """Whatever view is declared and created: what is written for it has its kind, its key, its columns and its query."""
    try:
        view = made(text)
        wanted = tables([bt.schema_of(Order), view])
    except BtmodelError:
        assume(False)
        return
    table = created(admin, wanted)
    guess, found, written = inspected(tmp_path, table, bt.schema_of(Order))
    assert list(found) == ["V"], (text, written)
    again = found["V"]
    assert again.view is not None
    assert view.view is not None
    assert again.view.kind == view.view.kind
    if all(one.constant is not None for one in view.key.fields):
        # No query shows how many constants are in one literal.
        assert ([one.constant is not None for one in again.key.fields], again.key.shape) == (
            [True],
            view.key.shape,
        )
    else:
        assert list(map(_codec, again.key.fields)) == list(map(_codec, view.key.fields))
        assert [again.key.behind(one) for one in again.key.fields[:-1]] == [
            view.key.behind(one) for one in view.key.fields[:-1]
        ]
    # An index has only rows that have what its condition asks for, so that its copy is never None.
    there = {"note", "noted"} if '"note": bt.present()' in text and "bt.Index" in text else set()
    assert [(one.name, one.codec, one.required) for one in again.columns] == [
        (one.name, one.codec, one.required or one.name in there) for one in view.columns
    ]
    assert again.view.definition.asked == view.view.definition.asked
    assert not guess.undeclared


@pytest.mark.parametrize(
    ("front", "shape", "behind"),
    [
        (
            'other = bt.constant("x")\n    constant = bt.constant("x-y")',
            "{raw}#x#x-y#{count}",
            [b"#", b"#", b"#"],
        ),
        ('constant = bt.constant("x", ends="")', "{raw}#x{count}", [b"#", b""]),
        ("", "{raw}#{count}", [b"#"]),
    ],
)
@pytest.mark.parametrize("delimiter", ["#", "|"])
def test_a_constant_between_two_delimiters_is_one(
    tmp_path: Path, admin: Admin, front: str, shape: str, behind: list[bytes], delimiter: str
) -> None:
    """And is neither a part of a long delimiter, nor one with the delimiters in it; in a view of numbers, nothing else shows the delimiter."""
    text = (
        f'class V(bt.Rollup, of=Order, view="V", allow=ALLOWED, delimiter="{delimiter}"):\n'
        f"    raw: bytes = bt.key(bt.Bytes(width=3))\n    {front}\n"
        '    count: int = bt.key(bt.PaddedInt(19), of="digits")\n    orders: int = bt.count()\n'
    )
    table = created(admin, tables([bt.schema_of(Order), made(text)]))
    key = inspected(tmp_path, table, bt.schema_of(Order))[1]["V"].key
    assert key.shape == shape.replace("#", delimiter).replace("{count}", "{digits}")
    assert [key.behind(one) for one in key.fields[:-1]] == [
        one.replace(b"#", delimiter.encode()) for one in behind
    ]


def test_views_of_every_codec(tmp_path: Path, admin: Admin) -> None:
    """Of the views of all codecs, each is declared again or named with its query, and nothing is left to migrate of those."""
    table = created(admin, tables(map(bt.schema_of, (EveryCodec, *VIEWS))))
    guess, found, text = inspected(tmp_path, table, bt.schema_of(EveryCodec))
    named = [view.id for view in table.views if any(f"{view.id!r}" in why for why in guess.undeclared)]
    assert sorted([*found, *named]) == [view.id for view in table.views]
    assert "BY_TOKEN" in found
    for view in table.views:
        if view.id in found:
            again = found[view.id].view
            assert again is not None
            assert again.definition.asked == view.asked
        else:
            assert view.asked in " ".join(text.replace("\n# ", " ").split()) or any(
                view.asked in why for why in guess.undeclared
            )
