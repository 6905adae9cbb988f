"""``btmodel generate``: table definitions and typed repositories."""

from pathlib import Path

import click

from btmodel.cli.models import settings_and_models


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The folder to write to.")
@click.option("--check", is_flag=True, help="Write nothing: show what differs, and exit 1 if anything does.")
@click.pass_context
def generate(context: click.Context, out: Path | None, check: bool) -> None:
    """Write table definitions (cbt script, JSON) and a typed repository for each model.

    Exit code 0: written, or nothing differs; 1: files differ (--check), or an error.
    """
    from btmodel_codegen import differences, write
    from btmodel_codegen import generate as generated

    settings, models = settings_and_models(context)
    folder = out or settings.root / settings.out
    files = generated(models)
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
