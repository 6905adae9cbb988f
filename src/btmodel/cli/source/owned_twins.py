"""The edit that has dual writes own the rows of a second table that they write already."""

import ast
from collections.abc import Iterator, Sequence

from btmodel.cli.source.file import Edit, NotWritten, SourceFile, Sources, argument, change
from btmodel.lint import Finding, Level
from btmodel.schema import ModelSchema


def owning(finding: Finding) -> bool:
    """Whether the fix is that dual writes own the rows of the model, and nothing else: it is then called twins, and owned."""
    made = finding.models[0] if len(finding.models) == 1 else None
    return made is not None and made.owned and made.twins is not None and finding.level is not Level.INFO


def owned_twins(model: ModelSchema, models: Sequence[ModelSchema], sources: Sources) -> Edit:
    """The declaration of the dual writes that write the model, with ``owned=True``.

    Owned, `replace` deletes the old row in each of their tables. Raises :class:`NotWritten` where no such declaration stands in a file of
    ``models``, or where two rows of its first model may have one row in one of them, of which the one would then delete that of the other.
    """
    files = dict.fromkeys(one.location.file for one in (model, *models) if one.location)
    found = [
        (path, source, call)
        for path in files
        if (source := sources.file(path)) is not None
        for call in _twins_of(model, source)
    ]
    if len(found) != 1:
        raise NotWritten(
            f"expected one declaration of dual writes with `{model.name}` in the files of the models, found {len(found) or 'none'}"
        )
    ((path, source, call),) = found
    known = {one.name: {part.name for part in one.key.asked} for one in models}
    first, *others = [_called(entry) for entry in call.args]
    wanted = known.get(first or "")
    for other in others:
        if wanted is None or other not in known or not wanted <= known[other]:
            raise NotWritten(
                f"two rows of `{first}` may have one row in `{other}`, as its key has not all of theirs, and to own it would delete that with either of them"
            )
    meant = argument(call, "owned", source.names)
    if meant is None:
        raise NotWritten("the dual writes are declared with `*` or `**`, so it is not known what they have")
    return Edit(path, *change(source, meant, "True"))


def _twins_of(model: ModelSchema, source: SourceFile) -> Iterator[ast.Call]:
    """The calls of `bt.twins` at the top of a file that have the model as a twin."""
    for node in source.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(call := node.value, ast.Call):
            twin = any(_called(entry) == model.name for entry in call.args[1:])
            if twin and source.names.meant(call.func) == "twins":
                yield call


def _called(entry: ast.expr) -> str | None:
    """The name of the model of an entry: alone, or in front of the function that makes its rows."""
    entry = entry.elts[0] if isinstance(entry, ast.Tuple) and entry.elts else entry
    return entry.id if isinstance(entry, ast.Name) else None
