"""One parsed source file: the names in it, the findings located in it, and which fixes can be written as an edit."""

import ast
import re
import tokenize
import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import Parameter, signature
from io import StringIO
from itertools import takewhile
from typing import Self, get_args

from attrs import evolve, field, frozen

from btmodel import declare
from btmodel.cli.source.descriptions import said_at
from btmodel.lint import Finding
from btmodel.schema import Location


class NotWritten(Exception):
    """Why a fix is not written into the source: what was expected of it, as a sentence without its end."""


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
                return cls.of(file.read())
        except (OSError, SyntaxError, ValueError, RecursionError):
            return None

    @classmethod
    def of(cls, text: str) -> Self:
        """The file of a text. Raises :class:`SyntaxError` where it cannot be parsed."""
        return cls(text.split("\n"), ast.parse(text))

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


_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@frozen
class Argument:
    """An argument: ``value`` is what is given; without one, it is to be added to ``owner`` under its ``name``."""

    owner: ast.Call | ast.ClassDef
    name: str | None
    value: ast.expr | None
    whole: ast.expr | ast.keyword | None


def argument(owner: ast.Call | ast.ClassDef, wanted: int | str, names: ImportedNames) -> Argument | None:
    """The argument ``wanted`` of a declaration, whether given by position or by name; None where that is not known."""
    if any(isinstance(one, ast.Starred) for one in _positional(owner)):
        return None
    if isinstance(owner, ast.ClassDef):
        found = _found(owner, wanted, None) if isinstance(wanted, str) else None
        # A table that states more than its id has the id as its first argument.
        if wanted == "table" and found and isinstance(found.value, ast.Call):
            return argument(found.value, 0, names) if names.meant(found.value.func) == "table" else None
        return found
    function = getattr(declare, names.meant(owner.func) or "", None)
    if function is None:
        return None
    parameters = tuple(signature(function).parameters.values())
    for position, parameter in enumerate(parameters):
        if parameter.kind is Parameter.VAR_POSITIONAL and isinstance(wanted, int):
            return _found(owner, None, wanted)
        if wanted in (position, parameter.name):
            return _found(owner, parameter.name, position if parameter.kind in _BY_POSITION else None)
        if isinstance(wanted, str) and wanted in _keys(parameter):
            return _found(owner, wanted, None)
    return None


def change(source: SourceFile, found: Argument, text: str) -> tuple[Region, str]:
    """The region of the source to replace, and its new text, so that the argument becomes ``text``."""
    if found.value is not None:
        return source.region(found.value), text
    line, column, last = source.last_of(found.owner)
    comma = "" if last == "(" else " " if last == "," else ", "
    return Region(line, column, line, column), f"{comma}{found.name}={text}"


def _keys(parameter: Parameter) -> Collection[str]:
    """The names that stand behind ``**figures: Unpack[Figures]``."""
    if parameter.kind is not Parameter.VAR_KEYWORD:
        return ()
    return [key for each in get_args(parameter.annotation) for key in each.__annotations__]


def _positional(owner: ast.Call | ast.ClassDef) -> Sequence[ast.expr]:
    return owner.args if isinstance(owner, ast.Call) else owner.bases


def _found(owner: ast.Call | ast.ClassDef, name: str | None, position: int | None) -> Argument | None:
    given = _positional(owner)
    if position is not None and position < len(given):
        return Argument(owner, name, given[position], given[position])
    for keyword in owner.keywords:
        if name is not None and keyword.arg == name:
            return Argument(owner, name, keyword.value, keyword)
    # Behind ** it may be given, after all.
    if name is None or any(keyword.arg is None for keyword in owner.keywords):
        return None
    return Argument(owner, name, None, None)


# What a literal is made of, beside the names that it calls.
_LITERAL = (
    ast.Constant,
    ast.UnaryOp,
    ast.unaryop,
    ast.BinOp,
    ast.operator,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Call,
    ast.keyword,
    ast.expr_context,
)


