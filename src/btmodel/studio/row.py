"""One row: its values and cells as they are stored; its form, validated by the model, and the write; and rows of tables that no model describes."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import Any, assert_never

import attrs
from attrs import evolve, frozen
from btmodel_codegen.prose import printable

from btmodel.codecs import meaning_of
from btmodel.declare import Model, key_of, schema_of, to_dict
from btmodel.declare.row_forms import forms_of, typed, wanted
from btmodel.errors import (
    BtmodelError,
    MissingRow,
    QueryRefused,
    UndecodableCell,
    UndecodableKey,
    ValueRefused,
)
from btmodel.repository.any_repository import AnyRepository
from btmodel.repository.row_texts import json_text, texts_of, time_text
from btmodel.rows import Cell, Families, FirstCells, Qualifiers, ReadPlan, RowRange, Times, WithoutFirst
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.edits import EditStep, RowEdit
from btmodel.rows.filters import Filter, chain
from btmodel.rows.mutations import Change, Delete
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.schema.column import Aggregate
from btmodel.studio.state import Studio
from btmodel.words import as_text as bytes_text
from btmodel.words import one_line

PAGE = 500  # cells of one row at once
SHOWN = 256  # bytes of one value
_TEXT = 80  # of these as text
_NAMED = 4_096  # bytes of a qualifier that is asked for by its name
_ROWS = 25  # of a table without a model
_KEPT = 8 * 1024 * 1024  # bytes of a page of such rows


@frozen
class ShownKeyPart:
    """A field of a row key: its number from 1 on, its bytes, and what they mean."""

    number: int
    name: str
    raw: bytes
    value: str
    meaning: str


@frozen
class SeenCell:
    """A cell: where it is, what it means if a model knows it, and its bytes as far as they are shown."""

    cell: Cell
    column: str
    value: str
    problem: str
    repeats: str = ""  # the field of the key that it holds once more

    @property
    def text(self) -> bytes:
        """The bytes that are shown as text."""
        return self.cell.value[:_TEXT]

    @property
    def shown(self) -> bytes:
        """The first bytes of the value."""
        return self.cell.value[:SHOWN]

    @property
    def cut(self) -> bool:
        """Whether there are more."""
        return len(self.cell.value) > SHOWN

    @property
    def address(self) -> list[tuple[str, object]]:
        """What names it in an address."""
        return [
            ("family", self.cell.family),
            ("qualifier", bytes_text(self.cell.qualifier)),
            ("time", self.cell.timestamp),
        ]


@frozen
class SeenWhole:
    """A row: the parts of its key, its attributes as text, its cells from ``begin`` on, and what is wrong with it."""

    key: bytes
    parts: tuple[ShownKeyPart, ...]
    values: tuple[tuple[str, str, str], ...]
    cells: tuple[SeenCell, ...]
    begin: int
    more: bool
    problem: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of its cells are here."""
        return not self.begin and not self.more


def cells_of(studio: Studio, table: str, key: bytes, begin: int = 0) -> tuple[list[Cell], bool]:
    """The cells of a row from the one of that number on, all versions of them, and whether more follow.

    Raises :class:`MissingTable` and :class:`ServerError`.
    """
    skipped: list[Filter | None] = [WithoutFirst(begin)] if begin else []
    plan = ReadPlan(table, (RowRange.of_key(key),), chain([*skipped, FirstCells(PAGE + 1)]), limit=1)
    with closing(studio.db.read(plan)) as rows:
        for _, cells in rows:
            found = list(cells)
            return found[:PAGE], len(found) > PAGE
    return [], False


def digest(cells: Sequence[Cell]) -> str:
    """What identifies these cells: a form that was shown of them is refused once they have changed."""
    return hashlib.sha256(repr([tuple(cell) for cell in cells]).encode()).hexdigest()


