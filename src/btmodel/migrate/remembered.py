"""Renamings that nobody declares any more, of which the journal knows: what was copied is compared before it is dropped."""

from collections.abc import Iterable, Iterator, Mapping

import attrs

from btmodel.migrate.journal.protocol import CopyRecord
from btmodel.schema import Family, Table

# The old table, the new one with the old names declared, and the family that is renamed; None where the table is.
Former = tuple[Table, Table, Family | None]


def remembered(
    declared: Mapping[str, Table], live: Mapping[str, Table], records: Iterable[CopyRecord]
) -> Iterator[Former]:
    """What is ``live`` and not ``declared``, and was copied to what is both, as ``records`` say."""
    whole = {(one.old, one.new): one for one in records if one.ended is not None}
    for id, table in declared.items() if whole else ():
        if id not in live:
            continue
        for old in live.values():
            record = whole.get((old.id, id))
            if record is not None and old.id not in declared:
                yield old, _renamed(table, record), None
        yield from _families(table, live[id], whole.keys())


def followed(
    declared: Mapping[str, Table],
    live: Mapping[str, Table],
    records: Iterable[CopyRecord],
    renamed: Iterable[tuple[str, str | None]],
) -> Iterator[Former]:
    """What is ``live`` and not ``declared``, and was copied to one of the ``renamed`` tables and families, which are live still."""
    whole = {(one.old, one.new): one for one in records if one.ended is not None}
    for id, family in renamed if whole else ():
        there = live[id]
        new = None if family is None else there.family(family)
        if new is None:
            for old in live.values():
                record = whole.get((old.id, id))
                if record is not None and old.id not in declared:
                    yield old, _renamed(there, record), None
        elif id in declared:
            for one in there.families:
                copied = (f"{id}.{one.id}", f"{id}.{new.id}") in whole
                if copied and declared[id].family(one.id) is None:
                    yield there, declared[id], attrs.evolve(new, renamed_from=one.id)


def _families(table: Table, live: Table, copied: Iterable[tuple[str, str]]) -> Iterator[Former]:
    pairs = frozenset(copied)
    undeclared = [one for one in live.families if table.family(one.id) is None]
    for old in undeclared:
        for new in table.families:
            there = live.family(new.id) is not None
            if there and (f"{live.id}.{old.id}", f"{table.id}.{new.id}") in pairs:
                yield live, table, attrs.evolve(new, renamed_from=old.id)


def _renamed(table: Table, record: CopyRecord) -> Table:
    """``table`` with the names that it and its families had where they were copied from."""
    former = {new: None if old == new else old for old, new in record.families}
    families = tuple(
        attrs.evolve(one, renamed_from=former.get(one.id, one.renamed_from)) for one in table.families
    )
    return attrs.evolve(table, renamed_from=record.old, families=families)
