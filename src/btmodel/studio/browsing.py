"""Rows of a model: the form of a query, what it reads, and a page of its rows."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from time import perf_counter
from typing import Any

from attrs import evolve, frozen

from btmodel import described
from btmodel.client._sync.database import Database
from btmodel.declare import Model, schema_of
from btmodel.declare.row_forms import typed, wanted
from btmodel.errors import BtmodelError, QueryRefused, UndecodableCell, UndecodableKey, ValueRefused
from btmodel.repository.any_repository import AnyRepository, AnyRows
from btmodel.repository.row_texts import texts_of
from btmodel.repository.terms import Terms
from btmodel.rows import Cell, FirstCells, ReadPlan, RowRange
from btmodel.rows.filters import chain
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.studio.state import Studio
from btmodel.words import meant, one_line, raw_key, size_text

SIZES = (25, 100, 500)
MOST_CELLS = 1_000  # of one row on a page of rows
_MOST_BYTES = 16 * 1024 * 1024  # of one page of rows
_MOST_MEASURED = 10_000  # rows
_MOST_TEXT = 160  # characters of one value
KEY = "key"  # the form that asks for a key, a prefix or a range, beside the declared queries


@frozen
class FieldInput:
    """A field of the form: the name that it sends, its label, what was typed, and what may be."""

    name: str
    label: str
    value: str
    hint: str
    required: bool
    error: str = ""


@frozen
class Submitted:
    """What the form was given: a query by its name, values as they were typed, and the place of the page."""

    query: str
    typed: Mapping[str, str]
    size: int
    newest: bool
    after: str
    before: str
    where: str = ""
    equals: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Submitted":
        """The query of a request."""
        size = given.get("rows", "")
        return cls(
            given.get("query", ""),
            {name: value for name, value in given.items() if value and "." in name},
            int(size) if size.isdecimal() and int(size) in SIZES else SIZES[0],
            given.get("newest") == "yes",
            given.get("after", ""),
            given.get("before", ""),
            given.get("where", ""),
            given.get("equals", ""),
        )

    @property
    def parameters(self) -> dict[str, str]:
        """What completes the ids of a table that is named at run time."""
        return {
            name.removeprefix("of."): value for name, value in self.typed.items() if name.startswith("of.")
        }

    @property
    def pairs(self) -> list[tuple[str, object]]:
        """The same as the parameters of an address, without the place of the page."""
        return [
            ("query", self.query),
            *self.typed.items(),
            ("rows", "" if self.size == SIZES[0] else self.size),
            ("newest", "yes" if self.newest else ""),
            ("where", self.where),
            ("equals", self.equals if self.where else ""),
        ]


@frozen
class QueryForm:
    """A form of a model: its inputs, with what was typed, and why they do not make a query, if they do not."""

    name: str
    inputs: tuple[FieldInput, ...]
    reads: str
    can_turn: bool
    error: str = ""


@frozen
class SeenRow:
    """A row on a page: its key, its attributes as text, or why they are not shown."""

    key: bytes
    values: Mapping[str, str]
    problem: str = ""


@frozen
class RowPage:
    """A page of rows: their columns, the keys to go on with, and what the read was and took."""

    names: tuple[str, ...]
    rows: tuple[SeenRow, ...]
    before: bytes | None
    after: bytes | None
    seconds: float
    bytes: int
    cut: bool = False


def form_of(model: type[Model], asked: Submitted) -> QueryForm:
    """The form of the query that was asked for: of a declared one, of all rows, or of any fields of the key."""
    schema = schema_of(model)
    query = _query(schema, asked.query)
    if query is not None:
        inputs = tuple(_inputs_of(model, query, asked))
        return QueryForm(query.name, inputs, described.reads(schema, query), can_turn=False)
    if asked.query == KEY:
        fields = [*(part.name for part in schema.key.asked), *schema.key.hashed]
        hint = "a value, A..B without its end, or a* for a beginning"
        inputs = tuple(
            FieldInput(
                f"key.{name}",
                name,
                asked.typed.get(f"key.{name}", ""),
                f"{_wanted(model, name)}: {hint}",
                False,
            )
            for name in fields
        )
        return QueryForm(KEY, inputs, "a key, a prefix or a range: fill in the first fields", can_turn=True)
    return QueryForm("", (), "every row of the table, from its beginning", can_turn=True)


def _query(schema: ModelSchema, name: str) -> Query | None:
    found = next((query for query in schema.queries if query.name == name), None)
    if found is None and name not in ("", KEY):
        raise QueryRefused(f"{schema.name} has no query {name!r}")
    return found


def _inputs_of(model: type[Model], query: Query, asked: Submitted) -> Iterable[FieldInput]:
    def made(prefix: str, name: str, label: str, *, required: bool) -> FieldInput:
        place = f"{prefix}.{name}"
        return FieldInput(place, label, asked.typed.get(place, ""), _wanted(model, name), required)

    for name in query.equal:
        yield made("is", name, name, required=True)
    if query.starting:
        yield made("starts", query.starting, f"{query.starting} begins with", required=True)
    if query.between:
        yield made("from", query.between, f"{query.between} from", required=False)
        yield made("until", query.between, f"{query.between} before", required=False)


def _wanted(model: type[Model], name: str) -> str:
    """What may be typed for a field."""
    part: KeyField | None = next((field for field in schema_of(model).key.asked if field.name == name), None)
    if part is None or part.codec.python_type is datetime:
        return wanted(model, name)
    return f"{wanted(model, name)}, written as {described.meaning(part)}"


def filters_of(schema: ModelSchema) -> list[str]:
    """The columns by whose value rows can be chosen."""
    return [column.name for column in schema.columns if column.shape.plain]


@frozen
class Ready:
    """A form that makes a query: the read, and its rows as they can be asked for."""

    db: Database
    rows: AnyRepository
    read: AnyRows

    @property
    def plan(self) -> ReadPlan:
        """What is asked."""
        return self.read.plan


def ready(studio: Studio, model: type[Model], asked: Submitted) -> Ready:
    """The read that was asked for. Raises :class:`QueryRefused` and :class:`ValueRefused`, with the field that they are about."""
    rows = studio.repository(model, asked.parameters)
    read = _asked_for(rows, model, asked)
    if asked.where:
        known = filters_of(schema_of(model))
        if asked.where not in known:
            raise QueryRefused(
                f"{model.__name__} has no column {asked.where!r}{meant(asked.where, known, 'columns')}"
            )
        read = rows.narrowed(read, (), {asked.where: typed(model, asked.where, asked.equals)})
    return Ready(studio.db, rows, read)


def _asked_for(rows: AnyRepository, model: type[Model], asked: Submitted) -> AnyRows:
    query = _query(schema_of(model), asked.query)
    if query is not None:
        return rows.ask(query, _values(model, query, asked.typed))
    typed_terms = [
        f"{name.removeprefix('key.')}={value}"
        for name, value in asked.typed.items()
        if name.startswith("key.")
    ]
    terms = Terms.of(model, typed_terms if asked.query == KEY else ())
    read = terms.read(rows)
    return read.backwards() if asked.newest else read


def _values(model: type[Model], query: Query, given: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for prefix, names in (("is", query.equal), ("starts", (query.starting,) if query.starting else ())):
        for name in names:
            text = given.get(f"{prefix}.{name}", "")
            if not text:
                raise ValueRefused(_wanted(model, name), text, where=f"{model.__name__}.{name}")
            values[name] = typed(model, name, text) if prefix == "is" else text
    if query.between:
        ends = [given.get(f"{prefix}.{query.between}", "") for prefix in ("from", "until")]
        if any(ends):
            values[query.between] = tuple(typed(model, query.between, end) if end else None for end in ends)
    return values


def refused_at(form: QueryForm, model: type[Model], error: BtmodelError) -> QueryForm:
    """The form with the error at the input that it is about, or above all of them."""
    where = error.where.rpartition(".")[2] if isinstance(error, ValueRefused) else ""
    at = next((field for field in form.inputs if where and field.name.endswith(f".{where}")), None)
    if at is None:
        return evolve(form, error=str(error))
    inputs = tuple(evolve(field, error=str(error)) if field is at else field for field in form.inputs)
    return evolve(form, inputs=inputs)


def rows_of(ready: Ready, model: type[Model], asked: Submitted) -> RowPage:
    """A page of rows, from the place that was asked for on.

    A row of very many cells is not read whole, and a page ends early where its rows are large: it is for looking. Raises
    :class:`QueryRefused` for a place outside of the query, and :class:`ServerError`.
    """
    plan = ready.plan
    backwards = bool(asked.before)
    if backwards:
        plan = plan.turned().after(raw_key(asked.before))
    elif asked.after:
        plan = plan.after(raw_key(asked.after))
    begun = perf_counter()
    raws, size, cut = _raw_rows(ready, plan, asked.size)
    seconds = perf_counter() - begun
    more = len(raws) > asked.size or cut
    raws = raws[: asked.size]
    if backwards:
        raws.reverse()
    rows = tuple(_seen(ready, key, cells) for key, cells in raws)
    there = {name for row in rows for name in row.values}
    names = tuple(name for name in schema_of(model).attributes if name in there)
    earlier, later = (more, True) if backwards else (bool(asked.after), more)
    return RowPage(
        names,
        rows,
        raws[0][0] if raws and earlier else None,
        raws[-1][0] if raws and later else None,
        seconds,
        size,
        cut,
    )


def _raw_rows(found: Ready, plan: ReadPlan, size: int) -> tuple[list[tuple[bytes, list[Cell]]], int, bool]:
    """The rows as they are stored, one more than are shown; their bytes; and whether these were enough to stop."""
    bounded = evolve(plan, filter=chain([plan.filter, FirstCells(MOST_CELLS + 1)]))
    raws: list[tuple[bytes, list[Cell]]] = []
    total = 0
    if not plan.ranges:
        return raws, total, False
    with closing(found.db.read(bounded.limited(size + 1))) as stream:
        for key, cells in stream:
            raws.append((key, list(cells)))
            total += sum(len(cell.value) + len(cell.qualifier) for cell in raws[-1][1])
            if total > _MOST_BYTES:
                return raws, total, len(raws) <= size
    return raws, total, False


def _seen(found: Ready, key: bytes, cells: list[Cell]) -> SeenRow:
    if len(cells) > MOST_CELLS:
        values = {name: _short(str(value)) for name, value in _key_values(found.rows, key).items()}
        return SeenRow(key, values, f"more than {MOST_CELLS:,} cells: open the row to look at them")
    try:
        row = found.rows.decoded(found.read, key, cells)
    except (UndecodableKey, UndecodableCell) as error:
        return SeenRow(key, {}, str(error))
    return SeenRow(key, {name: _short(text) for name, text in texts_of(row).items()})


def _key_values(rows: AnyRepository, key: bytes) -> Mapping[str, Any]:
    try:
        return rows.codec.keys.taken_apart(key)
    except UndecodableKey:
        return {}


def _short(text: str) -> str:
    shown = one_line(text[: _MOST_TEXT + 1])
    return f"{shown[:_MOST_TEXT]}…" if len(shown) > _MOST_TEXT else shown


def measured(found: Ready) -> str:
    """What it took to make the read for up to so many rows, as ``explain(analyze=True)`` says it."""
    read = found.read.limit(_MOST_MEASURED)
    return read.explain(analyze=True).removeprefix(f"{read.plan}\n")


def table_share(studio: Studio, plan: ReadPlan) -> str:
    """How many of the parts of its table a read touches, by the samples that the service keeps."""
    samples = studio.db.samples(plan.table)
    size = size_text(samples[-1][1] if samples else 0)
    if len(samples) <= 1:
        return f"The service keeps the table, about {size}, in one part."
    touched = _parts_read(plan.ranges, [key for key, _ in samples])
    return f"The service keeps the table, about {size}, in {len(samples):,} parts, of which this read touches {touched:,}."


def _parts_read(ranges: Sequence[RowRange], ends: Sequence[bytes]) -> int:
    """How many of the parts that end with these keys the ranges touch; an empty key is the end of the table."""
    begin, touched = b"", 0
    for end in ends:
        part = RowRange(begin, end)
        touched += any(
            (not part.end or row_range.start < part.end) and (not row_range.end or row_range.end > part.start)
            for row_range in ranges
        )
        begin = end
    return touched
