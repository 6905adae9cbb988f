"""KEY019 delimiter-order: a delimiter that mixes up the order of the values in front of it

What it finds
    A query for the values that begin with a given part (`starting`), of a field of variable width that is followed by
    a delimiter which does not sort below every byte that the field may hold. `:` and `|` sort above the digits,
    `#` above the space, `!` and `"`. (A range, `between`, of such a field is no range of keys at all: QRY001
    refuses it.)

    Nothing is found between fields of fixed width, where any delimiter is safe, nor where a codec tells by
    itself where its values end.

Why
    Keys are compared byte by byte, and a value that ends is compared by its delimiter. With `:` after it, `a` sorts
    after `a1`, so the values that are found come in another order than their own.

Example
    import btmodel as bt


    class Word(bt.Model, table="WORD"):
        language: str = bt.key(bt.Text(width=2), cardinality=40)
        word: str = bt.key(bt.Text(max_length=30), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(3))

        data = bt.family("data", gc=bt.max_versions(1))
        meaning: str = bt.column("meaning", data)

        beginning = bt.query("language", starting="word")

Use instead
    import btmodel as bt


    class Word(bt.Model, table="WORD"):
        language: str = bt.key(bt.Text(width=2), cardinality=40)
        word: str = bt.key(bt.Text(max_length=30), cardinality=1_000_000, ends="\\0")
        number: int = bt.key(bt.PaddedInt(3))

        data = bt.family("data", gc=bt.max_versions(1))
        meaning: str = bt.column("meaning", data)

        beginning = bt.query("language", starting="word")

Allow
    Where the values never hold a byte that sorts below the delimiter, or where their order does not matter
    to those who read them: say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: stored in the order of their bytes;
    values with a delimiter between them).
"""

from collections.abc import Iterator

from btmodel.codecs.key import Order
from btmodel.design.keys import in_order
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, RowKey, Unserved, access
from btmodel.schema.lookup import keeps_order


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query for the beginning of a field whose delimiter upsets its order."""
    for query in model.queries:
        found = access(model.key, query)
        part = None if isinstance(found, Unserved) else found.starting
        if part is None or part.codec.order is not Order.ASCENDING or keeps_order(model.key, part):
            continue
        behind = _shown(model.key.behind(part))
        yield RULE.finding(
            model,
            f"the query `{query.name}` reads values of `{part.name}` that begin alike, and in the key "
            f"`{model.key.shape}` they may hold {_below(model.key, part)}, which do not sort above the delimiter {behind} "
            "that ends them",
            why="a value that ends is compared by its delimiter, so such values come in another order than their own",
            fix=f"{in_order(part)}; or let it hold only what sorts above {behind}",
            part=part.name,
            at=part.location,
        )


def _below(key: RowKey, part: KeyField) -> str:
    """Some of the bytes that do not sort above the delimiter behind ``part``."""
    delimiter = key.behind(part)
    bytes_ = sorted(byte for byte in part.codec.alphabet if byte <= max(delimiter) and byte not in delimiter)
    return ", ".join(_shown(bytes((byte,))) for byte in bytes_[:3]) + (", ..." if bytes_[3:] else "")


def _shown(raw: bytes) -> str:
    return repr(raw.decode(errors="backslashreplace"))


RULE: Rule[ModelSchema] = Rule("KEY019", "delimiter-order", check, page=__doc__, levels=(Level.WARNING,))
