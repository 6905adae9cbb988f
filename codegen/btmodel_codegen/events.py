"""The events of time buckets, as generated repositories take and give them."""

from datetime import datetime

from attrs import frozen

from btmodel.schema import ModelSchema
from btmodel.schema.access import is_one_range
from btmodel_codegen.naming import Names, free, spelt
from btmodel_codegen.python_text import docstring, filled
from btmodel_codegen.signatures import Parameter, key_parameters


@frozen
class EventView:
    """What the template prints of a model's events; ``time`` is the type of when they were.

    ``count`` is what the number of newest events is called, and ``ends`` bound where they are looked for.
    """

    name: str
    doc: str
    fields: tuple[Parameter, ...]
    values: tuple[Parameter, ...]
    bucket: str
    time: str
    count: str
    ends: tuple[Parameter, ...]
    newest_doc: str


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
    doc = docstring(f"One event of {model.name}: what was read at one time. None stands for no reading.", 4)
    count = free("n", [parameter.name for parameter in fields])
    time = names.type(datetime)
    one_range = is_one_range(model.key, bucket)
    ends = tuple(
        Parameter(name, f"{time} | None" if one_range else time, name, "None" if one_range else "")
        for name in ("start", "end")
    )
    newest_doc = _newest_doc(count, model.bucket.value, one_range=one_range)
    return EventView(
        f"{model.name}Event", doc, fields, values, model.bucket.value, time, count, ends, newest_doc
    )


def _newest_doc(count: str, bucket: str, *, one_range: bool) -> str:
    """The docstring of ``newest_events``."""
    which = f"Of those with ``start <= at < end``{'; None leaves an end open' if one_range else ''}."
    looked = (
        f"{bucket.capitalize()}s are read from the newest back, no more than it takes; those without events "
        "cost nothing. ``start`` bounds how far back it looks."
        if one_range
        else f"Each {bucket} is asked for by itself, from that of ``end`` back to that of ``start``, and no more "
        f"than it takes; more than 10,000 of them are a :class:`QueryRefused`."
    )
    sent = "Nothing is sent before the first event is asked for."
    told = "The error of a row that cannot be decoded is raised, or given to ``on_error``."
    first = f"The newest ``{count}`` events, the newest first."
    return filled([first, f"{which} {looked} {sent} {told}"], 8)
