"""KEY009 key-too-long: a row key near or over what the service takes

What it finds
    A model whose longest possible key is over 4 KiB (an error: the service refuses
    such a row), or whose typical key is over 256 bytes (a warning). The typical size of
    a field of variable width is taken to be the middle between its least and its most,
    so a generous `max_length` counts.

Why
    The key is stored with every cell of its row and is sent with every row that is
    read. A key over the limit is refused when it is written, which is when
    the first long value arrives, not when the model is tried.

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
        digest: str = bt.key(bt.Text(width=32))

        data = bt.family("data", gc=bt.max_versions(1))
        path: str = bt.column("path", data)
        text: str = bt.column("text", data)

Allow
    The warning, where typical keys are known to be shorter than the middle of what
    is declared, or where the rows are few. The error is a hard limit of the service and cannot
    be allowed.

Source
    https://cloud.google.com/bigtable/quotas (4 KB a row key),
    https://cloud.google.com/bigtable/docs/schema-design (short row keys). The 256 bytes
    are this project's own figure.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.schema.figures import KEY_BYTES
from btmodel.schema.sizes import key_size

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
            mend=_mend(widest, _left(key, widest, KEY_BYTES)),
            part=widest.name,
            at=widest.location,
        )
    elif usual > TYPICAL_BYTES:
        left = widest.codec.length.typical - (usual - TYPICAL_BYTES)
        yield RULE.finding(
            model,
            f"a typical key `{key.shape}` has {usual:,} bytes (fields of variable width taken at the middle "
            f"of their least and most), of which `{widest.name}` takes {widest.codec.length.typical:,}",
            why="the key is stored with every cell of its row and sent with every row that is read",
            mend=_mend(widest, left if widest.fixed else 2 * left - widest.codec.length.least),
            part=widest.name,
            at=widest.location,
            level=Level.WARNING,
        )


def _left(key: RowKey, part: KeyField, limit: int) -> int:
    return limit - (key.most - part.codec.length.most)


def _mend(part: KeyField, most: int) -> str:
    surrogate = (
        f"hold a short id or a digest of `{part.name}` in the key, and `{part.name}` itself in a column"
    )
    if most < max(part.codec.length.least if part.fixed is None else 1, 1):
        return surrogate
    return f"bound `{part.name}` to {most:,} bytes; or {surrogate}"


RULE: Rule[ModelSchema] = Rule(
    "KEY009", "key-too-long", check, page=__doc__, levels=(Level.ERROR, Level.WARNING), limit=True
)
