"""``btmodel migrate history``: list the revisions in the order of application."""

from typing import Any

import click

from btmodel.cli.migrate.options import json_option
from btmodel.cli.migrate.scope import all_revisions, is_json
from btmodel.cli.migrate.shown import print_json
from btmodel.cli.terminal import echo
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.revision import Revision


@click.command("history")
@json_option
@click.pass_context
def history(context: click.Context, json_: bool) -> None:
    """List the revisions in the order in which they are applied, without connecting to an instance.

    Exit code 0: listed; 1: an error, or two branches that are not merged.
    """
    graph = all_revisions()
    if is_json(context, json_):
        print_json([_data(graph, one) for one in graph.revisions.values()])
    else:
        width = max(map(len, graph.revisions), default=0)
        before: str | None = None
        for id, one in graph.revisions.items():
            echo(f"{id:{width}}  {one.title}{_beside(graph.parents[id], before)}")
            before = id
        if not graph.revisions:
            echo(f"no revisions in {graph.folder}")
    _ = graph.head  # raises for two


def _beside(parents: tuple[str, ...], before: str | None) -> str:
    """The parents of a revision, if they are not just the revision on the line before."""
    if parents == (() if before is None else (before,)):
        return ""
    return f"  (on {' and '.join(parents) or 'nothing'})"


def _data(graph: Graph, one: Revision) -> dict[str, Any]:
    return {
        "id": one.id,
        "message": one.message,
        "parents": list(graph.parents[one.id]),
        "checksum": one.checksum,
        "data_steps": list(one.data_steps),
        "replaces": [link.id for link in one.replaces],
    }
