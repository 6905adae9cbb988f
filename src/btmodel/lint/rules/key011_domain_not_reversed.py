"""KEY011 domain-not-reversed: a domain name in the order in which people write it

What it finds
    A key field declared `domain=True` whose encoding begins with the first label of the domain.

    If a text is called `domain`, `fqdn`, `hostname`, `subdomain`, `website`, `url`, `uri`, `permalink`, `landing_page` or the like, or just `address` in a model about pages or sites of
    the web, or, in a model of such a thing by its name, the `referrer` or `link` of a Hit, the `qname` of a DnsRecord, the `common_name` of a Certificate or the `authority` of a Proxy (but not a `business_domain`, nor a `reversed_domain`), and the model does not say whether it is a domain, the rule asks (info), unless every declared query gives the
    whole value, so that no order matters. If a query asks for what such a domain begins with, it
    is a warning: the labels that domains share are at their end. So is a text of any name of which a query asks for the beginning, if the docstring of the model says that a domain is wanted with what is
    below it ("a registered name, or its subdomains"). A `host`, which may be a machine of
    any name, is only asked about, and only if a query asks for what it begins with. `domain=False`
    says that it is none, or that no program reads several of a domain.

Why
    `drive.google.com` and `maps.google.com` are far apart, with `en.wikipedia.org` between
    them. So no range holds the rows of google.com, and neighbouring rows have little in common
    that could be compressed.

Example
    import btmodel as bt


    class Site(bt.Model, table="SITE"):
        domain: str = bt.key(bt.Text(max_length=253), cardinality=1_000_000, domain=True)

        data = bt.family("data", gc=bt.max_versions(1))
        visitors: int = bt.column("visitors", data)

Use instead
    import btmodel as bt


    class Site(bt.Model, table="SITE"):
        domain: str = bt.key(bt.ReversedDomain(253), cardinality=1_000_000, domain=True)

        data = bt.family("data", gc=bt.max_versions(1))
        visitors: int = bt.column("visitors", data)

Allow
    Suppress it if no query asks for the subdomains of a domain and another program reads the
    keys; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (domain names: reverse them).
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from btmodel.codecs import meaning_of
from btmodel.codecs.key import EscapedText, KeyCodec, LengthPrefixed, ReversedDomain, Text
from btmodel.design.denials import denies
from btmodel.design.hints import of_the_web, sentences, web_address
from btmodel.design.keys import fresh, replaced
from btmodel.design.web_names import web_name
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.source_text import written
from btmodel.words import words

# The bytes that a name of a domain may have; names of machines are never so long.
_DNS = 253


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each domain whose bytes are in the order of its text."""
    for part in model.key.fields:
        if part.domain is None and _asked_about(model, part):
            yield _question(model, part)
        if part.domain and _in_order(part.codec):
            reverse = ReversedDomain(_most(part.codec))
            asked = _asked(model, part)
            yield RULE.finding(
                model,
                f"the domain `{part.name}` of the key `{model.key.shape}` is not reversed ({meaning_of(part.codec)})",
                why="the subdomains of a domain are stored apart, so no range holds their rows",
                fix=Fix(
                    f"encode `{part.name}` as `{written(reverse)}`{asked}",
                    (_below(replaced(model, part, evolve(part, codec=reverse)), part),),
                    edit=None if asked else ArgumentEdit("codec", written(reverse)),
                ),
                part=part.name,
                at=part.location,
            )


def _asked_about(model: ModelSchema, part: KeyField) -> bool:
    """Whether a text is called like a domain or a URL, and its order may matter."""
    begun = any(query.starting == part.name for query in model.queries)
    called = web_name(model, part.name) is not None or web_address(model, part)
    said = (begun or called or _machine(part)) and _described(model, part)
    if not (called or said) and not (_machine(part) and begun):
        return False
    inner = part.codec.codec if isinstance(part.codec, LengthPrefixed) else part.codec
    given = not said and bool(model.queries) and all(part.name in query.equal for query in model.queries)
    return part.asked and isinstance(inner, Text | EscapedText) and not given


