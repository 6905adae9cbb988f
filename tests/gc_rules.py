"""Random garbage-collection rules, nested, over few ages and versions so that they touch."""

from datetime import timedelta

from hypothesis import strategies as st

from btmodel.schema import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union

MILLI = timedelta(milliseconds=1)

_LEAVES: st.SearchStrategy[GcRule] = st.one_of(
    st.integers(1, 5).map(MaxVersions),
    st.integers(1, 5).map(lambda ticks: MaxAge(ticks * MILLI)),
    st.just(KeepAll()),
)


def _nested(rules: st.SearchStrategy[GcRule]) -> st.SearchStrategy[GcRule]:
    parts = st.lists(rules, min_size=1, max_size=3).map(tuple)
    return st.builds(Union, parts) | st.builds(Intersection, parts)


RULES: st.SearchStrategy[GcRule] = st.recursive(_LEAVES, _nested, max_leaves=8)
