"""One parsed source file, and the names in it."""

import ast
import tokenize
import warnings
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from io import StringIO
from itertools import takewhile
from typing import Self

from attrs import frozen


@frozen
class ImportedNames:
    """The imports at the top of a module whose names mean nothing else in it.

    ``package`` is what it calls btmodel itself, None where it does not import it. ``members``
    are its own names of what it takes from btmodel, and ``dates`` the names that it takes, under the
    same name, from ``datetime``.
    """

    package: str | None
    members: Mapping[str, str]
    dates: frozenset[str]

    @classmethod
    def of(cls, tree: ast.Module) -> Self:
        """The names of the module that ``tree`` is."""
        package: str | None = None
        members: dict[str, str] = {}
        dates: set[str] = set()
        for node in tree.body:
            match node:
                case ast.Import(names=aliases):
                    called = [alias.asname or alias.name for alias in aliases if alias.name == "btmodel"]
                    package = called[0] if called else package
                case ast.ImportFrom(module="btmodel", names=aliases):
                    members |= {alias.asname or alias.name: alias.name for alias in aliases}
                case ast.ImportFrom(module="datetime", names=aliases):
                    dates |= {alias.name for alias in aliases if alias.asname in (None, alias.name)}
        times = Counter(bound(tree.body))
        if "*" in times:  # which may bind any of them anew
            return cls(None, {}, frozenset())
        again = {name for name, count in times.items() if count > 1}
        return cls(package, members, frozenset(dates)).without(again)

    def without(self, hidden: Container[str | None]) -> Self:
        """The names where those that are ``hidden`` mean something else."""
        return type(self)(
            None if self.package in hidden else self.package,
            {own: meant for own, meant in self.members.items() if own not in hidden},
            frozenset(name for name in self.dates if name not in hidden),
        )

    def meant(self, node: ast.expr) -> str | None:
        """The name in btmodel of what ``node`` names, or None where it names nothing of it."""
        match node:
            case ast.Attribute(value=ast.Name(id=package), attr=name) if package == self.package:
                return name
            case ast.Name(id=name):
                return self.members.get(name)
        return None

    def known(self, node: ast.expr) -> bool:
        """Whether ``node`` names something of btmodel or of ``datetime``."""
        return self.meant(node) is not None or (isinstance(node, ast.Name) and node.id in self.dates)

    def written(self, text: str) -> str | None:
        """An expression of one line, with the names behind ``bt.`` as this module writes them.

        None where it lacks one of them, or another one that the expression needs.
        """
        tree = ast.parse(text, mode="eval")
        ours: list[tuple[ast.Attribute, ast.Name]] = [
            (node, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "bt"
        ]
        free = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {"bt"}
        if not free <= self.dates:
            return None
        raw = text.encode()  # a syntax tree counts bytes
        for node, _ in sorted(ours, key=lambda pair: -pair[0].col_offset):
            name = self._name(node.attr)
            if name is None:
                return None
            raw = raw[: node.col_offset] + name.encode() + raw[node.end_col_offset :]
        return raw.decode()

    def _name(self, member: str) -> str | None:
        if self.package is not None:
            return f"{self.package}.{member}"
        return next((own for own, meant in self.members.items() if meant == member), None)


def bound(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a body binds, each as often as it does; ``*`` for those that are not known.

    What functions and classes in it bind is theirs, but for what they declare global.
    """
    rest = list(body)
    while rest:
        node = rest.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                for each in ast.walk(node):
                    if isinstance(each, ast.Global):
                        yield from each.names
                continue
            case ast.Lambda():
                continue
            case ast.alias(name=name, asname=own):
                yield own or name.partition(".")[0]
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
        rest += ast.iter_child_nodes(node)


@frozen
class Region:
    """A part of a source file: lines count from 1, columns from 0 and in code points; the end is behind it."""

    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class Statement:
    """A statement, and the part of the syntax tree in whose body it stands."""

    node: ast.stmt
    parent: ast.AST

    @property
    def value(self) -> ast.expr | None:
        """The right-hand side of a declaration, if it has one."""
        return self.node.value if isinstance(self.node, ast.Assign | ast.AnnAssign) else None

    @property
    def names(self) -> Sequence[str]:
        """The names that it binds."""
        match self.node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                return (name,)
            case ast.Assign(targets=targets):
                return tuple(target.id for target in targets if isinstance(target, ast.Name))
        return ()


@frozen(slots=False)
class SourceFile:
    """The lines of a file, without their ends, and its syntax tree."""

    lines: Sequence[str]
    tree: ast.Module

    @classmethod
    def read(cls, path: str) -> Self | None:
        """The file, in the encoding that it states; None where it cannot be read or parsed."""
        try:
            with tokenize.open(path) as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it was imported already, which gave them
                text = file.read()
                return cls(text.split("\n"), ast.parse(text))
        except (OSError, SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def statements(self) -> Mapping[int, Sequence[Statement]]:
        """The statements by the lines that they, or their values, begin at."""
        found: dict[int, list[Statement]] = defaultdict(list)
        for parent in ast.walk(self.tree):
            for node in ast.iter_child_nodes(parent):
                if isinstance(node, ast.stmt):
                    statement = Statement(node, parent)
                    value = statement.value
                    for line in {node.lineno, value.lineno if value else node.lineno}:
                        found[line].append(statement)
        return found

    def region(self, node: ast.stmt | ast.expr | ast.keyword) -> Region:
        """The region of a node in the file."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Region(
            node.lineno, self._column(node.lineno, node.col_offset), end_line, self._column(end_line, end)
        )

    def text(self, node: ast.expr | ast.keyword) -> str:
        """The source of an expression or of an argument."""
        at = self.region(node)
        lines = list(self.lines[at.line - 1 : at.end_line])
        lines[-1] = lines[-1][: at.end_column]
        lines[0] = lines[0][at.column :]
        return "\n".join(lines)

    @cached_property
    def names(self) -> ImportedNames:
        """The names under which the module knows btmodel's names."""
        return ImportedNames.of(self.tree)

    @cached_property
    def bound(self) -> Mapping[str, int]:
        """How often the module binds each of its names."""
        return Counter(bound(self.tree.body))

    def last_of(self, node: ast.Call | ast.ClassDef) -> tuple[int, int, str]:
        """Line and column behind the last token in the parentheses of ``node``, and that token."""
        closing = self._closing(node)
        last = [token for token in self._tokens if token.end <= closing][-1]
        return (*last.end, last.string)

    def commented(self, region: Region) -> bool:
        """Whether there is a comment in a region."""
        start, end = (region.line, region.column), (region.end_line, region.end_column)
        return any(start <= comment <= end for comment in self._comments)

    def _closing(self, node: ast.Call | ast.ClassDef) -> tuple[int, int]:
        """The position of the closing parenthesis of the arguments of ``node``."""
        if isinstance(node, ast.Call):
            whole = self.region(node)
            return whole.end_line, whole.end_column - 1
        arguments: list[ast.expr | ast.keyword] = [*node.bases, *node.keywords]
        ends = [self.region(each) for each in arguments]
        behind = max((end.end_line, end.end_column) for end in ends)
        rest = takewhile(
            lambda token: token.string != ":", (one for one in self._tokens if one.start >= behind)
        )
        return [token.start for token in rest if token.string == ")"][-1]

    def _column(self, line: int, offset: int) -> int:
        """The column of a byte: syntax trees count the bytes of UTF-8."""
        return len(self.lines[line - 1].encode()[:offset].decode())

    @cached_property
    def _all_tokens(self) -> Sequence[tokenize.TokenInfo]:
        return list(tokenize.generate_tokens(StringIO("\n".join(self.lines)).readline))

    @cached_property
    def _comments(self) -> Sequence[tuple[int, int]]:
        """The positions at which comments begin."""
        return [token.start for token in self._all_tokens if token.type == tokenize.COMMENT]

    @cached_property
    def _tokens(self) -> Sequence[tokenize.TokenInfo]:
        """All tokens except blanks, line ends and comments."""
        return [token for token in self._all_tokens if token.type not in _BLANK]


_BLANK = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
