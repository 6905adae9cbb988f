"""Places and domains: every part of the key is a prefix."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.generated.site_repository import SiteRepository
from examples.places import Site, cities_of_a_country
from examples.worked.places import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def places(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_place_is_named_from_the_continent_on(places: bt.Database) -> None:
    """Cities of a country, and countries of a continent, lie together."""
    assert list(cells(places, "cities")) == [
        b"asia#india#bangalore",
        b"asia#india#mumbai",
        b"asia#japan#osaka",
        b"asia#japan#sapporo",
        b"southamerica#bolivia#cochabamba",
        b"southamerica#bolivia#lapaz",
        b"southamerica#chile#santiago",
        b"southamerica#chile#temuco",
    ]


def test_a_domain_is_written_backwards(places: bt.Database) -> None:
    """The last label of a domain is the first of its key."""
    assert cells(places, "sites") == {
        b"com.google.drive": [(b"site:visitors", b"16")],
        b"com.google.maps": [(b"site:visitors", b"15")],
        b"org.wikipedia.en": [(b"site:visitors", b"16")],
    }


def test_the_questions_have_answers(places: bt.Database) -> None:
    """A continent, a country, the beginning of a name, the sub-domains of a domain."""
    assert [answer.answer for answer in EXAMPLE.ask(places)] == [
        ["india", "japan"],
        ["santiago", "temuco"],
        ["lapaz"],
        ["drive.google.com", "maps.google.com"],
    ]


def test_a_domain_that_begins_alike_is_no_sub_domain(database: Open) -> None:
    """google.com and what lies below it is not googleplex.com."""
    sites = SiteRepository(database(Site))
    names = ("google.com", "googleplex.com", "drive.googleplex.com", "drive.google.com", "a.drive.google.com")
    sites.put_many(Site(domain=name, visitors=1) for name in names)
    assert [site.domain for site in sites.below("google.com")] == [
        "google.com",
        "drive.google.com",
        "a.drive.google.com",
    ]


def test_cities_of_a_country_are_refused_where_the_city_leads() -> None:
    """The finest value in front leaves no prefix to ask for."""
    with pytest.raises(bt.DeclarationError, match=r"QRY001 full-scan: .*'city' stands in front of 'country'"):
        cities_of_a_country()
