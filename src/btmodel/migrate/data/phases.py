"""In which order what a data step gives is written, so that a run which is killed has deleted nothing that it had yet to write."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from btmodel.rows import Add, Cell, Delete, Mutation


def phases(given: Iterable[tuple[Mutation, bool]]) -> Iterator[tuple[str, list[Mutation]]]:
    """The mutations of a batch, in parts of one table each, of which each is to be in before the next is written.

    What sets cells comes before what only deletes, and what goes to a row that the step was given, which is true of those
    with True, behind what goes to others: until then the row is there, for a run that does the batch again. Each row
    comes to what it would have come to in the order in which the mutations are ``given``.
    """
    rows: dict[tuple[str, bytes], list[Mutation]] = {}
    sources: set[tuple[str, bytes]] = set()
    for mutation, is_source in given:
        place = (mutation.table, mutation.key)
        rows.setdefault(place, []).append(mutation)
        if is_source:
            sources.add(place)
    found: dict[tuple[bool, bool, bool, str], list[Mutation]] = {}
    for place, several in rows.items():
        deletes = any(one.deletes for one in several)
        # What deletes in its midst is one mutation, which is applied wholly or not at all.
        mutations = [_as_one(several)] if deletes else several
        sets = any(one.cells or one.adds for one in mutations)
        found.setdefault((not sets, place in sources, deletes, place[0]), []).extend(mutations)
    for phase in sorted(found):
        yield phase[-1], found[phase]


def _as_one(several: Sequence[Mutation]) -> Mutation:
    """The mutation that does what ``several`` of one row do one after the other."""
    one = several[0]
    for then in several[1:]:
        one = evolve(
            one,
            cells=[*(cell for cell in one.cells if not _deleted(cell, then.deletes)), *then.cells],
            deletes=[*one.deletes, *then.deletes],
            adds=[*(add for add in one.adds if not _deleted(add, then.deletes)), *then.adds],
        )
    return one


def _deleted(one: Cell | Add, deletes: Iterable[Delete]) -> bool:
    return any(
        delete.family is None
        or (
            delete.family == one.family
            and (
                delete.qualifier is None
                or (
                    delete.qualifier == one.qualifier
                    and delete.start <= one.timestamp
                    and (one.timestamp < delete.end or not delete.end)
                )
            )
        )
        for delete in deletes
    )
