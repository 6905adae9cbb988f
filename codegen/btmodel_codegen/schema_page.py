"""What a page says of a project's schema: of each table, and of each model in it."""

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from btmodel import described as phrases
from btmodel.described import segments, stated, width
from btmodel.estimates import key_size, row_size
from btmodel.lint import RULES, Finding, Level, Review, whole_review
from btmodel.schema import KeyField, ModelSchema, RowKey, TwinsSchema
from btmodel.words import as_text, counted, duration_text, one
from btmodel_codegen.grids import (
    Grid,
    Heading,
    cells_of,
    families_of,
    fields_of,
    grid,
    queries_of,
    sizes_of,
)
from btmodel_codegen.prose import Prose, TextRun, code, paragraphs, prose, sentence, words
from btmodel_codegen.twin_texts import facts_of, twins_of

_NAMES = {rule.id: rule.name for rule in RULES}
# A drawn part is as wide as its most bytes, but none so wide that it leaves no room for the others.
_WIDEST = 32


@frozen
class DrawnPart:
    """A part of a drawn key: a field, its number from 1 on and its bytes that are drawn, or a delimiter (0)."""

    number: int
    name: str
    width: str
    example: str
    ruler: str
    bytes: int

    @property
    def long(self) -> bool:
        """Whether its name may be broken anywhere."""
        return TextRun(self.name, True).long


@frozen
class FindingText:
    """A finding as it is shown: what, why, and how to fix it."""

    level: str
    rule: str
    name: str
    subject: str
    message: Prose
    why: Prose
    fix: Prose


@frozen
class Suppression:
    """A rule that a model breaks on purpose: the reason, and what it lets pass."""

    rule: str
    name: str
    reason: Prose
    passed: tuple[tuple[str, Prose], ...]


@frozen
class ModelText:
    """A model as it is shown; ``notes`` are what is not known of its sizes."""

    name: str
    anchor: str
    doc: tuple[Prose, ...]
    facts: tuple[tuple[str, Prose], ...]
    parts: tuple[DrawnPart, ...]
    fields: Grid
    cells: Grid
    sizes: Grid
    notes: tuple[Prose, ...]
    queries: Grid
    findings: tuple[FindingText, ...]
    suppressions: tuple[Suppression, ...]

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of its findings, each once, the gravest first."""
        return tuple(dict.fromkeys(finding.level for finding in self.findings))


@frozen
class TableText:
    """A table as it is shown."""

    id: str
    anchor: str
    families: Grid
    models: tuple[ModelText, ...]


@frozen
class SchemaPage:
    """A whole page: how much there is, a summary of the models, those written together, and every table."""

    counts: str
    summary: Grid
    twins: Grid
    tables: tuple[TableText, ...]


class _Anchors:
    """Names of places of a page, each given once: letters, digits and hyphens, in lower case."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def give(self, kind: str, name: str) -> str:
        wanted = anchor = f"{kind}-{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}"
        count = 1
        while anchor in self._given:
            count += 1
            anchor = f"{wanted}-{count}"
        self._given.add(anchor)
        return anchor


def schema_page(models: Sequence[ModelSchema], twins: Sequence[TwinsSchema] = ()) -> SchemaPage:
    """The page of ``models``: their tables in the order of their ids, the models of each in the order given."""
    review = whole_review(models)
    findings, allowed = _by_model(review.findings), _by_model(review.allowed)
    anchors = _Anchors()
    in_tables = sorted(_by_table(models).items())
    # All of them first, for models lead to one another.
    places = {
        id(schema): anchors.give("model", schema.name) for _, sharing in in_tables for schema in sharing
    }
    named = {(schema.module, schema.name): places[id(schema)] for schema in models}

    def to(model: ModelSchema) -> str | None:
        return named.get((model.module, model.name))

    tables: list[TableText] = []
    summary: list[tuple[Prose, ...]] = []
    for table, sharing in in_tables:
        families = dict.fromkeys(
            family for schema in sharing if not schema.view for family in schema.families
        )
        anchor = anchors.give("table", table)
        texts: list[ModelText] = []
        for model in sharing:
            name = model.module, model.name
            text = _model(model, places[id(model)], findings.get(name, []), allowed.get(name, []))
            text = evolve(text, facts=(*_of_view(model), *text.facts, *facts_of(model, twins, to)))
            texts.append(text)
            summary.append(_line(model, text, anchor))
        ordered = sorted(families, key=lambda family: family.id)
        tables.append(TableText(table, anchor, families_of(ordered), tuple(texts)))
    headings = ("model", "table", "row key", Heading("usual row", number=True), "findings")
    return SchemaPage(
        _counts(models, tables, review),
        grid("All models", headings, summary),
        twins_of(twins, to),
        tuple(tables),
    )


