"""Tables to migrate: fixed ones, and random ones."""

from datetime import timedelta

from attrs import evolve
from hypothesis import strategies as st

from btmodel.schema import (
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    RowKey,
    Table,
    Union,
)
from btmodel.schema.model import OFF, TableSettings

# The settings of a table that has none.
ALL_OFF = TableSettings(False, OFF, OFF, OFF, "")
ONE = MaxVersions(1)
WEEK = MaxAge(timedelta(days=7))


def table(id: str, /, **families: GcRule | None) -> Table:
    """A table of these families."""
    return Table(id, tuple(Family(name, families[name]) for name in sorted(families)))


QUOTE = table("QUOTE", MD=ONE)
TRADE = table("TRADE", MD=ONE, STAT=WEEK)


def as_live(*declared: Table) -> tuple[Table, ...]:
    """The tables as they are read once they were made: with all their settings."""
    return tuple(evolve(one, settings=one.settings.over(ALL_OFF)) for one in declared)


def model(of: Table) -> ModelSchema:
    """A model that declares just that table."""
    return ModelSchema(of.id.title(), "models", "", of.id, RowKey((), b"#"), of.families, ())


_limits = st.one_of(
    st.builds(MaxVersions, st.integers(1, 4)),
    st.builds(MaxAge, st.integers(1, 4).map(lambda days: timedelta(days=days, microseconds=days))),
    st.just(KeepAll()),
)


def _several(parts: st.SearchStrategy[GcRule]) -> st.SearchStrategy[GcRule]:
    tuples = st.lists(parts, min_size=1, max_size=3).map(tuple)
    return st.one_of(st.builds(Union, tuples), st.builds(Intersection, tuples))


rules = st.recursive(_limits, _several, max_leaves=6)
_families = st.dictionaries(st.sampled_from("abcd"), st.none() | rules, max_size=4)
_tables = st.dictionaries(st.sampled_from(["A", "B", "C.x", "D"]), _families, max_size=4)
table_sets = _tables.map(
    lambda found: tuple(table(id, **found[id]) for id in sorted(found)),
)
