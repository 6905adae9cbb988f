"""How long keys get: what is declared of a field and of the whole key."""

import pytest

import btmodel as bt
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.estimates import key_size
from btmodel.lint import review


class Page(bt.Model, table="PAGE", max_key=300):
    """A key whose fields may have more bytes than the whole key."""

    host: str = bt.key(bt.Text(max_length=250), cardinality=1000, size=20)
    path: str = bt.key(bt.Text(max_length=4000), cardinality=1000, size=40)
    f = bt.family("f", gc=bt.max_versions(1))
    title: str = bt.column("t", f)


def test_a_bound_of_the_whole_key_is_kept() -> None:
    """Keys up to there are written, longer ones refused, however they are made."""
    row = Page(host="a" * 100, path="b" * 199, title="")
    assert len(bt.key_of(row)) == 300
    with pytest.raises(ValueRefused, match="a row key of 1 to 300 bytes"):
        Page.row_key(host="a" * 100, path="b" * 200)
    with pytest.raises(ValueRefused, match="a row key of 1 to 300 bytes"):
        bt.mutation_of(Page(host="a" * 100, path="b" * 200, title=""))
    assert Page.read_key(bt.key_of(row)) == ("a" * 100, "b" * 199)


def test_the_review_and_the_sizes_know_both() -> None:
    """A key that is bounded is not too long, and is typically as long as its fields are."""
    schema = bt.schema_of(Page)
    assert schema.key.most == 300
    assert key_size(schema.key).usual.least == 61
    assert [finding for finding in review(schema) if finding.rule == "KEY009"] == []


@pytest.mark.parametrize(
    ("most", "size", "why"),
    [
        (0, 3, "max_key: expected a number of bytes from 1 to 4,096, got 0"),
        (5000, 3, "max_key: expected a number of bytes from 1 to 4,096, got 5000"),
        (2, 3, "max_key: expected at least the 3 bytes of the shortest key, got 2"),
        (9, 0, "size: expected a number from 1 on, got 0"),
        (9, 7, "size: expected 3 to 5 bytes, which its codec writes, got 7"),
    ],
)
def test_what_no_key_is_like_is_refused(most: int, size: int, why: str) -> None:
    """With what was expected."""
    with pytest.raises(DeclarationError, match=why):

        class Wrong(bt.Model, table="ROW", max_key=most):
            name: str = bt.key(bt.Text(min_length=3, max_length=5), cardinality=10, size=size)
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)
