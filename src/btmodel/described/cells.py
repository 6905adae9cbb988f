"""The cells of a row, in words."""

from btmodel.codecs.meaning import meaning_of
from btmodel.printable import as_text
from btmodel.schema.sizes import Share


def place(share: Share) -> str:
    """Family and qualifier; dots where the qualifier goes on."""
    more = "..." if share.column and share.column.open else ""
    return f"{share.family}:{as_text(share.begins)}{more}"


def written(share: Share) -> str:
    """The encoding of the values, and how the attribute lies in cells where it is no single value."""
    column = share.column
    if column is None:
        return f"mirror of the key, as {meaning_of(share.codec)}"
    if column.names is not None:
        return f"{column.shape.name.lower()}: {meaning_of(share.codec)}; named by {meaning_of(column.names)}"
    shape = "" if not column.eventful else f"{column.shape.name.lower()}: "
    return shape + meaning_of(share.codec)
