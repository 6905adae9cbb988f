"""Everything that text can be made of: awkward words, every GC rule, every kind of query."""

from datetime import datetime

import btmodel as bt


class Awkward(bt.Model, table="awkward-table_1.2", events="1/s"):
    """Says "quoted", '''thrice''', \"\"\"and so\"\"\", a \\backslash, ${HOME} `id` #hash "end\""""

    kind = bt.constant("k$'1")
    end: str = bt.key(bt.Text(max_length=9), cardinality=1_000)
    limit: int = bt.key(bt.PaddedInt(4), cardinality=1_000)
    at: datetime = bt.key(bt.EpochSeconds())

    a = bt.family("a", gc=bt.max_versions(3) | bt.max_age(days=7))
    b = bt.family("b.-_", gc=bt.max_age(hours=36) & (bt.max_versions(2) | bt.max_age(milliseconds=1500)))
    c = bt.family("c", gc=bt.keep_all())
    d = bt.family("d", gc=(bt.keep_all() | bt.max_versions(4)) & bt.max_age(seconds=90))
    e = bt.family("e", gc=bt.keep_all() & bt.max_versions(4))
    value: bytes | None = bt.column(b"\x00'\"\\", a, default=None)
    other: float = bt.column("o", b)
    third: bool = bt.column("t", c)

    one = bt.query("end", "limit", "at")
    some = bt.query("end")
    spans = bt.query("end", "limit", between="at")
    all_of_it = bt.query(scan="the nightly report")
