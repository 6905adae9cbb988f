"""Names of texts that are domains or URLs: by themselves, and in models that are about pages, certificates, proxies or name servers."""

from btmodel.schema import ModelSchema
from btmodel.words import words

_URLS = frozenset(words("url uri permalink href webpage homepage"))
_URL_PAIRS = frozenset(("web page", "web address", "landing page", "click through"))
_DOMAINS = frozenset(words("domain fqdn website hostname subdomain nameserver vhost sni adomain"))
_DOMAIN_PAIRS = frozenset(("host name", "web site", "domain name", "host header", "name server"))
# Of other things than the web.
_OTHER_DOMAINS = frozenset(
    words("business data protein gene genome enzyme problem knowledge time frequency binding")
)
# What is turned around already.
_TURNED = frozenset(words("reversed reverse rev backwards"))
# In models of these things, by their names, other words are URLs or domains, too.
_OF_THINGS = (
    (
        "url",
        "page hit click visit pageview session backlink crawl impression link",
        "referrer,referer,link,canonical,landing,seed,document location,source page,target page,entry page,exit page",
    ),
    ("domain", "page crawl web backlink", "site"),
    ("domain", "dns resolver nameserver", "qname,query name,name,record name,rrname,zone,ns,mx,apex"),
    ("domain", "certificate cert tls ssl", "common name,cn,san,subject,server name"),
    ("domain", "proxy tls ingress", "authority,server name,virtual host"),
    ("domain", "shop tenant", "storefront"),
)


def web_name(model: ModelSchema, name: str) -> str | None:
    """``url`` or ``domain`` of a name that is one of these in this model; None of others, and of one that is turned around already."""
    parts = [word.lower() for word in words(name)]
    if not parts or not _TURNED.isdisjoint(parts):
        return None
    last, two = parts[-1], " ".join(parts[-2:])
    about = {one for word in words(model.name) for one in (word.lower(), word.lower().removesuffix("s"))}
    if last in _URLS or two in _URL_PAIRS:
        return "url"
    if last in _DOMAINS or two in _DOMAIN_PAIRS:
        return None if last == "domain" and not _OTHER_DOMAINS.isdisjoint({*parts, *about}) else "domain"
    found = (
        kind
        for kind, things, names in _OF_THINGS
        if not about.isdisjoint(things.split())
        and (two in names.split(",") or (parts == [last] and last in names.split(",")))
    )
    return next(found, None)