def whole_of(studio: Studio, rows: AnyRepository, key: bytes, begin: int) -> SeenWhole:
    """A row of a model. Raises :class:`MissingTable` and :class:`ServerError`."""
    cells, more = cells_of(studio, rows.table, key, begin)
    values: tuple[tuple[str, str, str], ...] = ()
    problem = ""
    if cells and not begin and not more:
        try:
            values = tuple(_values(rows, key))
        except (UndecodableKey, UndecodableCell) as error:
            problem = str(error)
    elif more and not begin:
        problem = f"more than {PAGE:,} cells: they are shown in parts, and not as attributes"
    parts, why = _parts(rows, key)
    return SeenWhole(
        key, parts, values, tuple(_seen(rows, key, cell) for cell in cells), begin, more, problem or why
    )


def _values(rows: AnyRepository, key: bytes) -> list[tuple[str, str, str]]:
    """The attributes of the row beside those of its key, as a repository reads it; each with how it is stored."""
    model: type[Model] = rows.model
    schema = schema_of(model)
    row = rows.of_key(key)
    if row is None:
        return []
    of_key = {part.name for part in schema.key.asked}
    stored = {
        column.name: f"{column.family}:{bytes_text(column.qualifier)}, {meaning_of(column.codec)}"
        for column in schema.columns
    }
    return [(name, text, stored.get(name, "")) for name, text in texts_of(row).items() if name not in of_key]


def _field_text(value: object) -> str:
    return time_text(value) if isinstance(value, datetime) and value.tzinfo else one_line(str(value))


def _parts(rows: AnyRepository, key: bytes) -> tuple[tuple[ShownKeyPart, ...], str]:
    """The fields of a key, or why it is none of the model."""
    found = []
    try:
        for number, (part, raw) in enumerate(rows.codec.keys.split(key), 1):
            found.append(
                ShownKeyPart(
                    number, part.name, raw, _field_text(part.codec.decode(raw)), meaning_of(part.codec)
                )
            )
    except Exception as error:  # a codec of the user's may raise anything
        return (), str(error)
    return tuple(found), ""


def _seen(rows: AnyRepository, key: bytes, cell: Cell) -> SeenCell:
    column = rows.codec.column_of(cell)
    if column is None:
        return SeenCell(cell, "", "", "", repeats=_repeated(rows, cell))
    try:
        value = column.value(key, cell)
    except UndecodableCell as error:
        return SeenCell(cell, column.column.name, "", str(error))
    shown = one_line(str(value)[: SHOWN + 1])
    return SeenCell(cell, column.column.name, shown[:SHOWN] + "…" * (len(shown) > SHOWN), "")


def _repeated(rows: AnyRepository, cell: Cell) -> str:
    """The field of the key that a cell holds once more."""
    mirrors = ((part.name, part.mirror) for part in schema_of(rows.model).key.fields if part.mirror)
    return next(
        (
            name
            for name, mirror in mirrors
            if (mirror.family, mirror.qualifier) == (cell.family, cell.qualifier)
        ),
        "",
    )


@frozen
class RawPage:
    """Rows of a table as they are stored: keys with their first cells, and where the next page begins."""

    rows: tuple[tuple[bytes, tuple[Cell, ...]], ...]
    after: bytes | None


def raw_rows(studio: Studio, table: str, prefix: bytes, after: bytes) -> RawPage:
    """Rows whose keys begin with ``prefix``, behind the key ``after``. Raises :class:`MissingTable` and :class:`ServerError`."""
    span = RowRange.of_prefix(prefix)
    if after and not span.holds(after):
        raise QueryRefused(f"expected a key that begins with {bytes_text(prefix)}, got {bytes_text(after)}")
    if after:
        span = span.since(after + b"\0")
    plan = ReadPlan(table, (span,), FirstCells(8), limit=_ROWS + 1)
    found: list[tuple[bytes, tuple[Cell, ...]]] = []
    size = 0
    with closing(studio.db.read(plan)) as rows:
        for key, cells in rows:
            found.append((key, tuple(cells)))
            size += sum(len(cell.value) for cell in found[-1][1])
            if size > _KEPT:
                break
    more = len(found) > _ROWS or size > _KEPT
    shown = found[:_ROWS]
    return RawPage(tuple(shown), shown[-1][0] if more else None)


