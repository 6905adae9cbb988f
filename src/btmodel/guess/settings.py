"""The settings of a live table, as a model states them."""

import json
from collections.abc import Iterator, Sequence

import attrs

from btmodel.guess.model import ModelGuess
from btmodel.schema import OFF, TableSettings
from btmodel.schema.every import every_text, parse_every
from btmodel.schema.figures import BACKUPS_KEPT, COLD_AFTER, STREAM_KEPT
from btmodel.schema.key_schema import key_schema_text, row_key_schema

_LIMITS = {"change_stream": STREAM_KEPT, "automated_backups": BACKUPS_KEPT, "tiered_storage": COLD_AFTER}


def with_settings(
    models: Sequence[ModelGuess], live: TableSettings
) -> tuple[tuple[ModelGuess, ...], list[str]]:
    """The models, of which the first states what is on in ``live``; and what cannot be stated, each with its reason."""
    why = list(_unsayable(live))
    off = {name: None for name in _LIMITS if not _sayable(live, name)}
    stated = attrs.evolve(
        live, **off, deletion_protection=live.deletion_protection or None, row_key_schema=None
    )
    schema: bool | None = None
    if live.row_key_schema:
        found, _ = row_key_schema([model.schema for model in models])
        schema = (found is not None and key_schema_text(found) == live.row_key_schema) or None
        if schema is None:
            why.append("its row key schema is not that of the key as it was guessed")
    first, *others = models
    changed = attrs.evolve(first.schema, settings=stated, row_key_schema=schema)
    return (attrs.evolve(first, schema=changed), *others), why


def field_names(live: TableSettings) -> tuple[str, ...]:
    """What the row key schema calls the fields of the key, in order; none where there is no schema."""
    if not live.row_key_schema:
        return ()
    fields = json.loads(live.row_key_schema).get("fields", ())
    return tuple(field.get("fieldName", "") for field in fields)


def _sayable(live: TableSettings, name: str) -> bool:
    """Whether a setting is on, and one that a declaration takes."""
    period = getattr(live, name)
    if period is None or period == OFF:
        return False
    least, most = _LIMITS[name]
    return bool(least <= period <= most) and parse_every(every_text(period)) == period


def _unsayable(live: TableSettings) -> Iterator[str]:
    for name in _LIMITS:
        period = getattr(live, name)
        if period is not None and period != OFF and not _sayable(live, name):
            yield f"{name} is {period}, which no model can declare"
