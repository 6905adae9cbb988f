"""Files and pages: keys whose last part is a path of any length, or may be missing."""

import btmodel as bt


class File(bt.Model, table="files", events="100/s"):
    """A file of somebody, under its path, so that the files of a folder lie together."""

    owner: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    path: tuple[str, ...] = bt.key(bt.Repeated(bt.Text(max_length=60), "/", most=8))

    data = bt.family("data", gc=bt.max_versions(1))
    kilobytes: int = bt.column("kilobytes", data, codec=bt.DecimalText())

    below = bt.query("owner", starting="path")


class Page(bt.Model, table="pages", events="1000/day"):
    """A page of a web site, and its translations. The row without a language is the original."""

    page: str = bt.key(bt.Text(max_length=60), cardinality=10_000)
    language: str | None = bt.key(bt.Text(width=2), default=None)

    data = bt.family("data", gc=bt.max_versions(1))
    text: str = bt.column("text", data)

    translations = bt.query("page", between="language")
