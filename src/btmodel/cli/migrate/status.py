"""``btmodel migrate status``: which revisions an instance has, and what does not fit."""

from collections.abc import Iterator
from typing import Any

import click

from btmodel.cli.migrate.options import instance_option, json_option
from btmodel.cli.migrate.revisions import all_revisions, is_json, live
from btmodel.cli.migrate.shown import print_json
from btmodel.migrate.journal import AppliedRevision
from btmodel.migrate.revisions.standing import Standing

ALL_APPLIED = 0
PENDING = 2


@click.command("status")
@instance_option
@json_option
@click.pass_context
def status(context: click.Context, instance: str | None, json_: bool) -> None:
    """Show which revisions an instance has: applied, pending, edited since, and unknown to this checkout.

    Exit code 0: all are applied; 2: some are pending, or were edited since; 1: an error, and where two
    branches met and are not merged.
    """
    graph = all_revisions()
    with live(context, instance) as there:
        path, now = there.instance.instance, there.standing(graph)
    if is_json(context, json_):
        print_json({"instance": path, **_data(now)})
    else:
        click.echo(f"{path}: {_tally(now)}")
        lines = list(_lines(now))
        width = max((len(id) for _, id, _ in lines), default=0)
        for word, id, told in lines:
            click.echo(f"  {word:8}  {id:{width}}  {told}")
    _ = graph.head  # raises for two
    context.exit(PENDING if now.pending or now.edited else ALL_APPLIED)


def _tally(now: Standing) -> str:
    counts = {"applied": now.applied, "pending": now.pending, "edited": now.edited, "unknown": now.unknown}
    return ", ".join(f"{len(some)} {word}" for word, some in counts.items() if some) or "no revisions"


def _lines(now: Standing) -> Iterator[tuple[str, str, str]]:
    """A word, the id, and what there is to know."""
    for one in now.graph.revisions.values():
        record = now.record_of(one)
        if one in now.edited:
            yield "edited", one.id, "its file is not what was applied: put it back as it was"
        elif one in now.partly:
            yield "partly", one.id, "the instance has some of what it replaces, not all"
        elif record is not None:
            yield "applied", one.id, f"{one.message}  ({_when(record)})"
        else:
            yield "pending", one.id, one.message
    for record in now.unknown:
        yield "unknown", record.id, f"not in {now.graph.folder}  ({_when(record)})"


def _when(record: AppliedRevision) -> str:
    return f"{record.at:%Y-%m-%d %H:%M:%S} UTC by {record.by}"


def _data(now: Standing) -> dict[str, Any]:
    records = {one.id: now.record_of(one) for one in now.applied}
    return {
        "heads": [one.id for one in now.graph.heads],
        "applied": [_record(one.id, records[one.id]) for one in now.applied],
        "pending": [one.id for one in now.pending],
        "edited": [one.id for one in now.edited],
        "partly": [one.id for one in now.partly],
        "unknown": [_record(one.id, one) for one in now.unknown],
    }


def _record(id: str, record: AppliedRevision | None) -> dict[str, Any]:
    return {"id": id, "at": record and record.at.isoformat(), "by": record and record.by}
