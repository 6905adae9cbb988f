"""KEY009 key-too-long: a row key near or over the limit of the service

What it finds
    A model whose longest possible key is over 4 KiB (an error: the service refuses such a row),
    or whose typical key is over 256 bytes (a warning). A typical key is made of fixed widths and
    of each declared `size`; of other fields only the least counts, because a bound such as
    `max_length` is no size. FIG001 asks for sizes that may matter.

Why
    The key is stored with every cell of its row and sent with every row that is read. The
    service refuses a key over the limit when it is written, which is when the first long value
    arrives, and not while you test the model.

Example
    import btmodel as bt


    class Crawl(bt.Model, table="CRAWL"):
        host: str = bt.key(bt.Text(max_length=40), cardinality=1_000_000)
        path: str = bt.key(bt.Text(max_length=5_000))

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Use instead
    import btmodel as bt


    class Crawl(bt.Model, table="CRAWL"):
        host: str = bt.key(bt.Text(max_length=40), cardinality=1_000_000)
        path_hash = bt.digest("path")

        data = bt.family("data", gc=bt.max_versions(1))
        path: str = bt.column("path", data, max_size=5_000)
        text: str = bt.column("text", data)

Allow
    Suppress the warning if there are few rows. The error is a hard limit of the service and
    cannot be suppressed.

Source
    https://cloud.google.com/bigtable/quotas (4 KB a row key),
    https://cloud.google.com/bigtable/docs/schema-design (short row keys). The 256 bytes
    are this project's own choice.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from typing import Any

from attrs import evolve

from btmodel.codecs.key import EscapedBytes, EscapedText, KeyCodec, Text
from btmodel.design.keys import TYPICAL_BYTES, hashed, known_bytes, least_bytes, longest_of, replaced
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.limits import KEY_BYTES
from btmodel.words import counted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a longest key over the limit; else a typical one that is long."""
    key = model.key
    if not key.fields:
        return
    usual = known_bytes(key)
    widest = max(key.fields, key=lambda part: part.codec.length.most)
    if key.most > KEY_BYTES:
        yield RULE.finding(
            model,
            f"the longest key `{key.shape}` has {key.most:,} bytes, of which `{widest.name}` may take "
            f"{widest.codec.length.most:,}; a row key has {KEY_BYTES:,} at most",
            why="the service refuses a row whose key is longer",
            fix=partial(_ways, model, widest),
            part=widest.name,
            at=widest.location,
        )
    elif usual > TYPICAL_BYTES:
        longest = max(key.fields, key=least_bytes)
        yield RULE.finding(
            model,
            f"a typical key `{key.shape}` has {usual:,} bytes, of which `{longest.name}` takes {least_bytes(longest):,}",
            why="the key is stored with every cell of its row and sent with every row that is read",
            fix=partial(_ways, model, longest),
            part=longest.name,
            at=longest.location,
            level=Level.WARNING,
        )


def _ways(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """A bound at which nothing more is found, where there is one, and a hash of ``part`` in the place of it; this first for what stays long."""
    key, length = model.key, part.codec.length
    most = min(length.most, length.most - (key.most - KEY_BYTES))
    typical = part.fixed or part.size
    if typical and known_bytes(key) > TYPICAL_BYTES:
        most = min(most, least_bytes(part) - (known_bytes(key) - TYPICAL_BYTES))
    size = f"size={typical:_}, " if typical else ""
    text = (
        f'keep a hash in the key, `{part.name}_hash = bt.digest("{part.name}")`, and `{part.name}` itself in a column '
        f"with `{size}max_size={longest_of(part):_}`"
    )
    ways = [
        Fix(text, (made,), alternative=True)
        for made in hashed(model, part, f"{part.name} is too long for a key")
    ] or [Fix(text, alternative=True)]
    least = max(length.least if part.fixed is None else 1, 1)
    longest, models = _bounded(model, part, most) if most >= least else (0, ())
    if longest and longest >= (part.size or 0):  # a bound below the usual value is none
        bound = Fix(f"limit `{part.name}` to {counted(longest, 'byte')}", models, alternative=True)
        ways.insert(len(ways) if most > TYPICAL_BYTES else 0, bound)
    yield from ways


def _bounded(model: ModelSchema, part: KeyField, most: int) -> tuple[int, tuple[ModelSchema, ...]]:
    """The bytes of the longest value in ``most`` bytes of a key, and the model with that bound, where the codec takes it."""
    codec = part.codec
    if isinstance(codec, EscapedText | EscapedBytes):
        # An escaped value takes up to twice its bytes, and an end.
        sizes = range(1, most + 1)
        longest = bisect_right(
            sizes, most, key=lambda size: evolve(codec, min_length=0, max_length=size).length.most
        )
        short = evolve(codec, min_length=min(codec.min_length, longest), max_length=longest)
        return longest, (_with(model, part, short),)
    if not isinstance(codec, Text) or codec.encoding != "utf-8":
        return most, ()
    width = most if part.fixed else None
    max_length = None if part.fixed else most
    text = evolve(codec, width=width, max_length=max_length, min_length=min(codec.min_length, most))
    return most, (_with(model, part, text),)


def _with(model: ModelSchema, part: KeyField, codec: KeyCodec[Any]) -> ModelSchema:
    """The model with a shorter codec of ``part``."""
    return replaced(model, part, evolve(part, codec=codec))


RULE: Rule[ModelSchema] = Rule(
    "KEY009",
    "key-too-long",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.ERROR, Level.WARNING),
    limit=True,
)
