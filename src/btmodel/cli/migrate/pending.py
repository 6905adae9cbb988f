"""``btmodel migrate plan``: show pending changes without applying them."""

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from btmodel.cli.console import Console
from btmodel.cli.group import models_option
from btmodel.cli.migrate.options import allow_option, format_option, instance_option, json_option, said_before
from btmodel.cli.migrate.progress import (
    TAKEN,
    Locking,
    moving,
    nothing_applied,
    refuse_without_transactions,
    telling,
    until_told_to_end,
)
from btmodel.cli.migrate.scope import Live, Scope, connected, history_of, scope_of
from btmodel.cli.migrate.shown import print_json, show, shown_where_wrong
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.reached import as_known
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate import Done, Plan, as_json, read_plan
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.history import Lock
from btmodel.migrate.history.lock import me
from btmodel.migrate.planning.saved import Seen, concerned_by, saved_text
from btmodel.migrate.planning.text import NOTHING, Told, told
from btmodel.migrate.revisions.applying import Progress, apply_revisions
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import same
from btmodel.migrate.revisions.planning import Planned, planned, refuse_all
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import refuse_without_files, stages
from btmodel.schema import Table, tables_and_templates
from btmodel.words import counted

NOTHING_TO_DO = 0
DIFFERENT = 2


@click.command("plan")
@instance_option
@allow_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it to a file, too, to be applied as it is: btmodel migrate --plan FILE.",
)
@force_option
@format_option
@json_option
@models_option
@click.pass_context
def plan(
    context: click.Context,
    instance: str | None,
    allow: tuple[str, ...],
    out: Path | None,
    force: bool,
    format_: str,
    json_: bool,
) -> None:
    """Only show it: what differs, or, where there are revisions, those that are pending.

    Exit code 0: nothing to do; 2: some changes; 1: an error.
    """
    from btmodel.cli.migrate.pending import show_pending
    from btmodel.cli.migrate.scope import all_revisions, declared_tables, live

    outer = said_before(context)
    shape = "json" if json_ or outer.get("json_", False) else format_
    if (graph := all_revisions()).revisions:
        if out is not None:
            raise MigrationError(
                "--out: the revisions are the plan here, and `btmodel migrate` applies what is pending of them"
            )
        declared = declared_tables(context)
        with live(context, instance) as there:
            code = show_pending(there, graph, declared, allow=(*outer.get("allow", ()), *allow), shape=shape)
        context.exit(code)
    if out is not None:
        check_place(out, force=force)
    with scope_of(context, instance) as scope:
        code = run_plan(scope, allow=(*outer.get("allow", ()), *allow), out=out, shape=shape, force=force)
    context.exit(code)


