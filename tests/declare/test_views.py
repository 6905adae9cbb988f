"""Declarations of indexes and rollups: what they compile to, and which are refused with the reason."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

import btmodel as bt
from btmodel.errors import DeclarationError
from btmodel.schema import ViewKind, tables
from btmodel.schema.view import table_of
from btmodel.server.view_query import ViewedRow, parse


class Order(bt.Model, table="ORDER", events="20000/s"):
    """An order."""

    id: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    t = bt.family("t", gc=bt.keep_all())
    s = bt.family("s", gc=bt.keep_all(), aggregate="sum")
    customer: str = bt.column("c", f)
    town: str | None = bt.column("town", f, default=None)
    price: Decimal = bt.column("p", f)
    total: int = bt.column("t", f)
    votes: int = bt.column("v", f, codec=bt.DecimalText())
    placed: datetime = bt.column("d", f)
    document: dict[str, Any] = bt.column("j", f, max_size=2_000_000)
    tags: dict[str, str] = bt.mapping(t, bt.Text(max_length=20))
    clicks: int | None = bt.counter("n", s)


class OfCustomer(bt.Index, of=Order, view="OF_CUSTOMER", where={"town": "York"}):
    """Orders of a customer."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
    id: str = bt.covered()
    amount: int = bt.covered("total")
    place: str | None = bt.covered("town")

    of_customer = bt.query("customer")


def test_an_index_is_a_model_of_a_view() -> None:
    """Its key and queries are those of any model; its columns have the codecs of the table's, and the timestamp 0."""
    schema = bt.schema_of(OfCustomer)
    view = schema.view
    assert view is not None
    assert (view.kind, view.of, view.of_table) == (ViewKind.INDEX, "Order", "ORDER")
    assert schema.table == "materializedViews/OF_CUSTOMER"
    assert [column.cell for column in schema.columns] == ["default:amount", "default:place"]
    assert view.fields == (("customer", "customer"), ("id", "id"), ("amount", "total"), ("place", "town"))
    assert OfCustomer.row_key(customer="jo", id="0123456789abcdef") == b"jo#0123456789abcdef"
    assert str(OfCustomer.of_customer.plan(customer="jo").ranges[0]) == "[b'jo#0', b'jo#g')"
    assert table_of(view.definition.query) == "ORDER"
    assert schema.stamp.fixed == 0


def test_a_condition_says_what_is_there_and_what_is_not() -> None:
    """An index of the rows without a town has just those, and its rows may hold none."""
    conditions = {}
    for name, town in {"present": bt.present(), "absent": bt.absent()}.items():
        held = str if name == "present" else str | None
        body = {"customer": CUSTOMER, "id": ID, "total": TOTAL, "town": (held, bt.covered())}
        view = bt.schema_of(made(bt.Index, body, where={"town": town})).view
        assert view is not None
        conditions[name] = view.definition.asked
    assert "`f`[b'town'] IS NOT NULL" in conditions["present"]
    assert "`f`[b'town'] IS NULL" in conditions["absent"]
    cells = {("f", b"c"): b"jo", ("f", b"t"): bytes(8)}
    rows = [
        ViewedRow(b"0123456789abcdef", cells),
        ViewedRow(b"0123456789abcdef", cells | {("f", b"town"): b"York"}),
    ]
    for name, there in {"present": [False, True], "absent": [True, False]}.items():
        view_query = parse(conditions[name])
        assert [view_query.part(row) is not None for row in rows] == there


def test_views_stand_with_their_table() -> None:
    """The tables of models have the views of those, and a view without the model of its table is refused."""
    [table] = tables([bt.schema_of(OfCustomer), bt.schema_of(Order)])
    assert [view.id for view in table.views] == ["OF_CUSTOMER"]
    with pytest.raises(DeclarationError, match="no model here declares: name Order as well"):
        tables([bt.schema_of(OfCustomer)])


