"""A twenty-second set of designs by people who had not read the rules: those that are as they should be."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import good

import btmodel as bt


@good("Meal order")
def twentysecond_meal_order() -> object:
    @dataclass(frozen=True)
    class Line:
        dish: str
        pieces: int
        cents: int

    class MealOrder(bt.Model, table="meal_order", events="400/s", atomic="order"):
        """An order with its lines, changed at once."""

        order: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        restaurant: str = bt.column("rest", o, size=12)
        placed: datetime = bt.column("placed", o)

        n = bt.family("n", gc=bt.max_versions(1))
        lines: dict[int, Line] = bt.mapping(n, bt.PaddedInt(3), size=60, max_size=300, entries=60)

        by_order = bt.query("order")

    return MealOrder


@good("Tool member")
def twentysecond_tool_member() -> object:
    class ToolMember(bt.Model, table="tool_library", events="1/s"):
        """A member of the tool library."""

        member: str = bt.key(bt.HexDigest(12), cardinality=300_000)
        kind = bt.constant("PROFILE")

        m = bt.family("m", gc=bt.max_versions(1))
        branch: str = bt.column("branch", m, size=10)
        since: date = bt.column("since", m)

        profile = bt.query("member")

    class ToolLoan(bt.Model, table="tool_library", events="5/s"):
        """A tool that a member took home, the newest loan first."""

        member: str = bt.key(bt.HexDigest(12), cardinality=300_000)
        kind = bt.constant("LOAN")
        taken: datetime = bt.key(bt.ReversedSeconds(round=True))
        tool: str = bt.key(bt.Text(width=8), cardinality=50_000)

        m = bt.family("m", gc=bt.max_versions(1))
        due: date = bt.column("due", m)
        returned: datetime | None = bt.column("returned", m, default=None)

        loans = bt.query("member", between="taken")

    return ToolMember, ToolLoan


@good("Fuelling")
def twentysecond_fuelling() -> object:
    class Fuelling(bt.Model, table="fuelling", events="60/s"):
        """Fuel that was paid with a card, the newest first."""

        card: str = bt.key(bt.HexDigest(12), cardinality=700_000)
        fuelled_at: datetime = bt.key(bt.ReversedSeconds(round=True))
        receipt: str = bt.key(bt.Text(width=9), cardinality=500_000_000)

        f = bt.family("f", gc=bt.max_age(days=730))
        litres: Decimal = bt.column("litres", f, size=5)
        cents: int = bt.column("cents", f)
        station: str = bt.column("station", f, size=10)

        of_card = bt.query("card", between="fuelled_at", span="30days")

    return Fuelling


@good("Guest basket")
def twentysecond_guest_basket() -> object:
    class GuestBasket(bt.Model, table="guest_basket", events="700/s"):
        """What a guest put into the basket; gone two hours after the last change."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=3_000_000)
        until: datetime = bt.expires(round=True)

        b = bt.family("b", gc=bt.max_age(seconds=1))
        shop: str = bt.column("shop", b, size=8)
        pieces: dict[str, int] = bt.mapping(b, bt.Text(max_length=13), prefix="p:", entries=50)

        of_token = bt.query("token")

    return GuestBasket


@good("Lottery ticket")
def twentysecond_lottery_ticket() -> object:
    class LotteryTicket(bt.Model, table="lottery_ticket", events="4000/s"):
        """A ticket that was sold."""

        bucket = bt.salt("ticket", buckets=12)
        sold: datetime = bt.key(bt.EpochMillis(round=True))
        ticket: str = bt.key(bt.HexDigest(16), cardinality=5_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=365))
        terminal: str = bt.column("term", t, size=8)
        numbers: str = bt.column("nums", t, size=17)

        audit = bt.query(between="sold", span="1h")

    return LotteryTicket


@good("Fixed rate")
def twentysecond_fixed_rate() -> object:
    class FixedRate(bt.Model, table="fixed_rate", events="32/day"):
        """What a euro costs, by the fixing of a day."""

        fixed_on: date = bt.key(bt.DateText("%Y%m%d"))
        currency: str = bt.key(bt.Text(width=3), cardinality=32)

        r = bt.family("r", gc=bt.max_versions(1))
        rate: Decimal = bt.column("rate", r, size=8)

        of_days = bt.query(between="fixed_on")
        of_day = bt.query("fixed_on")

    return FixedRate


@good("Power invoice")
def twentysecond_power_invoice() -> object:
    class PowerInvoice(bt.Model, table="power_invoice", events="2500/s"):
        """An invoice, as it was sent."""

        invoice_no: int = bt.key(bt.ReversedDigits(10), cardinality=4_000_000_000, sequential=True)

        i = bt.family("i", gc=bt.max_versions(1))
        contract: str = bt.column("contract", i, size=12)
        kilowatt_hours: int = bt.column("kwh", i)
        cents: int = bt.column("cents", i)

        by_number = bt.query("invoice_no")

    return PowerInvoice


