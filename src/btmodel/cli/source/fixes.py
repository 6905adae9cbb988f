"""What the fixes of a review write into the source, and why others are not written."""

import tokenize
from collections.abc import Collection, Iterable, Sequence
from io import BytesIO
from pathlib import Path

from attrs import evolve, field, frozen

from btmodel.cli.output import replacing
from btmodel.cli.source.file import Edit, NotWritten, Region, SourceFile, Sources
from btmodel.cli.source.owned_twins import owned_twins, owning
from btmodel.cli.source.second_tables import second_tables
from btmodel.design.copied_rows import as_twin, lacking
from btmodel.errors import GenerationError
from btmodel.lint import Finding, Level, review_all
from btmodel.lint.finding import literal
from btmodel.lint.fix_order import added
from btmodel.lint.proof import applied
from btmodel.schema import ModelSchema


def may_be_written(finding: Finding) -> bool:
    """Whether the fix adds tables, has dual writes own one, or changes an argument and nothing that is stored; what the source says is not looked at."""
    if owning(finding):
        return True
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

    First those that change an argument, also of dual writes; second tables are made of the models as these leave them.
    """
    arguments = _Changes(root)
    changed = [_with_arguments(arguments, model, _own(findings, model), sources) for model in models]
    changed = [_with_owner(arguments, model, _own(findings, model), changed, sources) for model in changed]
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
            self.leave(findings, f"expected its file to be below {self.root}, the folder of the project")
        elif any(_overlap(edit.region, region) for edit in edits for region in known):
            why = "another fix changes the same place, and it is offered again when the result is reviewed"
            self.left.extend((finding, why) for finding in findings)
        else:
            self.fixed.extend(findings)
            for edit in edits:
                self.edits.setdefault(edit.file, []).append(edit)
            return True
        return False

    def leave(self, findings: Iterable[Finding], why: object) -> None:
        """Say why the fixes of these findings are not written, and what to write by hand."""
        self.left.extend((finding, f"{why}; by hand, {_by_hand(finding)}") for finding in findings)


def _with_arguments(
    changes: _Changes, model: ModelSchema, findings: Sequence[Finding], sources: Sources
) -> ModelSchema:
    """Take the fixes that change an argument and nothing that is stored; the model as they leave it."""
    for finding in findings:
        if finding.edit is None or not may_be_written(finding):
            continue
        try:
            edit = sources.written(finding)
        except NotWritten as why:
            changes.leave([finding], why)
            continue
        if changes.take([finding], [edit]):
            model = applied(model, finding, finding.edit) or model
    return model


def _with_owner(
    changes: _Changes,
    model: ModelSchema,
    findings: Sequence[Finding],
    models: Sequence[ModelSchema],
    sources: Sources,
) -> ModelSchema:
    """Take the fixes by which dual writes own the rows of the model; the model as they leave it."""
    meant = [finding for finding in findings if owning(finding)]
    if not meant:
        return model
    try:
        edit = owned_twins(model, models, sources)
    except NotWritten as why:
        changes.leave(meant, why)
        return model
    return evolve(model, owned=True) if changes.take(meant, [edit]) else model


def _add_tables(
    changes: _Changes,
    model: ModelSchema,
    findings: Sequence[Finding],
    models: Sequence[ModelSchema],
    sources: Sources,
) -> None:
    """Take the fixes that only add second tables: all together, or without those that cannot be written."""
    others = {one.name for one in models} - {model.name}
    adding = [finding for finding in findings if _adds(model, finding, others)]
    source = sources.file(model.location.file) if model.location and adding else None
    if source is None:
        changes.leave(adding, "expected to read its file, and cannot")
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
                changes.leave([finding], why)
        changes.take(kept, edits)


def _edits(
    source: SourceFile, model: ModelSchema, findings: Sequence[Finding], models: Sequence[ModelSchema]
) -> tuple[Edit, ...]:
    return second_tables(source, model, [finding.models for finding in findings], models)


def _adds(model: ModelSchema, finding: Finding, others: Collection[str]) -> bool:
    """Whether the fix is to be written here: it adds tables, to which it may move queries, changes no other model, and is more than information."""
    names = [made.name for made in added(model, finding)]
    moves = names and set(finding.models[0].queries) <= set(model.queries)
    return bool(moves) and finding.level is not Level.INFO and not any(name in others for name in names)


def _by_hand(finding: Finding) -> str:
    """What a user writes in the place of :func:`fixes`."""
    edit = finding.edit
    if edit is not None:
        name = "" if isinstance(edit.argument, int) else f"{edit.argument}="
        return f"write `{name}{edit.text}` in the declaration of `{finding.subject}`"
    if owning(finding):
        return f"declare `{finding.models[0].twins}`"
    model, *made = finding.models
    classes = [_header(model, schema) for schema in made]
    tables = [schema for schema in made if schema.view is None]
    entries = [model.name, *(as_twin(model, schema) for schema in tables)]
    entries += ["owned=True"] if any(schema.owned or lacking(model, schema) for schema in tables) else []
    twins = f", and write both by `bt.twins({', '.join(entries)})`" if tables else ""
    return f"declare {' and '.join(classes)}{twins}"


def _header(model: ModelSchema, made: ModelSchema) -> str:
    base = f"bt.Model, table={literal(made.table)}"
    if made.view is not None:
        where = f", where={{{made.view.where}}}" if made.view.where else ""
        base = f"bt.Index, of={model.name}, view={literal(made.table.rpartition('/')[2])}{where}"
    return f"`class {made.name}({base})` with the key `{made.key.shape}`"


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
