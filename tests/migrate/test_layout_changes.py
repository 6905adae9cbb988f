"""Keys and codecs: a change of how rows lie is seen before old bytes are taken for new ones."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from settled_tables import layout
from some_tables import QUOTE, TRADE

import btmodel as bt
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, MigrationFailed
from btmodel.migrate import (
    ChangeCodec,
    ChangeKey,
    Effect,
    Forget,
    InstanceChange,
    RecordLayouts,
    apply,
    bring,
    diff,
    make_plan,
    read_plan,
)
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.tables.layouts import readings
from btmodel.rows import Cell, Mutation
from btmodel.schema import Layout, Table, layout_of, tables

A, B, C = "value Int64()", "value IntBytes(size=4)", "value Flag()"


def lying(*layouts: Layout) -> Table:
    """The table QUOTE whose rows lie so."""
    return evolve(QUOTE, layouts=layouts)


def found(declared: tuple[Layout, ...], recorded: tuple[Layout, ...]) -> tuple[InstanceChange, ...]:
    """What differs between these layouts of one table."""
    return diff((lying(*declared),), (lying(*recorded),))


def either(new: str, *old: str) -> str:
    """The codec that writes the first and reads all, as it is recorded."""
    names = [one.removeprefix("value ") for one in (new, *old)]
    return f"value Either(new={names[0]}, old=({', '.join(names[1:])}))"


def test_a_changed_key() -> None:
    """It is refused, with both keys and the way; its name is a promise."""
    (change,) = found((layout("Quote", "Text(width=6)"),), (layout("Quote"),))
    assert isinstance(change, ChangeKey)
    assert (change.effect, change.requires) == (Effect.BLOCKED, "change-key:QUOTE/Quote")
    assert change.details[:2] == (
        "recorded: {symbol: Text(width=5)}",
        "declared: {symbol: Text(width=6)}",
    )
    assert "promise that all rows are rewritten" in change.details[2]


def test_a_changed_codec() -> None:
    """It is refused, with both codecs and the way: text read as a number is corruption in silence."""
    (change,) = found((layout("Quote", BID=B),), (layout("Quote", BID=A),))
    assert isinstance(change, ChangeCodec)
    assert (change.effect, change.requires) == (Effect.BLOCKED, "change-codec:QUOTE.MD:BID")
    assert change.details[:2] == (f"recorded: {A}", f"declared: {B}")


def test_renamed_fields_and_classes_are_no_change() -> None:
    """No name of a class or a field is in the bytes."""
    old = layout("Quote", BID=A)
    renamed = Layout("Price", (evolve(old.key[0], name="ticker"),), old.cells)
    assert found((renamed,), (old,)) == ()
    assert make_plan("i", (lying(renamed),), (lying(old),)).changes == ()


@pytest.mark.parametrize(
    ("declared", "recorded", "safe"),
    [
        (either(A, B), B, True),
        (either(A, B), A, True),
        (either(A, B, C), either(B, C), True),
        (either(A, B), either(B, A), True),
        (A, either(A, B), False),
        (either(A, B), either(A, C), False),
        (either(A, B), C, False),
        (either(A, f"value {either(B, C).removeprefix('value ')}"), C, True),
    ],
)
def test_codecs_side_by_side(declared: str, recorded: str, safe: bool) -> None:
    """Safe is what reads every cell that could be there."""
    (change,) = found((layout("Quote", BID=declared),), (layout("Quote", BID=recorded),))
    assert change.effect is (Effect.SAFE if safe else Effect.BLOCKED)


def test_one_codec_less_is_a_promise() -> None:
    """From two codecs to one of them: the name says that old cells are rewritten."""
    (change,) = found((layout("Quote", BID=A),), (layout("Quote", BID=either(A, B)),))
    assert "cells of the removed codec are rewritten" in change.details[-1]
    assert "Either" not in change.details[-1]


class Two(bt.Model, table="QUOTE"):
    """A model with two codecs in one column, one of which has quotes and parentheses in it."""

    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: str = bt.column("BID", md, codec=bt.Either(bt.Compressed(bt.Utf8()), bt.Utf8()))


def test_codecs_of_a_real_model_are_taken_apart() -> None:
    """What a model is recorded as reads as its codecs do."""
    (cell,) = layout_of(bt.schema_of(Two)).cells
    assert "Either(" in cell.codec
    assert readings(cell.codec) == ("value Compressed(codec=Utf8())", "value Utf8()")


@given(st.text(alphabet="Either(new=, old)'\"\\[]{}ab", max_size=60))
def test_any_text_can_be_taken_apart(text: str) -> None:
    """Whatever was recorded, it is read by something, and texts without Either by themselves."""
    assert readings(text)
    if "Either(new=" not in text:
        assert readings(text) == (text,)


@given(st.sampled_from(["'", '"']), st.text(alphabet="(),'\"\\ aE", max_size=10))
def test_quotes_hold_what_they_hold(quote: str, inside: str) -> None:
    """Commas and parentheses in a text of a codec are no commas and parentheses of it."""
    text = f"Packed(fmt={inside!r})"
    assert readings(f"value Either(new={text}, old=(Int64()))") == (f"value {text}", "value Int64()")


def test_what_is_gone_is_drift_until_it_is_forgotten() -> None:
    """Rows of a model and cells of a column may be there still: kept in the record, told, forgotten by name."""
    old, gone = layout("Quote", BID=A, ASK=B), layout("Gone", "Bytes()")
    declared, live = (lying(layout("Quote", BID=A)),), (lying(gone, old),)
    plan = make_plan("i", declared, live)
    assert plan.pending == ()
    assert [one.requires for one in plan.drift] == ["forget:QUOTE/Gone", "forget:QUOTE/Quote.MD:ASK"]
    plan = make_plan("i", declared, live, ["forget:QUOTE/Gone", "forget:QUOTE/Quote.MD:ASK"])
    assert plan.changes[:2] == (Forget("QUOTE", "Gone"), Forget("QUOTE", "Quote", "MD:ASK"))
    assert plan.changes[2] == RecordLayouts("QUOTE", declared[0].layouts)
    assert plan.pending == plan.changes[:2]


def test_an_empty_table_may_lie_in_any_way() -> None:
    """The rows are asked for only where it matters, and again before it is done; without any, a changed key is no risk."""
    history = MemoryHistory()
    history.record_layouts("QUOTE", (layout("Quote", BID=A),))
    declared = (lying(layout("Quote", "Text(width=6)", BID=B)),)
    instance = MemoryInstance((QUOTE,), filled=["QUOTE"])
    plan = read_plan(instance, declared, history=history)
    assert [change.effect for change in plan.pending] == [Effect.BLOCKED] * 2
    instance.filled.clear()
    plan = read_plan(instance, declared, history=history)
    assert [change.effect for change in plan.pending] == [Effect.SAFE] * 2
    apply(plan, instance, run_record=RunRecord(history, "me"))
    assert history.layouts() == {"QUOTE": declared[0].layouts}
    read_plan(instance, declared, history=history)
    assert [call for call in instance.calls if call[0] == "is_empty"] == [("is_empty", "QUOTE")] * 3


def test_what_is_not_recorded_yet_is_recorded_quietly() -> None:
    """An instance that was migrated without a record is told of none: it is recorded, and nobody is asked."""
    history, instance = MemoryHistory(), MemoryInstance((QUOTE, TRADE))
    declared = (lying(layout("Quote", BID=A)), TRADE)
    plan = read_plan(instance, declared, history=history)
    assert (plan.pending, plan.changes) == ((), (RecordLayouts("QUOTE", declared[0].layouts),))
    apply(plan, instance, run_record=RunRecord(history, "me"))
    assert (instance.changes, history.layouts()) == ([], {"QUOTE": declared[0].layouts})
    assert read_plan(instance, declared, history=history).changes == ()
    assert read_plan(instance, declared).changes == ()


def test_two_models_share_a_cell() -> None:
    """One name allows the change of a cell for all models that have it."""
    new, old = (
        (layout("A", BID=B), layout("B", "Bytes()", BID=B)),
        (layout("A", BID=A), layout("B", "Bytes()", BID=A)),
    )
    plan = make_plan("i", (lying(*new),), (lying(*old),), ["change-codec:QUOTE.MD:BID"])
    assert plan.refused == ()


def test_rows_of_a_server_are_looked_for(instance: str) -> None:
    """A table with one row is not empty, one without is, and one that is not there, too."""
    with local_server.start() as running, Admin(Target(instance, running.host)) as admin:
        bring(admin, tables([bt.schema_of(Two)]))
        assert admin.is_empty("QUOTE")
        assert admin.is_empty("NONE")
        with bt.Database(Target(instance, running.host, lambda: None)) as db:
            db.write(Mutation("QUOTE", b"AAAAA", [Cell("MD", b"BID", 1000, b"x")]))
        assert not admin.is_empty("QUOTE")


def test_refusing_says_what_it_is_about() -> None:
    """A change of codec loses nothing by itself, and the error does not say that it does."""
    plan = make_plan("i", (lying(layout("Quote", BID=B)),), (lying(layout("Quote", BID=A)),))
    with pytest.raises(
        MigrationError, match=r"because btmodel refuses it unless .*use --allow change-codec:QUOTE\.MD:BID"
    ):
        apply(plan, MemoryInstance())


def test_a_row_that_came_since_the_plan_stops_another_key() -> None:
    """What was safe because the table held no row is not applied once it holds some, and not recorded."""
    history = MemoryHistory()
    history.record_layouts("QUOTE", (layout("Quote", BID=A),))
    instance = MemoryInstance((QUOTE,))
    plan = read_plan(instance, (lying(layout("Quote", "Text(width=6)", BID=B)),), history=history)
    assert [change.effect for change in plan.pending] == [Effect.SAFE] * 2
    instance.filled.add("QUOTE")
    with pytest.raises(
        MigrationFailed, match="'QUOTE' held no row when the plan was made, and holds some now"
    ):
        apply(plan, instance, run_record=RunRecord(history, "me"))
    assert history.layouts() == {"QUOTE": (layout("Quote", BID=A),)}


def test_a_new_name_hides_no_other_key() -> None:
    """The only model of a table is the one that was recorded there, whatever its class and its key are called now."""
    (change,) = found((layout("Price", "Text(width=6)"),), (layout("Quote"),))
    assert (change.effect, change.requires) == (Effect.BLOCKED, "change-key:QUOTE/Price")
