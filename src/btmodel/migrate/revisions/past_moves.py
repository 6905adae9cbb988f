"""Which tables the revisions have moved the rows of: also where the code of a move cannot be loaded, or was squashed."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import frozen

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.data import MoveStep
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.revisions.revision import PastMove, Revision
from btmodel.migrate.revisions.steps import load
from btmodel.schema import ModelSchema

NONE: Mapping[str, Collection[str]] = MappingProxyType({})


@frozen
class FoundMove:
    """The move of the rows of table ``old`` to ``new`` by a revision; ``step`` is its code, and ``why`` says why there is none."""

    old: str
    new: str
    by: str
    step: MoveStep | None = None
    why: str = ""


def rewriting(
    past: Iterable[Revision], folder: Path, skipped: Mapping[str, Collection[str]] = NONE
) -> Iterator[tuple[Revision, ModelSchema]]:
    """The models whose rows are rewritten in place, each with the revision that does that; not by steps that were ``skipped``, by the ids of their revisions.

    Raises :class:`MigrationError` for a step that cannot be loaded.
    """
    for revision in past:
        if "rewrite" in revision.code:
            for step in load(revision, folder):
                left_out = step.name in skipped.get(revision.id, ())
                if isinstance(step, RewriteStep) and step.model is not None and not left_out:
                    yield revision, schema_of(step.model)


def moves_in(revision: Revision, folder: Path) -> Iterator[FoundMove]:
    """The moves of a revision, and of those that it replaces."""
    for one in (one for one in revision.moves if not one.is_of_cells):
        why = f"{revision.id} replaces {one.by}, which moved them, and has none of its code"
        yield FoundMove(one.old, one.new, one.by, why=why)
    if "move" not in revision.code:
        return
    try:
        steps = load(revision, folder)
    except MigrationError as error:
        why = f"the code of {revision.id} cannot be loaded ({error})"
        for old, new in _written(revision.code):
            yield FoundMove(old, new, revision.id, why=why)
        return
    for step in steps:
        if isinstance(step, MoveStep):
            yield FoundMove(step.table, step.target_table, revision.id, step)


def declared_anew(revision: Revision, known: dict[str, set[str]]) -> set[str]:
    """The tables that a revision declares and its parents do not: earlier moves say nothing of their rows.

    ``known`` are the tables of the revisions before, to which its own are added.
    """
    here = known[revision.id] = {one.id for one in revision.tables}
    return here.difference(*(known.get(link.id, here) for link in revision.parents))


def moves_of_cells(revision: Revision, folder: Path) -> Iterator[PastMove]:
    """The moves of cells to other columns by a revision, and by those that it replaces; raises :class:`MigrationError` if its code cannot be loaded."""
    yield from (one for one in revision.moves if one.is_of_cells)
    for _, model in rewriting([revision], folder):
        of = f"{model.table}/{model.name}"
        for column in model.columns:
            for place in column.places[1:]:
                yield PastMove(f"{of}.{place.cell}", f"{of}.{column.cell}", revision.id)


def squashed_moves(group: Iterable[Revision], folder: Path) -> tuple[PastMove, ...]:
    """The moves of the revisions of a ``group``, in order, for the one that replaces them."""
    known: dict[str, set[str]] = {}
    found: dict[tuple[str, str], PastMove] = {}
    for revision in group:
        anew = declared_anew(revision, known)
        found = {names: one for names, one in found.items() if one.old.partition("/")[0] not in anew}
        for one in moves_in(revision, folder):
            found.setdefault((one.old, one.new), PastMove(one.old, one.new, one.by))
        for cells in moves_of_cells(revision, folder):
            found.pop((cells.new, cells.old), None)
            found[cells.old, cells.new] = cells
    return tuple(found.values())


def _written(code: str) -> Iterator[tuple[str, str]]:
    """The old and the new table of each move in ``code`` that cannot be run: as it is written, or of any two models where that cannot be seen."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    tables = {one.name: id for one in body if isinstance(one, ast.ClassDef) if (id := _table(one))}
    for one in body:
        for decorator in one.decorator_list if isinstance(one, ast.FunctionDef) else ():
            if not isinstance(decorator, ast.Call) or "move" not in ast.unparse(decorator.func):
                continue
            names = [tables.get(ast.unparse(argument)) for argument in decorator.args]
            match names:
                case [str(old), str(new)]:
                    yield old, new
                case _:
                    yield from ((old, "another table") for old in tables.values())


def _table(model: ast.ClassDef) -> str | None:
    """The id of the table of a model, if it is written there: ``table="QUOTE"``, or ``table=bt.table("QUOTE")``."""
    for keyword in model.keywords:
        value = (
            keyword.value.args[0]
            if isinstance(keyword.value, ast.Call) and keyword.value.args
            else keyword.value
        )
        if keyword.arg == "table" and isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    return None