def made(base: Any, body: dict[str, Any], **keywords: Any) -> Any:
    """A class of a view with these attributes, each with its annotation, or None."""
    namespace: dict[str, Any] = {"__module__": __name__, "__qualname__": "V", "__annotations__": {}}
    for name, (kind, declaration) in body.items():
        namespace[name] = declaration
        if kind is not None:
            namespace["__annotations__"][name] = kind
    return type(base)("V", (base,), namespace, **{"of": Order, "view": "V", **keywords})


CUSTOMER = (str, bt.key(bt.Text(max_length=20), cardinality=100_000))
ID = (str, bt.covered())
TOTAL = (int, bt.covered())


REFUSED: list[tuple[Any, dict[str, Any], dict[str, Any], str]] = [
    (
        bt.Index,
        {"customer": CUSTOMER, "total": TOTAL},
        {},
        r"declare `id: str = bt\.covered\(\)` behind the others",
    ),
    (bt.Index, {"customer": CUSTOMER, "id": ID}, {}, "in an index, a copy of one, covered"),
    (
        bt.Index,
        {"town": (str, bt.key(bt.Text(max_length=9))), "id": ID, "total": TOTAL},
        {},
        r"may lack 'town', and would be in no row of the view: .*where=\{\"town\": bt\.present\(\)\}",
    ),
    (
        bt.Index,
        {"town": (str, bt.key(bt.Text(max_length=9))), "id": ID, "total": TOTAL},
        {"where": {"town": bt.absent()}},
        r"may lack 'town', and would be in no row of the view",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"where": {"total": bt.absent()}},
        "every row of Order has 'total'",
    ),
    (
        bt.Index,
        {"customer": (str, bt.key(bt.ReversedDomain(40))), "id": ID, "total": TOTAL},
        {},
        r"SQL cannot make the bytes of ReversedDomain.*is STRING in SQL.*Text, EnumText",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "document": (dict[str, Any], bt.covered())},
        {},
        r"2,000,000 bytes of values.*drops what is over 1,048,576",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "tags": (dict[str, str], bt.covered())},
        {},
        "a column for each entry",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "n": (int, bt.covered("clicks"))},
        {},
        "a number that is added to",
    ),
    (bt.Index, {"customer": CUSTOMER, "id": ID, "n": (int, bt.count())}, {}, "declare it in a bt.Rollup"),
    (bt.Index, {"customer": CUSTOMER, "id": ID, "x": (int, bt.covered("nothing"))}, {}, "got 'nothing'"),
    (bt.Index, {"customer": CUSTOMER, "id": ID, "total": (str, bt.covered())}, {}, "annotation says str"),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"of": OfCustomer},
        "has no views of views",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"view": "a/b"},
        "expected the id of the view",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"where": {"total": "x"}},
        "expected a value of it",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"events": "1/s"},
        "unknown class keyword of a view 'events'",
    ),
    (
        bt.Rollup,
        {"customer": CUSTOMER, "price": (Decimal, bt.sum_of("price"))},
        {},
        r"decimal text, and SQL has no decimal numbers here: declare the column as whole units",
    ),
    (bt.Rollup, {"customer": CUSTOMER, "x": (str, bt.sum_of("customer"))}, {}, "one that is STRING in SQL"),
    (bt.Rollup, {"customer": CUSTOMER, "total": TOTAL}, {}, r"each may have another 'total'"),
    (
        bt.Rollup,
        {"customer": CUSTOMER, "most": (int, bt.max_of("votes"))},
        {},
        r"expected the annotation int \| None, got int: numbers of Order.votes that SQL cannot hold",
    ),
    (
        bt.Rollup,
        {"customer": CUSTOMER, "first": (str, bt.min_of("town"))},
        {},
        r"expected the annotation str \| None, got str: no row of a group may have 'town'",
    ),
    (
        bt.Rollup,
        {
            "day": (date, bt.key(bt.DateText(), of="placed")),
            "n": (int, bt.count()),
            "of": (None, bt.query(between="day")),
        },
        {},
        "KEY001 timestamp-first",
    ),
]


