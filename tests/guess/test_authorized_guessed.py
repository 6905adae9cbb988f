"""Authorized views of a live table are declared again, with the rows and columns that they have."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.guess import TableSample
from btmodel.schema import layout_of, tables
from tests.guess.live_tables import changes, declared


class Document(bt.Model):
    """Two fields that a view may begin with, of text and of numbers, and columns of one name and of any."""

    kind = bt.constant("d")
    tenant: str = bt.key(bt.Text(max_length=9), cardinality=50)
    part: int = bt.key(bt.PaddedInt(3), cardinality=100, sequential=False)
    id: str = bt.key(bt.HexDigest(8), cardinality=10_000, mirror="f:id")

    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(1))
    title: str = bt.column("title", f)
    text: str = bt.column("text", f)
    labels: dict[str, str] = bt.mapping(g, bt.Text(max_length=9), prefix="l:", entries=3)
    marks: dict[str, str] = bt.mapping(g, bt.Text(max_length=9), prefix="m:", entries=3)


TENANTS = st.sampled_from(["acme", "a'b", "é", "\\n", "x y"])
WHERE = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"tenant": TENANTS | st.lists(TENANTS, min_size=1, max_size=3, unique=True)}),
    st.fixed_dictionaries(
        {
            "tenant": TENANTS,
            "part": st.integers(0, 999) | st.lists(st.integers(0, 999), min_size=2, unique=True),
        }
    ),
)
ONLY = st.none() | st.lists(
    st.sampled_from(["title", "text", "labels", "marks"]), min_size=1, max_size=4, unique=True
)


@given(st.lists(st.tuples(WHERE, ONLY, st.booleans()), min_size=1, max_size=3))
def test_authorized_views_are_declared_again(
    tmp_path_factory: pytest.TempPathFactory, given_views: list[tuple[dict[str, Any], list[str] | None, bool]]
) -> None:
    """Views of whatever rows and columns of a model: what is written for its table declares the same ones, and leaves out none."""
    views = [
        bt.authorized_view(f"V{at}", where=where, only=only, deletion_protection=protected)
        for at, (where, only, protected) in enumerate(given_views)
    ]

    class Shown(Document, table=bt.table("T", authorized_views=views), events="1/s"):
        pass

    schema = bt.schema_of(Shown)
    [table] = tables([schema])
    found = TableSample(table, (), whole=True, said="none is there", layouts=(layout_of(schema),))
    [guess], [model], text = declared(tmp_path_factory.mktemp("written"), [found])
    assert not guess.undeclared
    assert [one.same for one in bt.schema_of(model).authorized] == [one.same for one in schema.authorized], (
        text
    )
    assert changes([model], [table]) == (), text
