"""Two branches of revisions that met, joined: what both did since they parted."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.revisions import toml
from btmodel.migrate.revisions.contested import Conflict, settle
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.naming import checked, id_on
from btmodel.migrate.revisions.revision import Revision
from btmodel.schema import Table
from btmodel.schema.recorded import as_data, from_data

_ABSENT: Any = object()


def merge_revision(graph: Graph, message: str | None = None, take: Revision | None = None) -> Revision:
    """The revision that joins the first two heads of ``graph``: the tables as both left them.

    Where both changed one thing, each in its own way, ``take`` is the head that is right. Raises
    :class:`MigrationError` where there is nothing to join, and for such conflicts, with each place.
    """
    if len(graph.heads) < 2:
        raise MigrationError(f"{graph.folder}: there is one last revision, so nothing to merge")
    left, right = graph.heads[:2]
    if take not in (None, left, right):
        raise MigrationError(f"--take {take and take.id}: wanted {left.id} or {right.id}, which are merged")
    conflicts: list[Conflict] = []
    tables = _joined(_base(graph, left, right), left.tables, right.tables, conflicts, mine=take is not right)
    if conflicts and take is None:
        told = "; ".join(
            f"{one.place}: {one.left} in {left.id}, {one.right} in {right.id}" for one in conflicts
        )
        raise MigrationError(
            f"both branches changed the same, each in its own way ({told}): say --take {left.id} or --take {right.id}, "
            "and write what else it should be with `btmodel migrate new` after that"
        )
    told = checked(message or f"Merge {left.id} and {right.id}")
    return Revision(id_on((left, right), told), told, (left.link, right.link), tables)


def _base(graph: Graph, left: Revision, right: Revision) -> tuple[Table, ...]:
    """The tables from which both went: of the last revision below both; where there are several, of these joined."""
    others = {one.id for one in graph.up_to(right.id)}
    common = [one for one in graph.up_to(left.id) if one.id in others]
    below = {parent for one in common for parent in graph.parents[one.id]}
    tops = [one for one in common if one.id not in below]
    if not tops:
        return ()
    first, *rest = tops
    tables = first.tables
    for one in rest:
        tables = _joined(_base(graph, first, one), tables, one.tables, [])
    return tables


def _joined(
    base: tuple[Table, ...],
    left: tuple[Table, ...],
    right: tuple[Table, ...],
    conflicts: list[Conflict],
    *,
    mine: bool = True,
) -> tuple[Table, ...]:
    before, ours, theirs = map(as_data, (base, left, right))
    joined = deepcopy(
        _Joining(conflicts, mine).mapping((), before, ours, theirs)
    )  # parts are those of a side
    conflicts += settle(joined, before, ours, theirs, mine=mine)
    return from_data(joined, "the merged tables")


@frozen
class _Joining:
    """A three-way merge of plain data; ``mine`` says that the left side is right in a conflict."""

    conflicts: list[Conflict]
    mine: bool

    def mapping(
        self,
        path: tuple[str, ...],
        base: Mapping[str, Any],
        left: Mapping[str, Any],
        right: Mapping[str, Any],
    ) -> dict[str, Any]:
        joined: dict[str, Any] = {}
        for name in dict.fromkeys((*left, *right)):
            sides = (one.get(name, _ABSENT) for one in (base, left, right))
            value = self.value((*path, name), *sides)
            if value is not _ABSENT:
                joined[name] = value
        return joined

    def value(self, path: tuple[str, ...], base: Any, left: Any, right: Any) -> Any:
        if left == right or right == base:
            return left
        if left == base:
            return right
        if isinstance(left, dict) and isinstance(right, dict) and path[-1] != "gc":
            return self.mapping(path, base if isinstance(base, dict) else {}, left, right)
        self.conflicts.append(Conflict(_place(path), _shown(left), _shown(right)))
        return left if self.mine else right


def _place(path: tuple[str, ...]) -> str:
    """``("QUOTE", "families", "MD", "gc")`` as ``table QUOTE, family MD, gc``."""
    words = {"families": "family", "models": "model", "settings": "setting", "cells": "cell"}
    parts = [f"table {path[0]}"]
    kind = ""
    for name in path[1:]:
        if not kind and name in words:
            kind = words[name]
        else:
            parts.append(f"{kind} {name}".strip())
            kind = ""
    return ", ".join(parts)


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "gone"
    text = toml.value(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
