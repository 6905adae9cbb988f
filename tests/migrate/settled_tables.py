"""Random tables with settings, and with rows that lie in some way."""

from datetime import timedelta

from attrs import evolve
from hypothesis import strategies as st
from some_tables import table_sets

from btmodel.schema import OFF, CellLayout, KeyPart, Layout, Table, TableSettings

DAY = timedelta(days=1)


def layout(model: str, key: str = "Text(width=5)", **codecs: str) -> Layout:
    """A model with one key field, and cells of the family MD."""
    cells = (CellLayout(f"MD:{name}", codecs[name]) for name in sorted(codecs))
    return Layout(model, (KeyPart(key, "", "symbol"),), tuple(cells))


def days(*some: int) -> st.SearchStrategy[timedelta]:
    """One of these periods, or none."""
    return st.sampled_from([OFF, *(one * DAY for one in some)])


_schemas = st.sampled_from(["", '{"a": 1}', '{"b": 2}'])
stated = st.builds(
    TableSettings,
    deletion_protection=st.none() | st.booleans(),
    change_stream=st.none() | days(1, 2, 7),
    automated_backups=st.none() | days(3, 90),
    tiered_storage=st.none() | days(30, 60),
    row_key_schema=st.none() | _schemas,
)
live = st.builds(
    TableSettings,
    deletion_protection=st.booleans(),
    change_stream=days(1, 2, 7),
    automated_backups=days(3, 90),
    tiered_storage=days(30, 60),
    row_key_schema=_schemas,
)
_codecs = st.sampled_from(["value Int64()", "value Utf8()", "value Either(new=Utf8(), old=(Int64()))"])
_layouts = st.builds(
    lambda model, key, codecs: layout(model, key, **codecs),
    st.sampled_from(["One", "Two"]),
    st.sampled_from(["Text(width=5)", "Text(width=6)"]),
    st.dictionaries(st.sampled_from(["BID", "ASK"]), _codecs, max_size=2),
)


def _sets(settings: st.SearchStrategy[TableSettings]) -> st.SearchStrategy[tuple[Table, ...]]:
    def settle(tables: tuple[Table, ...]) -> st.SearchStrategy[tuple[Table, ...]]:
        return st.tuples(
            *(
                st.builds(
                    lambda one, given, lie: evolve(one, settings=given, layouts=tuple(lie)),
                    st.just(table),
                    settings,
                    st.lists(_layouts, max_size=2, unique_by=lambda one: one.model).map(
                        lambda found: sorted(found, key=lambda one: one.model)
                    ),
                )
                for table in tables
            )
        )

    return table_sets.flatmap(settle)


declared_sets = _sets(stated)
live_sets = _sets(live)