def names_there(source: SourceFile, statement: Statement, finding: Finding) -> ImportedNames | None:
    """The names of btmodel at the declaration in the finding's model that a fix changes.

    None where ``statement`` is not sure to be a declaration of that model, and of it alone: it is the only
    class of that name, in the module itself, and the declaration stands in its body.
    """
    node = statement.node
    model = node if isinstance(node, ast.ClassDef) else statement.parent
    if (
        not isinstance(model, ast.ClassDef)
        or model not in source.tree.body
        or model.name != finding.model
        or source.bound[model.name] != 1
        # No class derives from one with a table.
        or all(keyword.arg != "table" for keyword in model.keywords)
    ):
        return None
    if node is model:
        # Another base may do with the keywords what it likes.
        plain = all(source.names.meant(base) == "Model" for base in model.bases)
        return source.names if plain else None
    names = source.names.without(frozenset(bound(model.body)))
    return names if _used_once(model, statement, names) else None


def replaceable(source: SourceFile, found: Argument, names: ImportedNames) -> bool:
    """Whether all that the argument says now is known: it is a literal, or calls of btmodel with such, without comments."""
    if found.value is None:
        return True
    nodes = list(ast.walk(found.value))
    called = {
        part
        for node in nodes
        if isinstance(node, ast.Call) and names.known(node.func)
        for part in ast.walk(node.func)
    }
    plain = all(isinstance(node, _LITERAL) or node in called for node in nodes)
    return plain and not source.commented(source.region(found.value))


def _used_once(model: ast.ClassDef, statement: Statement, names: ImportedNames) -> bool:
    """Whether what is declared is one attribute of the model; a family may be named by many."""
    node, value = statement.node, statement.value
    if isinstance(node, ast.Assign) and len(node.targets) > 1:
        return False
    if isinstance(value, ast.Call) and names.meant(value.func) == "family":
        return True
    return not any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in statement.names
        for part in model.body
        for each in ast.walk(part)
    )


@frozen
class Excerpt:
    """A line of source, and the columns in it that are meant: from ``start`` to before ``end``, in code points."""

    number: int
    line: str
    start: int
    end: int


@frozen
class Edit:
    """A change of a file: ``text`` in the place of a region."""

    file: str
    region: Region
    text: str


