"""Places and domains against a server."""

from collections.abc import Iterator

import btmodel as bt
from examples.generated.city_repository import CityRepository
from examples.generated.site_repository import SiteRepository
from examples.places import CITIES, DOMAINS, City, Site, cities_of_a_country
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Eight cities and three domains."""
    CityRepository(db).put_many(
        City(continent=continent, country=country, city=city, visitors=len(city))
        for continent, country, city in CITIES
    )
    SiteRepository(db).put_many(Site(domain=domain, visitors=len(domain)) for domain in DOMAINS)


def ask(db: bt.Database) -> Iterator[Answer]:
    """A continent, a country, the beginning of a city's name; the sub-domains of a domain."""
    cities = CityRepository(db)
    yield Answer(
        "Which countries are there in Asia?", sorted({one.country for one in cities.of_continent("asia")})
    )
    yield Answer(
        "Which cities are there in Chile?", [one.city for one in cities.of_country("southamerica", "chile")]
    )
    bolivia = cities.beginning("southamerica", "bolivia", "la")
    yield Answer("Which cities of Bolivia begin with la?", [one.city for one in bolivia])
    yield Answer(
        "What lies below google.com?", [one.domain for one in SiteRepository(db).below("google.com")]
    )


EXAMPLE = Example("Places and domains", (City, Site), write, ask, refused=(cities_of_a_country,))
