"""``btmodel generate``: table definitions and typed repositories."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from btmodel.cli.completion import target_names
from btmodel.cli.group import models_option
from btmodel.cli.models import settings_and_models, shown_twins
from btmodel.cli.terminal import MODULES, echo, from_here
from btmodel.errors import GenerationError, SettingsError
from btmodel.settings import Settings
from btmodel.words import counted, did_you_mean, meant

if TYPE_CHECKING:
    from btmodel_codegen import OutputChanges, OutputTarget


@click.command()
@click.option(
    "--target",
    "named",
    multiple=True,
    metavar="NAME",
    shell_complete=target_names,
    help="Write only the files of this target, and remove none. Repeatable.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write to this folder instead of `out` of the settings.",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Also write the templates of this folder, whatever `targets` says.",
)
@click.option("--check", is_flag=True, help="Write nothing; show a diff, and exit with 1 if there is one.")
@click.option("--json", "json_", is_flag=True, help="Print which files were written, unchanged and removed.")
@models_option
@click.pass_context
def generate(
    context: click.Context,
    named: tuple[str, ...],
    out: Path | None,
    templates: Path | None,
    check: bool,
    json_: bool,
) -> None:
    """Write a typed repository for each model and for twins, and table definitions (cbt script, JSON).

    Choose other targets with `targets` in the settings, or with --target: gcloud, terraform, sql,
    bigquery, html, markdown, and your own templates.

    Exit code 0: written, or no difference; 1: a difference (--check), or an error.
    """
    from btmodel_codegen import compare, differences, targets_of, targets_with, write
    from btmodel_codegen import generate as generated

    if sys.flags.optimize >= 2:
        raise GenerationError(
            "python -OO strips docstrings, which generated files contain: run btmodel without -OO"
        )
    settings, models = settings_and_models(context)
    folder = out or settings.folder
    own = templates or (settings.root / settings.templates if settings.templates else None)
    wanted = _targets(settings, named, targets_with(own))
    if templates and wanted is not None and not named:
        # A user who names a folder of templates wants their files, whatever the settings' targets are.
        wanted = (*wanted, *targets_of(templates))
    files = generated(models, wanted, own, shown_twins(context, settings))
    # -m and --target name some models and targets: the files of the others stay.
    prune = not (context.meta.get(MODULES) or named)
    changes = (compare if check else write)(files, folder, prune=prune)
    if json_:
        echo(json.dumps(_as_json(changes, folder), indent=2))
    elif check and changes.any:
        echo("".join(differences(files, folder, prune=prune)), nl=False)
    elif check:
        echo(f"{from_here(folder)}: {counted(len(files), 'file')} as generated")
    else:
        _tell(changes, folder)
    context.exit(1 if check and changes.any else 0)


def _tell(changes: "OutputChanges", folder: Path) -> None:
    for path in changes.written:
        echo(f"wrote {from_here(path)}")
    for path in changes.removed:
        echo(f"removed {from_here(path)}")
    files = len(changes.written) + len(changes.unchanged)
    echo(
        f"{from_here(folder)}: {counted(files, 'file')}, {len(changes.written) + len(changes.removed)} changed"
    )


def _as_json(changes: "OutputChanges", folder: Path) -> dict[str, object]:
    """The names of files; with --check, of those that would be written and removed."""
    return {
        "out": str(folder),
        "written": [path.name for path in changes.written],
        "unchanged": [path.name for path in changes.unchanged],
        "removed": [path.name for path in changes.removed],
    }


def _targets(
    settings: Settings, named: Sequence[str], known: "Mapping[str, OutputTarget]"
) -> Sequence[str] | None:
    """The targets that the command, or else the settings, name; None for those that are written unless they do."""
    where = "--target" if named else f"{settings.origin}: targets"
    wanted = named or settings.targets
    for name in wanted or ():
        if name not in known:
            raise SettingsError(f"{where}: no target is called {name!r}{_hint(name, known)}")
    if wanted is not None and not wanted:
        raise SettingsError(f"{where}: expected at least one of {', '.join(known)}, got none")
    return wanted


def _hint(name: str, known: "Mapping[str, OutputTarget]") -> str:
    """A hint for an unknown target: the target that writes a file of this name, or those with similar names."""
    template = name.removesuffix(".jinja")
    if template in known:
        return did_you_mean([template])
    writes = [target for target, one in known.items() if template in one.prints]
    if writes:
        return f" (the target that writes {template} is {writes[0]!r})"
    return meant(name, known)
