"""Places and domains: from the part with the fewest values to the finest one, so that each part is a prefix.

A row of a city lies beside the others of its country, and a sub-domain beside the others of
its domain. Domains are written backwards for it.
"""

import btmodel as bt


class City(bt.Model, table="cities", events="1000/day"):
    """A city, below its country, below its continent."""

    continent: str = bt.key(bt.Text(max_length=20), cardinality=7)
    country: str = bt.key(bt.Text(max_length=40), cardinality=200)
    city: str = bt.key(bt.Text(max_length=60), cardinality=50_000)

    place = bt.family("place", gc=bt.max_versions(1))
    visitors: int = bt.column("visitors", place, codec=bt.DecimalText())

    of_continent = bt.query("continent")
    of_country = bt.query("continent", "country")
    beginning = bt.query("continent", "country", starting="city")


class Site(bt.Model, table="sites", events="10000/day"):
    """A web site under its domain, which is written backwards: `com.google.drive`."""

    domain: str = bt.key(bt.ReversedDomain(253), cardinality=1_000_000)

    site = bt.family("site", gc=bt.max_versions(1))
    visitors: int = bt.column("visitors", site, codec=bt.DecimalText())

    below = bt.query(starting="domain")


def cities_of_a_country() -> object:
    """The cities of a country, by a key that begins with the city."""

    class Place(bt.Model, table="cities", events="1000/day"):
        city: str = bt.key(bt.Text(max_length=60), cardinality=50_000)
        country: str = bt.key(bt.Text(max_length=40), cardinality=200)

        place = bt.family("place", gc=bt.max_versions(1))
        visitors: int = bt.column("visitors", place)

        of_country = bt.query("country")

    return Place


CITIES = (
    ("asia", "india", "bangalore"),
    ("asia", "india", "mumbai"),
    ("asia", "japan", "osaka"),
    ("asia", "japan", "sapporo"),
    ("southamerica", "bolivia", "cochabamba"),
    ("southamerica", "bolivia", "lapaz"),
    ("southamerica", "chile", "santiago"),
    ("southamerica", "chile", "temuco"),
)
DOMAINS = ("drive.google.com", "maps.google.com", "en.wikipedia.org")
