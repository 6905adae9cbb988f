"""``btmodel migrate preview``: say what pending stages take, in rows, bytes, minutes and money, without changing anything."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import click
from attrs import frozen

from btmodel.cli.connection import as_known
from btmodel.cli.console import Console
from btmodel.cli.group import instance_option, models_option
from btmodel.cli.migrate.confirmed_run import moving
from btmodel.cli.migrate.options import allow_option, is_json, json_option
from btmodel.cli.migrate.pending import Pending, look, refuse_written
from btmodel.cli.migrate.plan_output import print_json, shown_where_wrong
from btmodel.cli.migrate.scope import OpenInstance, all_revisions, allowed, open_instance
from btmodel.cli.models import settings_and_models
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError, ServerError
from btmodel.migrate.revisions.preview import (
    Estimate,
    ScratchInstance,
    StagePreview,
    preview_stages,
)
from btmodel.schema.table import settled_tables
from btmodel.words import counted

# What Google lists for us-central1 and SSD, in USD; it differs from region to region.
NODE_HOUR, GIB_MONTH = 0.65, 0.17
_TRIED = "projects/btmodel/instances/preview"
_GIB = 2**30


@frozen
class Prices:
    """What a node costs an hour, and a GiB a month, in USD."""

    node_hour: float
    gib_month: float

    def once(self, step: Estimate) -> float:
        """The price of the time in which a node is busy with ``step``."""
        return step.work.node_seconds / 3600 * self.node_hour

    def monthly(self, step: Estimate) -> float:
        """The price of a month of what ``step`` stores in addition."""
        return step.work.bytes_written / _GIB * self.gib_month if step.adds else 0.0


@click.command("preview")
@instance_option
@allow_option
@click.option(
    "--node-hour",
    type=click.FloatRange(min=0),
    default=NODE_HOUR,
    show_default=True,
    help="USD for one node for an hour in your region.",
)
@click.option(
    "--gib-month",
    type=click.FloatRange(min=0),
    default=GIB_MONTH,
    show_default=True,
    help="USD for one GiB for a month in your region.",
)
@json_option
@models_option
@click.pass_context
def preview(
    context: click.Context,
    instance: str | None,
    allow: tuple[str, ...],
    node_hour: float,
    gib_month: float,
) -> None:
    """Say how many rows, bytes, minutes and USD each pending stage takes, without changing anything.

    The command samples the rows of this instance, and rehearses copies, moves and data steps on them, in a local server of its own; with
    --allow drop-table:QUOTE, also what is compared before that drop. Why a run would refuse a stage stands below it, as `btmodel migrate plan` says it.

    Exit code 0: nothing to do; 2: pending stages; 1: an error, also if a step fails on a sampled row.
    """
    as_json = is_json(context)
    prices = Prices(node_hour, gib_month)
    graph, models = all_revisions(), settings_and_models(context)[1]
    with open_instance(context, instance) as there, _readable(), moving(err=True) as moved:
        with shown_where_wrong(Console(stderr=True)):
            pending = look(
                there.at_once(), graph, settled_tables(models), allow=allowed(context, allow), through=True
            )
        found = _previewed(there, pending, moved)
    pending.print_past()
    if as_json:
        refuse_written(pending.stages, lambda: models)
        print_json(_data(pending, found, prices))
    else:
        for line in _lines(as_known(pending.instance), found, prices):
            echo(line)
        refuse_written(pending.stages, lambda: models)
    context.exit(pending.code)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except ServerError as error:
        raise MigrationError(
            f"nothing can be previewed, because the instance cannot be read: {error}"
        ) from error


def _previewed(
    there: OpenInstance, pending: Pending, progress: Callable[[str, int], None]
) -> tuple[StagePreview, ...]:
    with ExitStack() as opened:
        return preview_stages(
            pending.stages, there.rows, there.history, lambda: opened.enter_context(_place()), progress
        )


@contextmanager
def _place() -> Iterator[ScratchInstance]:
    """A local server in memory, which ends with the command."""
    from btmodel import server
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin
    from btmodel.client.target import Target

    with server.start() as local:
        target = Target(_TRIED, local.host, lambda: None)
        with Admin(target) as admin, Database(target) as rows:
            yield ScratchInstance(admin, rows, str(target))


_HEAD = ("stage", "step", "rows", "read", "written", "minutes", "USD", "USD a month")


def _lines(path: str, pending: Sequence[StagePreview], prices: Prices) -> Iterator[str]:
    if not pending:
        yield f"{path}: nothing is pending"
        return
    yield f"{path}: {counted(len(pending), 'stage')}"
    rows = [_HEAD, *(row for stage in pending for row in _rows(stage, prices))]
    steps = [step for stage in pending for step in stage.steps]
    if len(steps) > 1:
        rows.append(("total", "", *_figures(steps, prices)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:{'<' if at < 2 else '>'}{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {'  '.join(cells)}".rstrip()
    # Each stage has the remarks on what no revision has any more.
    yield from dict.fromkeys(line for stage in pending for line in (*stage.remarks, *stage.refusals))
    for step in steps:
        yield from _advice(step)
    if steps:
        yield (
            f"minutes are those of one process here; USD are its node hours (at {prices.node_hour:g}), which nodes with time to spare "
            f"do not add to a bill, and a month of what is stored in addition (at {prices.gib_month:g} a GiB)"
        )


def _rows(stage: StagePreview, prices: Prices) -> Iterator[tuple[str, ...]]:
    id = stage.id or "models"
    if stage.changes or not stage.steps:
        yield (id, counted(stage.changes, "change") + " of tables", *[""] * 6)
    for step in stage.steps:
        yield (id, step.name, *_figures([step], prices))


def _figures(steps: Sequence[Estimate], prices: Prices) -> tuple[str, ...]:
    exact = all(step.exact for step in steps)
    left = sum(step.left for step in steps)
    return (
        f"{left:,}" if exact else f"~{_rounded(left):,}",
        _size(sum(step.work.bytes_read for step in steps)),
        _size(sum(step.work.bytes_written for step in steps)),
        _least(sum(step.seconds for step in steps) / 60, 1),
        _least(sum(map(prices.once, steps)), 2),
        _least(sum(map(prices.monthly, steps)), 2),
    )


def _least(value: float, digits: int) -> str:
    least = 10**-digits
    return f"<{least:g}" if 0 < value < least else f"{value:,.{digits}f}"


def _size(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1024
    return f"{size:,.1f} TiB"


def _rounded(value: int) -> int:
    """``value`` with two digits that count."""
    return round(value, 2 - len(str(value))) if value else 0


def _advice(step: Estimate) -> Iterator[str]:
    """From how many rows on one process is not enough."""
    if step.long_from is None:
        return
    where = f"about {_rounded(step.long_from):,} rows"
    if not step.spreads:
        if step.left >= step.long_from:
            yield f"{step.name}: takes more than 4 hours, as from {where} on, and runs in one process alone"
    elif step.left < step.long_from:
        yield f"{step.name}: one process is enough; from {where} on it needs more than 4 hours, and a --runner is advisable"
    else:
        yield f"{step.name}: one process needs more than 4 hours, as from {where} on: apply it with a --runner (`btmodel migrate apply --runner=...`)"


def _data(pending: Pending, found: Sequence[StagePreview], prices: Prices) -> dict[str, Any]:
    stages = [
        {
            "id": stage.id or None,
            "changes": stage.changes,
            "waits": stage.waits or None,
            "refusals": list(stage.refusals),
            "remarks": list(stage.remarks),
            "steps": [_step(step, prices) for step in stage.steps],
        }
        for stage in found
    ]
    return {
        "instance": pending.instance,
        "stages": stages,
        "models_moved": pending.past is not None,
        "prices": {"usd_node_hour": prices.node_hour, "usd_gib_month": prices.gib_month},
    }


def _step(step: Estimate, prices: Prices) -> dict[str, Any]:
    work = step.work
    return {
        "name": step.name,
        "table": step.table,
        "rows": step.rows,
        "rows_left": step.left,
        "exact": step.exact,
        "read": {"rows": round(work.rows_read), "bytes": round(work.bytes_read)},
        "written": {"rows": round(work.rows_written), "bytes": round(work.bytes_written)},
        "requests": round(work.requests),
        "minutes": round(step.seconds / 60, 3),
        "node_hours": round(work.node_seconds / 3600, 4),
        "usd": round(prices.once(step), 4),
        "usd_a_month": round(prices.monthly(step), 4),
        "several_machines_from_rows": step.long_from if step.spreads else None,
    }
