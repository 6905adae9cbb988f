"""Which tables and families the comparison before a drop needs: they are dropped after it, and not as long as it is still to come."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from btmodel.migrate.changes.base import InstanceChange
from btmodel.migrate.changes.moves import DropNewTable
from btmodel.migrate.changes.renames import AbandonFamily, AbandonTable

# A table, or a family of it.
Place = tuple[str, str | None]


def _needs(one: InstanceChange) -> Iterator[Place]:
    """With what the table or family of ``one`` is compared before it is dropped."""
    if isinstance(one, AbandonTable | AbandonFamily):
        return
    for step in one.moved.steps if one.moved else ():
        yield step.target_table, None
        for family in {*step.places.values(), *(new for _, new in step.pairs)}:
            yield step.target_table, family
    if isinstance(one, DropNewTable):
        yield from ((step.table, None) for step in one.steps)
    names = one.step_of
    if names is not None and names.copied:
        yield names.new.id, None
        yield names.new.id, names.family.id if names.family else None


def why_needed(changes: Sequence[InstanceChange], left: Sequence[InstanceChange]) -> Iterator[str]:
    """Why ``changes`` may not drop what the comparison before another drop needs; ``left`` are the things that nothing declares and that stay."""
    dropped = {(change.table_id, change.family_id): change for change in changes if change.drops}
    for one in left if dropped else ():
        # A copy to what was copied on is compared with that one, once the place between is gone.
        if one.requires is None or (one.step_of and _goes_on(one, (*changes, *left))):
            continue
        for place in sorted({*_needs(one)} & dropped.keys(), key=str):
            change = dropped.pop(place)
            if change.table_id == one.table_id and one.family_id is None:
                continue
            yield (
                f"nothing was applied, because {change.name} would drop {change.subject}, with which {one.subject} is compared before that is dropped: first drop "
                f"{one.subject}, with --allow {one.requires}, and {change.subject} after that, or in the same run"
            )


def why_first(changes: Iterable[InstanceChange], left: Iterable[InstanceChange]) -> Iterator[str]:
    """What has to be dropped first of what is ``left``, where ``changes`` copy that with which its rows are compared to a new name."""
    copied = {names.place: names for one in changes if one.moves and (names := one.step_of)}
    for one in left if copied else ():
        for place in sorted({*_needs(one)} & copied.keys(), key=str) if one.moved else ():
            names = copied[place]
            yield (
                f"{names.old_name} is renamed to {names.new_name}, and stays as long as {one.subject}, whose rows are compared with it: drop {one.subject} first, with --allow "
                f"{one.requires}, then {names.old_name}, which is compared with {names.new_name}"
            )


def _goes_on(one: InstanceChange, left: Iterable[InstanceChange]) -> bool:
    names = one.step_of
    place = None if names is None else (names.new.id, names.family.id if names.family else None)
    return any(
        other.step_of is not None and not other.moved and other.step_of.place == place for other in left
    )


def drop_depths(groups: Iterable[Sequence[InstanceChange]]) -> Mapping[str, int]:
    """How many drops have to be made before those of a table, by its id: of tables that are compared with it, step by step."""
    needed: dict[str, set[str]] = {}
    for change in (change for group in groups for change in group if change.drops):
        for table, _ in _needs(change):
            if table != change.table_id:
                needed.setdefault(table, set()).add(change.table_id)
    return {table: _depth(table, needed, ()) for table in needed}


def _depth(table: str, needed: Mapping[str, set[str]], above: Collection[str]) -> int:
    before = [one for one in needed.get(table, ()) if one not in above]
    return 1 + max(_depth(one, needed, (*above, table)) for one in before) if before else 0
