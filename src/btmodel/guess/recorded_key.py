"""The key of a model as it was recorded, and the rows that have such a key."""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from btmodel.codecs.key import Bytes, Constant, KeyCodec
from btmodel.errors import BtmodelError
from btmodel.guess.fields import guess_field
from btmodel.guess.key import KeyGuess, commonest
from btmodel.guess.rows import SampledRow
from btmodel.rows.key import RowKeyCodec
from btmodel.schema import KeyField, KeyPart, Layout, ModelSchema, RowKey
from btmodel.schema.figures import KEY_BYTES
from btmodel.schema.recorded_codec import enums_of
from btmodel.schema.recorded_layout import RecordedPart, recorded_part

RECORDED = "recorded when the table was migrated"
# What stands in the place of a codec that cannot be made again until its bytes are known.
_ANY = Bytes(max_length=KEY_BYTES, min_length=0)


def recorded_key(
    layout: Layout, rows: Sequence[SampledRow]
) -> tuple[tuple[SampledRow, ...], KeyGuess | None]:
    """The ``rows`` whose keys are those of ``layout``, and that key; None where no key can be made of it."""
    parts = [_spelt(recorded_part(part)) for part in layout.key]
    behind = [part.behind.encode() for part in layout.key[:-1]]
    delimiter = commonest(behind, [row.key for row in rows])
    if not parts or len({part.name for part in layout.key}) < len(parts):
        return (), None
    if any(made.optional for made in parts[:-1]) or (parts[-1].optional and not any(behind[-1:])):
        return (), None  # no declaration says so: only the last field may be left out, with a delimiter
    fields = tuple(
        KeyField(
            part.name,
            _ANY if made.codec is None else made.codec,
            1 if isinstance(made.codec, Constant) else None,
            optional=made.optional,
            ends=None if at == len(behind) or behind[at] == delimiter else behind[at],
        )
        for at, (part, made) in enumerate(zip(layout.key, parts, strict=True))
    )
    key = RowKey(fields, delimiter)
    mine = tuple(row for row in rows if _values(key, row) is not None)
    settled = tuple(
        attrs.evolve(field, codec=_codec(field, made, key, mine))
        for field, made in zip(fields, parts, strict=True)
    )
    key = RowKey(settled, delimiter)
    evidence = {
        field.name: "; ".join(_said(part, made, field, len(mine)))
        for part, made, field in zip(layout.key, parts, settled, strict=True)
    }
    return mine, KeyGuess(key, evidence)


def vague(layout: Layout) -> bool:
    """Whether nobody can tell from the record which keys are those of a model."""
    return any(_spelt(recorded_part(part)).codec is None for part in layout.key)


def _spelt(made: RecordedPart) -> RecordedPart:
    """The field without a codec that no declaration can spell, because its enum is elsewhere."""
    return attrs.evolve(made, codec=None) if any(enums_of(made.codec)) else made


def _codec(field: KeyField, made: RecordedPart, key: RowKey, rows: Sequence[SampledRow]) -> KeyCodec[Any]:
    """The codec of a field: as it was recorded, or as its bytes look."""
    if made.codec is not None or not rows:
        return field.codec
    found = guess_field(
        [value for row in rows if (value := (_values(key, row) or {}).get(field.name))] or [b""]
    )
    return found.codec


def _values(key: RowKey, row: SampledRow) -> dict[str, Any] | None:
    """The fields of the key of a row; None where it is no such key."""
    codec = RowKeyCodec(ModelSchema("", "", "", "T", key, (), ()))
    try:
        values = codec.decode(row.key)
        return values if codec.encode(values) == row.key else None
    except BtmodelError:
        return None


def _said(part: KeyPart, made: RecordedPart, field: KeyField, rows: int) -> Iterator[str]:
    if made.codec is not None and not made.derived:
        yield f"{RECORDED}; {keys(rows)}"
        return
    yield f"{RECORDED} as {part.codec}"
    if made.codec is None:
        yield "that is no codec of btmodel, so this one is guessed: give it the recorded one"
    if made.derived:
        yield "how it is derived is not in the record, so it is a plain field here: declare it as it was"
    yield "until then, `btmodel migrate plan` takes the key for another one"


def keys(rows: int) -> str:
    """How many keys agree, in words."""
    return f"all {rows:,} keys agree" if rows > 1 else "one key agrees" if rows else "no row was read"
