"""What declares, called with an argument that it does not take, says which it takes."""

from collections.abc import Callable

import pytest

import btmodel as bt


@pytest.mark.parametrize(
    ("declare", "says"),
    [
        (
            lambda: bt.authorized_view("X", columns=["a"]),
            r"'columns' \(known: id, where, only, deletion_protection\)",
        ),
        (lambda: bt.authorized_view("X", wher={}), r"'wher' \(did you mean where\?\)"),
        (lambda: bt.table("X", change_streams="3d"), r"'change_streams' \(did you mean change_stream\?\)"),
    ],
)
def test_an_unknown_argument_is_answered_with_the_known_ones(
    declare: Callable[[], object], says: str
) -> None:
    """The nearest name is offered, or else all names are listed."""
    with pytest.raises(bt.DeclarationError, match=says):
        declare()