def run_plan(
    scope: Scope,
    *,
    allow: Collection[str] = (),
    out: Path | None = None,
    shape: str = "text",
    force: bool = False,
) -> int:
    """Print the plan as ``text``, ``json`` or ``github``; the exit code, 2 where it changes anything, else 0.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    wrong = shown_where_wrong(Console(stderr=shape != "text"))
    with connected(scope) as admin, history_of(admin, scope) as history, wrong:
        found = read_plan(admin, tables_and_templates(scope.models), allow, history)
        if found.pending:
            refuse_without_files(history.revisions())
        seen = None if out is None else Seen.of(scope.server, admin, history, concerned_by(found))
    if out is not None:
        write_output(out, saved_text(found, seen).encode(), force=force)
    print_plan(found, shape)
    return DIFFERENT if found.pending else NOTHING_TO_DO


def print_plan(found: Plan, shape: str) -> None:
    """Print a plan as ``text``, ``json`` or ``github``."""
    if shape == "json":
        print_json(as_json(found))
    else:
        print_told(told(found), shape)


def print_told(said: Told, shape: str) -> None:
    """Print a plan in words as ``text`` or ``github``."""
    if shape == "github":
        from btmodel.cli.migrate.shown import as_markdown

        echo(as_markdown(said), nl=False)
    else:
        show(said, Console())


def follow(
    there: Live,
    graph: Graph,
    *,
    to: Revision | None = None,
    allow: Collection[str] = (),
    yes: bool = False,
    json_: bool = False,
    lock: Locking = TAKEN,
    declared: Sequence[Table] | None = None,
) -> int:
    """Show the revisions that are pending, ask, and apply them; the exit code, 2 where the answer was no, else 0.

    What the models declare, and the last revision does not say, is told. Raises
    :class:`btmodel.errors.BtmodelError`; a plan that may not be applied is shown before it is refused.
    """
    with shown_where_wrong(Console(stderr=json_)), nothing_applied():
        found = look(there, graph, to, allow)
    moved = has_moved(graph, declared)
    show_all(there, found, Console(stderr=json_), to, moved=moved)
    tell_moved(graph, moved=moved)
    refuse_all(found, graph.folder)
    waiting = _waiting(found)
    if waiting and not agreed(waiting, yes=yes):
        echo("nothing was applied", err=json_)
        return DIFFERENT
    done = (_apply if waiting else _record)(there, graph, found, lock, err=json_)
    if json_:
        print_json({**_data(there, found, moved=moved), "done": names_of(done)})
    return NOTHING_TO_DO


def _apply(
    there: Live, graph: Graph, found: Sequence[Planned], lock: Locking, *, err: bool
) -> tuple[Done, ...]:
    mine, by = set[str](), me()

    def applied(revision: Revision) -> None:
        mine.add(revision.id)
        echo(f"applied {revision.id}", err=err)

    if not lock.without:
        refuse_without_transactions(there.instance)
    with until_told_to_end(), moving(err=err) as moved:
        progress = Progress(telling(moved, err=err), applied, tell_wait)
        done = apply_revisions(
            found,
            graph,
            there.instance,
            there.history,
            by,
            progress,
            locked=not lock.without,
            force=lock.force,
            data=Data(there.rows, moved, moved.say),
        )
    wanted = {one.stage.revision.id for one in found} - mine
    for one in there.history.revisions():
        if one.id in wanted and one.by != by and not done:
            echo(f"{one.id} was applied by {one.by} meanwhile", err=err)
    return done


def _record(
    there: Live, graph: Graph, found: Sequence[Planned], lock: Locking, *, err: bool
) -> tuple[Done, ...]:
    """Write down what is live already, as a run may have been killed before it did; that it cannot be is told, and no error."""
    try:
        return apply_revisions(found, graph, there.instance, there.history, me(), force=lock.force)
    except (ServerError, MigrationFailed) as error:
        echo(f"not written down: {error}", err=True)
        return ()


def show_pending(
    there: Live, graph: Graph, declared: Sequence[Table], *, allow: Collection[str] = (), shape: str = "text"
) -> int:
    """Print the revisions that are pending as ``text``, ``json`` or ``github``; the exit code, 2 for anything to do.

    That includes models that have moved past the last revision.
    """
    with shown_where_wrong(Console(stderr=shape != "text")):
        found = look(there, graph, None, allow)
    moved = has_moved(graph, declared)
    if shape == "text":
        show_all(there, found, Console(), moved=moved)
    elif shape == "github":
        print_markdown(there, found, moved=moved)
    tell_moved(graph, moved=moved)
    if shape == "json":
        print_json(_data(there, found, moved=moved))
    return DIFFERENT if _waiting(found) or moved else NOTHING_TO_DO


def print_markdown(there: Live, found: Sequence[Planned], *, moved: bool) -> None:
    """The same as Markdown, for a comment on a pull request."""
    from btmodel_codegen.markdown_text import code, text

    for place, one in enumerate(found):
        revision = one.stage.revision
        if place:
            echo()
        if not one.stage.is_applied:
            echo(f"### {revision.id}: {text(one.title)}\n")
        elif one.plan.pending:
            echo(f"### {revision.id} is applied, and live is not as it says\n")
        print_told(_said(one, moved=moved), "github")
        if revision.data_steps and not one.stage.is_applied:
            echo(f"\nThen its data steps are run: {', '.join(map(code, revision.data_steps))}")
    if not found:
        echo(f"{code(there.instance.instance)}: nothing to do; it has revisions that stand on these")
    elif several := _several(found):
        echo(f"\n{several}")


def _said(one: Planned, *, moved: bool) -> Told:
    """The plan of a revision in words.

    One that is to be applied is something to do, whatever its tables need; and so is the next one, where the models ``moved``.
    """
    said = told(one.plan)
    if one.stage.is_applied and not moved:
        return said
    nothing = "no revision is pending" if one.stage.is_applied else "no change of tables"
    tally = nothing if said.tally == NOTHING else said.tally
    return attrs.evolve(
        said, tally=tally.replace("everything declared", f"everything that {one.stage.revision.id} declares")
    )


def _several(found: Sequence[Planned]) -> str:
    """How many revisions are pending, where they are several."""
    pending = sum(not one.stage.is_applied for one in found)
    return f"{pending} revisions are pending" if pending > 1 else ""


def look(there: Live, graph: Graph, to: Revision | None, allow: Collection[str]) -> tuple[Planned, ...]:
    """The plans of what is pending."""
    now = there.standing(graph)
    return planned(stages(now, to), there.instance, there.history, allow, now.applied)


def show_all(
    there: Live,
    found: Sequence[Planned],
    console: Console,
    to: Revision | None = None,
    *,
    moved: bool = False,
) -> None:
    """Each pending revision, and its plan."""
    for one in found:
        if one.heading:
            echo(one.heading, err=console.stderr)
        show(_said(one, moved=moved), console)
        if one.stage.revision.data_steps and not one.stage.is_applied:
            steps = ", ".join(map(str, one.steps))
            echo(f"then its data steps are run: {steps}", err=console.stderr)
    if not found:
        why = f"revisions that stand on {to.id}" if to else "revisions that stand on these"
        back = f"; `btmodel migrate rollback --to {to.id}` is the way back" if to else ""
        echo(f"{as_known(there.instance.instance)}: nothing to do; it has {why}{back}", err=console.stderr)
    elif several := _several(found):
        echo(several, err=console.stderr)


def has_moved(graph: Graph, declared: Sequence[Table] | None) -> bool:
    """Whether the models have moved past the last revision."""
    return declared is not None and graph.head is not None and not same(declared, graph.head.tables)


def tell_moved(graph: Graph, *, moved: bool) -> None:
    """Say what to do where the models have ``moved`` past the last revision."""
    if moved and graph.head is not None:
        echo(
            f"the models have moved past {graph.head.id}: write the next revision with "
            '`btmodel migrate new "message"`',
            err=True,
        )


def agreed(what: str, *, yes: bool) -> bool:
    """Whether to go on, by ``--yes`` or by the answer at the terminal."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was applied: {what} waiting for an answer, and there is no terminal to ask at; "
            "say --yes to apply without asking"
        )
    return confirm("apply this?")


def names_of(done: Iterable[Done]) -> list[str]:
    """What is done, but for btmodel's own bookkeeping."""
    return [one.change.name for one in done if not one.change.quiet]


def tell_wait(lock: Lock) -> None:
    """Tells who else is at it."""
    echo(f"waiting for {lock}", err=True)


def _waiting(found: Sequence[Planned]) -> str:
    """What somebody has to agree to, in words; empty for nothing."""
    pending = sum(not one.stage.is_applied for one in found)
    changes = sum(len(one.plan.pending) for one in found)
    parts = []
    if pending:
        parts.append(counted(pending, "revision"))
    if changes:
        parts.append(counted(changes, "change"))
    return " with ".join(parts)


def _data(there: Live, found: Sequence[Planned], *, moved: bool) -> dict[str, Any]:
    return {
        "instance": there.instance.instance,
        "revisions": [
            {
                "id": one.stage.revision.id,
                "applied": one.stage.is_applied,
                "data_steps": list(one.stage.revision.data_steps),
                **as_json(one.plan),
            }
            for one in found
        ],
        "models_moved": moved,
    }