def value_of(
    studio: Studio, table: str, key: bytes, family: str, qualifier: bytes, timestamp: int
) -> bytes | None:
    """The bytes of one cell, or None where there is none."""
    # A filter may have 20 KB, in which a byte of a name takes up to four.
    named = Qualifiers(family, (qualifier,)) if len(qualifier) <= _NAMED else None
    one = chain([Families((family,)), named, Times(timestamp, timestamp + 1_000)])
    plan = ReadPlan(table, (RowRange.of_key(key),), one, limit=1)
    with closing(studio.db.read(plan)) as rows:
        for _, cells in rows:
            return next((cell.value for cell in cells if cell.qualifier == qualifier), None)
    return None


@frozen
class AttributeInput:
    """An attribute in the form: its text, whether it has a value, and why it cannot be changed here, if it cannot.

    Where something is ``added``, in words, the text is an amount, and what it is added to is ``shown``.
    """

    name: str
    text: str
    there: bool
    required: bool
    hint: str
    locked: str = ""
    error: str = ""
    added: str = ""
    shown: str = ""

    @property
    def lines(self) -> int:
        """How many lines its text takes at most, and 1 where it has one line."""
        lines = self.text.count("\n") + 1
        return min(max(lines + 1, 4), 20) if lines > 1 or len(self.text) > 60 else 1


@frozen
class RowForm:
    """The form of a row: a new one where ``key`` is None. ``seen`` shows whether its cells have changed since."""

    inputs: tuple[AttributeInput, ...]
    key: bytes | None = None
    seen: str = ""
    error: str = ""

    def given(self, texts: Mapping[str, str]) -> "RowForm":
        """The same with what somebody typed."""
        return evolve(self, inputs=tuple(_typed_into(one, texts) for one in self.inputs))

    def refused(self, error: BtmodelError, model: type[Model]) -> "RowForm":
        """The same with an error, at the attribute that it is about or above all of them."""
        where = error.where if isinstance(error, ValueRefused) else ""
        names = [one.name for one in self.inputs if f"{where}.".startswith(f"{model.__name__}.{one.name}.")]
        if not names:
            return evolve(self, error=str(error))
        inputs = (evolve(one, error=str(error)) if one.name in names else one for one in self.inputs)
        return evolve(self, inputs=tuple(inputs))


def _typed_into(one: AttributeInput, texts: Mapping[str, str]) -> AttributeInput:
    if one.locked:
        return one
    # A browser ends each line of a text with two characters.
    text = texts.get(f"value.{one.name}", "").replace("\r\n", "\n")
    return evolve(one, text=text, there=one.required or texts.get(f"there.{one.name}") == "yes")


def new_form(model: type[Model]) -> RowForm:
    """The form of a new row: of each attribute that a row is made with, counters left out."""
    cls: Any = model  # the metaclass makes it one of attrs
    columns = {column.name: column for column in schema_of(model).columns}
    inputs = []
    for field in attrs.fields(cls):
        column = columns.get(field.name)
        if not field.init or field.name not in forms_of(model) or (column and column.shape.summed):
            continue
        inputs.append(
            AttributeInput(
                field.name, "", False, field.default is attrs.NOTHING, _wanted(model, field.name, column)
            )
        )
    return RowForm(tuple(inputs))


def form_of(studio: Studio, rows: AnyRepository, key: bytes) -> tuple[RowForm, list[Cell]]:
    """The form of a row that is there, and its cells. Raises :class:`MissingRow`, :class:`UndecodableCell`, and :class:`QueryRefused` for a large one."""
    model: type[Model] = rows.model
    cells, more = cells_of(studio, rows.table, key)
    row = rows.of_key(key)
    if row is None:
        raise MissingRow(model.__name__, rows.table, key, ())
    if more:
        raise QueryRefused(
            f"{model.__name__}: row {bytes_text(key)} has too many cells for a form: use `btmodel put`"
        )
    return RowForm(tuple(_inputs(model, row)), key, _digest(rows, cells)), cells