@good("Probe day")
def twentysecond_probe_day() -> object:
    class ProbeDay(bt.Model, table="probe_day", bucket="day", events="500/s"):
        """A day of a probe, one point each ten seconds."""

        plant: str = bt.key(bt.Text(width=4), cardinality=6)
        line: str = bt.key(bt.Text(width=3), cardinality=90)
        probe: str = bt.key(bt.HexDigest(8), cardinality=5_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        c = bt.family("c", gc=bt.max_age(days=400))
        celsius: bt.History[float] = bt.history("c", c, every="10s")

        of_probe = bt.query("plant", "line", "probe", between="day", span="7days")

    return ProbeDay


@good("Recipe")
def twentysecond_recipe() -> object:
    class Recipe(bt.Model, table="recipe", events="3/s"):
        """A recipe."""

        recipe: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=50)
        steps: str = bt.column("steps", d, size=2_500, max_size=30_000)
        g = bt.family("g", gc=bt.max_versions(1))
        ingredients: set[str] = bt.members(g, bt.Text(max_length=30), entries=60)

        by_recipe = bt.query("recipe")

    class RecipeWith(bt.Model, table="recipe_with", events="30/s"):
        """The recipes that use an ingredient."""

        ingredient: str = bt.key(bt.Text(max_length=30), cardinality=20_000, skew="zipf:0.9")
        recipe: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=50)

        using = bt.query("ingredient")

    def postings(recipe: Recipe) -> list[RecipeWith]:
        return [
            RecipeWith(ingredient=one, recipe=recipe.recipe, title=recipe.title)
            for one in sorted(recipe.ingredients)
        ]

    bt.twins(Recipe, (RecipeWith, postings), owned=True)

    return Recipe, RecipeWith


@good("Service settings")
def twentysecond_service_settings() -> object:
    @dataclass(frozen=True)
    class Limits:
        requests: int
        seconds: int

    class ServiceSettings(bt.Model, table="service_settings", events="200/day"):
        """The document of a service in an environment."""

        service: str = bt.key(bt.Text(max_length=40), cardinality=400)
        environment: str = bt.key(bt.Text(max_length=10), cardinality=4)

        s = bt.family("s", gc=bt.max_versions(10))
        flags: dict[str, bool] = bt.column("flags", s, size=1_500, max_size=20_000)
        limits: Limits | None = bt.column("limits", s, size=40, max_size=80, default=None)

        of_service = bt.query("service")

    return ServiceSettings


@good("Episode count")
def twentysecond_episode_count() -> object:
    class EpisodeCount(bt.Model, table="episode_count", events="800/s"):
        """How often an episode was downloaded."""

        episode: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        h = bt.family("h", gc=bt.max_age(days=90), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h", increments="40/min")
        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        total: int | None = bt.counter("n", t, increments="40/min")

        by_episode = bt.query("episode")

    return EpisodeCount


@good("Note")
def twentysecond_note() -> object:
    class Note(bt.Model, table="note", events="120/s"):
        """A note in a notebook."""

        notebook: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)
        note: str = bt.key(bt.HexDigest(12), cardinality=200_000_000)

        n = bt.family("n", gc=bt.max_versions(1))
        title: str = bt.column("title", n, size=40)
        text: str = bt.column("text", n, size=900, max_size=100_000)

        of_notebook = bt.query("notebook")

    class BinnedNote(bt.Model, table="binned_note", events="5/s"):
        """A note that was deleted; it can be fetched back for thirty days."""

        notebook: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)
        note: str = bt.key(bt.HexDigest(12), cardinality=200_000_000)

        n = bt.family("n", gc=bt.max_age(days=30))
        title: str = bt.column("title", n, size=40)
        text: str = bt.column("text", n, size=900, max_size=100_000)

        of_notebook = bt.query("notebook")

    return Note, BinnedNote


@good("Storage bin")
def twentysecond_storage_bin() -> object:
    class StorageBin(bt.Model, table="storage_bin", events="300/s"):
        """A place in a rack, and what lies there."""

        site: str = bt.key(bt.Text(width=4), cardinality=12)
        aisle: str = bt.key(bt.Text(width=3), cardinality=400)
        slot: str = bt.key(bt.Text(width=5), cardinality=900_000)

        b = bt.family("b", gc=bt.max_versions(1))
        article: str | None = bt.column("article", b, size=13, default=None)
        pieces: int = bt.column("pieces", b)
        version: int = bt.column("version", b)

        of_aisle = bt.query("site", "aisle")
        one = bt.query("site", "aisle", "slot")

    return StorageBin


@good("Policy event")
def twentysecond_policy_event() -> object:
    class PolicyEvent(bt.Model, table="policy_event", events="250/s"):
        """Something that happened to a policy. Never changed, never deleted."""

        policy: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)
        version: int = bt.key(bt.PaddedInt(6), sequential=True)

        e = bt.family("e", gc=bt.max_versions(1))
        kind: str = bt.column("kind", e, size=20)
        body: dict[str, str] = bt.column("body", e, size=500, max_size=16_000)
        recorded: datetime = bt.column("at", e)

        stream = bt.query("policy", between="version")

    return PolicyEvent


