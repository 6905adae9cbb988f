"""KEY020 delimiter-within: a field whose values contain the delimiter

What it finds
    A field of variable width whose codec separates the parts of a value with the delimiter of
    the key: `ReversedDomain` with `delimiter="."`, or `Repeated` with the delimiter as
    separator. The rule finds nothing if the codec may hold the delimiter (`holds_delimiter`),
    has a fixed width, or is self-ending.

    By its name, a text may hold the delimiter, too: a `path`, `file`, `url` or `uri` holds `/`, and a
    URL `:`, `?`, `&` and `=`; an `ip` holds `.` and `:`, and so does a text of up to 39 or 45 bytes in a model whose description speaks of IP or IPv6; a `mac` address `:` or `-`. This is a warning. What people write (`text`, `phrase`, `title`, `subject`,
    `comment`, `description`, `keyword`, `search_term`) may hold any sign, about which the rule asks (info).

Why
    btmodel refuses to write a value that holds the delimiter, because its end would be
    ambiguous. In such a field, that is every value with two parts or more: a domain with a dot, a
    path with a folder.

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

from btmodel.codecs.key import Text
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.source_text import written
from btmodel.words import words

# Delimiters in the order in which they are proposed; the first is the usual one.
_DELIMITERS = "#|/:;~"


# Signs that are between the parts of what is called so.
_SIGNS = {
    "path": "/",
    "file": "/",
    "filepath": "/",
    "url": "/:?&=",
    "uri": "/:?&=",
    "ip": ".:",
    "ipaddress": ".:",
    "ipv4": ".",
    "ipv6": ":",
    "mac": ":-",
    "cidr": "./:",
}
# The longest text of an IPv6 address, and of one with an IPv4 address at its end.
_ADDRESSES = (39, 45)
_IP = pattern(r"\bIPv?[46]?\b")
_WRITTEN = frozenset(words("text phrase title subject comment description keyword sentence term"))


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each field that refuses the delimiter and has it between the parts of its values; ask about what may hold it."""
    for part in model.key.fields:
        behind = model.key.behind(part)
        if not model.key.refuses_delimiter(part):
            continue
        if not any(behind in separator for separator in part.codec.separators):
            yield from _by_name(model, part)
        else:
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` has {_shown(behind)} between the parts of its values, "
                f"but {_shown(behind)} is also {_place(model, part)}",
                why="btmodel refuses to write any value with two parts or more",
                fix=partial(_ways, model, part),
                part=part.name,
                at=part.location,
            )


def _by_name(model: ModelSchema, part: KeyField) -> Iterator[Finding]:
    """What is found of a text that is called like one with the delimiter in it."""
    last = words(part.name)[-1].lower() if words(part.name) else ""
    by = "name"
    if last not in _SIGNS and part.codec.length.most in _ADDRESSES and _IP.search(model.doc):
        last, by = "ip", "length and the description of the model"
    surely = model.key.behind(part).decode(errors="replace") in _SIGNS.get(last, ())
    if part.asked and isinstance(part.codec, Text) and (surely or last in _WRITTEN):
        behind = _shown(model.key.behind(part))
        yield RULE.finding(
            model,
            f"`{part.name}` of the key `{model.key.shape}`, judging by its {by}, {'holds' if surely else 'may hold'} {behind}, "
            f"{_place(model, part)}",
            why=f"btmodel refuses to write a value with {behind} in it",
            fix=partial(_ways, model, part),
            part=part.name,
            at=part.location,
            level=Level.WARNING if surely else Level.INFO,
        )


def _place(model: ModelSchema, part: KeyField) -> str:
    """Where the delimiter stands: behind the last field of a key, there is none."""
    return "the delimiter after it" if part != model.key.fields[-1] else "the delimiter of the key"


def _ways(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """A codec that may hold it, an end of its own of a byte that no value has, or another delimiter."""
    key = model.key
    if isinstance(part.codec, Text):
        holding = evolve(part, codec=evolve(part.codec, holds_delimiter=True))
        fields = tuple(holding if field == part else field for field in key.fields)
        last = part == key.fields[-1]
        text = f"let `{part.name}` hold it{', as no field follows it' if last else ''}: `{written(holding.codec)}`"
        yield Fix(text, (evolve(model, key=evolve(key, fields=fields)),))
    if part.ends is None and part != key.fields[-1] and 0 not in part.codec.alphabet:
        text = f'end it with a NUL, `ends="\\0"`, which no value of `{part.name}` holds'
        yield Fix(text, (evolve(model, key=_ended(key, part, b"\0")),))
    if part.ends is not None and part == key.fields[-1]:
        return  # nothing follows it, so that any other end of it would be as needless
    within = {byte for field in key.fields for separator in field.codec.separators for byte in separator}
    within |= {*map(ord, _SIGNS["url"])} if isinstance(part.codec, Text) else set()
    other = next((one for one in _DELIMITERS if ord(one) not in within), "#").encode()
    argument = "delimiter" if part.ends is None else "ends"
    made = evolve(key, delimiter=other) if part.ends is None else _ended(key, part, other)
    text = f'separate the fields by a delimiter that no codec writes: `{argument}="{other.decode()}"`'
    if not isinstance(part.codec, Text) or words(part.name)[-1].lower() in _SIGNS:
        yield Fix(text, (evolve(model, key=made),), alternative=True)


def _ended(key: RowKey, part: KeyField, end: bytes) -> RowKey:
    """The key with another end of ``part``."""
    return evolve(
        key, fields=tuple(evolve(field, ends=end) if field == part else field for field in key.fields)
    )


def _shown(raw: bytes) -> str:
    return repr(raw.decode(errors="backslashreplace"))


RULE: Rule[ModelSchema] = Rule(
    "KEY020",
    "delimiter-within",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
