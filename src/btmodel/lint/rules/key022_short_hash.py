"""KEY022 short-hash: a hash in the key that is too short for so many values

What it finds
    A hash that identifies a row, if by the declared cardinality of its values two of them, or more, are expected to have the same hash: of n values in a
    hash of b bits, n² / 2^(b+1) pairs. Hashes are `bt.digest` of what no column or other field of the key holds, and text of hexadecimal digits (`bt.HexDigest`, `bt.Hex`) that is called a
    hash, a digest, a checksum or a fingerprint. Ids that are assigned, each once, are not meant, however short they are.

    It is information where less than one value in a million shares its hash, as with 64 bits, and nothing if the rows then hold
    only mappings, sets, histories and counters, of which a write replaces none.

Why
    Two values with one hash are one row: the second write replaces the first one, without an error, and who asks for one gets the other. With 64 bits, that is to be expected from four billion values on, with 32
    bits from 65,000 on.

Example
    import btmodel as bt


    class Upload(bt.Model, table="UPLOAD", events="700/s"):
        fingerprint: str = bt.key(bt.HexDigest(8), cardinality=400_000_000)

        u = bt.family("u", gc=bt.max_versions(1))
        path: str = bt.column("p", u)

        of_picture = bt.query("fingerprint")

Use instead
    import btmodel as bt


    class Upload(bt.Model, table="UPLOAD", events="700/s"):
        fingerprint: str = bt.key(bt.HexDigest(32), cardinality=400_000_000)

        u = bt.family("u", gc=bt.max_versions(1))
        path: str = bt.column("p", u)

        of_picture = bt.query("fingerprint")

Allow
    Suppress it if each row also holds the value, and every reader compares it; say where.

Source
    https://cloud.google.com/bigtable/docs/schema-design (each row key must be unique). The number of pairs is the birthday bound.
"""

from collections.abc import Iterator
from math import prod

from attrs import evolve

from btmodel.design.keys import replaced
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.source_text import written
from btmodel.words import words

_CALLED = frozenset(words("hash digest checksum fingerprint md5 sha sha1 sha256 crc crc32 xxhash murmur"))
# The share of values below which a collision is rare (this project's own figure).
_RARE = 1e-6
_ENOUGH = 32  # hexadecimal digits of 128 bits: no table has so many rows


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each hash of which two values are expected to share one."""
    for part in model.key.fields:
        digits = _digits(part)
        count = _hashed(model, part)
        if digits is None or count is None or len(model.key.asked) > 1 + len(model.key.unstored):
            continue
        pairs = count * count / 2 / 16**digits
        rare = 2 * pairs / count < _RARE
        replaces = not model.columns or any(column.shape.plain for column in model.columns)
        if pairs >= 1 and (replaces or not rare):
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` has {4 * digits} bits, of {count:,} values about {pairs:,.0f} pairs share a hash",
                why="two values with one hash are one row, and the second write silently replaces the first"
                if replaces
                else "two values with one hash are one row, and what is written of both lies in it together",
                fix=_longer(model, part),
                part=part.name,
                at=part.location,
                level=Level.INFO if rare else Level.WARNING,
            )


def _digits(part: KeyField) -> int | None:
    """The hexadecimal digits of a hash; None of what is none."""
    derived = part.derived is not None and part.derived.of_bytes
    called = not _CALLED.isdisjoint(word.lower() for word in words(part.name))
    if not derived and (part.derived is not None or not called):
        return None
    from btmodel.codecs.key import Hex, HexDigest  # here: this rule is loaded with every model

    return part.codec.length.fixed if isinstance(part.codec, HexDigest | Hex) else None


def _hashed(model: ModelSchema, part: KeyField) -> int | None:
    """How many values are hashed, as declared."""
    if part.derived is None:
        return part.cardinality
    known = {each.name: each.cardinality for each in model.key.asked}
    known |= {column.name: column.expected.cardinality for column in model.columns}
    counts = [known.get(name) for name in part.derived.of]
    return None if None in counts else prod(count for count in counts if count is not None)


def _longer(model: ModelSchema, part: KeyField) -> Fix:
    from btmodel.codecs.key import Hex, HexDigest

    codec = HexDigest(_ENOUGH) if isinstance(part.codec, HexDigest) else Hex(_ENOUGH // 2)
    made = (replaced(model, part, evolve(part, codec=codec)),)
    if part.derived is not None:
        of = ", ".join(f'"{name}"' for name in part.derived.of)
        return Fix(f"take 128 bits of it: `{part.name} = bt.digest({of})`", made)
    text = f"take 128 bits of it: `{part.name}` as `{written(codec)}`"
    return Fix(text, edit=ArgumentEdit("codec", written(codec)))


RULE: Rule[ModelSchema] = Rule(
    "KEY022", "short-hash", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING, Level.INFO)
)
