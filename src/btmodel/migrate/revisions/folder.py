"""Read and write the folder of revision files."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from btmodel.errors import DeclarationError, MigrationError, shown
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.revision import ID, Link, PastMove, Revision
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema.table import refuse_renamings

# Reading a revision runs no code and needs no instance.

# We write TOML ourselves because the form matters: each fact that a person may change stands on a line of its own,
# so that a diff in git shows what changed.

Place = tuple[str, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def written(data: Mapping[str, Any], has_header: Callable[[Place], bool], path: Place = ()) -> Iterator[str]:
    """The lines of TOML for ``data``; ``has_header`` says which mappings get a header, the others stand on one line.

    Values are strings, integers, booleans, and lists and mappings of these; keys and strings may be any that Unicode
    can encode.
    """
    tables = {
        name: one for name, one in data.items() if isinstance(one, Mapping) and has_header((*path, name))
    }
    if path and (len(tables) < len(data) or not data):
        yield ""
        yield f"[{'.'.join(map(key, path))}]"
    for name, one in data.items():
        if name not in tables:
            yield from _line(name, one)
    for name, one in tables.items():
        yield from written(one, has_header, (*path, name))


def key(name: str) -> str:
    """A key, in quotes if TOML requires them."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: str) -> str:
    """A string in quotes; invisible characters are escaped."""
    return f'"{"".join(map(_letter, value))}"'


