"""What tells a server and its tables from others of the same names, as far as anything does.

The service gives tables no identity. So a plan is bound to the server, or the file of a local one; to when each of its tables
was migrated last; and to whether they held rows.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attrs import frozen

from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import Journal
from btmodel.schema.parameters import placeholders


@frozen
class Seen:
    """The ``server``, the ids of tables that held ``rows``, and when each was ``migrated`` last."""

    server: str
    rows: frozenset[str]
    migrated: Mapping[str, str]

    @classmethod
    def of(cls, server: str, instance: Instance, journal: Journal, ids: Collection[str]) -> "Seen":
        """What is seen of the tables called ``ids`` now. Raises :class:`btmodel.errors.ServerError`."""
        tables = [one for one in ids if not placeholders(one)]
        rows = frozenset(one for one in tables if not instance.is_empty(one))
        steps = journal.steps()
        return cls(server, rows, {one: steps[one].begun.isoformat() for one in ids if one in steps})

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Seen":
        """What :attr:`data` gave this for; raises ``KeyError`` or ``TypeError`` where it gave another thing."""
        return cls(str(data["server"]), frozenset(map(str, data["rows"])), dict(data["migrated"]))

    @property
    def data(self) -> dict[str, Any]:
        """As values that JSON can write."""
        return {"server": self.server, "rows": sorted(self.rows), "migrated": dict(self.migrated)}

    def moved(self, now: "Seen", destroyed: Collection[str]) -> Iterator[str]:
        """Why what is seen ``now`` may be other tables; of those of which something is ``destroyed``, also that rows came."""
        if self.server != now.server:
            yield f"it was made on {self.server}, and this is {now.server}"
        for id in sorted(self.migrated.keys() | now.migrated.keys()):
            if self.migrated.get(id) != now.migrated.get(id):
                yield f"table {id!r} was migrated since"
        for id in sorted(self.rows - now.rows):
            yield f"table {id!r} held rows, and holds none now: it may have been dropped and made anew"
        for id in sorted((now.rows - self.rows) & {*destroyed}):
            yield f"table {id!r} held no row, and holds some now"
