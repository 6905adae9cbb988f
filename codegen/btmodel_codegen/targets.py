"""What is generated: a visible table of targets. To add one: a module, and a line here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema, TwinsSchema
from btmodel_codegen import (
    bigquery,
    cbt,
    create_requests,
    gcloud,
    googlesql,
    html_page,
    markdown_page,
    repositories,
    terraform,
    twin_repositories,
)
from btmodel_codegen.file_names import refuse_bad_names
from btmodel_codegen.given import Files, GeneratorInput
from btmodel_codegen.own_templates import own_targets, replacing
from btmodel_codegen.render import templates_of
from btmodel_codegen.schema_page import SchemaPage


@frozen
class OutputTarget:
    """A kind of output: what makes its files, and whether they are written unless others are asked for.

    ``prints`` are what its templates are called without ``.jinja``; the name of its file, where it writes one.
    """

    files: Files
    prints: tuple[str, ...]
    default: bool = False


def _of_models(files: Callable[[Sequence[ModelSchema]], dict[str, str]]) -> Files:
    """What makes the files of a target that says nothing of twins."""
    return lambda given: files(given.models)


def _of_page(files: Callable[[SchemaPage], dict[str, str]]) -> Files:
    """What makes a page of the schema."""
    return lambda given: files(given.page)


def _repositories(given: GeneratorInput) -> dict[str, str]:
    return {**repositories.files(given.models), **twin_repositories.files(given.twins)}


TARGETS = {
    "cbt": OutputTarget(_of_models(cbt.files), (cbt.FILE,), default=True),
    "json": OutputTarget(_of_models(create_requests.files), (create_requests.FILE,), default=True),
    "repository": OutputTarget(_repositories, ("repository.py", "twins.py"), default=True),
    "gcloud": OutputTarget(_of_models(gcloud.files), (gcloud.FILE,)),
    "terraform": OutputTarget(_of_models(terraform.files), (terraform.FILE,)),
    "sql": OutputTarget(_of_models(googlesql.files), (googlesql.FILE,)),
    "bigquery": OutputTarget(_of_models(bigquery.files), (bigquery.FILE,)),
    "html": OutputTarget(_of_page(html_page.files), (html_page.FILE,)),
    "markdown": OutputTarget(_of_page(markdown_page.files), (markdown_page.FILE,)),
}
DEFAULTS = tuple(name for name, target in TARGETS.items() if target.default)


def targets_with(templates: Path | None) -> Mapping[str, OutputTarget]:
    """The targets of the table, and those that the user's own ``templates`` are, which are all default ones.

    Raises :class:`GenerationError` for a folder that holds no templates, or one that is called as a target is.
    """
    own = own_targets(templates) if templates else {}
    for name in own:
        if name in TARGETS:
            raise GenerationError(f"{templates}: a target is called {name!r}: rename the template")
    return {**TARGETS, **{name: OutputTarget(files, (name,), default=True) for name, files in own.items()}}


def targets_of(templates: Path) -> tuple[str, ...]:
    """The targets that ``templates`` are for: those that they are, and those of ours whose template they replace."""
    known, replaced = targets_with(templates), replacing(templates)
    own = (name for name in known if name not in TARGETS)
    return (*(name for name, target in TARGETS.items() if replaced.intersection(target.prints)), *own)


def generate(
    models: Sequence[ModelSchema],
    targets: Iterable[str] | None = None,
    templates: Path | None = None,
    twins: Sequence[TwinsSchema] = (),
) -> dict[str, str]:
    """The text of every generated file of ``targets`` (the default ones), by its name in the output folder.

    ``templates`` is a folder of the user's own templates. The same models and twins give the same bytes, in
    whatever order they come. Raises :class:`GenerationError` for names that cannot be written, and
    for templates that fail.
    """
    known = targets_with(templates)
    chosen = [name for name, target in known.items() if target.default] if targets is None else targets
    given = GeneratorInput(
        tuple(sorted(models, key=lambda model: (model.module, model.name))),
        tuple(sorted(twins, key=lambda one: (one.module, one.name))),
    )
    files: dict[str, str] = {}
    with templates_of(templates):
        for name in dict.fromkeys(chosen):
            for file, text in known[name].files(given).items():
                if file in files:
                    raise GenerationError(
                        f"two targets would write {file}; one of them is {name!r}: rename it"
                    )
                files[file] = text
    refuse_bad_names(files)
    return files