# What descriptions say of a domain and those below it; and what is no domain, though a query asks for its beginning.
_DOMAINS = pattern(
    r"(?i)\bsub-?domains?\b|\bregist(?:ered|rable)\s+(?:names?|domains?)\b|\b(?:whole|entire)\s+domains?\b"
    r"|\bdomains?\b[^.;]{0,60}\b(?:(?:below|under|beneath)\s+(?:it|them|that)|and\s+(?:all|its|everything|whatever|what)\b[^.;]{0,30}\bhosts?)\b"
    r"|\bhosts?\s+(?:of|below|under)\s+(?:an?|one|the|its|each)\s+domain\b"
)
_NO_DOMAIN = frozenset(
    words("path page prefix file folder key name title text query term word slug tag label code")
)


def _described(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description says that a domain is asked for with what is below it, where ``part`` is the only text whose beginning is asked for, or is called like one and none is."""
    begun = {query.starting for query in model.queries if query.starting is not None}
    called = _machine(part) or web_name(model, part.name) == "domain"
    if (begun or not called) and begun != {part.name}:
        return False
    if _NO_DOMAIN.intersection(word.lower() for word in words(part.name)[-1:]):
        return False
    return any(_DOMAINS.search(one) and not denies(one) for one in sentences(model.doc))


def _machine(part: KeyField) -> bool:
    """Whether it is called a host, which may have a name of any kind."""
    return [word.lower() for word in words(part.name)][-1:] == ["host"]


def _question(model: ModelSchema, part: KeyField) -> Finding:
    url = web_address(model, part) or web_name(model, part.name) == "url"
    begins = any(query.starting == part.name for query in model.queries) or _described(model, part)
    surely = not _machine(part) or _most(part.codec) >= _DNS or of_the_web(model) or _described(model, part)
    how = "the description" if _described(model, part) else "its name"
    what = "a URL, which begins with its scheme and the name of its host" if url else "a domain"
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` {'is' if surely else 'may be'} {what}, judging by {how}, and "
        "is not reversed",
        why="the subdomains of a domain are stored apart, so no range holds their rows",
        fix=_reversed(model, part, url=url),
        part=part.name,
        at=part.location,
        level=Level.WARNING if begins and surely and not url else Level.INFO,
    )


def _reversed(model: ModelSchema, part: KeyField, *, url: bool) -> Fix:
    """The key in which the rows of a domain lie together: by the domain, or by the host in front of the rest of a URL."""
    reverse = ReversedDomain(253 if url else _most(part.codec))
    domain = evolve(part, codec=reverse, domain=True)
    if url:
        made, how = _divided(model, part, evolve(domain, name=fresh(model, "host", "domain"))), "divide"
        what = f"into `host: str = bt.key({written(reverse)})` and the rest in a field behind it"
    else:
        made, how, what = replaced(model, part, domain), "encode", f"as `{written(reverse)}`"
    text = f"if all rows of a domain are read together, {how} `{part.name}` {what}"
    return Fix(text, (made,), otherwise="; else declare `domain=False`")


def _divided(model: ModelSchema, url: KeyField, host: KeyField) -> ModelSchema:
    """The key with the host in front of a URL, and the queries that give it."""
    made = replaced(model, url, host, evolve(url, domain=False))
    queries = (
        evolve(
            query,
            equal=tuple(
                name for one in query.equal for name in ((host.name, one) if one == url.name else (one,))
            ),
            starting=host.name if query.starting == url.name else query.starting,
        )
        for query in model.queries
    )
    return evolve(made, queries=tuple(queries))


def _in_order(codec: KeyCodec[Any]) -> bool:
    inner = codec.codec if isinstance(codec, LengthPrefixed) else codec
    return inner.ordered


def _most(codec: KeyCodec[Any]) -> int:
    """Bytes of the longest domain."""
    inner = codec.codec if isinstance(codec, LengthPrefixed) else codec
    return (
        inner.max_length or inner.length.most if isinstance(inner, Text | EscapedText) else inner.length.most
    )


def _asked(model: ModelSchema, part: KeyField) -> str:
    """A word on ranges of domains, which are none of reversed ones."""
    ranged = [query.name for query in model.queries if query.between == part.name]
    if not ranged:
        return ""
    return f', and ask `{ranged[0]}` for a domain and those below it: `starting="{part.name}"`'


def _below(model: ModelSchema, part: KeyField) -> ModelSchema:
    """The model whose queries ask for a domain and those below it, in the place of a range."""
    queries = (
        evolve(query, between=None, span=None, starting=part.name) if query.between == part.name else query
        for query in model.queries
    )
    return evolve(model, queries=tuple(queries))


RULE: Rule[ModelSchema] = Rule(
    "KEY011",
    "domain-not-reversed",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
