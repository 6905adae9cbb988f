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

# What a parser knows of a node beside what it does.
_BESIDE = frozenset({"ctx", "kind", "type_comment"})
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def form(code: str, without: Collection[str] = ()) -> Any:
    """What ``code`` does, as lists and texts that are the same in every version of Python, without its functions ``without``.

    Comments, blank lines, line ends, quotes and docstrings are none of it. Raises :class:`SyntaxError`, and what :func:`ast.parse` does.
    """
    module = ast.parse(code)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    module.body = [one for one in module.body if not (isinstance(one, functions) and one.name in without)]
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
    # A version of Python that knows more of a node says nothing of it where the code does not say it.
    fields = ((name, one) for name, one in ast.iter_fields(node) if name not in _BESIDE)
    return [
        type(node).__name__,
        *([name, _form(one)] for name, one in fields if one is not None and one != []),
    ]


def _joined(parts: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, with texts that stand side by side as one: Python 3.12 parts them at braces, and gives empty ones."""
    found: list[ast.expr] = []
    for one in parts:
        if isinstance(one, ast.Constant) and not one.value:
            continue
        last = found[-1] if found else None
        if isinstance(one, ast.Constant) and isinstance(last, ast.Constant):
            found[-1] = ast.Constant(str(last.value) + str(one.value))
        else:
            found.append(one)
    return found


# The id is the name of the file, so two branches cannot write one id for two things without a conflict in git.
ID = re.compile(r"(\d{4,9})_[a-z0-9]+(?:_[a-z0-9]+)*")


@frozen
class Link:
    """A revision as another one names it: its id, and the checksum that it had then."""

    id: str
    checksum: str

    def fits(self, checksum: str) -> bool:
        """Whether ``checksum`` is that, or one of those that a revision with data steps had."""
        return not {*self.checksum.split()}.isdisjoint(checksum.split())


@frozen
class Revision:
    """A step on the way of the schema: a snapshot of all tables, on top of its parents.

    ``parents`` is empty for the first one, and two for a merge. ``data_steps`` are the
    functions that are run once the tables are there, in this order, and ``code`` the text of the
    file that has them. ``replaces`` are the revisions that it stands for since they were
    squashed, the last of them last, and ``squashed`` is the checksum that it had when it was written instead of
    them: an instance that applied them has recorded none of it. ``checksum`` is of what a revision does: its
    message, and comments, line ends and what a formatter changes in its files, are none of it.
    """

    id: str
    message: str = field(eq=False)
    parents: tuple[Link, ...]
    tables: tuple[Table, ...]
    data_steps: tuple[str, ...] = ()
    code: str = field(default="", repr=False)
    replaces: tuple[Link, ...] = ()
    squashed: str = ""
    checksum: str = field(init=False, default=Factory(lambda self: checksum(self), takes_self=True))

    @property
    def number(self) -> int:
        """How many revisions stand below it at most, and itself: the first part of its id."""
        return int(self.id.partition("_")[0])

    @property
    def title(self) -> str:
        """The message as it is shown: on one line, whatever somebody wrote into the file."""
        return one_line(self.message)

    @property
    def link(self) -> Link:
        """The revision as others name it."""
        return Link(self.id, self.checksum)

    @property
    def link_to_all(self) -> Link:
        """The revision as one names it that replaces it, with every checksum that instances may have recorded of it."""
        return Link(self.id, " ".join(dict.fromkeys((self.checksum, self.checksum_of_lines))))

    @property
    def checksum_of_lines(self) -> str:
        """The checksum as it was recorded before what a formatter changes was none of it."""
        return _checksum(self, _lines(self.code) if self.data_steps else [])

    def is_as(self, checksum: str) -> bool:
        """Whether ``checksum`` was recorded of what the revision does."""
        return self.link_to_all.fits(checksum)

    def files(self, folder: Path) -> str:
        """Its files, in words: which of them was edited, no checksum says."""
        return f"{folder / self.id}.toml" + (f", or {self.id}.py beside it" if self.data_steps else "")


def checksum(revision: Revision) -> str:
    """The checksum of what ``revision`` does, in hexadecimal digits.

    It covers the checksums of the parents, and so all that the revision stands on.
    """
    try:
        return _checksum(revision, form(revision.code) if revision.data_steps else [])
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # nobody can run it
        return revision.checksum_of_lines


def _checksum(revision: Revision, code: object) -> str:
    content = [
        [[link.id, link.checksum] for link in revision.parents],
        as_data(revision.tables),
        revision.data_steps,
        code,
        [[link.id, link.checksum] for link in revision.replaces],
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _lines(code: str) -> list[str]:
    """The lines of code without what editors and git change by themselves: line ends, and blanks at ends."""
    return "\n".join(line.rstrip() for line in code.splitlines()).strip("\n").split("\n")
