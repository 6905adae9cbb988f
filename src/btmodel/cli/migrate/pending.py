"""``btmodel migrate plan``: show pending changes without applying them; and what `btmodel migrate` does with them."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from btmodel.cli.connection import as_known
from btmodel.cli.console import Console
from btmodel.cli.group import instance_option, models_option
from btmodel.cli.migrate.confirmed_run import Mode, carry_out, names_of, nothing_applied
from btmodel.cli.migrate.options import allow_option, format_option, is_json, json_option
from btmodel.cli.migrate.plan_output import print_json, print_text, show, shown_where_wrong
from btmodel.cli.migrate.scope import OpenInstance, all_revisions, allowed, open_instance
from btmodel.cli.models import settings_and_models
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError
from btmodel.migrate import Plan, as_json, read_plan
from btmodel.migrate.applying.stages import Stage
from btmodel.migrate.planning.saved import SavedPlan, SeenTables, concerned_by, saved_text
from btmodel.migrate.planning.text import tally
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import renamed_columns, same
from btmodel.migrate.revisions.planning import RevisionStage, revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import refuse_without_files
from btmodel.schema import ModelSchema, Table
from btmodel.schema.table import settled_tables
from btmodel.words import counted

NOTHING_TO_DO = 0
DIFFERENT = 2


@click.command("plan")
@instance_option
@allow_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the plan to a file, which `btmodel migrate --plan FILE` applies.",
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
) -> None:
    """Show pending changes without applying them.

    If there are revisions, in the folder `migrations`, show the pending ones; otherwise compare the models with the instance.

    Exit code 0: nothing to do; 2: pending changes; 1: an error.
    """
    shape = "json" if is_json(context) else format_
    graph, models = all_revisions(), settings_and_models(context)[1]
    declared = settled_tables(models)
    if out is not None and graph.revisions:
        raise MigrationError(
            "--out: this project has revisions, so there is no plan to save: review their files, and apply those up to the last that was reviewed with `btmodel migrate apply --to ID`"
        )
    if out is not None:
        check_place(out, force=force)
    with open_instance(context, instance) as found:
        there = found.at_once()
        with shown_where_wrong(Console(stderr=shape != "text")):
            pending = look(there, graph, declared, allow=allowed(context, allow))
        text = "" if out is None else _file_of(pending.stages[0].plan, there)
    if out is not None:
        write_output(out, text.encode(), force=force)
    if shape == "json":  # one document: that of the error
        refuse_written(pending.stages, lambda: models)
    pending.print(shape)
    refuse_written(pending.stages, lambda: models)
    if pending.next_step and shape != "json":
        echo(pending.next_step)
    if not pending.past:
        for each in renamed_columns(models, graph):
            echo(each.next_step, err=True)
    context.exit(pending.code)


@frozen
class Pending:
    """The changes to apply to an instance: the pending revisions of ``graph``, or, if that is None, one plan.

    ``past`` is the last revision, where the models declare something else by now, and ``to`` the one that was asked for.
    """

    instance: str
    stages: tuple[Stage, ...]
    graph: Graph | None = None
    to: Revision | None = None
    past: Revision | None = None

    @property
    def what(self) -> str:
        """What the user has to confirm, in words; empty if there is nothing."""
        changes = sum(len(stage.plan.pending) for stage in self.stages)
        if self.graph is None:
            return tally(self.stages[0].plan) if changes else ""
        parts = (
            self._revisions and counted(self._revisions, "revision"),
            changes and counted(changes, "change"),
        )
        return " with ".join(part for part in parts if part)

    @property
    def _revisions(self) -> int:
        """How many revisions are pending."""
        return sum(stage.recorded_as is not None for stage in self.stages)

    @property
    def next_step(self) -> str:
        """What the user has to do once all of it is applied; empty for nothing."""
        return self.stages[-1].next_step if self.stages else ""

    @property
    def data(self) -> dict[str, Any]:
        """All of it as values that JSON can write."""
        if self.graph is None:
            return as_json(self.stages[0].plan)
        revisions = [
            {
                "id": stage.revision.id,
                "applied": stage.target.is_applied,
                "data_steps": list(stage.revision.data_steps),
                "remarks": list(stage.remarks),
                "refusals": list(stage.refusals),
                **({"deployed": stage.revision.deployed} if stage.revision.deployed else {}),
                **as_json(stage.plan),
            }
            for stage in self.stages
            if isinstance(stage, RevisionStage)
        ]
        return {"instance": self.instance, "revisions": revisions, "models_moved": self.past is not None}

    @property
    def code(self) -> int:
        """The exit code of a command that shows it: 2 where something is to be done."""
        return DIFFERENT if self.what or self.past else NOTHING_TO_DO

    def print(self, shape: str, console: Console | None = None, *, notes: bool = True) -> None:
        """Print it as ``text``, ``json`` or ``github``; without ``notes`` where a refusal says the same."""
        if shape == "text":
            self._print_text(console or Console(), notes=notes)
        elif shape == "github":
            self._print_markdown()
        self.print_past()
        if shape == "json":
            print_json(self.data)

    def print_past(self) -> None:
        """Print to stderr that the models have changed since the last revision, if they have."""
        if self.past is not None:
            echo(
                f"the models have changed since {self.past.id}: write the next revision with "
                '`btmodel migrate new "message"`',
                err=True,
            )

    def _print_text(self, console: Console, *, notes: bool) -> None:
        for stage in self.stages:
            if stage.heading:
                echo(stage.heading, err=console.stderr)
            show(stage.text(moved=self.past is not None), console)
            if stage.then:
                echo(f"then it runs its data steps: {', '.join(stage.then)}", err=console.stderr)
            for line in (*stage.remarks, *(stage.notes if notes else ())):
                echo(line, err=console.stderr)
        if not self.stages:
            why = f"revisions that build on {self.to.id}" if self.to else "revisions that build on these"
            back = f"; to go back, run `btmodel migrate rollback --to {self.to.id}`" if self.to else ""
            echo(f"{as_known(self.instance)}: nothing to do; it has {why}{back}", err=console.stderr)
        elif self._revisions > 1:
            echo(f"{self._revisions} revisions are pending", err=console.stderr)

    def _print_markdown(self) -> None:
        """For a comment on a pull request."""
        from btmodel_codegen.markdown_text import code, text

        for place, stage in enumerate(self.stages):
            if place:
                echo()
            if stage.heading:
                id, _, rest = stage.heading.removesuffix(":").partition(" ")
                echo(f"### {id} {text(rest)}\n")
            print_text(stage.text(moved=self.past is not None), "github")
            if stage.then:
                echo(f"\nThen it runs its data steps: {', '.join(map(code, stage.then))}")
            for line in (*stage.remarks, *stage.notes):
                echo(f"\n{text(line)}")
        if not self.stages:
            echo(f"{code(self.instance)}: nothing to do; it has revisions that build on these")
        elif self._revisions > 1:
            echo(f"\n{self._revisions} revisions are pending")


def look(
    there: OpenInstance,
    graph: Graph,
    declared: tuple[Table, ...] | None = None,
    *,
    to: Revision | None = None,
    allow: Collection[str] = (),
    through: bool = False,
) -> Pending:
    """The pending changes, with ``through`` also those behind a deployment; ``declared`` are the tables of the models.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    if graph.revisions:
        now = there.standing(graph)
        stages = revision_stages(now, there.instance, there.history, to, allow, through=through)
        head = None if declared is None else graph.head
        past = None if head is None or same(declared or (), head.tables) else head
        return Pending(there.instance.instance, stages, graph, to, past)
    plan = read_plan(there.instance, declared or (), allow, there.history)
    live = {table.id for table in plan.live}
    for table in declared or ():
        if table.moved_from in live and table.id not in live:
            raise MigrationError(
                f"nothing was applied: the rows of {table.moved_from!r} move to {table.id!r}, which takes several stages: write them with "
                '`btmodel migrate new "message"`; before that, write a first revision of the models as they were, and record it with '
                "`btmodel migrate baseline`"
            )
    return _of_plan(plan, there)


