"""Models by the tables that they share."""

from collections.abc import Iterable, Iterator

from btmodel.schema import ModelSchema


def by_table(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each table."""
    found: dict[str, list[ModelSchema]] = {}
    for model in models:
        found.setdefault(model.table, []).append(model)
    return found


def sharing_tables(models: Iterable[ModelSchema]) -> Iterator[list[ModelSchema]]:
    """The models of each table that is shared by several."""
    yield from (sharing for sharing in by_table(models).values() if len(sharing) > 1)