@good("Paid once")
def twentysecond_paid_once() -> object:
    class PaidOnce(bt.Model, table="paid_once", events="1500/s"):
        """A request that was answered, by the digest of who asked and the key that they gave."""

        id = bt.digest("merchant", "client_key")

        r = bt.family("r", gc=bt.max_age(days=2))
        merchant: str = bt.column("merchant", r, size=12, max_size=12)
        client_key: str = bt.column("key", r, size=36, max_size=100)
        answer: str = bt.column("answer", r, size=300, max_size=4_000)

        of_key = bt.query("merchant", "client_key")

    return PaidOnce


@good("Short link")
def twentysecond_short_link() -> object:
    class ShortLink(bt.Model, table="short_link", events="40/s"):
        """Where a slug leads."""

        slug: str = bt.key(bt.HexDigest(10), cardinality=50_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        target: str = bt.column("target", r, size=80, max_size=2_000)
        owner: str = bt.column("owner", r, codec=bt.AsInKey(bt.HexDigest(16)), cardinality=900_000)

        by_slug = bt.query("slug")

    class LinkOfOwner(bt.Index, of=ShortLink, view="link_of_owner"):
        """The links of an owner."""

        owner: str = bt.key(bt.HexDigest(16), cardinality=900_000)
        slug: str = bt.covered()

        target: str = bt.covered()

        of_owner = bt.query("owner")

    return ShortLink, LinkOfOwner


@good("Tariff")
def twentysecond_tariff() -> object:
    class Tariff(bt.Model, table="tariff", events="50/day"):
        """The duty on goods of a code."""

        code: str = bt.key(bt.Text(width=10), cardinality=21_000)

        t = bt.family("t", gc=bt.max_versions(1))
        duty_percent: Decimal = bt.column("duty", t, size=4)
        wording: str = bt.column("text", t, size=90, max_size=900)

        load_all = bt.query(scan="21,000 small rows, read once by a worker that starts")
        by_code = bt.query("code")

    return Tariff


@good("Street tree")
def twentysecond_street_tree() -> object:
    class StreetTree(bt.Model, table="street_tree", events="300/day"):
        """A tree that the city looks after, by its place."""

        geohash: str = bt.key(bt.Text(width=9), cardinality=790_000)
        tree: int = bt.key(bt.PaddedInt(7), cardinality=800_000)

        t = bt.family("t", gc=bt.max_versions(1))
        species: str = bt.column("species", t, size=24)
        planted: date | None = bt.column("planted", t, default=None)
        girth_cm: int | None = bt.column("girth", t, default=None)

        in_tile = bt.query(starting="geohash")

    return StreetTree


@good("Spindle load")
def twentysecond_spindle_load() -> object:
    class SpindleLoad(bt.Model, table="spindle_load", events="2000/s"):
        """How hard a milling machine worked, each second."""

        tenant: str = bt.key(bt.Text(max_length=20), cardinality=3_000, tenant=True, skew="60%:2")
        machine: str = bt.key(bt.HexDigest(8), cardinality=2_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        r = bt.family("r", gc=bt.max_age(days=45))
        load: float = bt.column("load", r)
        rpm: int = bt.column("rpm", r)

        of_machine = bt.query("tenant", "machine", between="at", span="1h")

    return SpindleLoad


@good("Muted channels")
def twentysecond_muted_channels() -> object:
    class MutedChannels(bt.Model, table="muted_channels", events="90/s"):
        """The channels that a listener has muted."""

        listener: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        channels: set[str] = bt.members(m, bt.Text(max_length=24), entries=500)

        of_listener = bt.query("listener")

    return MutedChannels


@good("Final place")
def twentysecond_final_place() -> object:
    class FinalPlace(bt.Model, table="final_place", events="20000/day"):
        """A player's points in a tournament that is over, the most points first."""

        tournament: str = bt.key(bt.HexDigest(10), cardinality=200_000)
        points: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=5_000)
        player: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        nickname: str = bt.column("nick", f, size=14)
        games: int = bt.column("games", f)

        of_tournament = bt.query("tournament")
        above = bt.query("tournament", between="points")

    return FinalPlace


@good("County harvest")
def twentysecond_county_harvest() -> object:
    class CountyHarvest(bt.Model, table="county_harvest", events="4000/day"):
        """What was harvested of a crop in a county in a year."""

        state: str = bt.key(bt.Text(width=2), cardinality=50)
        county: str = bt.key(bt.Text(width=3), cardinality=3_100)
        crop: str = bt.key(bt.Text(max_length=20), cardinality=120)
        year: int = bt.key(bt.PaddedInt(4), cardinality=90)

        h = bt.family("h", gc=bt.max_versions(2))
        tonnes: Decimal = bt.column("t", h, size=8)
        acres: int = bt.column("acres", h)

        of_state = bt.query("state")
        of_county = bt.query("state", "county")
        of_crop = bt.query("state", "county", "crop", between="year")

    return CountyHarvest
