"""The places of findings in the files of a project."""

import ast
import re

from attrs import field, frozen

from btmodel.cli.source.arguments import Argument, argument, change
from btmodel.cli.source.certain import names_there, replaceable
from btmodel.cli.source.file import Region, SourceFile, Statement
from btmodel.cli.source.names import Names
from btmodel.lint import Finding


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

    def excerpt(self, finding: Finding) -> Excerpt | None:
        """The line that a finding is about; None where the source cannot be read, or has changed."""
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

    def edit(self, finding: Finding) -> Edit | None:
        """What the fix of a finding changes; None where there is no fix, or none that is sure to apply."""
        found = self._found(finding)
        if found is None or finding.fix is None or finding.location is None:
            return None
        source, statement = found
        names = names_there(source, statement, finding)
        meant = names and _argument(statement, finding, names)
        text = names and names.written(finding.fix.text)
        if not names or not meant or not text or not replaceable(source, meant, names):
            return None
        return Edit(finding.location.file, *change(source, meant, text))

    def _found(self, finding: Finding) -> tuple[SourceFile, Statement] | None:
        """The file of a finding, and the statement at its line; of several there, the one that is meant."""
        if finding.location is None:
            return None
        path = finding.location.file
        if path not in self._files:
            self._files[path] = SourceFile.read(path)
        source = self._files[path]
        there = source.statements.get(finding.location.line, ()) if source else ()
        if source is None:
            return None
        found = [one for one in there if _declares(one, finding, source.names)] or there
        return (source, found[0]) if len(found) == 1 else None


def _declares(statement: Statement, finding: Finding, names: Names) -> bool:
    """Whether the statement declares what the finding is about: the model, an attribute, or a family by its id."""
    if finding.field is None:
        return isinstance(statement.node, ast.ClassDef) and finding.model in statement.names
    value = statement.value
    if isinstance(value, ast.Call) and names.meant(value.func) == "family":
        # By its id alone: the attribute may be called as another family is.
        return _id(value) == finding.field
    return finding.field in statement.names


def _id(family: ast.Call) -> object:
    """The id that a call declares a family with; None where it is no literal."""
    given = [*family.args[:1], *(keyword.value for keyword in family.keywords if keyword.arg == "id")]
    return given[0].value if given and isinstance(given[0], ast.Constant) else None


def _argument(statement: Statement, finding: Finding, names: Names) -> Argument | None:
    """The argument that the finding's fix changes, where the statement declares what it is about."""
    owner = statement.node if isinstance(statement.node, ast.ClassDef) else statement.value
    if finding.fix is None or not isinstance(owner, ast.Call | ast.ClassDef):
        return None
    if not _declares(statement, finding, names):
        return None
    return argument(owner, finding.fix.argument, names)


def _class_name(source: SourceFile, node: ast.ClassDef) -> Region:
    """The name of a class, or the whole of its first line where it stands on another one."""
    line = source.lines[node.lineno - 1]
    found = re.search(rf"class\s+({re.escape(node.name)})", line)
    start, end = found.span(1) if found else (len(line) - len(line.lstrip()), len(line))
    return Region(node.lineno, start, node.lineno, end)
