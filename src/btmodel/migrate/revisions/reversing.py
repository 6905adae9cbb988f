"""Renamings on the way back: what took over gives back to what it took over from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from btmodel.errors import MigrationError
from btmodel.migrate.journal import CopyRecord
from btmodel.migrate.renamings import Renaming, renamings
from btmodel.migrate.revisions.revision import Revision
from btmodel.schema import Family, Table


def renamings_back(
    to: Revision, undone: Sequence[Revision], live: Iterable[Table], records: Iterable[CopyRecord]
) -> tuple[Renaming, ...]:
    """The renamings on the way back to ``to`` from the ``undone`` revisions, which stand in the order of their applying.

    Raises :class:`MigrationError` where two of them renamed the same thing, and neither is over.
    """
    there, known = {table.id: table for table in live}, tuple(records)
    wanted = tuple(_with_heirs(table, undone, there) for table in to.tables)
    copies = {(one.old, one.new): one for one in known if one.ended is not None}
    declared = {one.old_name for one in renamings(to.tables, there.values(), known)}
    return tuple(
        one if one.old_name in declared else _back(one, to.id, copies)
        for one in renamings(wanted, there.values(), known)
    )


def _back(renaming: Renaming, to: str, copies: Mapping[tuple[str, str], CopyRecord]) -> Renaming:
    undoes = None
    if renaming.is_live and renaming.record is None:
        undoes = copies.get((renaming.new_name, renaming.old_name))
    return attrs.evolve(renaming, undoes=undoes, back_to=to)


def _with_heirs(table: Table, undone: Sequence[Revision], there: Mapping[str, Table]) -> Table:
    """``table``, declared as renamed from what took over from it, and is live."""
    tables = [heir.id for heir in _tables(table, undone) if heir.id != table.id and heir.id in there]
    id = _only(table.id, dict.fromkeys(tables)) or table.id
    live = there.get(id)
    if live is None:
        return table
    families = tuple(_with_heir(table, one, undone, live) for one in table.families)
    return attrs.evolve(table, families=families, renamed_from=table.renamed_from if id == table.id else id)


def _with_heir(table: Table, family: Family, undone: Sequence[Revision], live: Table) -> Family:
    found: list[str] = []
    id = family.id
    for there in _tables(table, undone):
        id = next((one.id for one in there.families if _takes_over(one, id, there)), id)
        if there.id == live.id and live.family(id) is not None:
            found.append(id)
    others = dict.fromkeys(one for one in found if one != family.id or live.id != table.id)
    heir_id = _only(f"{table.id}.{family.id}", {f"{live.id}.{one}": None for one in others})
    heir = None if heir_id is None else heir_id.removeprefix(f"{live.id}.")
    return family if heir in (None, family.id) else attrs.evolve(family, renamed_from=heir)


def _takes_over(one: Family, id: str, heir: Table) -> bool:
    return one.id == id or (one.renamed_from == id and heir.family(id) is None)


def _tables(table: Table, undone: Sequence[Revision]) -> Iterator[Table]:
    """What ``table`` is in each of the ``undone`` revisions, under whatever name."""
    id = table.id
    for revision in undone:
        by_id = {one.id: one for one in revision.tables}
        heirs = (one for one in revision.tables if one.renamed_from == id)
        found = by_id.get(id) or next(heirs, None)
        if found is not None:
            id = found.id
            yield found


def _only(name: str, heirs: Mapping[str, None]) -> str | None:
    if len(heirs) > 1:
        raise MigrationError(
            f"nothing was rolled back: {' and '.join(heirs)} took over from {name}, one behind the other, and are all "
            "there still: go back one revision at a time, and drop what is copied"
        )
    return next(iter(heirs), None)
