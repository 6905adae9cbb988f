"""The next revision: what the models declare, on top of the last one."""

from collections.abc import Iterable, Iterator, Sequence

import attrs
from attrs import frozen

from btmodel.migrate.changes import Change, Drift
from btmodel.migrate.diff import diff
from btmodel.migrate.layouts import match
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.naming import checked, id_on
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.skeleton import skeleton
from btmodel.schema import Table
from btmodel.schema.parameters import placeholders


@frozen
class Difference:
    """A change from one revision to the next, for people: its sign, its name, and what becomes of its subject.

    What is declared no more stays until its drop is allowed, so it is no drop.
    """

    sign: str
    name: str
    summary: str

    def __str__(self) -> str:
        return f"{self.sign} {self.name}  {self.summary}"


def next_revision(
    graph: Graph, declared: Iterable[Table], message: str, data_steps: Sequence[str] = ()
) -> Revision | None:
    """The revision that leads from the last one of ``graph`` to ``declared``; None where nothing differs.

    One with ``data_steps`` has code that does nothing yet, and may change no table. Raises :class:`MigrationError` for two heads, and for a message that is none.
    """
    tables, head, told = tuple(declared), graph.head, checked(message)
    if not data_steps and same(tables, head.tables if head else ()):
        return None
    parents = (head,) if head else ()
    found = Revision(
        id_on(parents, told), told, tuple(one.link for one in parents), tables, tuple(data_steps)
    )
    if not data_steps:
        return found
    return attrs.evolve(found, code=skeleton(found, head.tables if head else ()))


def same(left: Iterable[Table], right: Iterable[Table]) -> bool:
    """Whether two sets of tables mean the same, with how rows lie and what settings are stated."""
    one, other = tuple(left), tuple(right)
    alike = [_without_rules(table) for table in one] == [_without_rules(table) for table in other]
    return alike and _require_the_same(one, other) and not diff(one, other)


def _require_the_same(left: Sequence[Table], right: Sequence[Table]) -> bool:
    """Whether both say the same of which columns are required, as far as both say it."""
    pairs = (
        (cell.required, also.required)
        for table, other in zip(left, right, strict=True)
        for layout, known in zip(table.layouts, other.layouts, strict=True)
        for cell, also in zip(layout.cells, known.cells, strict=True)
    )
    return all(one == other or None in (one, other) for one, other in pairs)


def differences(tables: Iterable[Table], before: Iterable[Table]) -> tuple[Difference, ...]:
    """What leads from ``before`` to ``tables``, new columns included."""
    wanted, known = tuple(tables), tuple(before)
    found = [Difference(change.sign, change.name, _fate(change)) for change in diff(wanted, known)]
    return (*found, *_new_cells(wanted, {table.id: table for table in known}))


def _fate(change: Change) -> str:
    if not isinstance(change, Drift) or change.end is None:
        return change.summary
    # Of what is named at run time, each live one has a name of its own.
    until = "each is allowed to go" if placeholders(change.subject) else f"--allow {change.end.name}"
    return f"{change.summary}; declared no more, and stays until {until}"


def _new_cells(tables: Iterable[Table], before: dict[str, Table]) -> Iterator[Difference]:
    """The cells and models that tables did not have."""
    for table in tables:
        if table.id not in before:
            continue
        found = match(table.layouts, before[table.id].layouts)
        for layout in found.new:
            yield Difference("+", f"add-model:{table.id}/{layout.model}", f"keys {layout.key_text}")
        for layout, other in found.both:
            known = {cell.cell for cell in other.cells}
            for cell in layout.cells:
                if cell.cell not in known:
                    yield Difference("+", f"add-cell:{table.id}/{layout.model}.{cell.cell}", cell.codec)


def _without_rules(table: Table) -> Table:
    """The table but for its GC rules, which :func:`diff` compares by meaning."""
    return attrs.evolve(table, families=tuple(attrs.evolve(family, gc=None) for family in table.families))
