"""What two branches did in different places, and cannot both hold: told, and settled as one of them has it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from btmodel.migrate.revisions.origins import Origins

Tables = Mapping[str, Mapping[str, Any]]  # plain data of tables, by their ids


@frozen
class Conflict:
    """A place that two branches changed in different ways: ``table QUOTE, family MD, gc``."""

    place: str
    left: str
    right: str


def settle(
    joined: dict[str, Any], base: Tables, left: Tables, right: Tables, origins: Origins, *, mine: bool
) -> Iterator[Conflict]:
    """Make ``joined`` hold together, as ``left`` has it where ``mine``, else as ``right`` has; what was contested.

    That is a family to which one branch gave cells while the other dropped or renamed it, and a family or a table that
    both renamed. ``origins`` says what tables and families were called in ``base``, through however many renamings.
    """
    winner = left if mine else right
    for old, names in _renamed({name: origins.of(name) for name in joined}).items():
        yield Conflict(f"table {old}", *(_renamed_to(names, side) for side in (left, right)))
        for name in names:
            if name not in winner:
                del joined[name]
    for name in [name for name in joined if origins.of(name) in joined]:
        if name not in winner:  # which has it under its old name still
            del joined[name]
    for id in sorted(joined.keys() & left.keys() & right.keys()):
        sides = (left[id], right[id])
        old_names = {name: origins.of(id, name) for name in joined[id]["families"]}
        renamed = _renamed(old_names)
        for old, names in renamed.items():
            told = (_renamed_to(names, side["families"]) for side in sides)
            yield Conflict(f"table {id}, family {old}", *told)
        before = base.get(id, {})
        kept = _kept_by_one(before, *sides)
        for name, having in kept.items():
            if _cells(having, name) != _cells(before, name):
                yield Conflict(f"table {id}, family {name}", *(_use(name, side) for side in sides))
        heirs = [name for name, old in old_names.items() if old in kept]
        for name in (*kept, *heirs, *(name for names in renamed.values() for name in names)):
            _take(joined[id], name, winner[id])


def _renamed(old_names: Mapping[str, str | None]) -> dict[str, list[str]]:
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
    """The families of a table that one side has no more and the other changed, or their cells; with that other side."""
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
    return {cell: told for cell, told in cells.items() if cell.partition(":")[0] == family}


def _use(family: str, table: Mapping[str, Any]) -> str:
    if family not in table["families"]:
        return "gone"
    cells = sorted({cell for one in _cells(table, family).values() for cell in one})
    return f"there with {', '.join(cells) or 'no cell'}"


def _take(table: dict[str, Any], family: str, winner: Mapping[str, Any]) -> None:
    """Give ``table`` the family and its cells as ``winner`` has them; or neither, where that has none."""
    if family in winner["families"]:
        table["families"][family] = winner["families"][family]
    else:
        table["families"].pop(family, None)
    theirs = _cells(winner, family)
    for model, one in table.get("models", {}).items():
        for cell in _of(one.get("cells", {}), family):
            del one["cells"][cell]
        if model in theirs:
            one.setdefault("cells", {}).update(theirs[model])
