"""How the attributes of a row stand in JSON."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any, get_args
from weakref import WeakKeyDictionary

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.json import Form, Misfit, form_of, nullable, of_dict, of_list
from btmodel.codecs.key import KeyCodec
from btmodel.declare.build import without_none
from btmodel.declare.metaclass import ModelMeta
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema import Column, KeyField, Shape


@frozen
class AttributeForm:
    """The type of one attribute, without classes of ours, which libraries do not know, and how its values stand in JSON."""

    annotation: Any
    form: Form


_FORMS: WeakKeyDictionary[ModelMeta, dict[str, AttributeForm]] = WeakKeyDictionary()


def forms_of(model: ModelMeta) -> dict[str, AttributeForm]:
    """The form of each attribute of a model, by its name."""
    found = _FORMS.get(model)
    if found is None:
        schema = model.__schema__
        annotations = {name: one.annotation for name, one in model.__declared__.items()}
        stored: dict[str, KeyField | Column] = {one.name: one for one in schema.key.asked}
        stored |= {one.name: one for one in schema.columns}
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
    if stored.shape is Shape.MAPPING:
        key, value = inner
    else:
        key, value = datetime, inner[0]
    codec = stored.names if stored.shape is Shape.MARKS else stored.codec
    written = of_dict(_name(key, stored.names), _value(value, codec))
    return AttributeForm(
        dict.__class_getitem__((key, value)),
        Form(written.wanted, lambda value: written.write(dict(value)), written.read),
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
    def read(text: Any) -> Any:
        return codec.decode(b64decode(text, validate=True))

    return Form(
        f"the base64 of {meaning_of(codec)}",
        lambda value: b64encode(codec.encode(value)).decode(),
        read,
        text=True,
    )


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
