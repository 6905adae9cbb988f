"""KEY020 delimiter-within: a field whose values contain the delimiter

What it finds
    A field of variable width whose codec separates the parts of a value with the delimiter of
    the key: `ReversedDomain` with `delimiter="."`, or `Repeated` with the delimiter as
    separator. The rule finds nothing if the codec may hold the delimiter (`holds_delimiter`),
    has a fixed width, or is self-ending.

Why
    btmodel refuses to write a value that holds the delimiter, because its end would be
    ambiguous. In such a field, that is every value with two parts or more: a domain with a dot.

Example
    import btmodel as bt


    class Site(bt.Model, table="SITE", delimiter="."):
        domain: str = bt.key(bt.ReversedDomain(80), cardinality=1_000_000, domain=True)
        page: str = bt.key(bt.Text(width=8), cardinality=1_000)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)

Use instead
    import btmodel as bt


    class Site(bt.Model, table="SITE", delimiter="."):
        domain: str = bt.key(bt.ReversedDomain(80), cardinality=1_000_000, domain=True, ends="\\0")
        page: str = bt.key(bt.Text(width=8), cardinality=1_000)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)

Allow
    Suppress it if every value has only one part; say why.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys of several values,
    separated by a delimiter that no value has).
"""

from collections.abc import Iterator
from functools import partial

from attrs import evolve

from btmodel.lint.finding import Finding, Fix
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, RowKey

# Delimiters in the order in which they are proposed; the first is the usual one.
_DELIMITERS = "#|/:;~"


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each field that refuses the delimiter and has it between the parts of its values."""
    for part in model.key.fields:
        behind = model.key.behind(part)
        if model.key.refuses_delimiter(part) and any(behind in one for one in part.codec.separators):
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` has {_shown(behind)} between the parts of its values, "
                f"and may not hold {_shown(behind)}, the delimiter after it",
                why="btmodel refuses to write any value with two parts or more",
                fix=partial(_ways, model, part),
                part=part.name,
                at=part.location,
            )


def _ways(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """An end of its own where another field follows, of a byte that no value has; or another delimiter."""
    key = model.key
    if part.ends is None and part != key.fields[-1] and 0 not in part.codec.alphabet:
        text = f'end it with a NUL, `ends="\\0"`, which no value of `{part.name}` holds'
        yield Fix(text, (evolve(model, key=_ended(key, part, b"\0")),))
    within = {byte for one in key.fields for separator in one.codec.separators for byte in separator}
    other = next((one for one in _DELIMITERS if ord(one) not in within), "#").encode()
    argument = "delimiter" if part.ends is None else "ends"
    made = evolve(key, delimiter=other) if part.ends is None else _ended(key, part, other)
    text = f'separate the fields by a delimiter that no codec writes: `{argument}="{other.decode()}"`'
    yield Fix(text, (evolve(model, key=made),), alternative=True)


def _ended(key: RowKey, part: KeyField, end: bytes) -> RowKey:
    """The key with another end of ``part``."""
    return evolve(key, fields=tuple(evolve(one, ends=end) if one == part else one for one in key.fields))


def _shown(raw: bytes) -> str:
    return repr(raw.decode(errors="backslashreplace"))


RULE: Rule[ModelSchema] = Rule("KEY020", "delimiter-within", check, page=__doc__)
