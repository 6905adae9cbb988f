"""A third set of designs by somebody who had not read the rules: those on which the review was wrong, with verdicts from before it saw them."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Stories that are seen for a day: their end stands in a column, and no GC rule goes by it",
    "FAM010",
    says=("`expires_at: datetime = bt.expires(round=True)`", "`gc=bt.max_age(seconds=1)` for `s`"),
    verdict="warning",
)
def third_stories() -> object:
    class Story(bt.Model, table="STORY", events="2500/s"):
        """A picture or a clip that followers see for 24 hours."""

        author: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)
        posted: datetime = bt.key(bt.ReversedMillis())

        s = bt.family("s", gc=bt.max_versions(1))
        media: str = bt.column("m", s, size=80)
        caption: str | None = bt.column("c", s, size=60, default=None)
        expires_at: datetime = bt.column("x", s)

        of_author = bt.query("author", between="posted", span="1day", newest=True)

    return Story


@bad(
    "Recommendations: indexes that copy a document of 60 KB with every write",
    "TAB007",
    says=(
        "leave `candidates` out of the view, and read it from `RecProfile`",
        ": cover `country` in its place",
    ),
    verdict="warning",
)
def third_recommendations() -> object:
    class RecProfile(bt.Model, table="REC_PROFILE", events="200/s"):
        """What a shopper may like: the candidates, scored, with everything the page shows of them."""

        shopper: UUID = bt.key(bt.UuidText(), cardinality=25_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        segment: str = bt.column("seg", f, size=10, max_size=20, cardinality=500)
        country: str = bt.column("cc", f, size=2, max_size=2, cardinality=60)
        computed: datetime = bt.column("at", f)
        candidates: dict[str, Any] = bt.column("cand", f, size=60_000, max_size=600_000)

        of_shopper = bt.query("shopper")

    class RecBySegment(bt.Index, of=RecProfile, view="REC_BY_SEGMENT"):
        """The profiles of a segment."""

        segment: str = bt.key(bt.Text(max_length=20))
        shopper: UUID = bt.covered()
        candidates: dict[str, Any] = bt.covered()

        of_segment = bt.query("segment")

    class RecByCountry(bt.Index, of=RecProfile, view="REC_BY_COUNTRY"):
        """The profiles of a country, small as it covers a time alone."""

        country: str = bt.key(bt.Text(max_length=2))
        shopper: UUID = bt.covered()
        computed: datetime = bt.covered()

        of_country = bt.query("country")

    return RecProfile, RecBySegment, RecByCountry


@bad(
    "Air freight: a range of a weight that is text",
    "KEY007",
    says=("`from_kg: Decimal = bt.key(bt.mapped(bt.PaddedInt(9)",),
    verdict="warning",
)
def third_air_rates() -> object:
    class AirRate(bt.Model, table="AIR_RATE", events="20/s"):
        """What a kilogram costs from one airport to another, by the weight of the whole: from 45, 100, 250, 500, 1000 kg on."""

        origin: str = bt.key(bt.Text(width=3), cardinality=900)
        destination: str = bt.key(bt.Text(width=3), cardinality=900)
        carrier: str = bt.key(bt.Text(width=2), cardinality=250)
        from_kg: str = bt.key(bt.Text(max_length=5), cardinality=12)

        r = bt.family("r", gc=bt.max_versions(1))
        per_kg: Decimal = bt.column("p", r, size=5)

        up_to = bt.query("origin", "destination", "carrier", between="from_kg")

    return AirRate


@bad(
    "Prices that riders were shown: a snowflake leads the key, which the model does not say",
    "KEY002",
    says=("`quote_id` as `bt.ReversedDigits(19)`", "else declare `sequential=False`"),
    verdict="warning",
)
def third_ride_quotes() -> object:
    class RideQuote(bt.Model, table="RIDE_QUOTE", events="25000/s"):
        """A price that a rider was shown. The booking looks it up by the id that the app sends back."""

        quote_id: int = bt.key(bt.PaddedInt(19), cardinality=6_000_000_000)

        q = bt.family("q", gc=bt.max_age(days=3))
        cents: int = bt.column("c", q)
        shown: datetime = bt.column("t", q)

        of_quote = bt.query("quote_id")

    return RideQuote


@bad(
    "Gift cards: the balance is checked and written with each movement, and each movement is a row",
    "ROW004",
    says=(
        "one row for each `card`, under the key `{card}`",
        "`of_card` then reads the whole row, without `at`",
    ),
    verdict="warning",
)
def third_gift_cards() -> object:
    class CardEntry(bt.Model, table="GIFT_CARD", events="400/s", atomic="card"):
        """A movement on a gift card. The balance after it is checked and written with it, so that nobody spends a card twice."""

        card: UUID = bt.key(bt.UuidText(), cardinality=20_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("c", e)
        balance: int = bt.column("b", e)
        till: str | None = bt.column("t", e, size=12, default=None)

        of_card = bt.query("card", between="at")

    return CardEntry