REFUSED += [
    (
        bt.Index,
        {"buyer": CUSTOMER, "id": ID, "total": TOTAL},
        {},
        r"V\.buyer: expected an attribute of Order \(.*\), got 'buyer': name the attribute that it is made of with of=$",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "amount": (int, bt.covered())},
        {},
        r"V\.amount: expected an attribute of Order .*, got 'amount': name the attribute that it is made of with of=$",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "amount": (int, bt.covered("totl"))},
        {},
        r"V\.amount: expected an attribute of Order .*, got 'totl' \(did you mean total\?\)$",
    ),
    (
        bt.Index,
        {"customer": CUSTOMER, "id": ID, "total": TOTAL},
        {"where": {"twon": "York"}},
        r"where: twon: expected an attribute of Order .*, got 'twon' \(did you mean town\?\)$",
    ),
]


def test_a_key_field_keeps_what_is_declared_of_its_source() -> None:
    """Estimates and facts of the table's key field hold of its copy in a view, unless the view states others."""

    class Call(bt.Model, table="CALL", events="9/s"):
        customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000, sequential=False, skew="zipf:1.1")
        network: str = bt.key(bt.Text(max_length=9), cardinality=30, size=4, tenant=True)
        began: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("c", f)

    class OfNetwork(bt.Rollup, of=Call, view="OF_NETWORK"):
        net: str = bt.key(bt.Text(width=9), of="network", cardinality=31)
        customer: int = bt.key(bt.PaddedInt(10))
        calls: int = bt.count()

    net, customer = bt.schema_of(OfNetwork).key.fields
    assert (net.cardinality, net.tenant, net.size) == (31, True, None)
    assert (customer.cardinality, customer.sequential) == (12_000, False)
    assert customer.skew == bt.schema_of(Call).key.fields[0].skew is not None


@pytest.mark.parametrize(("base", "body", "keywords", "why"), REFUSED)
def test_what_the_service_would_refuse_or_drop_is_refused(
    base: Any, body: dict[str, Any], keywords: dict[str, Any], why: str
) -> None:
    """A view is refused, with the reason, where the service would refuse it, leave out rows, or SQL cannot make it."""
    with pytest.raises(DeclarationError, match=f"(?s){why}"):
        made(base, body, **keywords)


def test_personal_data_stays_out_of_views() -> None:
    """A key field that identifies a person may not be copied into a view."""

    class Visit(bt.Model, table="VISIT"):
        email: str = bt.key(bt.Text(max_length=40), cardinality=100, pii=True)

        f = bt.family("f", gc=bt.max_versions(1))
        page: str = bt.column("p", f)

    with pytest.raises(DeclarationError, match="identifies a person"):

        class OfPage(bt.Index, of=Visit, view="OF_PAGE"):
            page: str = bt.key(bt.Text(max_length=40))
            email: str = bt.covered()
            again: str = bt.covered("page")


def test_a_table_has_five_views_at_most() -> None:
    """The sixth view of a table is refused, as the service would."""
    views = [
        bt.schema_of(made(bt.Index, {"customer": CUSTOMER, "id": ID, "total": TOTAL}, view=f"V{number}"))
        for number in range(6)
    ]
    tables([bt.schema_of(Order), *views[:5]])
    with pytest.raises(DeclarationError, match=r"at most 5 views.*got 6 \(V0, V1, V2, V3, V4, V5\)"):
        tables([bt.schema_of(Order), *views])
    with pytest.raises(DeclarationError, match="two models declare the view 'V0'"):
        tables([bt.schema_of(Order), views[0], views[0]])


def test_models_of_tables_take_nothing_of_others() -> None:
    """What only views have is refused in a model of a table."""
    with pytest.raises(DeclarationError, match=r"only a bt\.Index and a bt\.Rollup take"):

        class Wrong(bt.Model, table="WRONG"):
            id: str = bt.key(bt.Text(max_length=4))
            f = bt.family("f", gc=bt.max_versions(1))
            name: str = bt.column("n", f)
            other: str = bt.covered("name")

    with pytest.raises(DeclarationError, match="of= names an attribute that a view takes"):

        class Also(bt.Model, table="ALSO"):
            id: str = bt.key(bt.Text(max_length=4), of="name")
            f = bt.family("f", gc=bt.max_versions(1))
            name: str = bt.column("n", f)
