"""What is generated: a visible table of targets. To add one: a module, and a line here."""

from collections.abc import Callable, Sequence

from btmodel.schema import ModelSchema
from btmodel_codegen import cbt, create_requests, repositories

Target = Callable[[Sequence[ModelSchema]], dict[str, str]]

TARGETS: dict[str, Target] = {
    "cbt": cbt.files,
    "json": create_requests.files,
    "repository": repositories.files,
}


def generate(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The text of every generated file, by its path in the output folder.

    The same models give the same bytes, in whatever order they come. Raises
    :class:`GenerationError` for names that cannot be written.
    """
    ordered = sorted(models, key=lambda model: (model.module, model.name))
    files: dict[str, str] = {}
    for target in TARGETS.values():
        files.update(target(ordered))
    return files
