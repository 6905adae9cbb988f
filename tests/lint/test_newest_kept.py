"""FAM006 and FAM010 where the newest value is to stay: they say one thing, and no fix deletes it."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level, review
from btmodel.schema import GcRule, Rate
from tests.lint.parts import found


class Heater(bt.Model, table="HEATER", events="23/min"):
    """A heater."""

    heater: str = bt.key(bt.HexDigest(10), cardinality=2_000_000)

    t = bt.family("t", gc=bt.max_versions(1) | bt.max_age("30d"))
    target: bt.History[float] = bt.history("set", t, every="60d")

    of_heater = bt.query("heater")


class Fee(bt.Model, table="FEE", events="23/min"):
    """A fee."""

    service: str = bt.key(bt.HexDigest(10), cardinality=2_000_000)

    f = bt.family("f", gc=bt.max_age("30d"))
    cents: int = bt.column("c", f)

    of_service = bt.query("service")


STAYS = (
    "the last one counts until somebody sets another",
    "it is valid until replaced",
    "the newest is never deleted",
    "a value holds until the next is set",
    "each stays in force until it is changed",
    "the newest one is always there",
    "the current one may never be removed",
    "always the newest",
    "the current one must always be there",
    "what is set now has to be always available",
)


@pytest.mark.parametrize("stays", STAYS)
@pytest.mark.parametrize("every", ["60d", "10d", "4d", None])
def test_the_newest_of_a_history_stays(stays: str, every: str | None) -> None:
    """A union (`|`) deletes it with its age, so the fix is an intersection, however often values come."""
    model = bt.schema_of(Heater)
    (column,) = model.columns
    beat = None if every is None else bt.schema_of(_paced(every)).columns[0].expected.every
    model = evolve(
        model,
        doc=f"A heater and what was set: {stays}, and support needs those of the last 30 days.",
        columns=(evolve(column, expected=evolve(column.expected, every=beat)),),
        events=Rate.parse("1/min"),
    )
    (told,) = [one for one in review(model) if one.rule in ("FAM006", "FAM010")]
    assert told.rule == "FAM006"
    assert "gc=bt.max_versions(1) & bt.max_age(days=" in told.fix
    assert "|" not in told.fix
    assert told.edit is not None
    assert "&" in told.edit.text
    assert "the age deletes the newest, too" in told.why
    made = told.models[0]
    assert [
        one.rule for one in review(made) if one.level is not Level.INFO and one.rule.startswith("FAM")
    ] == []


def _paced(every: str) -> type[bt.Model]:
    class Paced(bt.Model, table="PACED"):
        id: str = bt.key(bt.HexDigest(10))
        f = bt.family("f", gc=bt.max_versions(9))
        value: bt.History[float] = bt.history("v", f, every=every)

    return Paced


def test_without_such_words_both_are_offered() -> None:
    """Whether the newest may go only the author knows: the fix says how it stays."""
    model = evolve(bt.schema_of(Heater), doc="A heater. Support needs what was set in the last 30 days.")
    (told,) = found(model, "FAM006")
    assert (
        "if the newest must stay, however old it is, `gc=bt.max_versions(1) & bt.max_age(days=90)`"
        in told.fix
    )


@pytest.mark.parametrize("stays", STAYS)
@pytest.mark.parametrize("rule", [bt.max_age(days=30), bt.max_versions(1) | bt.max_age(days=30)])
def test_the_newest_of_a_plain_column_stays(stays: str, rule: GcRule) -> None:
    """An age deletes it as well."""
    model = evolve(bt.schema_of(Fee), doc=f"A fee: {stays}.")
    (family,) = model.families
    (told,) = found(evolve(model, families=(evolve(family, gc=rule),)), "FAM010")
    assert "gc=bt.max_versions(1) & bt.max_age(days=30)" in told.fix


@pytest.mark.parametrize(
    "said",
    [
        "it is valid until it is revoked, or for 30 days",
        "it is shown until the page is closed",
        "it counts for 30 days",
        "it stays until the car leaves",
    ],
)
def test_what_ends_may_go(said: str) -> None:
    """Other ends are not those of a value that the next one replaces."""
    assert found(evolve(bt.schema_of(Fee), doc=f"A fee: {said}."), "FAM010") == []
