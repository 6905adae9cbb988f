"""Models as types of pydantic, which asks a class for its schema: rows are checked, written as JSON and described."""

from base64 import urlsafe_b64decode
from collections.abc import Callable
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import attrs

from btmodel.declare.keywords import without_table
from btmodel.declare.metaclass import ModelMeta
from btmodel.declare.row_forms import AttributeForm, forms_of
from btmodel.errors import DeclarationError

# pydantic calls these, so that it is there.


def core_schema_of(
    model: ModelMeta, handler: Any, from_dict: Callable[..., Any], to_dict: Callable[..., dict[str, Any]]
) -> Any:
    """The schema by which pydantic takes a row, or an object with its attributes, and writes it as ``to_dict`` does."""
    from pydantic_core import core_schema

    if "__schema__" not in vars(model):
        raise DeclarationError(without_table(model.__name__))
    cls: Any = model  # the metaclass makes it one of attrs
    defaults = {one.name: one.default for one in attrs.fields(cls)}
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

    try:
        return handler.generate_schema(_in_base64(attribute.annotation))
    except PydanticSchemaGenerationError:
        form = attribute.form

    def take(value: Any) -> Any:
        try:
            form.write(value)
        except (TypeError, ValueError):
            return form.read(value)
        return value

    return core_schema.no_info_after_validator_function(take, core_schema.any_schema())


def _in_base64(annotation: Any) -> Any:
    """The type with all bytes in it as base64 in JSON, where pydantic would have their text."""
    from pydantic import BeforeValidator, WithJsonSchema

    if annotation is bytes:
        described = WithJsonSchema({"type": "string", "contentEncoding": "base64"})
        return Annotated[bytes, BeforeValidator(_bytes), described]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return reduce(or_, map(_in_base64, inner))
    if origin not in (dict, list, set, tuple):
        return annotation
    return origin.__class_getitem__(tuple(map(_in_base64, inner)))


def _bytes(value: Any) -> Any:
    return urlsafe_b64decode(value.replace("+", "-").replace("/", "_")) if isinstance(value, str) else value
