"""What is given in the place of a model or a row and is none."""

from collections.abc import Callable
from typing import Any

import pytest

import btmodel as bt
from btmodel.errors import BtmodelError
from examples.market import Quote

_ANY: Any = bt
USES: dict[str, tuple[Callable[[], object], str]] = {
    "key of a number": (lambda: _ANY.key_of(3), "expected a row, an object of a model, got 3"),
    "key of a model": (
        lambda: _ANY.key_of(Quote),
        "expected a row, an object of a model, got <model Quote: .*",
    ),
    "mutation of None": (lambda: _ANY.mutation_of(None), "expected a row, an object of a model, got None"),
    "schema of a type": (
        lambda: _ANY.schema_of(int),
        r"expected a model, a class that inherits from bt\.Model, got <class 'int'>",
    ),
    "schema of a text": (
        lambda: _ANY.schema_of("x"),
        r"expected a model, a class that inherits from bt\.Model, got 'x'",
    ),
    "table of a number": (
        lambda: _ANY.create_tables("projects/p/instances/i", 3),
        r"expected a model, a class that inherits from bt\.Model, got 3",
    ),
    "no models": (
        lambda: bt.create_tables("projects/p/instances/i"),
        "create_tables: expected at least one model after the instance, got none",
    ),
    "swapped arguments": (
        lambda: _ANY.create_tables(Quote, "projects/p/instances/i"),
        "create_tables: expected an instance or a connection first, got <model Quote: .*",
    ),
}


@pytest.mark.parametrize("use", USES)
def test_what_is_no_model_is_refused_by_what_was_expected(use: str) -> None:
    """What stands in the place of a model, a row or an instance is refused with what was expected and what came."""
    misuse, said = USES[use]
    with pytest.raises(BtmodelError, match=f"^{said}$"):
        misuse()
