"""ROW004 where a query reads the parts of many entities: one row for each entity, and copies of its parts beside it."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.design.proposal import serves
from btmodel.lint import Level, review
from btmodel.schema import KeyField, ModelSchema, Query
from tests.lint.parts import found


class Entry(
    bt.Model, table="LEDGER", events="4000/s", atomic="transfer", allow={"ROW004": "looked at below"}
):
    """An entry of an account."""

    account: str = bt.key(bt.Text(width=22), cardinality=30_000_000)
    transfer: str = bt.key(bt.HexDigest(16), cardinality=20_000_000_000)

    e = bt.family("e", gc=bt.keep_all())
    cents: int = bt.column("c", e)

    of_account = bt.query("account")


def entry(doc: str, *queries: Query, front: str = "account") -> ModelSchema:
    """Entries with such a description, queries and first field of the key."""
    model = evolve(bt.schema_of(Entry), doc=doc, allow={})
    fields = sorted(model.key.fields, key=lambda part: part.name != front)
    made: tuple[KeyField, ...] = tuple(fields)
    return evolve(model, key=evolve(model.key, fields=made), queries=queries or model.queries)


TOGETHER = "An entry. A transfer has one in each of two accounts, and both are booked or none is."


def test_the_row_of_an_entity_and_the_copies_that_a_query_reads() -> None:
    """Both tables are in the fix, which is reviewed; the promise of less is none where the description denies it."""
    model = entry(TOGETHER)
    (told,) = found(model, "ROW004")
    assert told.fix.startswith(
        "one row for each `transfer`, under the key `{transfer}`, with `account` in the qualifiers"
    )
    assert "for `of_account` write a copy of each part to a second table, `LEDGER_OF_ACCOUNT`" in told.fix
    assert "by `bt.twins(Entry, (EntryOfAccount, ...), owned=True)`" in told.fix
    assert "if each row changes for itself" not in told.fix
    whole, copies = told.models
    assert (whole.key.shape, copies.key.shape) == ("{transfer}", "{account}#{transfer}")
    assert whole.atomic == ("transfer",)
    assert copies.atomic == ()
    assert serves(copies.key, model.queries[0])
    assert [str(one) for made in told.models for one in review(made) if one.level is not Level.INFO] == []


def test_the_promise_is_offered_where_nothing_denies_it() -> None:
    """Behind the row, as what has to change at once only the author knows."""
    (told,) = found(entry("An entry of an account."), "ROW004")
    assert told.fix.startswith("one row for each `transfer`")
    assert 'or, if each row changes for itself, `atomic=("account", "transfer")`' in told.fix


@pytest.mark.parametrize("doc", [TOGETHER, "An entry of an account."])
def test_a_query_of_the_entity_needs_no_copy(doc: str) -> None:
    """The row serves it."""
    (told,) = found(entry(doc, Query("of_transfer", ("transfer",)), front="transfer"), "ROW004")
    assert "second table" not in told.fix
    assert [made.key.shape for made in told.models] == ["{transfer}"]
    assert ("each row changes for itself" in told.fix) is (doc != TOGETHER)


def test_several_queries_share_one_copy() -> None:
    """A part that is asked for by itself is read there, too."""
    (told,) = found(
        entry(TOGETHER, Query("of_account", ("account",)), Query("one", ("account", "transfer"))), "ROW004"
    )
    (_, copies) = told.models
    assert "of_account" in {query.name for query in copies.queries}
