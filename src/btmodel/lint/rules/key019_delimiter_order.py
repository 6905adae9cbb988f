"""KEY019 delimiter-order: a delimiter that mixes up the order of the values in front of it

What it finds
    A query for values that begin with a given part (`starting`), of a field of variable width
    whose delimiter does not sort below every byte that the field may hold. `:` and `|` sort
    above the digits, `#` above the space, `!` and `"`. (QRY001 refuses a range, `between`, of
    such a field, because it is no range of keys at all.)

    It is a warning where a letter or a digit that the field may hold sorts below the delimiter, and information where only
    signs do, such as the space below `#`: no query can ask for that order, so the values may not have any.

    The rule finds nothing between fields of fixed width, where any delimiter is safe, nor for a
    self-ending codec, and leaves to KEY011 what is a domain in the order in which people write it,
    and to KEY020 what holds its delimiter.

Why
    Keys are compared byte by byte, and at the end of a value comes its delimiter. With `:` as
    delimiter, `a` sorts after `a1`, so the rows come in another order than their values.

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
    Suppress it if the values never hold a byte that sorts below the delimiter, or if their
    order does not matter to the readers; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: stored in the order of their bytes;
    values with a delimiter between them).
"""

from collections.abc import Iterator
from string import ascii_letters, digits

from attrs import evolve

from btmodel.codecs.key import Order, Text
from btmodel.design.keys import in_order
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.lint.rules import key011_domain_not_reversed, key020_delimiter_within
from btmodel.schema import KeyField, ModelSchema, RowKey, Unserved, access
from btmodel.schema.lookup import keeps_order

# What most values consist of; signs and spaces are in few.
_USUAL = frozenset((ascii_letters + digits).encode())


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query for the beginning of a field whose delimiter upsets its order."""
    for query in model.queries:
        found = access(model.key, query)
        part = None if isinstance(found, Unserved) else found.starting
        if part is None or part.codec.order is not Order.ASCENDING or keeps_order(model.key, part):
            continue
        others = (key011_domain_not_reversed, key020_delimiter_within)
        if any(finding.field == part.name for rule in others for finding in rule.check(model)):
            continue  # its bytes, or those behind it, are to be others
        behind = _shown(model.key.behind(part))
        yield RULE.finding(
            model,
            f"the query `{query.name}` reads values of `{part.name}` that begin alike, but in the key "
            f"`{model.key.shape}` they may hold characters that do not sort above {behind}, the delimiter after them: {_below(model.key, part)}",
            why="at the end of a value, its delimiter is compared, so the rows come in another order than their values",
            fix=Fix(in_order(part), (_ordered(model, part),)),
            part=part.name,
            at=part.location,
            level=Level.WARNING if _USUAL & set(_bytes_below(model.key, part)) else Level.INFO,
        )


def _ordered(model: ModelSchema, part: KeyField) -> ModelSchema:
    """The model in which ``part`` ends with a NUL, or has a fixed width where its values may hold one."""
    nul = part.codec.order is Order.ASCENDING and 0 not in part.codec.alphabet
    changed = evolve(part, ends=b"\0") if nul else evolve(part, codec=Text(width=part.codec.length.most))
    fields = tuple(changed if other == part else other for other in model.key.fields)
    return evolve(model, key=evolve(model.key, fields=fields))


def _bytes_below(key: RowKey, part: KeyField) -> list[int]:
    delimiter = key.behind(part)
    return sorted(byte for byte in part.codec.alphabet if byte <= max(delimiter) and byte not in delimiter)


def _below(key: RowKey, part: KeyField) -> str:
    """Some of the bytes that do not sort above the delimiter behind ``part``."""
    bytes_ = _bytes_below(key, part)
    return ", ".join(_shown(bytes((byte,))) for byte in bytes_[:3]) + (", ..." if bytes_[3:] else "")


def _shown(raw: bytes) -> str:
    return repr(raw.decode(errors="backslashreplace"))


RULE: Rule[ModelSchema] = Rule(
    "KEY019",
    "delimiter-order",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
