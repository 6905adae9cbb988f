"""The events of time buckets, as generated repositories take and give them."""

from datetime import datetime

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema
from btmodel_codegen.naming import Names, spelt
from btmodel_codegen.python_text import docstring
from btmodel_codegen.signatures import Parameter, key_parameters


@frozen
class EventView:
    """What the template prints of a model's events; ``time`` is the type of when they were."""

    name: str
    doc: str
    fields: tuple[Parameter, ...]
    values: tuple[Parameter, ...]
    bucket: str
    time: str


def event_view(model: ModelSchema, names: Names) -> EventView:
    """The events of a model that holds some."""
    bucket = model.bucket_field
    assert bucket is not None
    assert model.bucket is not None
    fields = tuple(one for one in key_parameters(model, names) if one.field != bucket.name)
    values = tuple(
        Parameter(column.name, f"{names.type(spelt(column.value_type))} | None", column.name, "None")
        for column in model.series
    )
    clash = {"at", "start", "end", "on_error"} & {parameter.name for parameter in (*fields, *values)}
    if clash:
        raise GenerationError(
            f"{model.name}.{min(clash)}: events have a field of this name; rename the attribute"
        )
    doc = docstring(f"One event of {model.name}: what was read at one time. None stands for no reading.", 4)
    return EventView(f"{model.name}Event", doc, fields, values, model.bucket.value, names.type(datetime))
