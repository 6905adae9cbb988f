"""Saved plans, which are applied exactly as reviewed, or refused.

The file holds the input of the plan, so that the plan can be made again and compared, and the state of the tables
that it concerns, so that it is refused if one of them has changed. A checksum comes last.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate.changes.base import Effect, described
from btmodel.migrate.changes.settings import stated
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan, make_plan, read_facts, read_known
from btmodel.migrate.planning.text import as_json
from btmodel.migrate.tables.templates import concrete
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import Table
from btmodel.schema.names import fits, placeholders
from btmodel.words import natural


def moved(before: Iterable[Table], now: Iterable[Table]) -> tuple[str, ...]:
    """Each table, family, rule, setting and record that differs, with both values."""
    then, there = ({table.id: table for table in tables} for tables in (before, now))
    ids = sorted(then.keys() | there.keys(), key=natural)
    return tuple(line for id in ids for line in _moved(id, then.get(id), there.get(id)))


def _moved(id: str, then: Table | None, now: Table | None) -> Iterator[str]:
    if then is None or now is None:
        if then is not now:
            yield f"table {id} {'is new' if then is None else 'is gone'}"
        return
    yield from _families(then, now)
    old, new = (", ".join(stated(table.settings)) or "no settings" for table in (then, now))
    if old != new:
        yield f"table {id} had {old}, and has {new}"
    elif (then.settings.row_key_schema or "") != (now.settings.row_key_schema or ""):
        yield f"table {id} has another row key schema"
    known, found = ({layout.model: layout for layout in table.layouts} for table in (then, now))
    models = [name for name in sorted(known.keys() | found.keys()) if known.get(name) != found.get(name)]
    if models:
        yield f"how the rows of {id} are written was recorded anew, of {', '.join(models)}"


def _families(then: Table, now: Table) -> Iterator[str]:
    for name in sorted({family.id for table in (then, now) for family in table.families}, key=natural):
        old, new = then.family(name), now.family(name)
        subject = f"family {now.id}.{name}"
        if old is None and new is not None:
            yield f"{subject} is new, and {described(new)}"
        elif new is None and old is not None:
            yield f"{subject} is gone"
        elif old is not None and new is not None and old != new:
            was, is_ = (described(family).removeprefix("keeps ") for family in (old, new))
            yield f"{subject} kept {was}, and keeps {is_}{' with another type of cells' if was == is_ else ''}"


# The service gives tables no identity. So a plan is tied to the server (or the file of a local one), to the time at which
# each of its tables was migrated last, and to whether they held rows.


@frozen
class SeenTables:
    """What identifies the tables of a plan: the ``server``, the ids of tables with ``rows``, and when each was ``migrated`` last."""

    server: str
    rows: frozenset[str]
    migrated: Mapping[str, str]

    @classmethod
    def of(
        cls, server: str, instance: Instance, history: MigrationHistory, ids: Collection[str]
    ) -> "SeenTables":
        """The current values for the tables ``ids``. Raises :class:`btmodel.errors.ServerError`."""
        tables = [one for one in ids if not placeholders(one)]
        rows = frozenset(table for table in tables if not instance.is_empty(table))
        steps = history.steps()
        return cls(server, rows, {one: steps[one].begun.isoformat() for one in ids if one in steps})

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "SeenTables":
        """The value whose :attr:`data` this is; raises ``KeyError`` or ``TypeError`` for other data."""
        return cls(str(data["server"]), frozenset(map(str, data["rows"])), dict(data["migrated"]))

    @property
    def data(self) -> dict[str, Any]:
        """The value as JSON data."""
        return {"server": self.server, "rows": sorted(self.rows), "migrated": dict(self.migrated)}

    def moved(self, now: "SeenTables", destroyed: Collection[str]) -> Iterator[str]:
        """Why the tables seen ``now`` may be different tables; for ids in ``destroyed``, also that rows have appeared."""
        if self.server != now.server:
            yield f"it was made on {self.server}, and this is {now.server}"
        for id in sorted(self.migrated.keys() | now.migrated.keys()):
            if self.migrated.get(id) != now.migrated.get(id):
                yield f"table {id!r} was migrated since"
        for id in sorted(self.rows - now.rows):
            yield f"table {id!r} held rows, and holds none now: it may have been dropped and made anew"
        for id in sorted((now.rows - self.rows) & {*destroyed}):
            yield f"table {id!r} held no row, and holds some now"


# Format 1, which btmodel still reads, does not say on which server the plan was made.
_FORMAT = 2
_SHOWN = 10  # changes that a message names
_KEYS = {
    "format": int,
    "instance": str,
    "allowed": list,
    "declared": dict,
    "live": dict,
    "plan": dict,
    "checksum": str,
}
_SEEN = {"seen": dict}
_FACTS = ("name", "table", "family", "effect", "quiet", "requires", "allowed")


@frozen
class SavedPlan:
    """A plan from a file; ``live`` is plain data, because tables that cannot be declared are compared too."""

    path: str
    instance: str
    declared: tuple[Table, ...]
    live: Mapping[str, Any]
    allowed: frozenset[str]
    shown: Mapping[str, Any] = field(repr=False)
    seen: SeenTables | None = field(default=None, repr=False)

    @property
    def concerned(self) -> frozenset[str]:
        """The ids of the tables that it changes, and of those that they are renamed from or to."""
        changed = {change["table"] for change in self.shown["changes"]}
        return frozenset(
            _concerned(changed, _declared_pairs(self.declared), self.declared) | self.live.keys()
        )

    def read_again(
        self, instance: Instance, history: MigrationHistory | None = None, server: str = ""
    ) -> Plan:
        """Make the plan again, and return it if it is still the same for ``instance`` on ``server``.

        Raises :class:`MigrationError` if the plan is for another instance or server, if a table that it concerns has
        changed or may be a different one with the same name, or if this version of btmodel would do something else.
        Also raises :class:`btmodel.errors.ServerError`.
        """
        if instance.instance != self.instance:
            raise MigrationError(
                f"{self.path} is a plan for {self.instance}, and this is {instance.instance}: nothing was applied"
            )
        _, live = concrete(self.declared, read_known(instance, history, self.concerned))
        now = as_data(live)
        other = sorted(id for id in self.concerned if now.get(id) != self.live.get(id))
        if other:
            moved_since = _moved_since(
                self.path, {id: self.live[id] for id in other if id in self.live}, live, other
            )
            raise MigrationError(
                f"{self.path}: the instance is not what it was when the plan was made: {moved_since}: nothing was applied; make the plan again"
            )
        if self.seen is not None and history is not None:
            self._refuse_others(SeenTables.of(server, instance, history, self.concerned), self.seen)
        facts = read_facts(instance, self.declared, live, () if history is None else history.copies())
        plan = make_plan(self.instance, self.declared, live, self.allowed, facts)
        if _facts(as_json(plan)) != _facts(self.shown):
            raise MigrationError(
                f"{self.path}: its changes would now do something different than when the plan was made (the rows or the clusters "
                "of the instance have changed, or the version of btmodel): nothing was applied; make the plan again"
            )
        return plan

    def _refuse_others(self, now: SeenTables, then: SeenTables) -> None:
        destroyed = {
            one["table"]
            for one in self.shown["changes"]
            if one.get("effect") == Effect.DESTRUCTIVE.name.lower()
        }
        if found := list(then.moved(now, destroyed)):
            raise MigrationError(
                f"{self.path}: the plan may be for other tables: {'; '.join(found[:_SHOWN])}: nothing was applied; make "
                "the plan again"
            )


def _facts(shown: Mapping[str, Any]) -> list[list[Any]]:
    """What the changes of a plan do, without their wording, which depends on the version of btmodel."""
    return [[change.get(fact) for fact in _FACTS] for change in shown["changes"]]


def concerned_by(plan: Plan) -> frozenset[str]:
    """The ids of the tables that ``plan`` changes, and of those that they are or were renamed from or to."""
    pairs = [
        *_declared_pairs(plan.declared),
        *({renaming.old.id, renaming.new.id} for renaming in plan.facts.renamings or ()),
        *({copy.old, copy.new} for copy in (*plan.facts.anew, *plan.facts.reverted)),
    ]
    changed = {id for change in plan.changes for id in (change.table_id, *change.rows_of)}
    return frozenset(_concerned(changed, pairs, plan.declared))


def saved_text(plan: Plan, seen: SeenTables | None = None) -> str:
    """``plan`` as the text of a file, tied to the server and the tables as they were ``seen``."""
    concerned = concerned_by(plan)
    data: dict[str, Any] = {
        "format": _FORMAT if seen else 1,
        "instance": plan.instance,
        "allowed": sorted(plan.allowed),
        "declared": as_data(table for table in plan.declared if table.id in concerned),
        "live": as_data(table for table in plan.live if table.id in concerned),
        "plan": as_json(plan),
        **({"seen": seen.data} if seen else {}),
    }
    return json.dumps({**data, "checksum": _checksum(data)}, indent=2) + "\n"


def load(path: Path) -> SavedPlan:
    """Load the plan whose :func:`saved_text` is in ``path``.

    Raises :class:`MigrationError` if the file cannot be read, is not a plan, or was edited.
    """
    data = _read(path)
    try:
        return _loaded(path, data)
    except RecursionError:
        raise MigrationError(f"{path} is not a saved plan: values are nested too deep to be read") from None


def _loaded(path: Path, data: dict[str, Any]) -> SavedPlan:
    if data["format"] not in (1, _FORMAT):
        raise MigrationError(
            f"{path} is a plan of format {data['format']}, and this version of btmodel reads up to {_FORMAT}: "
            "make the plan again"
        )
    checksum = data.pop("checksum")
    if checksum != _checksum(data):
        raise MigrationError(
            f"{path} was edited, or is damaged: its checksum does not fit; make the plan again"
        )
    try:
        declared = from_data(data["declared"], str(path))
        seen = SeenTables.from_data(data["seen"]) if "seen" in data else None
    except (DeclarationError, KeyError, TypeError) as error:
        raise MigrationError(f"{error}; make the plan again") from error
    return SavedPlan(
        str(path), data["instance"], declared, data["live"], frozenset(data["allowed"]), data["plan"], seen
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise MigrationError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise MigrationError(f"{path} is not a saved plan: {error}") from error
    if isinstance(data, dict):
        data.pop("written_by", None)  # added by the command that writes the file
    if not _is_whole(data):
        raise MigrationError(f"{path} is not a saved plan: expected what `btmodel migrate plan --out` writes")
    plan: dict[str, Any] = data
    return plan


def _is_whole(data: object) -> bool:
    """Whether ``data`` has all parts of a plan that are read before the comparison."""
    if not isinstance(data, dict) or data.keys() not in (_KEYS.keys(), (_KEYS | _SEEN).keys()):
        return False
    if any(type(data[name]) is not (_KEYS | _SEEN)[name] for name in data):
        return False
    changes = data["plan"].get("changes")
    return (
        all(isinstance(name, str) for name in data["allowed"])
        and all(isinstance(table, dict) for table in data["live"].values())
        and isinstance(changes, list)
        and all(isinstance(change, dict) and isinstance(change.get("table"), str) for change in changes)
    )


def _concerned(changed: set[str], pairs: Iterable[set[str]], tables: Iterable[Table]) -> set[str]:
    """The ids in ``changed``, those that they are renamed from or to, and all tables of their templates."""
    templates = [id for id in changed if placeholders(id)]
    named = {table.id for table in tables if any(fits(id, table.id) for id in templates)}
    return changed.union(named, *(pair for pair in pairs if pair & changed))


def _declared_pairs(declared: Iterable[Table]) -> list[set[str]]:
    return [{table.id, table.renamed_from} for table in declared if table.renamed_from is not None]


def _checksum(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _moved_since(path: str, then: Mapping[str, Any], live: Iterable[Table], ids: Collection[str]) -> str:
    """What has changed in the tables ``ids``, or only that they have changed if the difference cannot be described."""
    try:
        lines = moved(from_data(then, path), (table for table in live if table.id in ids))
    except DeclarationError:
        lines = ()  # such tables cannot be declared
    lines = lines or tuple(f"table {id} has changed" for id in ids)
    shown = lines[:_SHOWN]
    more = [f"and {len(lines) - len(shown):,} more"] if len(shown) < len(lines) else []
    return "; ".join([*shown, *more])
