"""The events of time buckets, as generated repositories take and give them."""

from collections.abc import Iterator
from datetime import datetime

from attrs import frozen

from btmodel.schema import ModelSchema
from btmodel.schema.lookup import one_range as range_of
from btmodel.schema.possible_edits import oldest_kept
from btmodel.words import duration_text
from btmodel_codegen.naming import Names, free, spelt
from btmodel_codegen.python_text import and_last, docstring, filled
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
    append_doc: str
    newest_doc: str


def event_view(model: ModelSchema, names: Names) -> EventView:
    """The events of a model that holds some."""
    bucket = model.bucket_field
    assert bucket is not None
    assert model.bucket is not None
    fields = tuple(parameter for parameter in key_parameters(model, names) if parameter.field != bucket.name)
    values = tuple(
        Parameter(column.name, f"{names.type(spelt(column.value_type))} | None", column.name, "None")
        for column in model.series
    )
    doc = docstring(
        f"One event of {model.name}: what was read at one time.\n\nNone stands for no reading.", 4
    )
    count = free("n", [parameter.name for parameter in fields])
    time = names.type(datetime)
    one_range = range_of(model.key, bucket) is not None
    ends = tuple(
        Parameter(name, f"{time} | None" if one_range else time, name, "None" if one_range else "")
        for name in ("start", "end")
    )
    return EventView(
        name=f"{model.name}Event",
        doc=doc,
        fields=fields,
        values=values,
        bucket=model.bucket.noun,
        time=time,
        count=count,
        ends=ends,
        append_doc=_append_doc(model, model.bucket.noun),
        newest_doc=_newest_doc(count, model.bucket.noun, one_range=one_range),
    )


def _append_doc(model: ModelSchema, bucket: str) -> str:
    """The docstring of ``append``."""
    first = f"Add one event to the row of its {bucket}, in UTC."
    effect = "Nothing is read; adding it again changes nothing. At least one value must be given; None leaves that one out."
    return filled([first, " ".join([effect, *_too_old(model)])], 8)


def _too_old(model: ModelSchema) -> Iterator[str]:
    """What becomes of events that are older than the rules of their families keep."""
    # Of slots the timestamp is the time of writing, so that none of them is old when it is written.
    timed = [column for column in model.series if column.versioned]
    ages = {column.name: oldest_kept(model, column) for column in timed}
    limits = {name: age for name, age in ages.items() if age is not None}
    if not limits:
        return
    same = len(limits) == len(model.series) and len(set(limits.values())) == 1
    which = (
        f"An event older than {duration_text(next(iter(limits.values())))}"
        if same
        else "What is older than "
        + and_last([f"{duration_text(age)} of ``{name}``" for name, age in limits.items()])
    )
    yield f"{which} is written, but never read: its family does not keep it (``max_age``)."


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
    errors = "The error of a row that cannot be decoded is raised, or given to ``on_error``."
    first = f"The newest ``{count}`` events, the newest first."
    return filled([first, f"{which} {looked} {sent} {errors}"], 8)
