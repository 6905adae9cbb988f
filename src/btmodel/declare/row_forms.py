"""How the attributes of a row stand in JSON, and what pydantic, which asks a class for its schema, makes of them."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from weakref import WeakKeyDictionary

import attrs
from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.aware_times import in_whole_micros, time_of
from btmodel.codecs.cell import Base64Text, CellCodec, PerEntry
from btmodel.codecs.cell.json import Form, Misfit, form_of, nullable, of_dict, of_items, of_list, unique_keys
from btmodel.codecs.key import KeyCodec
from btmodel.declare.build import without_none
from btmodel.declare.keywords import without_table
from btmodel.declare.metaclass import ModelMeta
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.rows.collections import HELD, History
from btmodel.schema import Column, KeyField, Shape


@frozen
class AttributeForm:
    """The type of one attribute, without classes of ours, which libraries do not know, and how its values stand in JSON.

    ``by_entry`` says that each entry has values of another type.
    """

    annotation: Any
    form: Form
    by_entry: bool = False


_FORMS: WeakKeyDictionary[ModelMeta, dict[str, AttributeForm]] = WeakKeyDictionary()


def forms_of(model: ModelMeta) -> dict[str, AttributeForm]:
    """The form of each attribute of a model, by its name."""
    found = _FORMS.get(model)
    if found is None:
        schema = model.__schema__
        annotations = {name: one.annotation for name, one in model.__declared__.items()}
        stored: dict[str, KeyField | Column] = {field.name: field for field in schema.key.asked}
        stored |= {column.name: column for column in schema.columns}
        found = _FORMS[model] = {
            name: _attribute(annotations[name], stored.get(name)) for name in schema.attributes
        }
    return found


def _attribute(annotation: Any, stored: KeyField | Column | None) -> AttributeForm:
    """The form of an attribute; one that is not stored in a key or a cell is the time in the timestamps."""
    if not isinstance(stored, Column) or stored.shape.single:
        inner, optional = without_none(annotation)
        form = _value(inner, stored.codec if stored else None)
        return AttributeForm(annotation, nullable(form) if optional else form)
    inner = get_args(annotation)
    if stored.shape is Shape.MEMBERS:
        return _members(inner[0], stored)
    codec = stored.codec
    item: Form | Callable[[Any], Form]
    if stored.shape.entered:
        key, value = inner
        annotated, item = _entry(value, stored, codec)
        if isinstance(codec, PerEntry):
            item = _by_entry(value, stored, codec)
    else:
        key, annotated = datetime, inner[0]
        item = _value(annotated, stored.names if stored.shape.marked else codec)
    written = of_dict(_name(key, stored.names if stored.shape.named else None), item)
    return AttributeForm(
        dict.__class_getitem__((key, annotated)),
        Form(written.wanted, lambda value: written.write(dict(value)), written.read),
        isinstance(codec, PerEntry),
    )


def _by_entry(annotation: Any, column: Column, codec: PerEntry) -> Callable[[Any], Form]:
    """The form of each entry by its key, which chooses the codec."""

    def form(name: Any) -> Form:
        try:
            return _entry(annotation, column, codec.of(name))[1]
        except ValueRefused as error:
            raise Misfit(error.wanted, name) from None

    return form


def _entry(annotation: Any, column: Column, codec: CellCodec[Any]) -> tuple[Any, Form]:
    """The type of what an entry holds in the bytes of ``codec``, as pydantic takes it, and its form."""
    held = HELD[column.shape].entry
    if held is None:
        return annotation, _value(annotation, codec)
    [inner] = get_args(annotation)
    value, time = _value(inner, codec), _value(datetime, None)
    if held is History:
        versions = of_dict(time, value)
        form = Form(versions.wanted, lambda one: versions.write(dict(one)), versions.read)
        return dict.__class_getitem__((datetime, inner)), form
    both = of_items([value, time])
    return tuple.__class_getitem__((inner, datetime)), Form(
        both.wanted, lambda one: both.write(tuple(one)), both.read
    )


def _members(annotation: Any, column: Column) -> AttributeForm:
    names = column.names
    assert names is not None
    written = of_list(_value(annotation, names))
    return AttributeForm(
        set[annotation],
        Form(
            "a list",
            lambda value: written.write(sorted(value, key=names.encode)),
            lambda value: set(written.read(value)),
        ),
    )


def _value(annotation: Any, codec: KeyCodec[Any] | CellCodec[Any] | None) -> Form:
    """The form of one value: that of its type, or else the base64 of its bytes."""
    try:
        return form_of(codec.python_type if codec and annotation is Any else annotation)
    except DeclarationError:
        assert codec is not None
        return _bytes_of(codec)


def _name(annotation: Any, names: KeyCodec[Any] | None) -> Form:
    """The form of the keys of a mapping, which JSON has as text alone."""
    if annotation is int:
        return Form("a whole number as text", str, _number)
    form = _value(annotation, names)
    return form if form.text or names is None else _bytes_of(names)


def _number(text: Any) -> int:
    if not isinstance(text, str) or str(number := int(text)) != text:
        raise Misfit("a whole number as text", text)
    return number


def _bytes_of(codec: KeyCodec[Any] | CellCodec[Any]) -> Form:
    wanted, inner = f"the base64 of {meaning_of(codec)}", Base64Text()

    def read(text: Any) -> Any:
        if type(text) is not str:
            raise Misfit(wanted, text)
        return codec.decode(inner.decode(text.encode()))

    return Form(wanted, lambda value: inner.encode(codec.encode(value)).decode(), read, text=True)


def converted(model: ModelMeta, values: Mapping[str, Any], way: str) -> dict[str, Any]:
    """The values that the model knows, each written for JSON or read from it; others stay, to be refused with their names."""
    forms = forms_of(model)
    made: dict[str, Any] = {}
    for name, value in values.items():
        try:
            made[name] = getattr(forms[name].form, way)(value) if name in forms else value
        except Misfit as misfit:
            place = f"{model.__name__}.{name}{misfit.place}"
            raise ValueRefused(f"{misfit.wanted}, in JSON", misfit.got, where=place) from None
        except (ValueError, OverflowError):
            raise ValueRefused(
                f"{forms[name].form.wanted}, in JSON", value, where=f"{model.__name__}.{name}"
            ) from None
    return made


def wanted(model: ModelMeta, name: str) -> str:
    """What a person may type for a key field or a column, in words."""
    attribute = forms_of(model)[name]
    return _WANTED_TIME if _timed(attribute) else attribute.form.wanted


_WANTED_TIME = "a time such as 2026-01-05T10:30, in UTC without an offset"


def _timed(attribute: AttributeForm) -> bool:
    return without_none(attribute.annotation)[0] is datetime


def typed(model: ModelMeta, name: str, text: str) -> Any:
    """The value of a key field or a column that a person typed: as in JSON, but text without its quotes.

    A time may be a date alone, and is in UTC without an offset. Raises :class:`ValueRefused`.
    """
    attribute = forms_of(model)[name]
    if not _timed(attribute):
        return from_text(model, name, text)
    place = f"{model.__name__}.{name}"
    _refuse_finer(text, place)
    try:
        time = time_of(text)
    except (ValueError, OverflowError):
        raise ValueRefused(wanted(model, name), text, where=place) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def from_text(model: ModelMeta, name: str, text: str) -> Any:
    """The value of a key field or a column in a file: as in JSON, but text without its quotes. Raises :class:`ValueRefused`.

    A time needs its offset, as in JSON: a file may come from where times without one are no UTC.
    """
    attribute, place = forms_of(model)[name], f"{model.__name__}.{name}"
    if _timed(attribute):
        _refuse_finer(text, place)
    try:
        return _read(attribute.form, text)
    except (ValueError, OverflowError, RecursionError):
        raise ValueRefused(attribute.form.wanted, text, where=place) from None


def _refuse_finer(text: str, place: str) -> None:
    try:
        in_whole_micros(text)
    except ValueRefused as error:
        raise error.at(place) from None


def _read(form: Form, text: str) -> Any:
    """The value of a text as JSON has it, or else of the JSON that it is."""
    try:
        return form.read(text)
    except (ValueError, TypeError):
        return form.read(json.loads(text, object_pairs_hook=unique_keys))


# Called by pydantic, so it is installed.


def core_schema_of(
    model: ModelMeta, handler: Any, from_dict: Callable[..., Any], to_dict: Callable[..., dict[str, Any]]
) -> Any:
    """The schema by which pydantic takes a row, or an object with its attributes, and writes it as ``to_dict`` does."""
    from pydantic_core import core_schema

    if "__schema__" not in vars(model):
        raise DeclarationError(without_table(model.__name__))
    cls: Any = model  # the metaclass makes it one of attrs
    defaults = {field.name: field.default for field in attrs.fields(cls)}
    required = {name for name, default in defaults.items() if default is attrs.NOTHING}
    fields = {
        name: core_schema.typed_dict_field(_field(one, handler), required=name in required)
        for name, one in forms_of(model).items()
    }
    given = core_schema.typed_dict_schema(fields, extra_behavior="forbid", cls_name=model.__name__)

    def take(value: Any, inner: Callable[[Any], Any]) -> Any:
        return value if isinstance(value, model) else from_dict(model, inner(value))

    def write(row: Any, info: Any) -> dict[str, Any]:
        made = to_dict(row, json=info.mode_is_json())
        return {name: value for name, value in made.items() if not (info.exclude_none and value is None)}

    return core_schema.no_info_wrap_validator_function(
        take,
        given,
        serialization=core_schema.plain_serializer_function_ser_schema(write, info_arg=True),
        ref=f"{model.__module__}.{model.__qualname__}:{id(model)}",
    )


def json_schema_of(model: ModelMeta, schema: Any, handler: Any) -> Any:
    """The schema of the JSON of a row: all that it has; counters are there to be read alone."""
    described = handler.resolve_ref_schema(handler(schema["schema"]))
    described["title"] = model.__name__
    if model.__schema__.doc:
        described["description"] = model.__schema__.doc
    for column in model.__schema__.columns:
        if column.shape.summed:
            described["properties"][column.name]["readOnly"] = True
    return described


def _field(attribute: AttributeForm, handler: Any) -> Any:
    """The schema of one attribute: that of its type, or, of a type that pydantic does not know, the form that it has in our JSON."""
    from pydantic import PydanticSchemaGenerationError
    from pydantic_core import core_schema

    form, given = (
        attribute.form,
        core_schema.dict_schema() if attribute.by_entry else core_schema.any_schema(),
    )
    if not attribute.by_entry:
        with suppress(PydanticSchemaGenerationError):
            return handler.generate_schema(_exact(attribute.annotation))

    def take(value: Any) -> Any:
        try:
            form.write(value)
        except (TypeError, ValueError):
            return form.read(value)
        return value

    return core_schema.no_info_after_validator_function(take, given)


def _exact(annotation: Any) -> Any:
    """The type with all bytes in it as base64 in JSON, where pydantic would have their text, and with no time cut, as pydantic would cut nanoseconds."""
    from pydantic import BeforeValidator, WithJsonSchema

    if annotation is bytes:
        described = WithJsonSchema({"type": "string", "contentEncoding": "base64"})
        return Annotated[bytes, BeforeValidator(_raw), described]
    if annotation is datetime:
        return Annotated[datetime, BeforeValidator(_whole_micros)]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return reduce(or_, map(_exact, inner))
    if origin not in (dict, list, set, tuple):
        return annotation
    return origin.__class_getitem__(tuple(map(_exact, inner)))


def _raw(value: Any) -> Any:
    """The bytes of a base64 text in either alphabet, of which nothing is passed over."""
    if not isinstance(value, str):
        return value
    return Base64Text().decode(value.replace("-", "+").replace("_", "/").encode())


def _whole_micros(value: Any) -> Any:
    return in_whole_micros(value) if isinstance(value, str) else value
