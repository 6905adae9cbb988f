"""Random tables with all that a schema can say of them."""

from datetime import timedelta

from gc_rules import RULES
from hypothesis import strategies as st

from btmodel.schema import Aggregate, CellLayout, Family, KeyPart, Layout, Table, TableSettings
from btmodel.schema.column import OtherAggregate

ids = st.text("abcXYZ019_.-", min_size=1, max_size=8).filter(lambda id: id[0] not in ".-")
texts = st.text(max_size=8)
periods = st.none() | st.timedeltas(min_value=timedelta(0))
settings = st.builds(
    TableSettings, st.none() | st.booleans(), periods, periods, periods, st.none() | st.just('{"fields":[]}')
)

UNIQUE = '{"aggregateType": {"hllppUniqueCount": {}, "inputType": {"stringType": {}}}}'
# How families hold their values: as models declare it, or as only a live table has it.
values = st.one_of(
    st.sampled_from([None, *Aggregate]).map(lambda aggregate: (aggregate, None)),
    st.just((None, '{"stringType": {}}')),
    st.just((OtherAggregate("hllpp_unique_count"), UNIQUE)),
)


@st.composite
def recorded_families(draw: st.DrawFn, id: str) -> Family:
    aggregate, value_type = draw(values)
    return Family(id, draw(RULES), aggregate, draw(st.none() | ids), value_type=value_type)


@st.composite
def whole_tables(draw: st.DrawFn) -> Table:
    families = draw(st.lists(ids, unique=True, max_size=3))
    models = draw(st.lists(ids, unique=True, max_size=2))
    return Table(
        draw(ids),
        tuple(draw(recorded_families(id)) for id in sorted(families)),
        draw(settings),
        tuple(
            Layout(
                model,
                tuple(draw(st.lists(st.builds(KeyPart, texts, texts, texts), max_size=2))),
                tuple(
                    CellLayout(cell, draw(texts), attribute=draw(st.none() | texts))
                    for cell in sorted(draw(st.sets(texts, max_size=2)))
                ),
            )
            for model in sorted(models)
        ),
        draw(st.none() | ids),
    )