@frozen
class Sources:
    """The files of one run, each of which is read and parsed once."""

    _files: dict[str, SourceFile | None] = field(factory=dict, init=False)

    def placed(self, finding: Finding) -> Finding:
        """The finding with the line of the sentence that it is about, where it is about one that is found."""
        there = self._said(finding)
        if there is None or finding.location is None:
            return finding
        return evolve(finding, location=Location(finding.location.file, there.number))

    def excerpt(self, finding: Finding) -> Excerpt | None:
        """The line that a finding is about; None where the source cannot be read, or has changed."""
        there = self._said(finding)
        if there is not None:
            return there
        found = self._found(finding)
        if found is None:
            return None
        source, statement = found
        meant = _argument(statement, finding, source.names)
        if meant and meant.whole:
            at = source.region(meant.whole)
        elif isinstance(statement.node, ast.ClassDef):
            at = _class_name(source, statement.node)
        else:
            at = source.region(statement.value or statement.node)
        line = source.lines[at.line - 1]
        return Excerpt(at.line, line, at.column, at.end_column if at.end_line == at.line else len(line))

    def _said(self, finding: Finding) -> Excerpt | None:
        """The line of the description with the sentence that a finding is about; None where it is about none, or it is not found."""
        at = finding.location
        source = self.file(at.file) if at is not None and finding.said else None
        if at is None or source is None or not finding.said:
            return None
        there = said_at(source.tree, source.lines, finding.model, at.line, finding.said)
        return None if there is None else Excerpt(there[0], source.lines[there[0] - 1], *there[1:])

    def edit(self, finding: Finding) -> Edit | None:
        """The edit that fixes a finding; None if there is none that surely applies."""
        try:
            return self.written(finding) if finding.edit else None
        except NotWritten:
            return None

    def written(self, finding: Finding) -> Edit:
        """The edit that fixes a finding by one argument. Raises :class:`NotWritten` where it is not sure that it does that alone."""
        found = self._found(finding)
        assert finding.edit is not None, "others change more than an argument"
        if found is None or finding.location is None:
            raise NotWritten(
                f"expected the declaration of `{finding.subject}` there, and it cannot be found or read"
            )
        source, statement = found
        names = names_there(source, statement, finding)
        if names is None:
            raise NotWritten(
                f"expected `{finding.subject}` to be declared in a class statement `{finding.model}` at the top of the file, and for that model alone"
            )
        meant, text = _argument(statement, finding, names), names.written(finding.edit.text)
        said = "an argument" if isinstance(finding.edit.argument, int) else f"`{finding.edit.argument}=`"
        if meant is None:
            raise NotWritten(
                f"expected {said} to be given in a call of btmodel itself, and by no `*` or `**`"
            )
        if text is None:
            raise NotWritten(
                "expected the file to import the names that the fix needs, such as `import btmodel as bt`, and to bind them once"
            )
        if not replaceable(source, meant, names):
            raise NotWritten(
                f"expected {said} to be written out there, without names of other values and without comments"
            )
        return Edit(finding.location.file, *change(source, meant, text))

    def file(self, path: str) -> SourceFile | None:
        """A file, read and parsed once; None where that cannot be."""
        if path not in self._files:
            self._files[path] = SourceFile.read(path)
        return self._files[path]

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file that was read, without their ends."""
        source = self.file(path)
        return source.lines if source else ()

    def edited(self, changes: Mapping[str, Sequence[Edit]]) -> "Sources":
        """The same files, with these changes of them."""
        made = Sources()
        made._files.update(self._files)
        for path, edits in changes.items():
            regions = [(edit.region, edit.text) for edit in edits]
            made._files[path] = SourceFile.of(edited(self.lines(path), regions))
        return made

    def _found(self, finding: Finding) -> tuple[SourceFile, Statement] | None:
        """The file of a finding, and the statement at its line; of several there, the one that is meant."""
        if finding.location is None:
            return None
        source = self.file(finding.location.file)
        there = source.statements.get(finding.location.line, ()) if source else ()
        if source is None:
            return None
        found = [one for one in there if _declares(one, finding, source.names)] or there
        return (source, found[0]) if len(found) == 1 else None


def edited(
    lines: Sequence[str], edits: Sequence[tuple[Region, str]], first: int = 1, last: int | None = None
) -> str:
    """The lines from ``first`` to ``last`` with other texts in these regions, which do not overlap."""
    shown = list(lines)
    end = len(lines) if last is None else last
    for region, text in sorted(
        edits, key=lambda one: (one[0].line, one[0].column, one[0].end_line), reverse=True
    ):
        head, tail = shown[region.line - 1][: region.column], shown[region.end_line - 1][region.end_column :]
        new = f"{head}{text}{tail}".split("\n")
        shown[region.line - 1 : region.end_line] = new
        end += len(new) - (region.end_line - region.line + 1)
    return "\n".join(shown[first - 1 : end])


def _declares(statement: Statement, finding: Finding, names: ImportedNames) -> bool:
    """Whether the statement declares what the finding is about: the model, an attribute, or a family by its id."""
    if finding.field is None:
        return isinstance(statement.node, ast.ClassDef) and finding.model in statement.names
    value = statement.value
    if isinstance(value, ast.Call) and names.meant(value.func) == "family":
        # By its id alone: the attribute may be called as another family is.
        return family_id(value) == finding.field
    return finding.field in statement.names


def family_id(family: ast.Call) -> object:
    """The id that a call declares a family with; None where it is no literal."""
    given = [*family.args[:1], *(keyword.value for keyword in family.keywords if keyword.arg == "id")]
    return given[0].value if given and isinstance(given[0], ast.Constant) else None


def _argument(statement: Statement, finding: Finding, names: ImportedNames) -> Argument | None:
    """The argument that the finding's fix changes, where the statement declares what it is about."""
    owner = statement.node if isinstance(statement.node, ast.ClassDef) else statement.value
    if finding.edit is None or not isinstance(owner, ast.Call | ast.ClassDef):
        return None
    if not _declares(statement, finding, names):
        return None
    return argument(owner, finding.edit.argument, names)


def _class_name(source: SourceFile, node: ast.ClassDef) -> Region:
    """The name of a class, or the whole of its first line where it stands on another one."""
    line = source.lines[node.lineno - 1]
    found = re.search(rf"class\s+({re.escape(node.name)})", line)
    start, end = found.span(1) if found else (len(line) - len(line.lstrip()), len(line))
    return Region(node.lineno, start, node.lineno, end)
