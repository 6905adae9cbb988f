"""A user's own templates: in the place of ours, and as targets of their own."""

from collections.abc import Mapping
from pathlib import Path

from btmodel.errors import GenerationError
from btmodel.schema import tables
from btmodel_codegen.given import Files, GeneratorInput
from btmodel_codegen.python_text import snake_case
from btmodel_codegen.render import packaged, render

SUFFIX = ".jinja"
MODEL = "{model}"


def own_targets(folder: Path) -> Mapping[str, Files]:
    """The targets that the templates in ``folder`` are, by the names of their files without ``.jinja``.

    Those that stand in the place of ours, and those whose names begin with ``_``, which others
    include, are none. Raises :class:`GenerationError` for a folder that holds no template.
    """
    own = [name for name in _names(folder) if name not in packaged() and not name.startswith("_")]
    return {name.removesuffix(SUFFIX): _target(name) for name in own}


def replacing(folder: Path) -> frozenset[str]:
    """The templates in ``folder`` that stand in the place of ours, by their names without ``.jinja``."""
    return frozenset(name.removesuffix(SUFFIX) for name in _names(folder) if name in packaged())


def _names(folder: Path) -> list[str]:
    try:
        names = sorted(path.name for path in folder.iterdir() if path.name.endswith(SUFFIX))
    except OSError as error:
        raise GenerationError(f"{folder}: the templates cannot be read: {error.strerror or error}") from None
    if not names:
        raise GenerationError(f"{folder}: expected templates, files called NAME{SUFFIX}, and found none")
    return names


def _target(template: str) -> Files:
    name = template.removesuffix(SUFFIX)
    if not name.replace(MODEL, "") or set(name.replace(MODEL, "")) & set("{}"):
        raise GenerationError(
            f"{template}: expected the name of a file, in which {MODEL} stands for the name of a model"
        )
    return _each(template, name) if MODEL in name else _once(template, name)


def _once(template: str, name: str) -> Files:
    """One file of all models."""

    def files(given: GeneratorInput) -> dict[str, str]:
        values = {"models": given.models, "tables": tables(given.models), "twins": given.twins}
        return {name: render(template, file=name, **values)}

    return files


def _each(template: str, name: str) -> Files:
    """A file of each model."""

    def files(given: GeneratorInput) -> dict[str, str]:
        texts: dict[str, str] = {}
        for model in given.models:
            file = name.replace(MODEL, snake_case(model.name))
            if file in texts:
                raise GenerationError(
                    f"two models would be written to {file}: rename {model.module}.{model.name}"
                )
            texts[file] = render(template, file=file, model=model)
        return texts

    return files
