"""Code that is printed an item a line, joined as formatters would join it."""

import pytest
from btmodel_codegen.joined import joined


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("    def f(\n        self,\n    ) -> int:\n", "    def f(self) -> int:\n"),
        ("x(\n    a,\n    {\n        'b': c,\n    },\n)\n", "x(a, {'b': c})\n"),
        ("x(\n    Key(),\n    {},\n)\n", "x(Key(), {})\n"),
        ("x(\n    Key(\n    ),\n)\n", "x(Key())\n"),
        ("a = 5\n", "a = 5\n"),
    ],
)
def test_what_fits_stands_on_one_line(text: str, wanted: str) -> None:
    """Every bracket closes on the line that opens it, without the comma behind the last item."""
    assert joined(text) == wanted


def test_what_does_not_fit_stays_an_item_a_line() -> None:
    """Only as far as needed: what is inside, and fits, is joined."""
    long = "a_name_that_takes_a_good_part_of_a_line"
    text = f"    x(\n        {long},\n        y(\n            {long},\n        ),\n        [\n            b,\n        ],\n    )\n"
    assert joined(text) == f"    x(\n        {long},\n        y({long}),\n        [b],\n    )\n"
    assert joined(f"x(\n    Key{long * 3}(\n    ),\n)\n") == f"x(\n    Key{long * 3}(),\n)\n"


def test_a_line_has_88_columns_and_no_more() -> None:
    """The limit is that of formatters, in columns: wide letters take two."""
    for letter, most in (("a", 85), ("名", 42)):
        fits, name = letter * most, letter * (most + 1)
        assert joined(f"x(\n    {fits},\n)\n") == f"x({fits})\n"
        assert joined(f"x(\n    {name},\n)\n") == f"x(\n    {name},\n)\n"
