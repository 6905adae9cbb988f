"""KEY010 on addresses of the web that stand in a key with their parameters."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding, Level
from tests.lint.parts import found


class View(bt.Model, table="view", events="600/s"):
    page: str = bt.key(bt.EscapedText(2_000), cardinality=40_000_000, size=200)
    hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

    n = bt.family("n", gc=bt.max_age(days=90))
    views: int = bt.column("v", n)

    of_page = bt.query("page", between="hour")


def view(doc: str, name: str = "page", **changes: object) -> list[Finding]:
    """What the rule finds on views that are described so, of what is called so."""
    model = bt.schema_of(View)
    first, hour = model.key.fields
    key = evolve(model.key, fields=(evolve(first, name=name, **changes), hour))
    (query,) = model.queries
    return found(evolve(model, doc=doc, key=key, queries=(evolve(query, equal=(name,)),)), "KEY010")


@pytest.mark.parametrize(
    "doc",
    [
        "Views of a page, with the query string as the browser sent it.",
        "Views of an address including its query parameters.",
        "Views of a page by its URL and all its parameters.",
        "A page, with UTM parameters.",
    ],
)
@pytest.mark.parametrize("name", ["page", "landing_page", "url", "referrer", "page_url"])
def test_parameters_say_who_somebody_is(doc: str, name: str) -> None:
    """So a hash stands in the key, and queries give the address as before."""
    (one,) = view(doc, name)
    assert (one.field, one.level) == (name, Level.WARNING)
    assert f'`{name}_hash = bt.digest("{name}")`' in one.fix
    (made,) = one.models
    assert made.key.shape == f"{{{name}_hash}}#{{hour}}"
    assert [query.equal for query in made.queries] == [(name,)]


@pytest.mark.parametrize(
    "findings",
    [
        view("Views of a page."),
        view("Views of a page, without the query string."),
        view("Views of a page. Addresses come with query parameters, which are stripped."),
        view("Views of a campaign, with its UTM parameters.", "campaign"),
        view("Views of a page, with the query string.", pii=False),
        view("Views of a page, with its title and language."),
    ],
)
def test_an_address_alone_says_nothing_of_a_person(findings: list[Finding]) -> None:
    """Nor do parameters that are taken off."""
    assert findings == []
