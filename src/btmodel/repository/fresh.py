"""Repositories that were generated for a model as it was before."""

from types import TracebackType
from typing import Any

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema
from btmodel.schema.outline import outline


class GeneratedFrom:
    """A context for what a generated module imports of its model: what is not there any more is told with its mend."""

    def __init__(self, origin: str) -> None:
        """``origin`` is the model, or the twins, with its module."""
        self._origin = origin

    def __enter__(self) -> None:
        """Nothing to do before."""

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Raise :class:`GenerationError` where the import itself failed, not one within the model's module."""
        own = isinstance(error, ImportError) and at is not None and at.tb_next is None
        if own and "partially initialized" not in str(error):  # an import in a ring is no stale file
            raise GenerationError(
                f"{at and at.tb_frame.f_globals['__name__']}: generated from {self._origin}, which was renamed, moved or "
                f"changed: {error}: run `btmodel generate`, and import its repository as it is called now"
            ) from error


def refuse_stale(repository: type[Any], schema: ModelSchema) -> None:
    """Raise :class:`GenerationError` where ``repository`` was generated for another outline of its model.

    Each class is looked at once.
    """
    if repository._outline is None or "_fresh" in repository.__dict__:
        return
    if repository._outline != outline(schema):
        raise GenerationError(
            f"{repository.__module__}.{repository.__name__}: generated before {schema.module}.{schema.name} was "
            "changed, whose fields, codecs or queries it does not know: run `btmodel generate`"
        )
    repository._fresh = True
