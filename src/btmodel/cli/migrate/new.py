"""``btmodel migrate new``: write the next revision."""

from collections.abc import Iterable
from keyword import iskeyword

import click

from btmodel.cli.group import models_option
from btmodel.cli.migrate.options import json_option
from btmodel.cli.migrate.scope import folder_of, is_json
from btmodel.cli.migrate.shown import print_json
from btmodel.cli.models import settings_and_models
from btmodel.cli.terminal import echo
from btmodel.migrate.revisions.folder import read_folder, write
from btmodel.migrate.revisions.new import Difference, differences, next_revision
from btmodel.schema import tables_and_templates


def _function_names(
    context: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    for name in names:
        if not name.isidentifier() or iskeyword(name) or names.count(name) > 1:
            raise click.BadParameter(f"expected names of functions, each once, got {name!r}")
    return names


@click.command("new")
@click.argument("message", required=False)
@click.option(
    "--data-step",
    "data_steps",
    multiple=True,
    metavar="NAME",
    callback=_function_names,
    help="Also write the stub of a function that rewrites rows. Repeatable.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a revision is missing. For CI.")
@json_option
@models_option
@click.pass_context
def new(
    context: click.Context, message: str | None, data_steps: tuple[str, ...], check: bool, json_: bool
) -> None:
    """Write the next revision with MESSAGE: the changes of the models since the last revision.

    The command connects to no instance. If nothing changed, it writes nothing, unless you give a --data-step.

    Exit code 0: written, or nothing to write; 1: an error, or with --check, a revision is missing.
    """
    if check and (message or data_steps):
        raise click.UsageError("--check writes nothing: leave out MESSAGE and --data-step")
    if not check and message is None:
        raise click.UsageError("Missing argument 'MESSAGE': say what changed, as in \"add trades\"")
    settings, models = settings_and_models(context)
    graph, declared = read_folder(folder_of(settings)), tables_and_templates(models)
    revision = next_revision(graph, declared, message or "not written", data_steps)
    if revision is None:
        known = f"the models match {graph.head.id}" if graph.head else "the models declare no table"
        if is_json(context, json_):
            print_json({"id": None, "path": None, "changes": []})
        else:
            echo(f"nothing to write: {known}")
        return
    changes = differences(declared, graph.head.tables if graph.head else ())
    path = None if check else write(graph.folder, revision, map(str, changes))
    if is_json(context, json_):
        data = [{"name": one.name, "summary": one.summary} for one in changes]
        written = {"id": None, "path": None} if path is None else {"id": revision.id, "path": path.as_posix()}
        print_json({**written, "changes": data})
    elif path is None:
        since = f"since {graph.head.id}" if graph.head else "and there is no revision"
        echo(f"the models have changed {since}: run `btmodel migrate new MESSAGE`")
        _show(changes)
    else:
        echo(f"wrote {path}")
        if data_steps:
            steps = f"{path.with_suffix('.py')}: fill in {', '.join(data_steps)}"
            echo(f"wrote {steps}; btmodel applies nothing before you do")
        _show(changes)
    context.exit(1 if check else 0)


def _show(changes: Iterable[Difference]) -> None:
    for one in changes:
        echo(f"  {one}")