def _by_table(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each table, those of its views behind its own."""
    found: dict[str, list[ModelSchema]] = {}
    for model in sorted(models, key=lambda one: one.view is not None):
        found.setdefault(model.view.of_table if model.view else model.table, []).append(model)
    return found


def _of_view(model: ModelSchema) -> Iterator[tuple[str, Prose]]:
    """What the page says of a view: what it is of, and that it lags."""
    view = model.view
    if view is None:
        return
    yield (
        "view",
        prose(
            f"`{view.definition.id}`, {one(view.kind.value)} of `{view.of}`"
            + (f", where {view.where}" if view.where else "")
        ),
    )
    yield (
        "delay",
        words(
            "the service keeps it some time behind the table, and promises no bound; its rows are read only"
        ),
    )


def _by_model(findings: Iterable[Finding]) -> dict[tuple[str, str], list[Finding]]:
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        found.setdefault((finding.module, finding.model), []).append(finding)
    return found


def _counts(models: Sequence[ModelSchema], tables: Sequence[TableText], review: Review) -> str:
    counts = [counted(len(models), "model"), counted(len(tables), "table")]
    return f"{' in '.join(counts)}; the review: {_levels([finding.level for finding in review.findings]) or 'no findings'}."


def _levels(levels: Sequence[Level]) -> str:
    counts = [(levels.count(level), level.value) for level in Level]
    return ", ".join(
        counted(count, name) if name != "info" else f"{count:,} info" for count, name in counts if count
    )


def _line(model: ModelSchema, text: ModelText, table: str) -> tuple[Prose, ...]:
    """The line of a model in the summary."""
    return (
        code(model.name, text.anchor),
        code(model.table, table),
        code(_shape(model.key)),
        words(phrases.size(row_size(model).usual)),
        words(", ".join(filter(None, (_finding_levels(text), "suppressions" * bool(text.suppressions))))),
    )


def _finding_levels(text: ModelText) -> str:
    return _levels([Level(finding.level) for finding in text.findings])


def _model(
    model: ModelSchema, anchor: str, findings: Sequence[Finding], allowed: Sequence[Finding]
) -> ModelText:
    return ModelText(
        name=model.name,
        anchor=anchor,
        doc=paragraphs(model.doc),
        facts=tuple(_facts(model)),
        parts=tuple(_parts(model.key)),
        fields=fields_of(model),
        cells=cells_of(model),
        sizes=sizes_of(model),
        notes=tuple(map(sentence, phrases.unknown(model))),
        queries=queries_of(model),
        findings=tuple(map(_finding, findings)),
        suppressions=tuple(_suppression(id, str(why), allowed) for id, why in sorted(model.allow.items())),
    )


def _facts(model: ModelSchema) -> Iterator[tuple[str, Prose]]:
    yield "class", code(f"{model.module}.{model.name}")
    yield "row key", code(_shape(model.key))
    yield "bytes of a key", words(phrases.both(key_size(model.key)))
    if model.bucket:
        yield "a row holds", words(f"the events of {one(model.bucket.words)}")
    if model.events:
        yield "events", words(str(model.events))
    if model.lateness:
        yield "events are late by", words(f"up to {duration_text(model.lateness)}")
    if model.nodes:
        yield "nodes", words(f"{model.nodes:,}")
    if settings := "; ".join(stated(model)):
        yield "settings of the table", words(settings)
    if stamps := "; ".join(phrases.stamps(model)):
        yield "timestamps", prose(stamps)


def _shape(key: RowKey) -> str:
    """The key drawn with its field names, its delimiters as they are shown everywhere."""
    names = (f"{part.constant or f'{{{part.name}}}'}" for part in key.fields)
    behind = [as_text(key.behind(part)) for part in key.fields[:-1]]
    return "".join(name + end for name, end in zip(names, [*behind, ""], strict=False))


def _parts(key: RowKey) -> Iterator[DrawnPart]:
    for segment in segments(key):
        part = segment.field
        name = part.name if part else ""
        size = _bytes(part) if part else ""
        most = min(max(part.codec.length.most, 1), _WIDEST) if part else 0
        yield DrawnPart(segment.number, name, size, segment.text, segment.ruler, most)


def _bytes(part: KeyField) -> str:
    text = width(part)
    return f"{text} byte{'' if text == '1' else 's'}"


def _finding(finding: Finding) -> FindingText:
    return FindingText(
        finding.level.value,
        finding.rule,
        finding.name,
        finding.subject,
        sentence(finding.message),
        sentence(finding.why),
        sentence(finding.fix if finding.cost is None else f"{finding.fix}; the cost: {finding.cost}"),
    )


def _suppression(id: str, reason: str, allowed: Iterable[Finding]) -> Suppression:
    passed = tuple((finding.subject, sentence(finding.message)) for finding in allowed if finding.rule == id)
    return Suppression(id, _NAMES.get(id, "no such rule"), sentence(reason.strip()), passed)