def _digest(rows: AnyRepository, cells: list[Cell]) -> str:
    """What identifies the cells of a row, but for its counters: adding to one is right whatever it stands at."""
    columns = map(rows.codec.column_of, cells)
    return digest(
        [cell for cell, one in zip(cells, columns, strict=True) if not (one and one.column.shape.summed)]
    )


def _inputs(model: type[Model], row: Model) -> Iterator[AttributeInput]:
    schema = schema_of(model)
    columns = {column.name: column for column in schema.columns}
    plain = to_dict(row)
    for name in schema.attributes:
        if name not in plain:
            continue
        column = columns.get(name)
        try:
            text = _text(forms_of(model)[name].form.write(plain[name])) if plain[name] is not None else ""
            locked = _locked(schema, column, text)
        except ValueError:  # an infinite number, which JSON does not have
            text, locked = str(plain[name]), "JSON has no such value: use a program"
        required = bool(column and (column.required or not column.shape.plain))
        if column and column.shape.summed:
            yield AttributeInput(
                name, "", True, True, _amount_wanted(model, column), "", "", _added(schema, column), text
            )
        else:
            yield AttributeInput(
                name, text, plain[name] is not None, required, _wanted(model, name, column), locked
            )


def _text(value: Any) -> str:
    """A value of JSON as a person edits it: an object with a line for each entry."""
    if not isinstance(value, dict) or not value:
        return json_text(value)
    lines = (json.dumps({name: one}, ensure_ascii=False)[1:-1] for name, one in value.items())
    return "{\n " + ",\n ".join(lines) + "\n}"


def _added(model: ModelSchema, column: Column) -> str:
    """What is done with an amount: the label of its input."""
    family = model.family(column.family)
    kept = {Aggregate.MIN: "smaller", Aggregate.MAX: "greater"}.get(family.aggregate) if family else None  # type: ignore[arg-type]
    if kept:
        return f"offer to {column.name}, which keeps the {kept} number"
    return f"add to {column.name}{' in the present span of time' if column.shape.spanned else ''}"


def _amount_wanted(model: type[Model], column: Column) -> str:
    return _wanted(model, column.name, column) if column.shape.named else "a whole number"


def _wanted(model: type[Model], name: str, column: Column | None) -> str:
    """What may be typed, in words; of a column that is many, the object of JSON that it is."""
    if column is None:
        return wanted(model, name)
    match column.shape:
        case Shape.VALUE | Shape.COUNTER | Shape.MEMBERS:
            return wanted(model, name)
        case Shape.HISTORY | Shape.SLOTS | Shape.MARKS | Shape.COUNTS:
            return 'an object of times and values: {"2026-01-05T10:30Z": ...}'
        case Shape.MAPPING | Shape.COUNTERS:
            return "an object of keys and values"
        case Shape.HISTORIES:
            return "an object of keys and values, each an object of times and values"
        case Shape.TIMED:
            return "an object of keys and values, each a list of a value and its time"
        case _:
            assert_never(column.shape)


def _locked(schema: ModelSchema, column: Column | None, text: str) -> str:
    """Why an attribute cannot be changed here; empty where it can."""
    if column is None:
        return "a part of the row key, or of its times: write a row of another key, and delete this one"
    if schema.stamp.expires:
        return "a row of this model ends as a whole, so it is written as a whole: use `btmodel put`"
    if column.name in schema.key.hashed:
        return "the row key is made from it"
    if printable(text) != text or "\r" in text:
        return "it holds hidden characters, which a form would change: use `btmodel put`"
    return ""


