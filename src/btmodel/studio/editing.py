"""Changing one row: the form, its validation by the model, and the write."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import evolve, frozen
from btmodel_codegen.prose import printable

from btmodel.declare import Model, key_of, schema_of, to_dict
from btmodel.declare.row_forms import forms_of, typed, wanted
from btmodel.errors import BtmodelError, MissingRow, QueryRefused, ValueRefused
from btmodel.repository.terms import AnyRepository, as_text
from btmodel.rows import Cell
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.studio.cells import cells_of, digest
from btmodel.studio.state import Studio
from btmodel.words import as_text as bytes_text

_EDITED = {Shape.VALUE, Shape.MAPPING, Shape.MEMBERS}


@frozen
class Input:
    """An attribute in the form: its text, whether it has a value, and why it cannot be changed here, if it cannot."""

    name: str
    text: str
    there: bool
    required: bool
    hint: str
    locked: str = ""
    error: str = ""

    @property
    def area(self) -> bool:
        """Whether its text may need several lines."""
        return "\n" in self.text or len(self.text) > 60


@frozen
class RowForm:
    """The form of a row: a new one where ``key`` is None. ``seen`` tells whether its cells have changed since."""

    inputs: tuple[Input, ...]
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


def _typed_into(one: Input, texts: Mapping[str, str]) -> Input:
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
    for one in attrs.fields(cls):
        column = columns.get(one.name)
        if not one.init or one.name not in forms_of(model) or (column and column.shape.summed):
            continue
        inputs.append(Input(one.name, "", False, one.default is attrs.NOTHING, wanted(model, one.name)))
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
    return RowForm(tuple(_inputs(model, row)), key, digest(cells)), cells


def _inputs(model: type[Model], row: Model) -> Iterator[Input]:
    schema = schema_of(model)
    columns = {column.name: column for column in schema.columns}
    plain = to_dict(row)
    for name in schema.attributes:
        if name not in plain:
            continue
        form = forms_of(model)[name].form
        try:
            text = "" if plain[name] is None else as_text(form.write(plain[name]))
            locked = _locked(schema, columns.get(name), text)
        except ValueError:  # an infinite number, which JSON does not have
            text, locked = str(plain[name]), "JSON has no such value: use a program"
        column = columns.get(name)
        required = bool(column and (column.required or not column.shape.plain))
        yield Input(name, text, plain[name] is not None, required, wanted(model, name), locked)


def _locked(schema: ModelSchema, column: Column | None, text: str) -> str:
    """Why an attribute cannot be changed here; empty where it can."""
    if column is None:
        return "a part of the row key, or of its times: write a row of another key, and delete this one"
    if column.shape not in _EDITED:
        return "versions, events and counters are written by programs, or by `btmodel put`"
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
        raise QueryRefused(f"a row of this key is there already: {bytes_text(key)}")
    return key


def put_changed(studio: Studio, rows: AnyRepository, old: RowForm, new: RowForm, seen: str) -> list[str]:
    """Write what was changed in the form, and nothing else; the names of it.

    Raises :class:`QueryRefused` where the row has changed since it was shown, :class:`ValueRefused`, and :class:`ServerError`.
    """
    assert old.key is not None
    model: type[Model] = rows.model
    cells, _ = cells_of(studio, rows.table, old.key)
    if digest(cells) != seen:
        raise QueryRefused(
            "the row has changed since this form was shown: go back to the row, and begin anew"
        )
    edit = rows.edit(old.key, cells)
    changed = []
    columns = {column.name: column for column in schema_of(model).columns}
    for before, after in zip(old.inputs, new.inputs, strict=True):
        if after.locked or (before.text, before.there) == (after.text, after.there):
            continue
        name = after.name
        changed.append(name)
        if not after.there:
            edit = edit._clear((name,), None, None)
            continue
        value = typed(model, name, after.text)
        if not columns[name].shape.plain:
            earlier = typed(model, name, before.text) if before.text else ()
            if gone := [one for one in earlier if one not in value]:
                edit = edit._remove({name: gone})
        if value or columns[name].shape.plain:
            edit = edit._set({name: value})
    if changed:
        edit.apply(begin=False)
    return changed


def confirm(studio: Studio, texts: Mapping[str, str]) -> None:
    """Raise :class:`QueryRefused` unless the name of a protected instance was typed."""
    wanted = studio.target.instance_id
    if studio.protected and texts.get("confirm", "") != wanted:
        raise QueryRefused(
            f"nothing was written: this is an instance of the Bigtable service, so each change wants its id, {wanted}, typed below"
        )
