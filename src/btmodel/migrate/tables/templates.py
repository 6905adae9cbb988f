"""Tables and families named at run time, matched with existing ones.

A program creates a table from a template such as ``LOG_{day}``, for each day. The declaration of the template applies
to every existing table whose id fits it, so a plan has one table for each of these. The layouts of all of them are
recorded once, under the id of the template, because the program that creates them keeps no migration history.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import evolve

from btmodel.errors import MigrationError, ValueRefused
from btmodel.migrate.instance import Instance
from btmodel.migrate.tables.layouts import in_families
from btmodel.schema import Family, KeepAll, Layout, Table
from btmodel.schema.gc import agreeing
from btmodel.schema.names import are_alike, filled, fits, placeholders, values_in

Recorded = Mapping[str, tuple[Layout, ...]]


def is_template(table: Table) -> bool:
    """Whether ``table`` is a template, which stands for all tables whose ids fit its own."""
    return bool(placeholders(table.id))


def concrete(declared: Iterable[Table], live: Iterable[Table]) -> tuple[tuple[Table, ...], tuple[Table, ...]]:
    """``declared`` with a table for each existing one instead of its template, and ``live`` to compare it with.

    Of a template itself, and of its record in ``live``, only the layouts remain: they are compared once for all of
    its tables that have no own record. A template without a record is compared with the one that its tables belonged
    to before, as ``renamed_from`` says. Raises :class:`MigrationError` for an existing table or family that fits two
    templates, and for a table that was recorded under two templates with different layouts.
    """
    wanted, found = tuple(declared), tuple(live)
    there = {table.id: table for table in found if not is_template(table)}
    records = {table.id: table.layouts for table in found if is_template(table) and table.layouts}
    templates = [table for table in wanted if is_template(table)]
    known = [_known(table, wanted, there, records) for table in templates]
    tables = [_among(table, there.get(table.id)) for table in wanted if not is_template(table)]
    for id, template in templates_of(wanted, there).items():
        lie = template.layouts if there[id].layouts else ()
        tables.append(evolve(_one_of(template, there[id]), layouts=lie))
    # A table that is now declared by its own id, or renamed, may have been recorded under a template.
    ids = [id for table in tables if table.layouts for id in (table.id, table.renamed_from) if id is not None]
    for former in ids:
        if former in there and not there[former].layouts:
            record = _record_of(former, records, [table.id for table in templates])
            there[former] = evolve(there[former], layouts=() if record is None else records[record])
    return (
        _sorted((*tables, *(Table(table.id, (), layouts=table.layouts) for table in templates))),
        _sorted((*there.values(), *known)),
    )


def paired(tables: Iterable[Table], others: Iterable[Table], *, live: bool) -> tuple[Table, ...]:
    """``tables`` as they are compared with ``others``; neither has to be an instance.

    A template that both sides have stays. Otherwise the tables among ``others`` that fit it take its place; if there
    are none, it stays, unless ``others`` are ``live``. Raises what :func:`concrete` raises.
    """
    wanted, there = tuple(tables), {table.id: table for table in others}
    alone = [table for table in wanted if is_template(table) and table.id not in there]
    of = templates_of(wanted, there)
    replaced = alone if live else [table for table in alone if table in of.values()]
    stay = (_among(table, there.get(table.id)) for table in wanted if table not in replaced)
    return _sorted((*stay, *(_one_of(of[id], there[id]) for id in of if of[id] in alone)))


def templates_of(declared: Iterable[Table], live: Mapping[str, Table]) -> Mapping[str, Table]:
    """The template that declares each existing table, by table id.

    A table that is declared by its own id, or was renamed, belongs to no template. Raises :class:`MigrationError` for
    a table that fits two.
    """
    wanted = tuple(declared)
    taken = {id for table in wanted for id in (table.id, table.renamed_from)}
    templates = [table for table in wanted if is_template(table)]
    found: dict[str, Table] = {}
    for id in sorted(live.keys() - taken):
        named = [table for table in templates if fits(table.id, id)]
        if len(named) > 1:
            raise MigrationError(
                f"table {id!r} can be one of {named[0].id!r} and one of {named[1].id!r}, so nobody can say what is "
                "declared of it: give one of these another text around the braces, or declare a model with "
                f"table={id!r}"
            )
        if named:
            found[id] = named[0]
    return found


def layouts_of(id: str, recorded: Recorded) -> tuple[Layout, ...]:
    """The ``recorded`` layouts of an existing table: under its own id, or else under templates that it fits, if they agree."""
    if id in recorded:
        return recorded[id]
    found = {recorded[template] for template in recorded if placeholders(template) and fits(template, id)}
    return found.pop() if len(found) == 1 else ()


def recorded_as(template: str, recorded: Recorded) -> tuple[Layout, ...]:
    """The ``recorded`` layouts of a template, whatever names its parameters had then."""
    if template in recorded:
        return recorded[template]
    return next((recorded[id] for id in recorded if placeholders(id) and are_alike(id, template)), ())


def superseded(declared: Iterable[Table], live: Iterable[Table], recorded: Recorded) -> tuple[str, ...]:
    """The ids of ``recorded`` templates that nothing declares and whose tables all have another record by now."""
    wanted = {table.id for table in declared}
    now = [id for id in wanted & recorded.keys() if placeholders(id)]
    ids = [table.id for table in live if not is_template(table)]
    found = []
    for template in (id for id in recorded if placeholders(id) and id not in wanted):
        those = [id for id in ids if fits(template, id)]
        covered = all(id in wanted and (id in recorded or any(fits(one, id) for one in now)) for id in those)
        if covered and (those or any(are_alike(one, template) for one in now)):
            found.append(template)
    return tuple(found)


def is_empty(instance: Instance, id: str, live: Iterable[str]) -> bool:
    """Whether table ``id`` holds no row; for a template, whether none of its tables among ``live`` does."""
    ids = [one for one in live if fits(id, one)] if placeholders(id) else [id]
    return all(instance.is_empty(one) for one in ids)


def _known(template: Table, declared: Iterable[Table], live: dict[str, Table], recorded: Recorded) -> Table:
    """The record of ``template``; without one, that of the template to which all its ``live`` tables belonged.

    If they belonged to several, each table gets its own record in ``live``, and is compared with that.
    """
    if lie := recorded_as(template.id, recorded):
        return Table(template.id, (), layouts=_in_families(lie, template.id, live))
    wanted = tuple(declared)
    others = {table.renamed_from for table in wanted} | {table.id for table in wanted if table.layouts}
    templates = [table.id for table in wanted if is_template(table)]
    ids = [id for id in live if fits(template.id, id) and id not in others and not live[id].layouts]
    found = {id: record for id in ids if (record := _record_of(id, recorded, templates)) is not None}
    if len({recorded[record] for record in found.values()}) > 1:
        for id, record in found.items():
            live[id] = evolve(live[id], layouts=recorded[record])
    elif found:
        record = min(found.values())
        lie = _in_families(recorded[record], template.id, live)
        return Table(template.id, (), layouts=lie, renamed_from=record)
    return Table(template.id, ())


def _record_of(id: str, recorded: Recorded, declared: Collection[str]) -> str | None:
    """The template that has the ``recorded`` layouts of a table, preferring a ``declared`` one; None if none has.

    Raises :class:`MigrationError` if two of them differ.
    """
    found = [template for template in recorded if placeholders(template) and fits(template, id)]
    named = [one for one in found if any(are_alike(one, other) for other in declared)] or found
    others = [one for one in named if recorded[one] != recorded[named[0]]]
    if others:
        raise MigrationError(
            f"table {id!r} can have been one of {named[0]!r} and one of {others[0]!r} when it was migrated, and these are "
            "recorded with rows that are written in different ways: declare a model in "
            f"table={id!r}, and beside it the one of these two of which it was"
        )
    return named[0] if named else None


def _in_families(
    recorded: tuple[Layout, ...], template: str, live: Mapping[str, Table]
) -> tuple[Layout, ...]:
    """The ``recorded`` layouts of a template without cells of families that none of its tables has any more."""
    tables = [table for id, table in live.items() if fits(template, id)]
    families = {family.id for table in tables for family in table.families}
    if not tables:
        return recorded
    return in_families(recorded, families)


def _one_of(template: Table, live: Table) -> Table:
    """The declaration of ``template`` for one existing table."""
    return evolve(_among(template, live), id=live.id)


def _among(table: Table, live: Table | None) -> Table:
    """``table`` with the families that exist, or will, instead of those with names in braces.

    An age that is given at run time is taken from the rule in the instance, if that fits, or else from the id.
    """
    found = _families_among(table, live)
    if (
        live is None
        or is_template(live)
        or not any(family.gc and family.gc.given for family in found.families)
    ):
        return found
    values = values_in(table.id, live.id) or {}
    return evolve(found, families=tuple(_with_ages(family, live, values) for family in found.families))


def _with_ages(family: Family, live: Table, values: Mapping[str, str]) -> Family:
    if family.gc is None or not family.gc.given:
        return family
    if set(family.gc.parameters) <= values.keys():
        try:
            return evolve(family, gc=family.gc.bound(values))
        except ValueRefused:
            return family
    there = live.family(family.id)
    return (
        family
        if there is None
        else evolve(family, gc=agreeing(family.gc, there.gc or KeepAll()) or family.gc)
    )


def _families_among(table: Table, live: Table | None) -> Table:
    # If the other side is a declaration too, it may have the same braces.
    fixed = [
        family
        for family in table.families
        if not placeholders(family.id) or (live is not None and live.family(family.id))
    ]
    found = {family.id: family for family in fixed}
    if len(fixed) == len(table.families):
        return table
    for family in _named(table, [family for family in table.families if family not in fixed], live):
        known = found.setdefault(family.id, family)
        if known not in fixed and known != family:
            raise MigrationError(
                f"table {table.id!r}: family {family.id!r} can be one of two with names in braces, of which one keeps "
                f"{known.gc} and the other {family.gc}: give one of them another text around the braces"
            )
    return evolve(table, families=tuple(found[id] for id in sorted(found)))


def _named(table: Table, families: Sequence[Family], live: Table | None) -> Iterator[Family]:
    """The names in an existing table that ``families`` of ``table`` with braces stand for."""
    if live is None:
        return
    values = values_in(table.id, live.id)
    for family in families:
        if values is not None and set(placeholders(family.id)) <= values.keys():
            yield evolve(family, id=filled(family.id, values))
            continue
        for one in live.families:
            # Match both ids at once: a name that occurs in both has one value.
            if fits(f"{table.id}\n{family.id}", f"{live.id}\n{one.id}"):
                yield evolve(family, id=one.id)


def _sorted(tables: Iterable[Table]) -> tuple[Table, ...]:
    return tuple(sorted(tables, key=lambda table: table.id))
