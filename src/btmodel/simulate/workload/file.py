"""Workloads in a TOML file."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import field, frozen

from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.schema import Rate
from btmodel.schema.rate import parse_every
from btmodel.simulate.workload.text import share_of
from btmodel.simulate.workload.workload import Stated
from btmodel.words import meant

_CLUSTER = {"nodes": (int, "a whole number"), "storage": (str, "text")}


@frozen
class WorkloadFile:
    """The contents of a workload file: ``models`` by name, the ``cluster``, and the assumptions."""

    models: Mapping[str, Stated] = field(factory=dict)
    cluster: Mapping[str, Any] = field(factory=dict)
    assume: Mapping[str, str] = field(factory=dict)


def read_file(path: Path) -> WorkloadFile:
    """Read the workload file at ``path``. Raises :class:`SimulationRefused`, with the file and the place in it."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SimulationRefused(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SimulationRefused(f"{path}: {error}") from None
    cluster, assume = document.pop("cluster", {}), document.pop("assume", {})
    models = {name: _stated(f"{path}: [{name}]", table) for name, table in document.items()}
    for name, value in _table(f"{path}: [cluster]", cluster).items():
        if name not in _CLUSTER:
            raise SimulationRefused(f"{path}: [cluster]: no {name!r}{meant(name, [*_CLUSTER], 'it has')}")
        kind, meaning = _CLUSTER[name]
        if type(value) is not kind:
            raise SimulationRefused(f"{path}: [cluster] {name}: expected {meaning}, got {value!r}")
    texts = {name: str(value) for name, value in _table(f"{path}: [assume]", assume).items()}
    return WorkloadFile(models, cluster, texts)


def _stated(where: str, table: Any) -> Stated:
    found: dict[str, Any] = {}
    for name, value in _table(where, table).items():
        if name not in _READERS:
            raise SimulationRefused(f"{where}: no {name!r}{meant(name, [*_READERS], 'it has')}")
        try:
            found[name] = _READERS[name](f"{where} {name}", value)
        except DeclarationError as error:
            raise SimulationRefused(f"{where} {error}") from None
    return Stated(**found)


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SimulationRefused(f"{where}: expected a table, got {value!r}")
    return value


def _start(where: str, value: Any) -> datetime:
    if not isinstance(value, date):
        raise SimulationRefused(f"{where}: expected a time such as 2026-01-05T00:00:00Z, got {value!r}")
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _history(where: str, value: Any) -> timedelta:
    """A length of time; 0 means none, as on the command line."""
    return timedelta(0) if str(value).strip() == "0" else parse_every(value, "history")


def _distributions(where: str, value: Any) -> Mapping[str, Any]:
    for name, given in _table(where, value).items():
        if not isinstance(given, str | dict):
            raise SimulationRefused(f"{where}.{name}: expected text, or values with weights, got {given!r}")
    return _table(where, value)


def _counts(where: str, value: Any) -> Mapping[str, int]:
    for name, count in _table(where, value).items():
        if type(count) is not int or count < 1:
            raise SimulationRefused(f"{where}.{name}: expected a whole number from 1 on, got {count!r}")
    return _table(where, value)


_READERS: Mapping[str, Callable[[str, Any], Any]] = {
    "events": lambda where, value: Rate.parse(value),
    "growth": share_of,
    "daily": share_of,
    "history": _history,
    "start": _start,
    "fields": _distributions,
    "counts": _counts,
    "reads": lambda where, value: {name: str(told) for name, told in _table(where, value).items()},
}
