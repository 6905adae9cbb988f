"""Repositories that were generated for a model as it was before."""

from typing import Any

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema
from btmodel.schema.outline import outline


def refuse_stale(repository: type[Any], schema: ModelSchema) -> None:
    """Raise :class:`GenerationError` where ``repository`` was generated for another outline of its model.

    Each class is looked at once.
    """
    if repository._outline is None or "_fresh" in repository.__dict__:
        return
    if repository._outline != outline(schema):
        raise GenerationError(
            f"{repository.__module__}.{repository.__name__}: generated before {schema.module}.{schema.name} was "
            "changed, whose fields and queries it does not know: run `btmodel generate`"
        )
    repository._fresh = True
