"""A plan: what applying would do, and what it would not do without being asked by name."""

import difflib
from collections.abc import Collection, Iterable

from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.changes import Change, Effect, UndeclaredFamily, UndeclaredTable
from btmodel.migrate.diff import diff
from btmodel.migrate.instance import Instance
from btmodel.schema import Table


@frozen
class Plan:
    """The changes that lead from what is live to ``declared``, in order.

    ``changes`` is what applying does, ``drift`` what is live and stays undeclared, and
    ``allowed`` the names that were said to allow destructive changes.
    """

    instance: str
    declared: tuple[Table, ...]
    changes: tuple[Change, ...]
    drift: tuple[UndeclaredTable | UndeclaredFamily, ...] = ()
    allowed: frozenset[str] = frozenset()

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes that cannot be made, and those that nobody allowed; with any of them nothing is applied."""
        return tuple(change for change in self.changes if not self.allows(change))

    def allows(self, change: Change) -> bool:
        """Whether ``change`` may be made: it can be, and it loses nothing or was allowed by its name."""
        if change.effect is Effect.IMPOSSIBLE:
            return False
        return change.requires is None or change.requires in self.allowed

    @property
    def by_table(self) -> dict[str, tuple[Change, ...]]:
        """The changes of each table, in the order in which the tables are dealt with."""
        groups: dict[str, tuple[Change, ...]] = {}
        for change in self.changes:
            groups[change.table_id] = (*groups.get(change.table_id, ()), change)
        return groups


def read_plan(instance: Instance, declared: Iterable[Table], allow: Collection[str] = ()) -> Plan:
    """The plan for ``instance`` as it is now.

    Raises :class:`MigrationError` where a name in ``allow`` allows nothing, and
    :class:`btmodel.errors.ServerError`.
    """
    return make_plan(instance.instance, declared, instance.read_tables(), allow)


def make_plan(
    instance: str, declared: Iterable[Table], live: Iterable[Table], allow: Collection[str] = ()
) -> Plan:
    """The plan that leads from ``live`` to ``declared``.

    ``allow`` names each destructive change that is wanted: ``tighten-gc:QUOTE.MD``,
    ``drop-family:QUOTE.MD``, ``drop-table:QUOTE``. Raises :class:`MigrationError` where one
    of these names allows nothing, or not one thing only.
    """
    wanted = tuple(declared)
    found = diff(wanted, live)
    _check(allow, found)
    return Plan(instance, wanted, *split(found, allow), frozenset(allow))


def split(
    found: Iterable[Change], allow: Collection[str]
) -> tuple[tuple[Change, ...], tuple[UndeclaredTable | UndeclaredFamily, ...]]:
    """The changes to apply, with the drops that ``allow`` names; and the drift that stays."""
    changes: list[Change] = []
    drift: list[UndeclaredTable | UndeclaredFamily] = []
    for change in found:
        if not isinstance(change, UndeclaredTable | UndeclaredFamily):
            changes.append(change)
        elif change.requires in allow:
            changes.append(change.drop)
        else:
            drift.append(change)
    return tuple(changes), tuple(drift)


def _check(allow: Collection[str], found: Iterable[Change]) -> None:
    names = [change.requires for change in found if change.requires is not None]
    for name in allow:
        count = names.count(name)
        if count == 0:
            raise MigrationError(f"--allow {name}: nothing here needs that{_nearest(name, names)}")
        if count > 1:
            raise MigrationError(f"--allow {name}: {count} changes have that name, so it allows none of them")


def _nearest(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=3) or names[:3]
    return f"; what can be allowed: {', '.join(near)}" if near else "; nothing has to be allowed"
