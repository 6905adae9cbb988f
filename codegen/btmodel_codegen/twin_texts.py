"""What a page says of models that are written together."""

from collections.abc import Callable, Iterator, Sequence

from btmodel.described import made
from btmodel.schema import ModelSchema, TwinsSchema
from btmodel_codegen.grids import Grid, grid
from btmodel_codegen.prose import Prose, TextRun, code, prose, words

# The place of a model on the page; None for one that the page does not have.
Anchor = Callable[[ModelSchema], str | None]


def twins_of(twins: Sequence[TwinsSchema], anchor: Anchor) -> Grid:
    """A row for each table that is written with another one, in the order of writing."""
    rows = (
        (
            code(f"{one.module}.{one.name}"),
            _link(one.source, anchor),
            _link(twin.model, anchor),
            code(twin.model.table),
            prose(made(twin)),
        )
        for one in twins
        for twin in one.others
    )
    headings = ("twins", "each row of", "is followed by one of", "in the table", "which is")
    return grid("Models that are written together", headings, rows)


def facts_of(model: ModelSchema, twins: Sequence[TwinsSchema], anchor: Anchor) -> Iterator[tuple[str, Prose]]:
    """What a model is written with, and in which order."""
    for twin in twins:
        if model in twin.models:
            yield f"twins {twin.name}", _order(model, twin, anchor)


def _order(model: ModelSchema, twins: TwinsSchema, anchor: Anchor) -> Prose:
    order: list[TextRun] = []
    for each in twins.models:
        name = code(each.name) if each == model else _link(each, anchor)
        order += (*words(", then to " if order else "written to "), *name)
    return tuple(order)


def _link(model: ModelSchema, anchor: Anchor) -> Prose:
    return code(model.name, anchor(model))
