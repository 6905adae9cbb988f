"""Merge branches with a three-way comparison of their tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from attrs import define, field, frozen

from btmodel.errors import MigrationError
from btmodel.migrate.revisions import folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.merged_columns import contradictions
from btmodel.migrate.revisions.new import checked, id_on
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.widening import widened
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import Table

Place = tuple[str, str | None]  # a table, and a family of it; None where it is the table


@frozen
class Origins:
    """What each renamed table or family was called at the start of a branch, by its name at the end."""

    old: Mapping[Place, str]

    def of(self, table: str, family: str | None = None) -> str | None:
        """The old name; None if it was not renamed."""
        return self.old.get((table, family))

    def over(self, other: "Origins") -> "Origins":
        """These names, completed by those of ``other``."""
        return Origins({**other.old, **self.old})


def through(revisions: Iterable[Revision], tables: Iterable[Table]) -> Origins:
    """The names that ``tables``, the last of these ``revisions``, had before the first of them."""
    found: dict[Place, str] = {}
    for revision in revisions:
        for table in revision.tables:
            for (id, family), old in _renamed(table):
                found.setdefault(
                    (id, family), found.get((id if family else old, old if family else None), old)
                )
    there = {
        place
        for table in tables
        for place in ((table.id, None), *((table.id, family.id) for family in table.families))
    }
    kept = {(id, family): old for (id, family), old in found.items() if old != (family or id)}
    return Origins({place: old for place, old in kept.items() if place in there})


@define
class NameHistory:
    """The names that tables and families had in some revisions, in whatever order they were renamed."""

    _of: dict[Place, set[Place]] = field(factory=dict)

    @classmethod
    def given_by(cls, revisions: Iterable[Revision]) -> "NameHistory":
        """The names that these revisions gave."""
        found = cls()
        renamed = [each for revision in revisions for table in revision.tables for each in _renamed(table)]
        for (id, family), old in renamed:
            if family is None:
                found._join((id, None), (old, None))
        for (id, family), old in renamed:
            if family is not None:
                found._join((found._first(id), family), (found._first(id), old))
        return found

    def of_table(self, id: str) -> set[str]:
        """All names of a table."""
        return {each for each, _ in self._of.get((id, None), {(id, None)})}

    def of_family(self, table: str, id: str) -> set[str]:
        """All names of a family."""
        place = (self._first(table), id)
        return {name for _, name in self._of.get(place, {place}) if name is not None}

    def _first(self, table: str) -> str:
        return min(self.of_table(table))

    def _join(self, one: Place, other: Place) -> None:
        both = self._of.get(one, {one}) | self._of.get(other, {other})
        for place in both:
            self._of[place] = both


def _renamed(table: Table) -> Iterable[tuple[Place, str]]:
    if table.renamed_from is not None:
        yield (table.id, None), table.renamed_from
    for family in table.families:
        if family.renamed_from is not None:
            yield (table.id, family.id), family.renamed_from


TablesById = Mapping[str, Mapping[str, Any]]  # plain data of tables, by their ids


@frozen
class MergeConflict:
    """A place that two branches changed in different ways: ``table QUOTE, family MD, gc``."""

    place: str
    left: str
    right: str


def settle(
    joined: dict[str, Any],
    base: TablesById,
    left: TablesById,
    right: TablesById,
    origins: Origins,
    *,
    mine: bool,
) -> Iterator[MergeConflict]:
    """Make ``joined`` consistent, by ``left`` if ``mine`` and else by ``right``, and return the conflicts.

    A conflict is a family to which one branch gave cells while the other dropped or renamed it, a family or table
    that both renamed, or an attribute that one branch keeps in another column while the other changed its cells. ``origins`` has the names of tables and families in ``base``, through any number of renamings.
    """
    winner = left if mine else right
    for old, names in _rename_conflicts({name: origins.of(name) for name in joined}).items():
        yield MergeConflict(f"table {old}", *(_renamed_to(names, side) for side in (left, right)))
        for name in names:
            if name not in winner:
                del joined[name]
    for name in [name for name in joined if origins.of(name) in joined]:
        if name not in winner:  # the winner still has it under its old name
            del joined[name]
    for id in sorted(joined.keys() & left.keys() & right.keys()):
        sides = (left[id], right[id])
        old_names = {name: origins.of(id, name) for name in joined[id]["families"]}
        renamed = _rename_conflicts(old_names)
        for old, names in renamed.items():
            new_names = (_renamed_to(names, side["families"]) for side in sides)
            yield MergeConflict(f"table {id}, family {old}", *new_names)
        before = base.get(id, {})
        kept = _kept_by_one(before, *sides)
        for name, having in kept.items():
            if _cells(having, name) != _cells(before, name):
                yield MergeConflict(f"table {id}, family {name}", *(_use(name, side) for side in sides))
        heirs = [name for name, old in old_names.items() if old in kept]
        for name in (*kept, *heirs, *(name for names in renamed.values() for name in names)):
            _take(joined[id], name, winner[id])
        former = base.get(origins.of(id) or id, {})
        families = {name: origins.of(id, name) or name for side in sides for name in side["families"]}
        for contradiction in contradictions(former, *sides, families):
            yield MergeConflict(f"table {id}, {contradiction.place}", *contradiction.sides)
            contradiction.settle(joined[id], winner[id])


def _rename_conflicts(old_names: Mapping[str, str | None]) -> dict[str, list[str]]:
    """The old names that several of these tables or families had, with the new ones."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, old in old_names.items():
        if old is not None:
            found[old].append(name)
    return {old: names for old, names in found.items() if len(names) > 1}


