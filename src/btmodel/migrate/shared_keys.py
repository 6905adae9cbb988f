"""Keys of layouts in one table, and whether a row can be of both."""

from collections.abc import Iterator

from btmodel.codecs.key import Bytes
from btmodel.lint.apart import apart
from btmodel.schema import KeyField, KeyPart, Layout, RowKey
from btmodel.schema.figures import KEY_BYTES
from btmodel.schema.recorded_layout import recorded_part

# What stands for a field of which the record does not say the bytes, and for all that follows it.
_ANY = Bytes(max_length=KEY_BYTES, min_length=0)


def may_share(one: Layout, other: Layout) -> bool:
    """Whether a row may be of both layouts; False only where it is proved that no row is."""
    return one.key == other.key or not apart(_key(one), _key(other))


def _key(layout: Layout) -> RowKey:
    return RowKey(tuple(_fields(layout.key)), b"")


def _fields(parts: tuple[KeyPart, ...]) -> Iterator[KeyField]:
    """The fields of a key, as far as it is known of which bytes they are."""
    for part in parts:
        made = recorded_part(part)
        # What is no UTF-8 was recorded as text that other bytes have, too.
        if made.codec is None or "\\" in part.behind:
            yield KeyField(part.name, _ANY, optional=made.optional)
            return
        yield KeyField(part.name, made.codec, optional=made.optional, ends=part.behind.encode())
