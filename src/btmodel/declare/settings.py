"""The class keywords of a model: table, delimiter, events, bucket, timestamp, nodes, atomic, allow."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from attrs import frozen

from btmodel.declare.declared import as_bytes
from btmodel.declare.problems import Problems
from btmodel.declare.table import SETTINGS, DeclaredTable, declared_table
from btmodel.errors import DeclarationError
from btmodel.near import meant
from btmodel.schema import Bucket, Rate

P = TypeVar("P")
KEYWORDS = ("table", "delimiter", "events", "bucket", "timestamp", "nodes", "atomic", "allow")


def _refuse_all_unknown(where: str, given: Iterable[str], problems: Problems) -> None:
    """Refuse class keywords that mean nothing, naming the one that was probably meant."""
    for name in given:
        problems.one(partial(_refuse_unknown, where, name), None)


def without_table(name: str) -> str:
    """Why a class that has no table cannot be used as a model, and what to do."""
    return (
        f'{name} is no model of a table: give it table=, as in `class {name}(bt.Model, table="...")`, '
        "or use a class with a table that inherits from it"
    )


def refuse_without_table(where: str, given: Iterable[str], problems: Problems) -> None:
    """Refuse the class keywords of a class that is no model of a table."""
    _refuse_all_unknown(where, given, problems)
    known = [name for name in given if name in KEYWORDS]
    if known:
        problems.one(partial(_refuse_without_table, where, known), None)


def _refuse_without_table(where: str, known: Iterable[str]) -> None:
    raise DeclarationError(f"{where}: {', '.join(known)} without table= means nothing")


def _refuse_unknown(where: str, name: str) -> None:
    if name in SETTINGS:
        raise DeclarationError(
            f"{where}: {name} is no class keyword: it is stated with the id of the table, "
            f'table=bt.table("ID", {name}=...)'
        )
    if name not in KEYWORDS:
        raise DeclarationError(f"{where}: unknown class keyword {name!r} ({meant(name, KEYWORDS)})")


@frozen
class Keywords:
    """The class keywords, parsed."""

    table: DeclaredTable
    delimiter: bytes
    events: Rate | None
    bucket: Bucket | None
    timestamp: str | int | None
    nodes: int | None
    atomic: tuple[str, ...]
    allow: Mapping[str, str]


def parse_keywords(where: str, given: Mapping[str, Any], problems: Problems) -> Keywords:
    """The class keywords of the model ``where``; what is wrong with them goes to ``problems``."""
    _refuse_all_unknown(where, given, problems)
    no_allowance: dict[str, str] = {}
    return Keywords(
        table=problems.one(lambda: declared_table(where, given["table"]), DeclaredTable("")),
        delimiter=problems.one(lambda: _delimiter(where, given.get("delimiter", "#")), b""),
        events=problems.one(lambda: _parsed(where, Rate.parse, given.get("events")), None),
        bucket=problems.one(lambda: _parsed(where, Bucket.parse, given.get("bucket")), None),
        timestamp=problems.one(lambda: _timestamp(where, given.get("timestamp")), None),
        nodes=problems.one(lambda: _nodes(where, given.get("nodes")), None),
        atomic=problems.one(lambda: _atomic(where, given.get("atomic", ())), ()),
        allow=problems.one(lambda: _allow(where, given.get("allow")), no_allowance),
    )


def _delimiter(where: str, value: object) -> bytes:
    raw = as_bytes(value)
    if raw is None:
        raise DeclarationError(f"{where}: delimiter: wanted text or bytes, got {value!r}")
    return raw


def _timestamp(where: str, value: object) -> str | int | None:
    if value is None or isinstance(value, str) or (type(value) is int and value == 0):
        return value
    raise DeclarationError(f"{where}: timestamp: wanted the name of a time of the row, or 0, got {value!r}")


def _nodes(where: str, value: object) -> int | None:
    if value is None or (type(value) is int and value >= 1):
        return value
    raise DeclarationError(f"{where}: nodes: wanted a number of nodes from 1 on, got {value!r}")


def _atomic(where: str, value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if isinstance(names, tuple | list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise DeclarationError(
        f"{where}: atomic: wanted the names of the key fields that identify an entity, got {value!r}"
    )


def _parsed(where: str, parse: Callable[[object], P], value: object) -> P | None:
    try:
        return None if value is None else parse(value)
    except DeclarationError as error:
        raise DeclarationError(f"{where}: {error}") from None


def _allow(where: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DeclarationError(
            f"{where}: allow: wanted rules with reasons, {{'KEY001': 'why'}}, got {value!r}"
        )
    return dict(value)