def _renamed_to(names: Iterable[str], side: Mapping[str, Any]) -> str:
    return f"renamed to {', '.join(name for name in names if name in side)}"


def _kept_by_one(
    base: Mapping[str, Any], left: Mapping[str, Any], right: Mapping[str, Any]
) -> dict[str, Mapping[str, Any]]:
    """The families of a table that one side removed while the other changed them or their cells, with that other side."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, family in base.get("families", {}).items():
        having = [side for side in (left, right) if name in side["families"]]
        if len(having) == 1:
            [side] = having
            if side["families"][name] != family or _cells(side, name) != _cells(base, name):
                found[name] = side
    return found


def _cells(table: Mapping[str, Any], family: str) -> dict[str, dict[str, Any]]:
    """The cells of a family in each model that has some."""
    models = table.get("models", {}).items()
    found = {model: _of(one.get("cells", {}), family) for model, one in models}
    return {model: cells for model, cells in found.items() if cells}


def _of(cells: Mapping[str, Any], family: str) -> dict[str, Any]:
    return {cell: codec for cell, codec in cells.items() if cell.partition(":")[0] == family}


def _use(family: str, table: Mapping[str, Any]) -> str:
    if family not in table["families"]:
        return "gone"
    cells = sorted({cell for one in _cells(table, family).values() for cell in one})
    return f"there with {', '.join(cells) or 'no cell'}"


def _take(table: dict[str, Any], family: str, winner: Mapping[str, Any]) -> None:
    """Give ``table`` the family and its cells as ``winner`` has them; remove both if it has none."""
    if family in winner["families"]:
        table["families"][family] = winner["families"][family]
    else:
        table["families"].pop(family, None)
    for model, one in table.get("models", {}).items():
        theirs = winner.get("models", {}).get(model, {})
        for part in ("cells", "attributes"):
            for cell in _of(one.get(part, {}), family):
                del one[part][cell]
            if found := _of(theirs.get(part, {}), family):
                one.setdefault(part, {}).update(found)


_ABSENT: Any = object()


def joined(
    base: Sequence[Table],
    left: Sequence[Table],
    right: Sequence[Table],
    origins: Origins,
    *,
    mine: bool,
) -> tuple[tuple[Table, ...], tuple[MergeConflict, ...]]:
    """The tables with the changes of both sides since ``base``, and the places that both changed in different ways.

    ``left`` wins there if ``mine``, else ``right``. ``origins`` has the names of the tables and families of both
    sides in ``base``.
    """
    before, ours, theirs = map(as_data, (base, left, right))
    conflicts: list[MergeConflict] = []
    found = deepcopy(
        _Joining(conflicts, mine).mapping((), before, ours, theirs)
    )  # the merged data shares parts with both sides
    conflicts += settle(found, before, ours, theirs, origins, mine=mine)
    return from_data(found, "the merged tables"), tuple(conflicts)


@frozen
class _Joining:
    """A three-way merge of plain data; with ``mine``, the left side wins conflicts."""

    conflicts: list[MergeConflict]
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
        self.conflicts.append(MergeConflict(_place(path), _shown(left), _shown(right)))
        return left if self.mine else right


def _place(path: tuple[str, ...]) -> str:
    """``("QUOTE", "families", "MD", "gc")`` as ``table QUOTE, family MD, gc``."""
    words = {
        "families": "family",
        "models": "model",
        "settings": "setting",
        "cells": "cell",
        "attributes": "attribute of",
        "views": "view",
        "authorized_views": "authorized view",
        "schema_bundles": "schema bundle",
    }
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
    text = folder.value(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


Tables = tuple[Table, ...]
_Ids = frozenset[str]


def tables_of(graph: Graph, ids: Collection[str]) -> Tables:
    """The tables after the revisions ``ids`` are applied; ``ids`` must include all their ancestors.

    If one of them is a descendant of all others, its snapshot is the result. Otherwise the branches are merged as
    ``btmodel migrate merge`` merges them, in the order of the revisions that merge them; in a conflict, the side wins
    that the merge has taken.
    """
    groups = {_below(graph, top): graph.revisions[top].tables for top in _tops(graph, ids)}
    while len(groups) > 1:
        merge, left, right = _next(graph, tuple(groups))
        both, conflicts = _joined(graph, (left, groups[left]), (right, groups[right]), mine=False)
        if conflicts and merge is not None and _takes(graph, merge, left):
            both, _ = _joined(graph, (left, groups[left]), (right, groups[right]), mine=True)
        if merge is not None:
            both = widened(both, merge)
        groups = {ids: tables for ids, tables in groups.items() if ids not in (left, right)}
        groups = {left | right: both, **groups}
    return next(iter(groups.values()), ())


def joined_of(
    graph: Graph, left: Revision, right: Revision, *, mine: bool
) -> tuple[Tables, tuple[MergeConflict, ...]]:
    """The tables with the changes of two revisions since they diverged, and their conflicts.

    ``left`` wins there if ``mine``, else ``right``.
    """
    sides = ((_below(graph, revision.id), revision.tables) for revision in (left, right))
    return _joined(graph, *sides, mine=mine)


def _joined(
    graph: Graph, left: tuple[_Ids, Tables], right: tuple[_Ids, Tables], *, mine: bool
) -> tuple[Tables, tuple[MergeConflict, ...]]:
    base, origins = _diverged(graph, left, right)
    return joined(base, left[1], right[1], origins, mine=mine)


def diverged(graph: Graph, left: Revision, right: Revision) -> tuple[Tables, Origins]:
    """The tables from which two revisions diverged, and the names that their tables and families had there."""
    return _diverged(graph, *((_below(graph, one.id), one.tables) for one in (left, right)))


def _diverged(graph: Graph, left: tuple[_Ids, Tables], right: tuple[_Ids, Tables]) -> tuple[Tables, Origins]:
    common = left[0] & right[0]
    ours, theirs = (
        through((revision for id, revision in graph.revisions.items() if id in ids - common), tables)
        for ids, tables in (left, right)
    )
    return tables_of(graph, common), ours.over(theirs)


def _next(graph: Graph, groups: tuple[_Ids, ...]) -> tuple[Revision | None, _Ids, _Ids]:
    """The next two groups to merge, and the revision that merges them: the first descendant of several."""
    known = frozenset[str]().union(*groups)
    for revision in graph.revisions.values():
        if revision.id in known:
            continue
        below = _below(graph, revision.id)
        inside = [ids for ids in groups if ids <= below]
        if len(inside) > 1:
            return revision, inside[0], inside[1]
    return None, groups[0], groups[1]


def _takes(graph: Graph, merge: Revision, ids: _Ids) -> bool:
    """Whether ``merge`` takes the side of ``ids`` where its parents contradict each other."""
    if (sides := taken_side(graph, merge)) is not None:
        return ids <= _below(graph, sides[0].id)
    first, *others = (graph.revisions[id] for id in graph.parents[merge.id])
    left = ids <= _below(graph, first.id)
    return any(_leads_to(merge, joined_of(graph, first, revision, mine=left)[0]) for revision in others)


def taken_side(graph: Graph, merge: Revision) -> tuple[Revision, Revision] | None:
    """The parent that ``merge`` takes where its two parents contradict each other, and the other one.

    None where they do not, and where it has more or fewer parents, or is as neither side. A merge that reads both ways may be as both: it
    has the side that it takes in front.
    """
    parents = [graph.revisions[id] for id in graph.parents[merge.id]]
    if len(parents) != 2:
        return None
    left, right = parents
    tables, conflicts = joined_of(graph, left, right, mine=True)
    if not conflicts:
        return None
    if _leads_to(merge, tables):
        return left, right
    other_tables, _ = joined_of(graph, left, right, mine=False)
    return (right, left) if _leads_to(merge, other_tables) else None


def _leads_to(merge: Revision, tables: Tables) -> bool:
    """Whether ``merge`` has these ``tables``, or reads them in more ways, as its steps need it."""
    wanted, *found = (
        {table.id: table for table in some} for some in (merge.tables, tables, widened(tables, merge))
    )
    return wanted in found


def _tops(graph: Graph, ids: Collection[str]) -> Iterator[str]:
    """The ids among ``ids`` that are not ancestors of others among them."""
    below = {parent for id in ids for parent in graph.parents[id]}
    return (id for id in graph.revisions if id in ids and id not in below)


def _below(graph: Graph, id: str) -> _Ids:
    return frozenset(revision.id for revision in graph.up_to(id))


def merge_revision(graph: Graph, message: str | None = None, take: Revision | None = None) -> Revision:
    """The revision that merges the first two heads of ``graph``.

    ``take`` is the head that wins where both changed the same thing in different ways. Raises :class:`MigrationError`
    if there is nothing to merge, and for such conflicts without ``take``, with each place.
    """
    if len(graph.heads) < 2:
        raise MigrationError(f"{graph.folder}: there is one last revision, so nothing to merge")
    left, right = graph.heads[:2]
    if take not in (None, left, right):
        raise MigrationError(f"--take {take and take.id}: expected {left.id} or {right.id}, which are merged")
    tables, conflicts = joined_of(graph, left, right, mine=take != right)
    if conflicts and take is None:
        ways = "; ".join(
            f"{conflict.place}: {conflict.left} in {left.id}, {conflict.right} in {right.id}"
            for conflict in conflicts
        )
        raise MigrationError(
            f"both branches changed the same thing in different ways ({ways}): use --take {left.id} or --take {right.id}, "
            "and write what else it should be with `btmodel migrate new` after that"
        )
    title = checked(message or f"Merge {left.id} and {right.id}")
    return Revision(id_on((left, right), title), title, (left.parent_link, right.parent_link), tables)
