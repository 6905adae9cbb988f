"""An instance in memory: what the service documents, and failures on demand."""

from collections.abc import Callable, Collection, Iterable, Sequence

from attrs import evolve
from some_tables import as_live

from btmodel.errors import MissingTable, SchemaConflict, ServerError
from btmodel.schema import Family, Table
from btmodel.schema.settings import TableSettings

READS = {"read_tables", "table", "replicated", "transactional_profiles"}
Before = Callable[["MemoryInstance", str, str], None]


class MemoryInstance:
    """Tables in a dict. ``before`` is called with the method and the table of each call, and may raise."""

    instance = "projects/p/instances/memory"

    def __init__(self, tables: Iterable[Table] = (), before: Before = lambda *_: None) -> None:
        self.tables = {table.id: table for table in as_live(*tables)}
        self.before = before
        self.calls: list[tuple[str, str]] = []

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        self._called("read_tables", "")
        return tuple(self.tables[id] for id in sorted(self.tables) if ids is None or id in ids)

    def table(self, id: str) -> Table | None:
        self._called("table", id)
        return self.tables.get(id)

    def create_table(self, table: Table) -> None:
        self._called("create_table", table.id)
        if table.id in self.tables:
            raise SchemaConflict(f"{table.id} exists")
        self.tables[table.id] = as_live(table)[0]

    def modify_families(
        self,
        table: str,
        *,
        create: Sequence[Family] = (),
        update: Sequence[Family] = (),
        drop: Sequence[str] = (),
        ignore_warnings: bool = False,
    ) -> None:
        self._called("modify_families", table)
        if table not in self.tables:
            raise MissingTable(table, self.instance)
        families = {family.id: family for family in self.tables[table].families}
        for family in create:
            if family.id in families:
                raise SchemaConflict(f"{table}.{family.id} exists")
            families[family.id] = family
        for family in update:
            if family.id not in families:
                raise ServerError(f"no such family {family.id}")
            families[family.id] = family
        for id in drop:
            if families.pop(id, None) is None:
                raise ServerError(f"no such family {id}")
        self.tables[table] = evolve(
            self.tables[table], families=tuple(families[id] for id in sorted(families))
        )

    def update_settings(self, table: str, settings: TableSettings, *, ignore_warnings: bool = False) -> None:
        self._called("update_settings", table)
        if table not in self.tables:
            raise MissingTable(table, self.instance)
        live = self.tables[table]
        self.tables[table] = evolve(live, settings=settings.over(live.settings))

    def replicated(self) -> bool | None:
        self._called("replicated", "")
        return False

    def transactional_profiles(self) -> tuple[str, ...] | None:
        self._called("transactional_profiles", "")
        return ("default",)

    def delete_table(self, id: str) -> None:
        self._called("delete_table", id)
        if self.tables.pop(id, None) is None:
            raise MissingTable(id, self.instance)

    @property
    def changes(self) -> list[tuple[str, str]]:
        return [call for call in self.calls if call[0] not in READS]

    def _called(self, method: str, table: str) -> None:
        self.calls.append((method, table))
        self.before(self, method, table)
