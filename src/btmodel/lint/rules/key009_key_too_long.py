"""KEY009 key-too-long: a row key near or over the limit of the service

What it finds
    A model whose longest possible key is over 4 KiB (an error: the service refuses such a row),
    or whose typical key is over 256 bytes (a warning). The typical size of a field of variable
    width is the middle between its minimum and maximum, so a generous `max_length` counts.

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
    Suppress the warning if you know that typical keys are shorter than the middle of the
    declared lengths, or if there are few rows. The error is a hard limit of the service and
    cannot be suppressed.

Source
    https://cloud.google.com/bigtable/quotas (4 KB a row key),
    https://cloud.google.com/bigtable/docs/schema-design (short row keys). The 256 bytes
    are this project's own choice.
"""

from collections.abc import Iterator

from btmodel.estimates import key_size
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.limits import KEY_BYTES
from btmodel.words import counted

TYPICAL_BYTES = 256


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a longest key over the limit; else a typical one that is long."""
    key = model.key
    if not key.fields:
        return
    usual = key_size(key).usual.least
    widest = max(key.fields, key=lambda part: part.codec.length.most)
    if key.most > KEY_BYTES:
        yield RULE.finding(
            model,
            f"the longest key `{key.shape}` has {key.most:,} bytes, of which `{widest.name}` may take "
            f"{widest.codec.length.most:,}; a row key has {KEY_BYTES:,} at most",
            why="the service refuses a row whose key is longer",
            fix=_fix(widest, usual),
            part=widest.name,
            at=widest.location,
        )
    elif usual > TYPICAL_BYTES:
        yield RULE.finding(
            model,
            f"a typical key `{key.shape}` has {usual:,} bytes (fields of variable width taken at the middle "
            f"of their least and most), of which `{widest.name}` takes {widest.typical:,}",
            why="the key is stored with every cell of its row and sent with every row that is read",
            fix=_fix(widest, usual),
            part=widest.name,
            at=widest.location,
            level=Level.WARNING,
        )


def _fix(part: KeyField, usual: int) -> str:
    """A bound at which nothing more is found, where there is one, or a hash of ``part`` in a key of ``usual`` bytes."""
    length = part.codec.length
    left = part.typical - (usual - TYPICAL_BYTES)
    most = left if part.fixed else 2 * left - length.least
    size = f"size={length.most:_}, " if part.fixed else ""
    surrogate = (
        f'keep a hash in the key, `{part.name}_hash = bt.digest("{part.name}")`, and `{part.name}` itself in a column '
        f"with `{size}max_size={length.most:_}`"
    )
    if most < max(length.least if part.fixed is None else 1, 1):
        return surrogate
    return f"bound `{part.name}` to {counted(most, 'byte')}; or {surrogate}"


RULE: Rule[ModelSchema] = Rule(
    "KEY009", "key-too-long", check, page=__doc__, levels=(Level.ERROR, Level.WARNING), limit=True
)
