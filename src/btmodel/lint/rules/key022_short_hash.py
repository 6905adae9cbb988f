"""KEY022 short-hash: a hash in the key that is too short for so many values

What it finds
    A hash that identifies a row, if by the declared cardinality of its values two of them, or more, are expected to have the same hash: of n values in a
    hash of b bits, n² / 2^(b+1) pairs. A hash in front of the values that it is made of identifies nothing, as the keys differ by these, however short it is; where the
    key holds some of these values, only those that agree in them count. Hashes are `bt.digest` of what no column or other field of the key holds, and text of hexadecimal digits (`bt.HexDigest`, `bt.Hex`) that is called a
    hash, a digest, a checksum or a fingerprint. Ids that are assigned, each once, are not meant, however short they are.

    It is information where less than one value in a million shares its hash, as with 64 bits, and nothing if the rows then hold
    only mappings, sets, histories and counters, of which a write replaces none.

Why
    Two values with one hash are one row: the second write replaces the first one, without an error, and a query for one gets the other. With 64 bits, that is to be expected from four billion values on, with 32
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
from btmodel.words import quoted, words

_CALLED = frozenset(words("hash digest checksum fingerprint md5 sha sha1 sha256 crc crc32 xxhash murmur"))
# The share of values below which a collision is rare (this project's own figure).
_RARE = 1e-6
_ENOUGH = 32  # hexadecimal digits of 128 bits: no table has so many rows


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each hash of which two values are expected to share one."""
    for part in model.key.fields:
        digits = _digits(part)
        same, count = _agreeing(model, part), _hashed(model, part)
        if digits is None or same is None or not count or len(model.key.asked) > _alone(model, part):
            continue
        pairs = same * count * count / 2 / 16**digits
        rare = 2 * pairs / (same * count) < _RARE
        replaces = not model.columns or any(column.shape.plain for column in model.columns)
        if pairs >= 1 and (replaces or not rare):
            beside = _stored(model, part)
            both = "".join(f" and one `{name}`" for name in beside)
            share = (
                f"pairs of values that share a hash and {quoted(beside)}" if beside else "pairs share a hash"
            )
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` has {4 * digits} bits, of {same * count:,} values about {pairs:,.0f} {share}",
                why=f"two values with one hash{both} are one row, and the second write silently replaces the first"
                if replaces
                else f"two values with one hash{both} are one row, and what is written of both lies in it together",
                fix=_longer(model, part),
                part=part.name,
                at=part.location,
                level=Level.INFO if rare else Level.WARNING,
            )


def _stored(model: ModelSchema, part: KeyField) -> list[str]:
    """What a hash is made of and the key holds itself, so that keys differ by it."""
    of = part.derived.of if part.derived else ()
    return [each.name for each in model.key.fields if each.name in of]


def _alone(model: ModelSchema, part: KeyField) -> int:
    """How many fields a row gives where the hash is what identifies it: itself, or what it is made of."""
    return max(1, len(_stored(model, part))) + len(model.key.unstored)


def _agreeing(model: ModelSchema, part: KeyField) -> int | None:
    """How many values there are of what is stored, among each of which hashes may collide; one without any."""
    counts = [each.cardinality for each in model.key.fields if each.name in _stored(model, part)]
    return None if None in counts else prod(count for count in counts if count is not None)


def _digits(part: KeyField) -> int | None:
    """The hexadecimal digits of a hash; None of what is none."""
    derived = part.derived is not None and part.derived.of_bytes
    called = not _CALLED.isdisjoint(word.lower() for word in words(part.name))
    if not derived and (part.derived is not None or not called):
        return None
    from btmodel.codecs.key import Hex, HexDigest  # here: this rule is loaded with every model

    return part.codec.length.fixed if isinstance(part.codec, HexDigest | Hex) else None


def _hashed(model: ModelSchema, part: KeyField) -> int | None:
    """How many values are hashed, as declared, of one value of what is stored; none where all is stored."""
    if part.derived is None:
        return part.cardinality
    stored = _stored(model, part)
    if len(stored) == len(part.derived.of):
        return 0
    known = {each.name: each.cardinality for each in model.key.asked}
    known |= {column.name: column.expected.cardinality for column in model.columns}
    counts = [known.get(name) for name in part.derived.of if name not in stored]
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
