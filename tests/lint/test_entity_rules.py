"""The rules on entities: what must change at once, and what is read together."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from btmodel.codecs.cell import Utf8, default_codec
from btmodel.codecs.key import Constant, DateText, PaddedInt, Text
from btmodel.design.proposal import serves
from btmodel.lint import Finding, Level, review_all
from btmodel.schema import Column, Derived, Expected, KeyField, ModelSchema, Query
from btmodel.schema.names import Location
from tests.lint.parts import column

Make = Callable[..., ModelSchema]
ACCOUNT = KeyField("account", Text(width=10), 1_000_000)
CURRENCY = KeyField("currency", Text(width=3), 30)
NUMBER = KeyField("number", PaddedInt(6))
DAY = KeyField("day", DateText())
NOTE = Column("note", "data", b"NOTE", Utf8(), True, expected=Expected(size=100))


def found(rule: str, *models: ModelSchema) -> list[Finding]:
    return [finding for finding in review_all(models) if finding.rule == rule]


def of_account(a_model: Make, *fields: KeyField, **changes: Any) -> ModelSchema:
    return a_model(ACCOUNT, *fields, **({"atomic": ("account",), "columns": (NOTE,)} | changes))


def test_an_entity_of_several_rows_gets_one(a_model: Make) -> None:
    """The key of the one row is written out; or the rows are declared to be for themselves."""
    (finding,) = found("ROW004", of_account(a_model, KeyField("kind", Constant("x")), CURRENCY))
    assert (finding.field, finding.level) == ("currency", Level.WARNING)
    assert "one row per `currency`" in finding.message
    assert finding.fix == (
        "one row for each `account`, under the key `{account}#x`, with `currency` in the qualifiers: "
        "`note: dict[str, str]`, by `bt.mapping(...)`; or, if each row changes for itself, "
        '`atomic=("account", "currency")`'
    )


def test_of_a_series_the_rows_may_be_for_themselves(a_model: Make) -> None:
    """Where no schema can be made of the one row, what can be proved is said first."""
    more = (NOTE, evolve(NOTE, name="text", qualifier=b"TEXT"))
    (finding,) = found("ROW004", of_account(a_model, CURRENCY, DAY, columns=more))
    assert finding.fix.startswith('if each row changes for itself, `atomic=("account", "currency", "day")`')
    assert "`note: dict[tuple[str, date], str]`, `text: dict[tuple[str, date], str]`" in finding.fix
    assert finding.fix.endswith("with a prefix each and `entries=1_000`, if none has more")


def test_an_entity_of_a_grid_gets_one_row(a_model: Make) -> None:
    """Two fields stand in one qualifier; of a few values each, as of the places of a grid, all are counted."""
    x, y = (KeyField(name, PaddedInt(3), 40) for name in ("x", "y"))
    (finding,) = found("ROW004", of_account(a_model, x, y))
    assert "under the key `{account}`, with `x`, `y` in the qualifiers" in finding.fix
    assert "by `bt.mapping(..., bt.Joined((bt.PaddedInt(3), bt.PaddedInt(3))))`; or" in finding.fix
    assert finding.models[0].columns[0].expected.entries == 1_600


@pytest.mark.parametrize("atomic", [(), ("account", "currency"), ("currency", "account")])
def test_an_entity_of_one_row_is_fine(a_model: Make, atomic: tuple[str, ...]) -> None:
    """So is a model that says nothing, and one whose key goes on with what follows from the entity."""
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("account",), len, (1, 2)))
    assert found("ROW004", of_account(a_model, CURRENCY, salt, atomic=atomic)) == []


@pytest.mark.parametrize("cardinality", [None, 300, 2_000_001, 10**9])
def test_how_many_values_there_are_in_all_is_no_matter(a_model: Make, cardinality: int | None) -> None:
    """An account has a few of all currencies, as a cart has a few of all articles: one row may hold them."""
    (finding,) = found("ROW004", of_account(a_model, evolve(CURRENCY, cardinality=cardinality)))
    assert finding.fix.startswith("one row for each `account`")


def test_an_entity_of_two_tables_goes_to_one(a_model: Make) -> None:
    """The later model is flagged, and the row of the other one is written out."""
    one, two = of_account(a_model, name="Account", table="a"), of_account(a_model, name="Limit", table="b")
    (finding,) = found("ROW004", two, one)
    assert finding.model == "Limit"
    assert "is in two tables: 'b', and 'a' of Account" in finding.message
    assert "declare `note` in Account, in a family of table 'a', whose rows `{account}`" in finding.fix
    assert found("ROW004", one, evolve(two, table="a")) == []


@pytest.mark.parametrize("name", ["id", "key", "account"])
def test_a_general_name_does_not_make_one_entity_of_two(a_model: Make, name: str) -> None:
    """`id` and the like say nothing, and another codec is another entity."""
    one = a_model(KeyField(name, Text(width=9)), name="A", table="a", atomic=(name,))
    codec = Text(width=8) if name == "account" else Text(width=9)
    two = a_model(KeyField(name, codec), name="B", table="b", atomic=(name,))
    assert found("ROW004", one, two) == []


ORDER, PAYMENT = KeyField("kind", Constant("order")), KeyField("kind", Constant("payment"))
TOGETHER = Query("of_account", ("account",), together=("Payment",))


def order(a_model: Make, *fields: KeyField, **changes: Any) -> ModelSchema:
    return a_model(*fields, **({"name": "Order", "table": "T", "queries": (TOGETHER,)} | changes))


def payment(a_model: Make, *fields: KeyField, **changes: Any) -> ModelSchema:
    return a_model(*fields, **({"name": "Payment", "table": "T"} | changes))


@pytest.mark.parametrize(
    "fields", [(ACCOUNT, PAYMENT, DAY), (KeyField("customer", Text(width=10)), PAYMENT), (ACCOUNT,)]
)
def test_rows_of_a_common_prefix_lie_together(a_model: Make, fields: tuple[KeyField, ...]) -> None:
    """Whatever the prefix is called in the other model, and though the other key may end with it."""
    assert found("ROW007", order(a_model, ACCOUNT, ORDER, NUMBER), payment(a_model, *fields)) == []


@pytest.mark.parametrize(
    ("fields", "changes", "message", "fix"),
    [
        (
            (ACCOUNT, DAY),
            {"table": "U"},
            "are in table 'U', not in 'T'",
            "`{account}#payment#{day}` in Payment",
        ),
        ((PAYMENT, ACCOUNT, DAY), {}, "does not begin as", "`{account}#payment#{day}` in Payment"),
        ((DAY, ACCOUNT), {}, "are elsewhere in the table", "`{account}#payment#{day}` in Payment"),
        ((DAY,), {}, "are elsewhere in the table", "`{account}#payment#{day}` in Payment"),
    ],
)
def test_rows_that_are_read_together_get_a_common_prefix(
    a_model: Make, fields: tuple[KeyField, ...], changes: dict[str, Any], message: str, fix: str
) -> None:
    """In one table, the given fields in front, and a constant behind them."""
    (finding,) = found("ROW007", order(a_model, ACCOUNT, ORDER, NUMBER), payment(a_model, *fields, **changes))
    assert (finding.model, finding.level) == ("Order", Level.INFO)
    assert message in finding.message
    assert "`{account}#order#{number}` here" in finding.fix
    assert fix in finding.fix


@pytest.mark.parametrize(("names", "needs"), [(("one",), "needs"), (("one", "all"), "need")])
def test_a_query_that_the_common_key_does_not_serve_keeps_a_table(
    a_model: Make, names: tuple[str, ...], needs: str
) -> None:
    """A payment that is found by its number alone is found so afterwards, in a second table; what names the account moves."""
    queries = tuple(Query(name, ("number",)) for name in names)
    both = Query("both", ("number", "account"))
    models = (
        order(a_model, ACCOUNT, ORDER, NUMBER),
        payment(a_model, NUMBER, table="U", queries=(*queries, both)),
    )
    (finding,) = found("ROW007", *models)
    kept = ", ".join(f"`{name}`" for name in names)
    assert f"; {kept} of Payment {needs} another key: keep `{{number}}` as a second table; " in finding.fix
    made = {one.name: one for one in finding.models}
    assert [one.key.shape for one in made.values()] == [
        "{account}#order#{number}",
        "{account}#payment#{number}",
        "{number}",
    ]
    assert made["PaymentOne"].queries == queries
    assert serves(made["Payment"].key, both)
    assert not [one for one in review_all(finding.models) if one.rule in ("QRY001", "ROW007")]


@pytest.mark.parametrize("kind", [str, int])
def test_a_column_that_the_query_gives_moves_to_the_key(a_model: Make, kind: type) -> None:
    """It is declared as in the key beside it; values of another kind are said in words alone."""
    held = column("account", codec=default_codec(kind))
    one = Query("one", ("number",))
    model = payment(a_model, NUMBER, table="U", columns=(column("paid"), held), queries=(one,))
    (finding,) = found("ROW007", order(a_model, ACCOUNT, ORDER, NUMBER), model)
    assert "`{account}#payment#{number}` in Payment; `one` of Payment needs another key" in finding.fix
    assert [[each.name for each in one.columns] for one in finding.models[1:]] == (
        [["paid"], ["paid", "account"]] if kind is str else []
    )


@pytest.mark.parametrize(
    "query",
    [
        Query("q", (), scan="all", together=("Payment",)),
        Query("q", ("account",), together=("Paiment", "Order")),
        Query("q", ("account",)),
    ],
)
def test_a_query_that_gives_nothing_in_common_is_not_judged(a_model: Make, query: Query) -> None:
    """A scan of both tables has no rows side by side, and of an unknown model QRY007 speaks."""
    model = order(a_model, ACCOUNT, ORDER, NUMBER, queries=(query,))
    assert found("ROW007", model, payment(a_model, DAY, table="U")) == []


def test_a_model_of_the_same_module_is_meant(a_model: Make) -> None:
    """Of two models of one name, the one beside the query."""
    near = payment(a_model, ACCOUNT, PAYMENT, DAY)
    far = payment(a_model, DAY, table="U", module="another")
    assert found("ROW007", order(a_model, ACCOUNT, ORDER, NUMBER), far, near) == []


def of_route(a_model: Make, name: str, *others: str, line: int = 1, required: bool = True) -> ModelSchema:
    """A model of a route that is shown with others, of the same key and in a table of its own."""
    query = Query("page", ("account",), together=others)
    held = column(name.lower(), required=required)
    return a_model(
        ACCOUNT,
        name=name,
        table=name.lower(),
        columns=(held,),
        queries=(query,),
        location=Location("m.py", line),
    )


@pytest.mark.parametrize("required", [True, False])
def test_models_of_one_key_that_ask_for_each_other_are_one_finding(a_model: Make, required: bool) -> None:
    """All of them go to the one that is declared first, and a word says what rows may lack."""
    names = ("Route", "Grade", "Ascent")
    models = [
        of_route(a_model, name, *(other for other in names if other != name), line=line, required=required)
        for line, name in enumerate(names, 1)
    ]
    (finding,) = found("ROW007", *reversed(models))
    assert (finding.model, finding.level) == ("Route", Level.WARNING)
    assert "reads rows of Grade and Ascent together with its own, and all have the key" in finding.message
    assert (
        "declare `grade`, `ascent` in Route, so that one row of 'route' holds all, and leave out Grade and Ascent"
        in finding.fix
    )
    assert ("`| None`" in finding.fix) is required
    assert [one.name for one in finding.models] == ["Route"]


def test_models_that_only_a_third_one_asks_for_go_to_it(a_model: Make) -> None:
    """Whatever is declared first; what one row cannot hold, as it has a column of the same name, is another finding."""
    grade, ascent = of_route(a_model, "Grade"), of_route(a_model, "Ascent", line=2)
    route = of_route(a_model, "Route", "Grade", "Ascent", line=3)
    (finding,) = found("ROW007", grade, ascent, route)
    assert (finding.model, len(finding.models)) == ("Route", 1)
    same = evolve(ascent, columns=grade.columns)
    told = found("ROW007", grade, same, route)
    assert [one.model for one in told] == ["Route", "Route"]
    assert all("and both have the key" in one.message for one in told)
