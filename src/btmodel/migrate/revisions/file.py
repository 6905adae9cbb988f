"""Revisions as files: ``NNNN_slug.toml``, and ``NNNN_slug.py`` beside it where there are data steps.

No code is run to read one, and no instance is asked.
"""

import ast
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from btmodel.errors import DeclarationError, MigrationError, shown
from btmodel.migrate.revisions import toml
from btmodel.migrate.revisions.revision import ID, Link, Revision
from btmodel.schema.recorded import as_data, from_data
from btmodel.schema.table import refuse_renamings

FORMAT = 1
SUFFIX = ".toml"
_KINDS = {
    "message": str,
    "data_steps": list,
    "squashed": str,
    "parents": dict,
    "replaces": dict,
    "tables": dict,
}
_NAMES = {str: "a text", list: "a list", dict: "names and values"}
_HEAD = "The tables as they are once this revision is applied; written by `btmodel migrate`."


def as_text(revision: Revision, changes: Iterable[str] = ()) -> str:
    """The text of the file of ``revision``; ``changes`` are lines of comment for those who review it."""
    data: dict[str, Any] = {"format": FORMAT, "message": revision.message}
    if revision.data_steps:
        data["data_steps"] = list(revision.data_steps)
    if revision.squashed:
        data["squashed"] = revision.squashed
    for name, links in (("parents", revision.parents), ("replaces", revision.replaces)):
        if links:
            data[name] = {link.id: link.checksum for link in links}
    data["tables"] = as_data(revision.tables)
    comments = [_HEAD, *(["", *changes] if changes else [])]
    lines = [*(f"# {one}".rstrip() for one in comments), *toml.written(data, _has_header)]
    return "\n".join(lines) + "\n"


def _has_header(path: tuple[str, ...]) -> bool:
    """A family is a line of ``[tables.QUOTE.families]``; ``[tables.QUOTE.models.Quote.cells]`` is a table."""
    return len(path) <= 3 or path[2] == "models"


def read(path: Path) -> Revision:
    """The revision in the file ``path``.

    Raises :class:`MigrationError`, with the place, for a file that cannot be read, does
    not parse, or says what no revision is.
    """
    if not ID.fullmatch(path.stem):
        raise MigrationError(
            f"{path}: wanted a name such as 0001_add_quotes.toml: four digits or more, then small letters, "
            "digits and underscores"
        )
    try:
        return _revision(path, _parsed(path))
    except DeclarationError as error:
        raise MigrationError(f"{path}: {error}") from None
    except RecursionError:
        raise MigrationError(f"{path}: rules or values are nested too deep to be read") from None


def _parsed(path: Path) -> Mapping[str, Any]:
    try:
        data = tomllib.loads(content(path))
    except ValueError as error:  # TOMLDecodeError is one, and so is a number of too many digits
        raise MigrationError(f"{path}: not TOML: {error}{_conflict(path)}") from None
    format_ = data.pop("format", None)
    if type(format_) is not int or format_ < 1:
        raise MigrationError(f"{path}: wanted format = {FORMAT}, got {shown(format_)}")
    if format_ > FORMAT:
        raise MigrationError(
            f"{path}: it is of format {format_}, and this btmodel reads up to {FORMAT}: use the newer one that wrote it"
        )
    for name, value in data.items():
        if name not in _KINDS:
            raise MigrationError(f"{path}: {shown(name)} is not known: wanted format, {', '.join(_KINDS)}")
        if type(value) is not _KINDS[name]:
            raise MigrationError(f"{path}: {name}: wanted {_NAMES[_KINDS[name]]}, got {shown(value)}")
    return data


def content(path: Path) -> str:
    """The text of a file; raises :class:`MigrationError`."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise MigrationError(f"{path}: wanted UTF-8, got {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise MigrationError(f"{path}: cannot be read: {error.strerror}") from None


def _conflict(path: Path) -> str:
    marks = any(line.startswith("<<<<<<< ") for line in content(path).split("\n"))
    return "; git left a conflict in it" if marks else ""


def _revision(path: Path, data: Mapping[str, Any]) -> Revision:
    if "tables" not in data:
        raise MigrationError(f"{path}: wanted [tables...], the tables once it is applied, got none")
    steps = _steps(path, data.get("data_steps", []))
    tables = from_data(data["tables"], "tables")
    refuse_renamings(tables)
    return Revision(
        path.stem,
        data.get("message", ""),
        _links(path, "parents", data),
        tables,
        steps,
        _code(path, steps),
        _links(path, "replaces", data),
        data.get("squashed", ""),
    )


def _links(path: Path, name: str, data: Mapping[str, Any]) -> tuple[Link, ...]:
    links = data.get(name, {})
    for id, checksum in links.items():
        if not ID.fullmatch(id) or not isinstance(checksum, str):
            raise MigrationError(
                f"{path}: {name}: wanted the id of a revision and its checksum, got {shown(id)} = {shown(checksum)}"
            )
    return tuple(Link(id, checksum) for id, checksum in links.items())


def _steps(path: Path, names: list[Any]) -> tuple[str, ...]:
    for name in names:
        if not isinstance(name, str) or not name.isidentifier() or names.count(name) > 1:
            raise MigrationError(
                f"{path}: data_steps: wanted names of functions, each once, got {shown(name)}"
            )
    return tuple(names)


def _code(path: Path, steps: tuple[str, ...]) -> str:
    """The code of the data steps, which is read and never run here."""
    beside = path.with_suffix(".py")
    if not steps:
        if beside.exists():
            raise MigrationError(f"{beside}: {path.name} names none of its functions: data_steps = [...]")
        return ""
    if not beside.exists():
        raise MigrationError(
            f"{path}: data_steps: {steps[0]!r} should be a function in {beside.name}, which is not there"
        )
    code = content(beside)
    try:
        body = ast.parse(code, str(beside)).body
    except SyntaxError as error:
        raise MigrationError(f"{beside}:{error.lineno}: not Python: {error.msg}") from None
    except (ValueError, MemoryError) as error:
        raise MigrationError(f"{beside}: not Python: {error}") from None
    functions = {one.name for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    for step in steps:
        if step not in functions:
            raise MigrationError(
                f"{beside}: it has no function {step!r}, which {path.name} names as a data step"
            )
    return code
