"""A revision: its tables, its parents, its checksum."""

import ast
import hashlib
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from btmodel.recorded.tables import as_data
from btmodel.schema import Table
from btmodel.words import one_line

# The attributes of a node that do not change what it does.
_BESIDE = frozenset({"ctx", "kind", "type_comment"})
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def form(code: str, without: Collection[str] = (), *, imports: bool = False) -> Any:
    """What ``code`` does, as lists and strings that are the same in every version of Python.

    The functions named in ``without`` are left out. Comments, blank lines, line ends, quotes and docstrings do not
    count, nor does where the module imports its names from, unless ``imports`` are asked for, as earlier versions did: a class of the
    application may get another name. Raises :class:`SyntaxError`, and what :func:`ast.parse` raises.
    """
    module = ast.parse(code)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    module.body = [
        statement
        for statement in module.body
        if not (isinstance(statement, functions) and statement.name in without)
        and (imports or not isinstance(statement, ast.Import | ast.ImportFrom))
    ]
    return _form(module)


def _form(node: Any) -> Any:
    if isinstance(node, list):
        return [_form(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:]
    if isinstance(node, ast.JoinedStr):
        node.values = _joined(node.values)
    # Newer versions of Python have more fields, which are empty unless the code uses them; leave empty ones out.
    fields = ((name, one) for name, one in ast.iter_fields(node) if name not in _BESIDE)
    return [
        type(node).__name__,
        *([name, _form(one)] for name, one in fields if one is not None and one != []),
    ]


def _joined(parts: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string with adjacent strings joined: Python 3.12 splits them at braces, and adds empty ones."""
    found: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant) and not part.value:
            continue
        last = found[-1] if found else None
        if isinstance(part, ast.Constant) and isinstance(last, ast.Constant):
            found[-1] = ast.Constant(str(last.value) + str(part.value))
        else:
            found.append(part)
    return found


# The id is the name of the file, so git reports a conflict if two branches use one id for different revisions.
ID = re.compile(r"(\d{4,9})_[a-z0-9]+(?:_[a-z0-9]+)*")


@frozen
class Link:
    """A reference to a revision: its id, and its checksum at that time."""

    id: str
    checksum: str

    def fits(self, checksum: str) -> bool:
        """Whether ``checksum`` is this link's, or an earlier form of it for a revision with data steps."""
        return not {*self.checksum.split()}.isdisjoint(checksum.split())


@frozen
class PastMove:
    """The move of the rows of table ``old`` to ``new`` by the revision ``by``, which was squashed since; or of cells of a model: ``QUOTE/Quote.MD:ASK``."""

    old: str
    new: str
    by: str

    @property
    def is_of_cells(self) -> bool:
        """Whether cells were moved to another column, rather than rows to another table."""
        return "/" in self.old

    @property
    def data(self) -> dict[str, str]:
        """As a revision file has it."""
        return {"old": self.old, "new": self.new, "by": self.by}


@frozen
class Revision:
    """A step in the history of the schema: a snapshot of all tables, on top of its parents.

    The first revision has no ``parents``, and a merge has two. ``data_steps`` are the names of the functions that
    run, in this order, once the tables are ready, and ``code`` is the text of the file with them. ``replaces`` are
    the squashed revisions that it replaces, the last of them last, and ``squashed`` is its checksum at the time of
    squashing: an instance that applied the replaced revisions has no record of the new one. ``moves`` are those of the replaced ones. ``deployed`` says what the application
    must do, in every process, before this revision may be applied; it is empty for most revisions. ``checksum`` covers what
    a revision does: not its message, nor comments, line ends, formatting, and where its code imports names from.
    """

    id: str
    message: str = field(eq=False)
    parents: tuple[Link, ...]
    tables: tuple[Table, ...]
    data_steps: tuple[str, ...] = ()
    code: str = field(default="", repr=False)
    replaces: tuple[Link, ...] = ()
    squashed: str = ""
    deployed: str = ""
    moves: tuple[PastMove, ...] = ()
    checksum: str = field(init=False, default=Factory(lambda self: checksum(self), takes_self=True))

    @property
    def number(self) -> int:
        """The length of the longest chain of its ancestors, with itself: the first part of its id."""
        return int(self.id.partition("_")[0])

    @property
    def title(self) -> str:
        """The message on one line, whatever characters the file has."""
        return one_line(self.message)

    @property
    def link(self) -> Link:
        """A link to this revision as it is: its code, too."""
        return Link(self.id, self.checksum)

    @property
    def parent_link(self) -> Link:
        """The link of a revision that stands on this one: code may be edited until it is applied, as the tables stay what they are."""
        return Link(self.id, self.checksum_of_tables)

    @property
    def checksum_of_tables(self) -> str:
        """The checksum without data steps and what they wait for."""
        return self._of_tables if self.data_steps or self.deployed else self.checksum

    @property
    def _of_tables(self) -> str:
        # A revision without data steps does something else, though it has the same tables.
        return _digest([*_content(self, [], []), "whatever its data steps do"])

    @property
    def link_to_all(self) -> Link:
        """A link with every checksum that instances, and revisions on this one, may have recorded for it."""
        known = (
            self.checksum,
            self.checksum_with_imports,
            self.checksum_of_lines,
            self.checksum_of_tables,
        )
        return Link(self.id, " ".join(dict.fromkeys(known)))

    @property
    def checksum_with_imports(self) -> str:
        """The checksum in its earlier form, which included the imports."""
        return checksum(self, imports=True)

    @property
    def checksum_of_lines(self) -> str:
        """The checksum in its earlier form, which included formatting."""
        return _checksum(self, _lines(self.code) if self.data_steps else [])

    def is_as(self, checksum: str) -> bool:
        """Whether ``checksum`` was recorded for a revision that does the same, or is of one with the same tables on which others stand."""
        return self.link_to_all.fits(checksum) or checksum == self._of_tables

    def files(self, folder: Path) -> str:
        """Its files as text; the checksum does not show which of them was edited."""
        return f"{folder / self.id}.toml" + (f", or {self.id}.py beside it" if self.data_steps else "")


def checksum(revision: Revision, *, imports: bool = False) -> str:
    """The checksum of what ``revision`` does, in hexadecimal digits; with its ``imports``, as earlier versions recorded it.

    It covers the checksums of the parents, and so all ancestors.
    """
    try:
        return _checksum(revision, form(revision.code, imports=imports) if revision.data_steps else [])
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # code that cannot run
        return revision.checksum_of_lines


def _checksum(revision: Revision, code: object) -> str:
    content = _content(revision, revision.data_steps, code)
    return _digest([*content, revision.deployed] if revision.deployed else content)


def _content(revision: Revision, data_steps: object, code: object) -> list[object]:
    moves = [[one.data for one in revision.moves]] if revision.moves else []
    return [
        [[link.id, link.checksum] for link in revision.parents],
        as_data(revision.tables),
        data_steps,
        code,
        [[link.id, link.checksum] for link in revision.replaces],
        *moves,
    ]


def _digest(content: list[object]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _lines(code: str) -> list[str]:
    """The lines of code without what editors and git change on their own: line ends, and blanks at the ends."""
    return "\n".join(line.rstrip() for line in code.splitlines()).strip("\n").split("\n")
