"""``btmodel generate``: table definitions and typed repositories."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from btmodel.cli.models import settings_and_models
from btmodel.errors import SettingsError
from btmodel.settings import Settings


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The folder to write to.")
@click.option("--check", is_flag=True, help="Write nothing: show what differs, and exit 1 if anything does.")
@click.pass_context
def generate(context: click.Context, out: Path | None, check: bool) -> None:
    """Write table definitions (cbt script, JSON) and a typed repository for each model.

    ``targets`` of the settings names other kinds of files: gcloud, terraform, sql, bigquery, html, markdown.

    Exit code 0: written, or nothing differs; 1: files differ (--check), or an error.
    """
    from btmodel_codegen import differences, write
    from btmodel_codegen import generate as generated

    settings, models = settings_and_models(context)
    folder = out or settings.root / settings.out
    files = generated(models, _targets(settings))
    prune = not context.meta.get("btmodel.models")  # -m names some models, not all there are
    if check:
        diffs = list(differences(files, folder, prune=prune))
        click.echo(
            "".join(diffs) if diffs else f"{folder}: {len(files)} files are as generated", nl=not diffs
        )
        context.exit(1 if diffs else 0)
    changed = write(files, folder, prune=prune)
    for path in changed:
        click.echo(f"{'wrote' if path.exists() else 'removed'} {path}")
    click.echo(f"{folder}: {len(files)} files, {len(changed)} changed")


def _targets(settings: Settings) -> Sequence[str]:
    """The targets that the settings name, or those that are written unless they do."""
    from btmodel_codegen import DEFAULTS, TARGETS

    if settings.targets is None:
        return DEFAULTS
    for name in settings.targets:
        if name not in TARGETS:
            near = get_close_matches(name, TARGETS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(TARGETS)}"
            raise SettingsError(
                f"{settings.root / 'pyproject.toml'}: targets: no target is called {name!r} ({hint})"
            )
    if not settings.targets:
        raise SettingsError(
            f"{settings.root / 'pyproject.toml'}: targets: wanted at least one of {', '.join(TARGETS)}, got none"
        )
    return settings.targets