def _of_plan(plan: Plan, there: OpenInstance) -> Pending:
    if plan.pending:
        refuse_without_files(there.history.revisions())
    return Pending(plan.instance, (Stage(plan),))


def refuse_written(stages: Iterable[Stage], models: Callable[[], Iterable[ModelSchema]]) -> None:
    """Raise :class:`MigrationError` if ``stages`` drop a table, or a family, that one of the ``models`` still writes while its rows move.

    The models are only asked for if something is dropped.
    """
    dropped = {
        (change.table_id, change.family_id): change.subject
        for stage in stages
        for change in stage.plan.changes
        if change.drops
    }
    for model in models() if dropped else ():
        written = ((model.table, id) for id in (None, *(family.id for family in model.families)))
        subject = next((dropped[place] for place in written if place in dropped), None)
        if model.moved_to is not None and subject is not None:
            raise MigrationError(
                f"nothing was applied, because {model.module}.{model.name} still declares {model.table!r}, moved_to={model.moved_to!r}, so "
                f"that the application writes it: deploy what writes {model.moved_to!r} alone, delete {model.name}, and drop {subject!r} then"
            )


def run_pending(
    there: OpenInstance,
    graph: Graph,
    models: Callable[[], list[ModelSchema]],
    mode: Mode,
    *,
    declared: tuple[Table, ...] | None = None,
    to: Revision | None = None,
    allow: Collection[str] = (),
) -> int:
    """Show what is pending, ask, and apply it; the exit code, 2 where the answer was no, else 0.

    ``models`` gives those of the project. Raises :class:`btmodel.errors.BtmodelError`; a plan that may not be applied is shown before it is refused.
    """
    with shown_where_wrong(Console(stderr=mode.json)), nothing_applied():
        pending = look(there.at_once(), graph, declared, to=to, allow=allow)
    refuse_written(pending.stages, models)
    return _run(there, pending, mode)


def run_saved(there: OpenInstance, saved: SavedPlan, mode: Mode) -> int:
    """Show the plan that was ``saved``, ask, and apply exactly that; the exit code, likewise.

    Raises :class:`MigrationError`, with nothing applied, where the instance is not what it was.
    """
    with nothing_applied():
        now = there.at_once()
        plan = saved.read_again(now.instance, now.history, now.server)
        pending = _of_plan(plan, now)
    return _run(there, pending, mode)


def _run(there: OpenInstance, pending: Pending, mode: Mode) -> int:
    pending.print("text", Console(stderr=mode.json), notes=False)
    done = carry_out(there, pending.stages, pending.what, mode)
    if done is None:
        return DIFFERENT
    if pending.next_step:
        echo(pending.next_step, err=mode.json)
    if mode.json:
        print_json({**pending.data, "done": names_of(done)})
    return NOTHING_TO_DO


def _file_of(plan: Plan, there: OpenInstance) -> str:
    """The text of a file that holds ``plan``."""
    seen = SeenTables.of(there.server, there.instance, there.history, concerned_by(plan))
    return saved_text(plan, seen)
