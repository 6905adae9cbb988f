"""Sizes and numbers of cells, in words, as far as they are known."""

from collections.abc import Iterator

from btmodel.lint.bytes import told
from btmodel.schema import ModelSchema
from btmodel.schema.amount import Amount, Sizes
from btmodel.schema.sizes import row_size


def number(amount: Amount) -> str:
    """A number; ``?`` where nothing is known of it, ``+`` behind what is at least."""
    return _known(amount, f"{amount.least:,}")


def size(amount: Amount) -> str:
    """Bytes in the unit that suits them, marked in the same way."""
    return _known(amount, told(amount.least))


def both(sizes: Sizes) -> str:
    """The usual number, and the largest where it is another one: ``8 (≤ 20)``, ``8, largest not known``."""
    usual, largest = number(sizes.usual), number(sizes.largest)
    if usual == largest:
        return usual
    if not sizes.largest.missing:
        return f"{usual} (≤ {largest})"
    more = sizes.largest.least > sizes.usual.least
    return f"{usual}, largest {f'at least {sizes.largest.least:,}' if more else 'not known'}"


def unknown(model: ModelSchema) -> Iterator[str]:
    """What is not known of the size of a row, and without which figures."""
    row = row_size(model)
    for what, amount in (("usual", row.usual), ("largest", row.largest)):
        if amount.missing:
            yield f"the {what} row is not known without {', '.join(amount.missing)}"


def _known(amount: Amount, text: str) -> str:
    return text if not amount.missing else f"{text}+" if amount.least else "?"
