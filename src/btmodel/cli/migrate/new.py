"""``btmodel migrate new``: write the next revision."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve

from btmodel.cli.group import models_option
from btmodel.cli.migrate.options import is_json, json_option
from btmodel.cli.migrate.plan_output import print_json
from btmodel.cli.migrate.scope import all_revisions
from btmodel.cli.models import settings_and_models
from btmodel.cli.output import check_place, write_output
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError
from btmodel.migrate.changes.renames import copies
from btmodel.migrate.changes.table_parts import CreateView
from btmodel.migrate.planning.plan import diff
from btmodel.migrate.revisions.folder import write
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.move_losses import TighterFamily, anew
from btmodel.migrate.revisions.moving import (
    KeyMove,
    check_models,
    key_moves,
    moving_revisions,
    recorded_model,
    step_name,
    step_of,
)
from btmodel.migrate.revisions.new import (
    RenamedColumn,
    RevisionChange,
    differences,
    has_cells_to_rewrite,
    next_revision,
    renamed_columns,
    same,
    why_impossible,
)
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.shared_tables import unread_elsewhere
from btmodel.migrate.revisions.steps import unwritten
from btmodel.schema import ModelSchema, Table
from btmodel.schema.table import settled_tables
from btmodel.words import did_you_mean, near

if TYPE_CHECKING:
    from btmodel_codegen.moves import MoveCode


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
@click.option(
    "--data",
    "changed",
    multiple=True,
    metavar="MODEL",
    help="Also write a stub for the rows of a model, with the model typed in as it was recorded. Repeatable.",
)
@click.option(
    "--dual-writes",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where a table is moved_from= another, also write a module to this file with which the application writes both.",
)
@click.option(
    "--rewrite",
    "rewritten",
    multiple=True,
    metavar="MODEL",
    help="Also write a step that rewrites the rows of a model in place, as it writes them. Repeatable.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; exit code 1 if a revision is missing, or cannot be applied. For CI.",
)
@json_option
@models_option
@click.pass_context
def new(
    context: click.Context,
    message: str | None,
    data_steps: tuple[str, ...],
    dual_writes: Path | None,
    rewritten: tuple[str, ...],
    changed: tuple[str, ...],
    check: bool,
) -> None:
    """Write the next revision with MESSAGE: the changes of the models since the last revision.

    A table that is moved_from= another one takes three revisions: the new table, the backfill and the switch of reads.
    For a column that is renamed_from= another qualifier, a step moves the cells, as --rewrite does.

    The command connects to no instance. If nothing changed, it writes nothing, unless you give a --data-step.

    For a column that a view reads, another revision before that makes the new view.
    A revision that no instance could apply is not written.

    Exit code 0: written, or nothing to write; 1: an error, or with --check, a revision is missing or cannot be applied.
    """
    others = (*data_steps, *rewritten, *changed)
    _check_usage(message, check=check, written=bool(others or dual_writes))
    models = settings_and_models(context)[1]
    graph, declared = all_revisions(), settled_tables(models)
    if message is None:
        _show_what_is_missing(context, graph, declared, models)
        return
    for why in why_impossible(declared, graph):
        raise MigrationError(f"nothing was written: {why}")
    moves = key_moves(models, graph.head.tables if graph.head else (), graph)
    if moves or dual_writes:
        _write_moves(context, graph, declared, message, moves, others, dual_writes)
        return
    before = graph.head.tables if graph.head else ()
    renamed = renamed_columns(models, graph)
    for wrong in filter(None, (each.why_none_move for each in renamed)):
        raise MigrationError(wrong)
    if not others:
        rewritten = tuple(dict.fromkeys(each.model.name for each in renamed if each.is_left))
    views = _views_before(declared, before, models, rewritten)
    if views:
        _write_after_views(context, graph, declared, models, message, rewritten, views)
        return
    revision = _next(graph, declared, models, message, data_steps, rewritten, changed)
    if revision is None:
        _show_what_is_missing(context, graph, declared, models)
        return
    changes = differences(declared, before, graph)
    path = write(graph.folder, revision, map(str, changes))
    if is_json(context):
        data = [{"name": difference.name, "summary": difference.summary} for difference in changes]
        print_json({"id": revision.id, "path": path.as_posix(), "changes": data})
    else:
        _print_written(path, revision, changes, rewrites=bool(rewritten))
        for line in _cells_that_move(renamed, rewritten):
            echo(f"  {line}")


def _views_before(
    declared: tuple[Table, ...],
    before: Sequence[Table],
    models: Sequence[ModelSchema],
    rewritten: Sequence[str],
) -> tuple[str, ...]:
    """The ids of the views of tables with ``rewritten`` models that are new: processes have to read them before their rows are rewritten."""
    tables = {model.table for model in models if model.name in rewritten} & {table.id for table in before}
    changes = diff(declared, before) if tables else ()
    return tuple(
        change.view.id for change in changes if isinstance(change, CreateView) and change.of_table in tables
    )


def _write_after_views(
    context: click.Context,
    graph: Graph,
    declared: tuple[Table, ...],
    models: Sequence[ModelSchema],
    message: str,
    rewritten: Sequence[str],
    views: Sequence[str],
) -> None:
    """Write two revisions: what changes beside the rows, with the new ``views``, and the rewriting of rows, which waits until processes read these."""
    assert graph.head is not None, "views of tables that are recorded"
    first = next_revision(graph, declared, message)
    assert first is not None, "it has views"
    then = graph_of(graph.folder, [*graph.revisions.values(), first])
    second = _next(then, declared, models, f"{message}: rewrite", (), rewritten, ())
    assert second is not None, "it has steps"
    second = evolve(second, deployed=f"{second.deployed}, and reads {' and '.join(views)}")
    changes = differences(declared, graph.head.tables, graph)
    steps = [f"> {step_of('rewrite', name)}  rewrites the rows of {name}" for name in rewritten]
    written = [
        (write(graph.folder, first, map(str, changes)), first, [*map(str, changes)]),
        (write(graph.folder, second, steps), second, steps),
    ]
    if is_json(context):
        data = [
            {"id": revision.id, "path": path.as_posix(), "deployed": revision.deployed or None}
            for path, revision, _ in written
        ]
        print_json({"revisions": data})
        return
    for line in _file_lines(written, fill_in=True):
        echo(line)


def _check_usage(message: str | None, *, check: bool, written: bool) -> None:
    if check and (message or written):
        raise click.UsageError("--check writes nothing: leave out MESSAGE and what else would be written")
    if not check and message is None:
        raise click.UsageError("Missing argument 'MESSAGE': say what changed, as in \"add trades\"")


def _print_written(
    path: Path, revision: Revision, changes: Sequence[RevisionChange], *, rewrites: bool
) -> None:
    echo(f"wrote {path}")
    if revision.data_steps:
        echo(f"wrote {path.with_suffix('.py')}{_fill_in(revision)}")
    if rewrites:
        echo(f"  waits until {revision.deployed}")
    for difference in changes:
        echo(f"  {difference}")
        for line in () if rewrites else difference.details:
            echo(f"      {line}")


def _fill_in(revision: Revision) -> str:
    """Which functions the user has to fill in."""
    steps = ", ".join(step for step, _ in unwritten(revision))
    return f": fill in {steps}; btmodel applies nothing before you do" if steps else ""


def _cells_that_move(renamed: Sequence[RenamedColumn], rewritten: Sequence[str]) -> Iterator[str]:
    """What becomes of the cells of each renamed column."""
    for each in renamed:
        if each.model.name in rewritten:
            yield f"> {step_of('rewrite', each.model.name)}  moves {each.cells}"
        else:
            yield each.next_step


def _show_what_is_missing(
    context: click.Context,
    graph: Graph,
    declared: tuple[Table, ...],
    models: Sequence[ModelSchema],
) -> None:
    """Show how the models differ from the last revision, and exit with 1 if they do."""
    before = graph.head.tables if graph.head else ()
    renamed = renamed_columns(models, graph)
    changed = not same(declared, before)  # as `next_revision` decides, so that both always agree
    missing = changed or any(each.is_left for each in renamed)
    changes = differences(declared, before, graph) if changed else ()
    for why in why_impossible(declared, graph):
        raise MigrationError(why)
    if is_json(context):
        data = [{"name": difference.name, "summary": difference.summary} for difference in changes]
        print_json({"id": None, "path": None, "changes": data})
    elif changed:
        since = f"since {graph.head.id}" if graph.head else "and there is no revision"
        echo(f"the models have changed {since}: run `btmodel migrate new MESSAGE`")
    elif not missing:
        known = f"the models match {graph.head.id}" if graph.head else "the models declare no table"
        echo(f"nothing to write: {known}")
    for line in () if is_json(context) else (*changes, *(each.next_step for each in renamed)):
        echo(f"  {line}")
    context.exit(1 if missing else 0)


def _next(
    graph: Graph,
    declared: tuple[Table, ...],
    models: Sequence[ModelSchema],
    message: str,
    data_steps: Sequence[str],
    rewritten: Sequence[str],
    changed: Sequence[str],
) -> Revision | None:
    """The next revision; with steps for models that are to be ``rewritten``, or ``changed`` by a step that is to be filled in."""
    if sum(map(bool, (data_steps, rewritten, changed))) > 1:
        raise MigrationError(
            "expected one of --data-step, --data and --rewrite: each writes the file beside the revision; write one revision for each"
        )
    if not (rewritten or changed):
        return next_revision(graph, declared, message, data_steps)
    if changed:
        from btmodel_codegen.moves import data_module

        before = graph.head.tables if graph.head else ()
        steps = {step_of("change", name): recorded_model(name, models, before, graph) for name in changed}
        revision = next_revision(graph, declared, message, tuple(steps))
        assert revision is not None, "it has steps"
        revision = evolve(revision, code=data_module(revision.id, list(steps.items())))
        check_models(graph.folder, revision, [[model] for model in steps.values()])
        return revision
    by_name = {model.name: model for model in models}
    unknown = [name for name in rewritten if name not in by_name]
    if unknown:
        raise MigrationError(
            f"--rewrite: no model is called {unknown[0]!r}{did_you_mean(near(unknown[0], by_name))}"
        )
    views = [name for name in rewritten if by_name[name].view]
    if views:
        raise MigrationError(
            f"--rewrite: expected models of tables, got {views[0]}, which is a view: the service keeps its rows"
        )
    _refuse_copied(declared, graph, [by_name[name] for name in rewritten])
    _refuse_unread(declared, models, [by_name[name] for name in rewritten])
    steps = {step_of("rewrite", name): by_name[name] for name in rewritten}
    revision = next_revision(graph, declared, message, tuple(steps))
    assert revision is not None, "it has steps"
    before = graph.head.tables if graph.head else ()
    to_fill_in = [step for step, model in steps.items() if not has_cells_to_rewrite(model, before)]
    return rewriting(graph, revision, steps, to_fill_in)


def rewriting(
    graph: Graph, revision: Revision, steps: Mapping[str, ModelSchema], to_fill_in: Collection[str] = ()
) -> Revision:
    """``revision`` with these steps, each of which rewrites the rows of a model; those ``to_fill_in`` would change nothing by themselves."""
    from btmodel_codegen.moves import rewrite_module

    names = ", ".join(model.name for model in steps.values())
    revision = evolve(
        revision,
        data_steps=tuple(steps),
        code=rewrite_module(revision.id, list(steps.items()), to_fill_in),
        deployed=f"every process reads and writes {names} as this revision declares it",
    )
    check_models(graph.folder, revision, [[model] for model in steps.values()])
    return revision


def _refuse_copied(declared: tuple[Table, ...], graph: Graph, models: Sequence[ModelSchema]) -> None:
    """Raise :class:`MigrationError` if rows are to be rewritten by the revision that copies them to another name."""
    before = graph.head.tables if graph.head else ()
    for copy in copies(diff(declared, before)):
        for model in models:
            if copy.table_id == model.table:
                raise MigrationError(
                    f"--rewrite {model.name}: the models also rename {copy.renaming.old_name} to {copy.renaming.new_name}: write that revision first, apply "
                    f"it, drop {copy.renaming.old_name}, and write the one that rewrites rows then"
                )


def _refuse_unread(
    declared: tuple[Table, ...], models: Sequence[ModelSchema], rewritten: Sequence[ModelSchema]
) -> None:
    """Raise :class:`MigrationError` if other models would not find, or could not read, the cells that are to be rewritten."""
    for model in rewritten:
        for why in unread_elsewhere(declared, model, models):
            raise MigrationError(f"table {model.table!r}: {why}")


def _write_moves(
    context: click.Context,
    graph: Graph,
    declared: tuple[Table, ...],
    message: str,
    moves: Sequence[KeyMove],
    others: Sequence[str],
    dual_writes: Path | None,
) -> None:
    """Write the revisions of ``moves``, and the module for the application."""
    from btmodel_codegen.moves import dual_writes_module, step_module

    if not moves:
        raise MigrationError("--dual-writes: no model declares a table that is moved_from= a recorded one")
    if others:
        raise MigrationError(
            f"{', '.join(others)}: a move has steps of its own: write the others in a revision before or after it"
        )
    if dual_writes is not None:
        check_place(dual_writes, force=False)

    def code(id: str, moves: Sequence[KeyMove], compares: bool) -> str:
        return step_module(id, [_moved(move, compares=compares) for move in moves], only_compares=compares)

    revisions = moving_revisions(graph, declared, message, moves, code)
    before = graph.head.tables if graph.head else ()
    written: list[tuple[Path, Revision, list[str]]] = []
    for revision in revisions:
        lines = [*map(str, differences(revision.tables, before)), *_steps(revision, moves)]
        written.append((write(graph.folder, revision, lines), revision, lines))
        before = revision.tables
    if dual_writes is not None:
        text = dual_writes_module([_moved(move, compares=False) for move in moves])
        write_output(dual_writes, text.encode(), force=False)
    if is_json(context):
        data = [
            {"id": revision.id, "path": path.as_posix(), "deployed": revision.deployed or None}
            for path, revision, _ in written
        ]
        print_json({"revisions": data, "dual_writes": dual_writes and dual_writes.as_posix()})
        return
    for line in (
        *_file_lines(written),
        *(f"wrote {path}" for path in (dual_writes,) if path),
        *_to_do(revisions[0].id, moves),
    ):
        echo(line)


def _file_lines(
    written: Sequence[tuple[Path, Revision, list[str]]], *, fill_in: bool = False
) -> Iterator[str]:
    """What each file does, and what its revision waits for; with ``fill_in``, which of its functions the user has to fill in."""
    for path, revision, lines in written:
        yield f"wrote {path}"
        if revision.data_steps:
            yield f"wrote {path.with_suffix('.py')}{_fill_in(revision) if fill_in else ''}"
        if revision.deployed:
            yield f"  waits until {revision.deployed}"
        yield from (f"  {line}" for line in lines)


def _stops(move: KeyMove) -> str:
    """What the cells of dropped columns do to the drop of the old table."""
    columns = {column.name for column in move.old.columns}
    left = [name for name in move.dropped if name in columns]
    if not left or move.stays:
        return ""
    names = "".join(f'"{name}", ' for name in left).strip()
    return f"; its cells stop the drop of {move.old.table}, unless each @move of these rows has left_out=({names})"


def _to_do(first: str, moves: Sequence[KeyMove]) -> Iterator[str]:
    """What the user has to fill in, and what is not copied; ``first`` is the id of the first revision of the moves."""
    for move in moves:
        missing = [name for name, value in move.given.items() if value is None]
        if missing:
            yield f"fill in {', '.join(missing)} of {move.new.name}: {move.old.name} has no attribute of this name and type"
        if move.dropped:
            yield f"{', '.join(move.dropped)} of {move.old.name}: {move.new.name} has no such attribute, so it is not copied{_stops(move)}"
        for family in move.unmoved:
            old = move.old.table
            said = f"family {family.id} of {old}: {move.new.table} has none of that id, so its cells are not moved, and"
            if move.stays:
                yield f"{said} stay in {old}, which {' and '.join(move.stays)} declares"
                continue
            yield (
                f"{said} stop the drop of {old}: declare it in {move.new.name}, and write the move anew, or allow drop-family:{old}.{family.id} beside that drop"
            )
        for before, after in move.tighter:
            way = anew(first, move.new.table, after)
            yield TighterFamily(move.old.table, before, move.new.table, after, way).why
        if move.lacks_cells:
            yield (
                f"no column of {move.new.name} is required: where rows of {move.old.table} have none of its columns, the new rows would have no cell, and "
                f"the backfill ends there: declare a column that every row has{_mirror(move)}, or return None for such rows, which leaves them out"
            )


def _mirror(move: KeyMove) -> str:
    """How to keep the cell of a column that is in the new key."""
    fields = {field.name for field in move.new.key.fields}
    there = {family.id for family in move.new.families}
    kept = [column for column in move.old.columns if column.name in fields and column.family in there]
    return f', such as the key field {kept[0].name} with mirror="{kept[0].cell}"' if kept else ""


def _steps(revision: Revision, moves: Sequence[KeyMove]) -> Iterator[str]:
    for step, move in zip(revision.data_steps, moves, strict=False):
        verb = "compares" if step.startswith("compare") else "moves"
        yield f"> {step}  {verb} the rows of {move.old.table} {'with' if verb == 'compares' else 'to'} {move.new.table}"


def _moved(move: KeyMove, *, compares: bool) -> "MoveCode":
    from btmodel_codegen.moves import MoveCode

    return MoveCode(step_name(move, compares=compares), move.old, move.new, move.given, move.shared)
