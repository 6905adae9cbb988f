"""``btmodel migrate status``, ``history``, ``verify`` and ``baseline``: which revisions an instance has, what does not match them, and recording them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import click

from btmodel.cli.completion import revision_ids
from btmodel.cli.console import Console
from btmodel.cli.group import instance_option
from btmodel.cli.migrate.options import allow_option, emulated_option, is_json, json_option
from btmodel.cli.migrate.plan_output import print_json, show
from btmodel.cli.migrate.scope import Changes, all_revisions, open_instance, some_revisions
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError, shown
from btmodel.migrate import as_json
from btmodel.migrate.history import AppliedRevision, CopyRecord, MigrationHistory, Reached
from btmodel.migrate.history.lock import me
from btmodel.migrate.planning.text import NOTHING, plan_text
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.lost_steps import LostStep, lost_steps
from btmodel.migrate.revisions.planning import (
    AgainstLast,
    against_last,
    leftovers,
    plan_to_last,
    plan_to_record,
)
from btmodel.migrate.revisions.records import baseline as record_baseline
from btmodel.migrate.revisions.records import refuse_difference
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import (
    Standing,
    refuse_partly,
    refuse_unknown,
    refuse_what_does_not_fit,
)
from btmodel.migrate.revisions.standing_lines import standing_lines, standing_tally
from btmodel.migrate.revisions.steps import StepState as StepStanding
from btmodel.migrate.revisions.steps import progress_name, standings
from btmodel.words import counted

ALL_APPLIED = 0
PENDING = 2
_SHOWN = 3  # names of what differs


@click.command("status")
@instance_option
@json_option
@click.pass_context
def status(context: click.Context, instance: str | None) -> None:
    """List the revisions of an instance: applied, pending, edited since, and unknown to this checkout.

    Also list unfinished data steps, and renamings and moves whose old table or family still exists, and say whether
    the instance matches the last applied revision. `btmodel migrate verify` shows each difference.

    Exit code 0: all revisions are applied; 2: some are pending, or were edited since; 1: an error, or two
    branches that are not merged. A difference between instance and revision does not change the exit code.
    """
    graph = all_revisions()
    with open_instance(context, instance) as found:
        there = found.at_once()
        path, now = there.instance.instance, there.standing(graph)
        copies, steps = tuple(_copies(there.history)), _steps(now, there.history)
        lost = tuple(lost_steps(now, there.history))
        comparison = against_last(now, there.instance, there.history)
        revisions = list(standing_lines(now, there.history))
    if is_json(context):
        print_json(
            {
                "instance": path,
                **_data(now),
                "copies": [_copy(*copy) for copy in copies],
                "moves": [
                    {"old": move.table, "new": move.targets}
                    for move in (comparison.moves if comparison else ())
                ]
                + [
                    {"old": move.subject, "new": move.new}
                    for move in (comparison.unknown if comparison else ())
                ],
                "data_steps": {name: _step(name, steps) for name in steps},
                "lost_steps": {step.name: _lost(step) for step in lost},
                "live": comparison and _names(comparison),
            }
        )
    else:
        echo(f"{path}: {standing_tally(now)}")
        lines = [
            *revisions,
            *_under_way(steps),
            *(("lost", step.name, f"{step.far}, and no revision here has this step") for step in lost),
            *(_copied(*copy, now, comparison) for copy in copies),
            *_moved(comparison),
        ]
        width = max((len(id) for _, id, _ in lines), default=0)
        for word, id, text in lines:
            echo(f"  {word:8}  {id:{width}}  {text}")
        for line in _match(now, comparison, begun=bool(steps)):
            echo(line)
    _ = graph.head  # raises for two
    context.exit(PENDING if now.pending or now.edited else ALL_APPLIED)


def _match(now: Standing, found: AgainstLast | None, *, begun: bool) -> Iterator[str]:
    """Whether the instance is as the last applied revision says, and whether more is there."""
    if found is None:
        if now.records:
            yield "the instance was not compared, because the applied revisions do not match the files"
        return
    last = found.revision.id
    if not found.changes:
        yield f"the instance matches {last}" + (
            ", except for what it does not declare" if found.drift else ""
        )
    else:
        own = f", as {now.pending[0].id} has begun" if begun else ""
        yield f"the instance differs from {last} by {_some(found.changes, 'change')}{own}: run `btmodel migrate verify` to see more"
    if found.drift:
        yield f"the instance has {_some(found.drift, 'thing')} that {last} does not declare: run `btmodel migrate verify` to see more"


def _some(names: Sequence[str], noun: str) -> str:
    """How many they are, and the first of them."""
    more = ", ..." if len(names) > _SHOWN else ""
    return f"{counted(len(names), noun)} ({', '.join(names[:_SHOWN])}{more})"


def _names(found: AgainstLast) -> dict[str, Any]:
    return {"revision": found.revision.id, "changes": found.changes, "drift": found.drift}


def _steps(now: Standing, history: MigrationHistory) -> dict[str, StepStanding]:
    """The data steps of pending revisions that are under way."""
    found = ((revision, state) for revision in now.pending for state in standings(revision, history))
    return {progress_name(revision, state.step): state for revision, state in found if state.reached}


def _is_over(name: str, steps: Mapping[str, StepStanding]) -> bool:
    """Whether a step of the same revision has begun after that called ``name``: they run one after the other."""
    same = [each for each in steps if each.partition("/")[0] == name.partition("/")[0]]
    return name != same[-1]


def _under_way(steps: Mapping[str, StepStanding]) -> Iterator[tuple[str, str, str]]:
    for name, state in steps.items():
        if state.edited:
            yield (
                "running",
                name,
                f"up to {state.reached}: its code was edited since; run `btmodel migrate` to see how to continue",
            )
        elif state.reached and state.reached.is_rolled_back:
            yield (
                "added",
                name,
                f"up to {shown(state.reached.adding)}, before it was rolled back: `btmodel migrate` asks before it adds again",
            )
        elif state.asks_for_adds:
            yield "running", name, "a run ended while it added: run `btmodel migrate` to see how to continue"
        elif _is_over(name, steps):
            yield "ran", name, f"up to {state.reached}: the next step has started"
        else:
            yield "running", name, f"up to {state.reached}: run `btmodel migrate` to continue it"


def _step(name: str, steps: Mapping[str, StepStanding]) -> dict[str, Any]:
    one = steps[name]
    assert one.reached is not None, "it is under way"
    return {
        "up_to": repr(one.reached.key),
        "rows": one.reached.rows,
        "edited": one.edited,
        "ran": _is_over(name, steps),
    }


def _lost(one: LostStep) -> dict[str, Any]:
    reached = one.reached
    rows = reached.rows + reached.adding_rows
    return {"up_to": repr(reached.adding or reached.key), "rows": rows, "adds": one.adds}


def _copies(history: MigrationHistory) -> Iterator[tuple[CopyRecord, Reached | None]]:
    """The copies, and how far those are that are under way."""
    for copy in history.copies():
        yield copy, None if copy.ended else history.progress(copy.step) or None


def _copied(
    copy: CopyRecord, reached: Reached | None, now: Standing, found: AgainstLast | None
) -> tuple[str, str, str]:
    """A word, what was renamed, how far that is, and what drops it."""
    if copy.ended is None:
        far = f", up to {reached}" if reached else ""
        text = f"to {copy.new}, started {copy.begun:%Y-%m-%d %H:%M:%S} UTC by {copy.by}{far}: run `btmodel migrate` to continue it"
        return "copying", copy.old, text
    text = f"to {copy.new}, {copy.ended:%Y-%m-%d %H:%M:%S} UTC by {copy.by}"
    return "copied", copy.old, text + _drop(copy, now, found)


def _drop(copy: CopyRecord, now: Standing, found: AgainstLast | None) -> str:
    """How to drop the old table or family of a renaming, if it can be dropped now."""
    if found is not None:
        command = found.drops.get(copy.old)
        return f": run `{command}` to compare both and drop the old one" if command else ""
    return "" if now.records else ": run `btmodel migrate plan` to see how to drop the old one"


def _moved(found: AgainstLast | None) -> Iterator[tuple[str, str, str]]:
    """A word, the old table of a move, and what drops it."""
    if found is None:
        return
    for move in found.moves:
        command = found.drops[move.table]
        text = f"to {move.targets}: once the application writes {move.targets} alone, run `{command}` to compare both and drop the old one"
        yield "moved", move.table, text
    for one in found.unknown:
        yield (
            "moved",
            one.subject,
            f"to {one.new}: {one.why}, so compare both yourself, and then run `{found.drops[one.subject]}` to drop the old one",
        )


def _copy(copy: CopyRecord, reached: Reached | None) -> dict[str, Any]:
    at = copy.ended and copy.ended.isoformat()
    return {"old": copy.old, "new": copy.new, "by": copy.by, "at": at, "rows": reached and reached.rows}


def _data(now: Standing) -> dict[str, Any]:
    records = {revision.id: now.record_of(revision) for revision in now.applied}
    return {
        "heads": [revision.id for revision in now.graph.heads],
        "applied": [_record(revision.id, records[revision.id]) for revision in now.applied],
        "pending": [revision.id for revision in now.pending],
        "edited": [revision.id for revision in now.edited],
        "partly": [revision.id for revision in now.partly],
        "unknown": [_record(applied.id, applied) for applied in now.unknown],
    }


def _record(id: str, record: AppliedRevision | None) -> dict[str, Any]:
    return {"id": id, "at": record and record.at.isoformat(), "by": record and record.by}


@click.command("history")
@json_option
@click.pass_context
def history(context: click.Context) -> None:
    """List the revisions in the order in which they are applied, without connecting to an instance.

    Exit code 0: listed; 1: an error, or two branches that are not merged.
    """
    graph = all_revisions()
    if is_json(context):
        print_json([_revision(graph, revision) for revision in graph.revisions.values()])
    else:
        width = max(map(len, graph.revisions), default=0)
        before: str | None = None
        for id, revision in graph.revisions.items():
            echo(f"{id:{width}}  {revision.title}{_beside(graph.parents[id], before)}")
            before = id
        if not graph.revisions:
            echo(f"no revisions in {graph.folder}")
    _ = graph.head  # raises for two


def _beside(parents: tuple[str, ...], before: str | None) -> str:
    """The parents of a revision, if they are not just the revision on the line before."""
    if parents == (() if before is None else (before,)):
        return ""
    return f"  (on {' and '.join(parents) or 'nothing'})"


def _revision(graph: Graph, one: Revision) -> dict[str, Any]:
    return {
        "id": one.id,
        "message": one.message,
        "parents": list(graph.parents[one.id]),
        "checksum": one.checksum,
        "data_steps": list(one.data_steps),
        "replaces": [link.id for link in one.replaces],
    }


SAME = 0
DRIFTED = 2


@click.command("verify")
@instance_option
@json_option
@click.pass_context
def verify(context: click.Context, instance: str | None) -> None:
    """Compare the instance with the last applied revision, and show changes that other programs or people made.

    Leftovers of earlier revisions, such as the old family of a renaming, are shown but do not count as a difference.

    Exit code 0: no difference; 2: a difference; 1: an error, or two branches that are not merged.
    """
    graph = some_revisions()
    with open_instance(context, instance) as found:
        there = found.at_once()
        now = there.standing(graph)
        refuse_what_does_not_fit(now)
        refuse_unknown(now)
        if now.last is None:
            raise MigrationError(
                f"no revision is applied to {there.instance.instance}: run `btmodel migrate apply` to apply them, or "
                "`btmodel migrate baseline` if the instance already has their tables"
            )
        plan = plan_to_last(now.last, now, there.instance, there.history)
    left = leftovers(plan, now.applied)
    different = bool(plan.pending) or len(left) < len(plan.drift)
    if is_json(context):
        names = [drift.name for drift in left]
        print_json({"revision": now.last.id, **as_json(plan), "left_by_earlier_revisions": names})
    else:
        echo(f"compared with {now.last.id}:")
        said = plan_text(plan, now.command)
        # Nothing is done or recorded here, so nothing is said of that.
        tally = "no difference" if said.tally == NOTHING else said.tally
        show(attrs.evolve(said, tally=tally, recorded=0), Console())
        if left and not different:
            echo("all of that was left by earlier revisions: nothing was changed since they were applied")
    _ = graph.head  # raises for two
    context.exit(DRIFTED if different else SAME)


@click.command("baseline")
@click.argument("id", required=False, shell_complete=revision_ids)
@instance_option
@allow_option
@emulated_option
@json_option
@click.pass_context
def baseline(context: click.Context, id: str | None, instance: str | None, allow: tuple[str, ...]) -> None:
    """Record revision ID (by default the last one) and those before it as applied, for an instance that already has their tables.

    The command changes no table. It refuses if the instance differs from the revision, or has revisions that this checkout
    lacks. If a revision file was edited after it was applied, the command updates its record. Data steps that have not run on the
    instance, as far as is known, are recorded only if --allow names them.

    Exit code 0: recorded now or before; 1: the instance differs, or an error.
    """
    graph = some_revisions()
    target = graph.named(id) if id else graph.head
    assert target is not None, "there is a revision"
    with open_instance(context, instance, Changes.WITHOUT_A_QUESTION) as there:
        seen = there.at_once()
        now = seen.standing(graph)
        refuse_unknown(now)
        plan = plan_to_record(target, now, seen.instance, seen.history)
        if plan.pending or plan.drift:
            show(plan_text(plan), Console(stderr=True))
        if plan.pending and not now.edited:
            refuse_partly(now)  # it could not be brought there, either
        refuse_difference(target, plan, now)
        found = record_baseline(target, plan, now, there.history, me(), allow)
    if is_json(context):
        print_json({**as_json(plan), "recorded": [revision.id for revision in found]})
        return
    for revision in found:
        echo(f"recorded {revision.id}")
    if not found:
        echo(f"nothing to record: {target.id} is applied")
