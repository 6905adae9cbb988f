"""An instance in memory: what the service documents, and failures on demand."""

from collections.abc import Callable, Collection, Iterable, Sequence

from attrs import evolve
from some_tables import as_live

from btmodel.client.admin_messages import rule_message
from btmodel.errors import MissingTable, SchemaConflict, ServerError
from btmodel.schema import AuthorizedView, Family, SchemaBundle, Table
from btmodel.schema.model import TableSettings
from btmodel.server import protos
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError
from btmodel.server.schema import check_relaxation

READS = {"replication_mark", "read_tables", "table", "is_empty", "replicated", "transactional_profiles"}
Before = Callable[["MemoryInstance", str, str], None]


class MemoryInstance:
    """Tables in a dict. ``before`` is called with the method and the table of each call, and may raise."""

    instance = "projects/p/instances/memory"

    def __init__(
        self,
        tables: Iterable[Table] = (),
        before: Before = lambda *_: None,
        *,
        several: bool | None = False,
        filled: Collection[str] = (),
    ) -> None:
        self.tables = {table.id: table for table in as_live(*tables)}
        self.several = several  # clusters
        self.filled = set(filled)  # the tables that hold a row
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
        self._refuse(table, update, drop, ignore_warnings)
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
        old, new = live.settings.row_key_schema, settings.row_key_schema
        if old and new is not None and old != new and (new or not ignore_warnings):
            raise ServerError("Row key schema in-place modification is not allowed")
        self.tables[table] = evolve(live, settings=settings.over(live.settings))

    def replicated(self) -> bool | None:
        self._called("replicated", "")
        return self.several

    def replication_mark(self, table: str) -> str | None:
        self._called("replication_mark", table)
        return None

    def is_empty(self, table: str) -> bool:
        self._called("is_empty", table)
        return table not in self.filled

    def transactional_profiles(self) -> tuple[str, ...] | None:
        self._called("transactional_profiles", "")
        return ("default",)

    def delete_table(self, id: str) -> None:
        self._called("delete_table", id)
        if id not in self.tables:
            raise MissingTable(id, self.instance)
        if self.tables[id].settings.deletion_protection:
            raise ServerError("deletion protection field is set to true")
        if self.tables[id].settings.change_stream:
            raise ServerError("the change stream is enabled")
        del self.tables[id]

    def create_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        self._called("create_part", table)
        self._set_parts(table, part.id, part)

    def update_part(
        self,
        table: str,
        part: AuthorizedView | SchemaBundle,
        fields: Sequence[str],
        *,
        ignore_warnings: bool = False,
    ) -> None:
        self._called("update_part", table)
        self._set_parts(table, part.id, part)

    def delete_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        self._called("delete_part", table)
        self._set_parts(table, part.id, None, views=isinstance(part, AuthorizedView))

    def _set_parts(
        self, table: str, id: str, part: AuthorizedView | SchemaBundle | None, *, views: bool = False
    ) -> None:
        live = self.tables[table]
        views = views or isinstance(part, AuthorizedView)
        left = [one for one in (live.authorized if views else live.bundles) if one.id != id]
        made = tuple(sorted([*left, *([part] if part else [])], key=lambda one: one.id))
        self.tables[table] = evolve(live, **{"authorized" if views else "bundles": made})

    @property
    def changes(self) -> list[tuple[str, str]]:
        return [call for call in self.calls if call[0] not in READS]

    def _refuse(self, id: str, update: Sequence[Family], drop: Sequence[str], ignore_warnings: bool) -> None:
        live = self.tables[id]
        if drop and live.settings.deletion_protection:
            raise ServerError("deletion protection field is set to true")
        for family in update if self.several else ():
            old = live.family(family.id)
            if old is not None:
                try:
                    check_relaxation(rule(old), rule(family), family.id, ignore_warnings)
                except RequestError as error:
                    raise ServerError(str(error)) from error

    def _called(self, method: str, table: str) -> None:
        self.calls.append((method, table))
        self.before(self, method, table)


def rule(family: Family) -> Message:
    """The rule of a family as the local server knows it."""
    message = protos.admin("GcRule")()
    sent = rule_message(family.gc)
    if sent is not None:
        message.ParseFromString(type(sent).serialize(sent))
    return message
