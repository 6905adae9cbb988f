"""What the fixes of a review write into the source, and why others are not written."""

import tokenize
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from attrs import evolve, field, frozen

from btmodel.cli.output import replacing
from btmodel.cli.source.file import Edit, Region, SourceFile, Sources
from btmodel.cli.source.second_tables import NotWritten, second_tables
from btmodel.errors import GenerationError
from btmodel.lint import Finding, Level, review_all
from btmodel.lint.proof import applied
from btmodel.schema import ModelSchema


def may_be_written(finding: Finding) -> bool:
    """Whether the fix adds tables, or changes an argument and nothing that is stored; what the source says is not looked at."""
    if finding.edit is not None:
        return not finding.edit.rewrites and finding.edit.argument != "table"
    return len(finding.models) > 1 and finding.level is not Level.INFO


@frozen
class WrittenFixes:
    """The findings whose fixes are written, the new texts of files, and why others that change nothing that is stored are not written."""

    fixed: list[Finding] = field(factory=list)
    texts: dict[str, str] = field(factory=dict)
    left: list[tuple[Finding, str]] = field(factory=list)


def fixes(
    findings: Sequence[Finding], models: Sequence[ModelSchema], sources: Sources, root: Path
) -> WrittenFixes:
    """The fixes that change nothing that is stored, written into the files below ``root``.

    First those that change an argument; second tables are made of the models as these leave them.
    """
    arguments = _Changes(root)
    changed = [_with_arguments(arguments, model, _own(findings, model), sources) for model in models]
    if arguments.edits:
        known = {(finding.rule, finding.module, finding.subject) for finding in findings}
        sources = sources.edited(arguments.edits)
        findings = [one for one in review_all(changed) if (one.rule, one.module, one.subject) in known]
    tables = _Changes(root)
    for model in changed:
        _add_tables(tables, model, _own(findings, model), changed, sources)
    both = sources.edited(tables.edits)
    return WrittenFixes(
        [*arguments.fixed, *tables.fixed],
        {path: "\n".join(both.lines(path)) for path in {**arguments.edits, **tables.edits}},
        [*arguments.left, *tables.left],
    )


def _own(findings: Sequence[Finding], model: ModelSchema) -> list[Finding]:
    return [one for one in findings if (one.module, one.model) == (model.module, model.name)]


@frozen
class _Changes:
    """Fixes as edits of files below a folder."""

    root: Path
    fixed: list[Finding] = field(factory=list)
    edits: dict[str, list[Edit]] = field(factory=dict)
    left: list[tuple[Finding, str]] = field(factory=list)

    def take(self, findings: Sequence[Finding], edits: Sequence[Edit]) -> bool:
        """Take these edits for these findings, where their files are below the folder and no earlier ones change the same place."""
        known = [one.region for edit in edits for one in self.edits.get(edit.file, ())]
        if not all(Path(edit.file).resolve().is_relative_to(self.root.resolve()) for edit in edits):
            why = f"its file is not below {self.root}"
        elif any(_overlap(edit.region, region) for edit in edits for region in known):
            why = "another fix changes the same place: it is offered again when the result is reviewed"
        else:
            self.fixed.extend(findings)
            for edit in edits:
                self.edits.setdefault(edit.file, []).append(edit)
            return True
        self.left.extend((finding, why) for finding in findings)
        return False


def _with_arguments(
    changes: _Changes, model: ModelSchema, findings: Sequence[Finding], sources: Sources
) -> ModelSchema:
    """Take the fixes that change an argument and nothing that is stored; the model as they leave it."""
    for finding in findings:
        if finding.edit is None or not may_be_written(finding):
            continue
        edit = sources.edit(finding)
        if edit is None:
            changes.left.append((finding, "its source does not say for sure what the declaration is"))
        elif changes.take([finding], [edit]):
            model = applied(model, finding, finding.edit) or model
    return model


def _add_tables(
    changes: _Changes,
    model: ModelSchema,
    findings: Sequence[Finding],
    models: Sequence[ModelSchema],
    sources: Sources,
) -> None:
    """Take the fixes that only add second tables: all together, or without those that cannot be written."""
    adding = [finding for finding in findings if _added(model, finding)]
    source = sources.file(model.location.file) if model.location and adding else None
    if source is None:
        changes.left.extend((finding, "its file cannot be read") for finding in adding)
        return
    try:
        changes.take(adding, _edits(source, model, adding, models))
    except NotWritten:
        kept: list[Finding] = []
        edits: tuple[Edit, ...] = ()
        for finding in adding:
            try:
                edits = _edits(source, model, [*kept, finding], models)
                kept.append(finding)
            except NotWritten as why:
                changes.left.append((finding, str(why)))
        changes.take(kept, edits)


def _edits(
    source: SourceFile, model: ModelSchema, findings: Sequence[Finding], models: Sequence[ModelSchema]
) -> tuple[Edit, ...]:
    added = (schema for finding in findings for schema in _added(model, finding))
    return second_tables(source, model, added, models)


def _added(model: ModelSchema, finding: Finding) -> Sequence[ModelSchema]:
    """The second tables of a fix that adds nothing else; none of any other, nor of what is only information."""
    if len(finding.models) < 2 or finding.model != model.name or finding.level is Level.INFO:
        return ()
    first, *others = finding.models
    only = evolve(first, queries=()) == evolve(model, queries=()) and set(first.queries) <= set(model.queries)
    return others if only and all(schema.name != model.name for schema in others) else ()


def _overlap(one: Region, other: Region) -> bool:
    """Whether two regions share a character, or are one place."""
    begins, ends = (one.line, one.column), (one.end_line, one.end_column)
    others = (other.line, other.column), (other.end_line, other.end_column)
    return (begins < others[1] and others[0] < ends) or (begins, ends) == others


def write_source(path: Path, text: str) -> None:
    """Write a source file, whole or not at all, in the encoding and with the line ends that it has. Raises :class:`GenerationError`."""
    try:
        raw = path.read_bytes()
        path.open("ab").close()  # a folder that can be written would let a file be replaced that must not be
        encoding, _ = tokenize.detect_encoding(BytesIO(raw).readline)
        end = "\r\n" if b"\r\n" in raw else "\n"
        with replacing(path.resolve()) as file:
            file.write(text.replace("\n", end).encode(encoding))
    except OSError as error:
        raise GenerationError(f"{path}: cannot be written: {error.strerror or error}") from None