def put_new(rows: AnyRepository, form: RowForm) -> bytes:
    """Write the row that the form describes, unless there is one of its key; its row key.

    Raises :class:`ValueRefused`, :class:`QueryRefused` for a key that is taken, and :class:`ServerError`.
    """
    model: type[Model] = rows.model
    values = {one.name: typed(model, one.name, one.text) for one in form.inputs if one.there}
    row = model(**values)
    key = key_of(row)
    if not rows.put_if_absent(row):
        raise QueryRefused(f"a row with this key already exists: {bytes_text(key)}")
    return key


def put_changed(rows: AnyRepository, old: RowForm, cells: list[Cell], new: RowForm, seen: str) -> list[str]:
    """Write what was changed in the form, and nothing else; the names of it. ``old`` is the form of ``cells``, which are there now.

    Raises :class:`QueryRefused` where the row has changed since it was shown, :class:`ValueRefused`, and :class:`ServerError`.
    """
    assert old.key is not None
    if old.seen != seen:
        raise QueryRefused(
            "the row has changed since this form was shown: go back to the row and start again"
        )
    model: type[Model] = rows.model
    columns = {column.name: column for column in schema_of(model).columns}
    own = _own_time(model, old)
    edit = rows.edit(old.key, cells)
    changed = []
    for before, after in zip(old.inputs, new.inputs, strict=True):
        if after.locked or (before.text, before.there) == (after.text, after.there):
            continue
        column = columns[after.name]
        changed.append(after.name)
        if after.added:
            edit = edit._add({after.name: _amount(model, column, after.text)})
        elif not after.there:
            edit = edit._clear((after.name,), None, None)
        else:
            value = typed(model, after.name, after.text)
            was = typed(model, before.name, before.text) if before.text else None
            if column.shape.plain:
                edit = edit._set({after.name: value, **own})
            else:
                edit = edit._with(_rewritten(edit._row, column, was, value, own))
    if changed:
        edit.apply(begin=False)
    return changed


def _own_time(model: type[Model], form: RowForm) -> dict[str, Any]:
    """The time that a row has in the timestamps of its cells, which those that are written get, too; empty where it has none."""
    stamp = schema_of(model).stamp
    given = {one.name: one.text for one in form.inputs}
    name = stamp.attribute if stamp.stored else None
    return {name: typed(model, name, given[name])} if name and given[name] else {}


def _amount(model: type[Model], column: Column, text: str) -> Any:
    if column.shape.named:
        return typed(model, column.name, text)
    try:
        return int(text)
    except ValueError:
        raise ValueRefused(
            _amount_wanted(model, column), text, where=f"{model.__name__}.{column.name}"
        ) from None


def _rewritten(row: RowEdit, column: Column, before: Any, after: Any, own: Mapping[str, Any]) -> EditStep:
    """The step by which the cells of a column that is many become those of another value; those of both stay as they are."""
    shape = column.shape

    def cells(value: Any) -> dict[tuple[str, bytes, int], Change]:
        if not value:
            return {}
        found = row.edits.set(row.fields, {column.name: value, **(own if shape.stamped else {})}).changes
        timed = shape.versioned or shape.timed
        return {
            (change.family, change.qualifier, change.timestamp if timed else 0): change
            for change in found
            if isinstance(change, Cell)
        }

    old, new = cells(before), cells(after)
    gone = [
        Delete(family, qualifier, *((time, time + MILLISECOND) if shape.versioned else ()))
        for family, qualifier, time in sorted(old.keys() - new.keys())
    ]
    return EditStep((*gone, *(change for place, change in new.items() if old.get(place) != change)))


def confirm(studio: Studio, texts: Mapping[str, str]) -> None:
    """Raise :class:`QueryRefused` unless the name of a protected instance was typed."""
    wanted = studio.target.instance_id
    if studio.protected and texts.get("confirm", "") != wanted:
        raise QueryRefused(
            f"nothing was written: this is an instance of the Bigtable service, so type its id, {wanted}, below to confirm each change"
        )
