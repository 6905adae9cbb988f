"""A source file, parsed."""

import ast
import tokenize
import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from io import StringIO
from itertools import takewhile
from typing import Self

from attrs import frozen

from btmodel.cli.source.names import Names, bound


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
        """What stands on the right-hand side of a declaration."""
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
        """Where a node stands."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Region(
            node.lineno, self._column(node.lineno, node.col_offset), end_line, self._column(end_line, end)
        )

    @cached_property
    def names(self) -> Names:
        """What the module calls the names of btmodel."""
        return Names.of(self.tree)

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
        """Where the closing parenthesis of the arguments of ``node`` stands."""
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
        """Where comments begin."""
        return [token.start for token in self._all_tokens if token.type == tokenize.COMMENT]

    @cached_property
    def _tokens(self) -> Sequence[tokenize.TokenInfo]:
        """Those that are no blanks, line ends or comments."""
        return [token for token in self._all_tokens if token.type not in _BLANK]


_BLANK = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