def value(one: Any) -> str:
    """A value on one line."""
    match one:
        case bool():
            return "true" if one else "false"
        case int():
            return str(one)
        case str():
            return text(one)
        case Mapping():
            pairs = ", ".join(f"{key(name)} = {value(part)}" for name, part in one.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            return f"[{', '.join(map(value, one))}]"


def _line(name: str, one: Any) -> Iterator[str]:
    """A key with its value; a list of mappings takes one line for each, and a text of several lines stands as it is."""
    if isinstance(one, list) and one and all(isinstance(part, Mapping) for part in one):
        yield f"{key(name)} = ["
        yield from (f"    {value(part)}," for part in one)
        yield "]"
    elif isinstance(one, str) and _is_literal(one):
        yield f"{key(name)} = '''\n{one}'''"
    else:
        yield f"{key(name)} = {value(one)}"


def _is_literal(value: str) -> bool:
    """Whether a text has several lines, and can stand between three quotes as it is."""
    lines = value.split("\n")
    fits = all(line.isprintable() and line == line.rstrip() for line in lines)
    return len(lines) > 1 and fits and "'''" not in value and not value.endswith("'")


def _letter(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


FORMAT = 1
SUFFIX = ".toml"
_KINDS = {
    "message": str,
    "data_steps": list,
    "squashed": str,
    "deployed": str,
    "moves": list,
    "parents": dict,
    "replaces": dict,
    "tables": dict,
}
_NAMES = {str: "a text", list: "a list", dict: "names and values"}
_HEAD = "The tables as they are once this revision is applied; written by `btmodel migrate`."


def as_text(revision: Revision, changes: Iterable[str] = ()) -> str:
    """The text of the file of ``revision``; ``changes`` become comment lines for reviewers."""
    data: dict[str, Any] = {"format": FORMAT, "message": revision.message}
    if revision.data_steps:
        data["data_steps"] = list(revision.data_steps)
    if revision.squashed:
        data["squashed"] = revision.squashed
    if revision.deployed:
        data["deployed"] = revision.deployed
    if revision.moves:
        data["moves"] = [one.data for one in revision.moves]
    for name, links in (("parents", revision.parents), ("replaces", revision.replaces)):
        if links:
            data[name] = {link.id: link.checksum for link in links}
    data["tables"] = as_data(revision.tables)
    comments = [_HEAD, *(["", *changes] if changes else [])]
    lines = [*(f"# {comment}".rstrip() for comment in comments), *written(data, _has_header)]
    return "\n".join(lines) + "\n"


def _has_header(path: tuple[str, ...]) -> bool:
    """Families stand on one line of ``[tables.QUOTE.families]``; ``[tables.QUOTE.models.Quote.cells]`` and each view get a header."""
    return len(path) <= 3 or path[2] in ("models", "views")


def read(path: Path) -> Revision:
    """Read the revision in the file ``path``.

    Raises :class:`MigrationError`, with the place, if the file cannot be read, does not parse, or is not a revision.
    """
    if not ID.fullmatch(path.stem):
        raise MigrationError(
            f"{path}: expected a name such as 0001_add_quotes.toml: four digits or more, then small letters, "
            "digits and underscores"
        )
    beside = path.with_suffix(".py")
    return _of_texts(path, content(path), content(beside) if beside.exists() else None)


@lru_cache(maxsize=1_024)  # parsing takes far longer than reading
def _of_texts(path: Path, text: str, code: str | None) -> Revision:
    """The revision in the file ``path`` with this ``text``; ``code`` is the text of the file beside it, None if there is none."""
    try:
        return _revision(path, _parsed(path, text), code)
    except DeclarationError as error:
        raise MigrationError(f"{path}: {error}") from None
    except RecursionError:
        raise MigrationError(f"{path}: rules or values are nested too deep to be read") from None


def _parsed(path: Path, text: str) -> Mapping[str, Any]:
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or a number with too many digits
        raise MigrationError(f"{path}: not TOML: {error}{_conflict(text)}") from None
    format_ = data.pop("format", None)
    if type(format_) is not int or format_ < 1:
        raise MigrationError(f"{path}: expected format = {FORMAT}, got {shown(format_)}")
    if format_ > FORMAT:
        raise MigrationError(
            f"{path}: it is of format {format_}, and this btmodel reads up to {FORMAT}: use the newer one that wrote it"
        )
    for name, value in data.items():
        if name not in _KINDS:
            raise MigrationError(f"{path}: {shown(name)} is not known: expected format, {', '.join(_KINDS)}")
        if type(value) is not _KINDS[name]:
            raise MigrationError(f"{path}: {name}: expected {_NAMES[_KINDS[name]]}, got {shown(value)}")
    return data


def content(path: Path) -> str:
    """The content of a file; raises :class:`MigrationError`."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise MigrationError(f"{path}: expected UTF-8, got {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise MigrationError(f"{path}: cannot be read: {error.strerror}") from None


def _conflict(text: str) -> str:
    marks = any(line.startswith("<<<<<<< ") for line in text.split("\n"))
    return "; git left a conflict in it" if marks else ""


def _revision(path: Path, data: Mapping[str, Any], code: str | None) -> Revision:
    if "tables" not in data:
        raise MigrationError(f"{path}: expected [tables...], the tables once it is applied, got none")
    steps = _steps(path, data.get("data_steps", []))
    tables = from_data(data["tables"], "tables")
    refuse_renamings(tables)
    return Revision(
        path.stem,
        data.get("message", ""),
        _links(path, "parents", data),
        tables,
        steps,
        _code(path, steps, code),
        _links(path, "replaces", data),
        data.get("squashed", ""),
        data.get("deployed", ""),
        _moves(path, data.get("moves", [])),
    )


def _moves(path: Path, moves: list[Any]) -> tuple[PastMove, ...]:
    for move in moves:
        if (
            not isinstance(move, dict)
            or {*move} != {"old", "new", "by"}
            or not all(isinstance(one, str) for one in move.values())
        ):
            raise MigrationError(f"{path}: moves: expected old, new and by, each a text, got {shown(move)}")
    return tuple(PastMove(**move) for move in moves)


def _links(path: Path, name: str, data: Mapping[str, Any]) -> tuple[Link, ...]:
    links = data.get(name, {})
    for id, checksum in links.items():
        if not ID.fullmatch(id) or not isinstance(checksum, str):
            raise MigrationError(
                f"{path}: {name}: expected the id of a revision and its checksum, got {shown(id)} = {shown(checksum)}"
            )
    return tuple(Link(id, checksum) for id, checksum in links.items())


def _steps(path: Path, names: list[Any]) -> tuple[str, ...]:
    for name in names:
        if not isinstance(name, str) or not name.isidentifier() or names.count(name) > 1:
            raise MigrationError(
                f"{path}: data_steps: expected names of functions, each once, got {shown(name)}"
            )
    return tuple(names)


def _code(path: Path, steps: tuple[str, ...], code: str | None) -> str:
    """The ``code`` of the data steps, which is read here and never run."""
    beside = path.with_suffix(".py")
    if not steps:
        if code is not None:
            raise MigrationError(f"{beside}: {path.name} names none of its functions: data_steps = [...]")
        return ""
    if code is None:
        raise MigrationError(
            f"{path}: data_steps: {steps[0]!r} should be a function in {beside.name}, which is not there"
        )
    try:
        body = ast.parse(code, str(beside)).body
    except SyntaxError as error:
        raise MigrationError(f"{beside}:{error.lineno}: not Python: {error.msg}") from None
    except (ValueError, MemoryError) as error:
        raise MigrationError(f"{beside}: not Python: {error}") from None
    functions = {
        statement.name for statement in body if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for step in steps:
        if step not in functions:
            raise MigrationError(
                f"{beside}: it has no function {step!r}, which {path.name} names as a data step"
            )
    return code


_ASIDE = "squashed"


def read_folder(folder: Path) -> Graph:
    """The revisions in ``folder``; none if the folder does not exist.

    Every ``*.toml`` file must be a revision. Raises :class:`MigrationError`, with the place.
    """
    return graph_of(folder, map(read, files(folder)))


def files(folder: Path) -> list[Path]:
    """The revision files, ordered by name; raises :class:`MigrationError`.

    Hidden files are skipped: they belong to editors and file systems.
    """
    try:
        found = (path for path in folder.iterdir() if path.suffix == SUFFIX)
        return sorted(path for path in found if not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise MigrationError(f"{folder}: cannot be read: {error.strerror}") from None


def write(folder: Path, revision: Revision, changes: Iterable[str] = ()) -> Path:
    """Write a new revision with the code of its data steps, and return its file.

    Raises :class:`MigrationError` if a revision with this name exists, which is left unchanged, or if the disk fails.
    """
    path = folder / f"{revision.id}{SUFFIX}"
    if revision.data_steps:
        _write(path.with_suffix(".py"), revision.code.encode())
    _write(path, as_text(revision, changes).encode())
    return path


def _write(path: Path, text: bytes) -> None:
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:  # a full disk
                path.unlink()
                raise
    except OSError as error:
        raise MigrationError(f"{path}: cannot be written: {error.strerror}") from None


def set_aside(folder: Path, id: str) -> Path:
    """Move the files of a revision to a subfolder that is never read, and return that folder.

    Raises :class:`MigrationError` if a file with this name is there, or cannot be moved.
    """
    aside = folder / _ASIDE
    for suffix in (".py", SUFFIX):  # the .toml file, which makes it a revision, comes last
        path, there = folder / f"{id}{suffix}", aside / f"{id}{suffix}"
        if not path.exists():
            continue
        if there.exists():
            raise MigrationError(
                f"{path}: cannot be moved to {there}, which exists: move that file away, and delete this one"
            )
        try:
            aside.mkdir(exist_ok=True)
            path.rename(there)
        except OSError as error:
            raise MigrationError(f"{path}: cannot be moved to {there}: {error.strerror}") from None
    return aside


def remove(folder: Path, ids: Iterable[str]) -> None:
    """Delete the files of revisions, including their data steps; raises :class:`MigrationError`."""
    for id in ids:
        for suffix in (".py", SUFFIX):  # the .toml file, which makes it a revision, comes last
            path = folder / f"{id}{suffix}"
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise MigrationError(f"{path}: cannot be deleted: {error.strerror}") from None


def is_committed(folder: Path, id: str) -> bool:
    """Whether the last commit has every file of the revision as it is now; false without git."""
    paths = [path.name for path in sorted(folder.glob(f"{id}.*"))]
    try:
        status = subprocess.run(
            ["git", "status", "--porcelain", "--ignored", "--", *paths],
            cwd=folder,
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return status.returncode == 0 and not status.stdout
