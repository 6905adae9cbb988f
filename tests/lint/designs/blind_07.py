"""A seventh set of designs by people who had not read the rules: those on which the review was wrong, with verdicts from before it saw them."""

from datetime import date, datetime
from enum import StrEnum

from published import bad, good

import btmodel as bt


@bad(
    "Loans of museums under the phase in which they are, by an enum of what was done to them",
    "KEY021",
    says=("keep `phase` in a column: `{museum}#{loan}`",),
    verdict="warning",
)
def seventh_museum_loans() -> object:
    class Phase(StrEnum):
        """How far a loan is."""

        REQUESTED = "requested"
        AGREED = "agreed"
        PACKED = "packed"
        ON_SHOW = "on-show"
        RETURNED = "returned"

    class Loan(bt.Model, table="loan", events="600/day"):
        """A loan goes through all of its phases in about a year. The registrars list the loans of one phase, and open one by its number."""

        museum: str = bt.key(bt.Text(width=8), cardinality=2_200)
        phase: Phase = bt.key(bt.EnumText(Phase))
        loan: int = bt.key(bt.PaddedInt(8), cardinality=400_000)

        f = bt.family("l", gc=bt.max_versions(1))
        borrower: str = bt.column("to", f, size=8, max_size=8)
        objects: list[str] = bt.column("obj", f, size=300, max_size=20_000)
        until: date = bt.column("until", f)
        insured_cents: int = bt.column("ins", f)

        in_phase = bt.query("museum", "phase")

    return Loan


@bad(
    "Bids under the second in which they came, of which a lot gets many, as only the description says",
    "KEY017",
    asked=("KEY014",),
    says=("`{lot}#{at}#{id}`",),
    verdict="warning",
)
def seventh_auction_bids() -> object:
    class Bid(bt.Model, table="bid", events="400/s"):
        """A bid. All bids must be kept, also those that were topped at once. In its last minute, a good lot takes up to thirty a second, from bidders all over the world."""

        lot: int = bt.key(bt.PaddedInt(9), cardinality=20_000_000, sequential=False)
        at: datetime = bt.key(bt.ReversedSeconds(round=True))

        b = bt.family("b", gc=bt.max_versions(1))
        paddle: str = bt.column("paddle", b, size=8, max_size=8)
        cents: int = bt.column("cents", b)

        of_lot = bt.query("lot", between="at")

    return Bid


@bad(
    "240,000 additions a second to 80 rows, which no number of shards makes fewer",
    "KEY013",
    says=("add up in memory, and add the sum to the row at intervals", "240,000/s are then still written"),
    verdict="warning",
)
def seventh_feature_flags() -> object:
    class FlagUse(bt.Model, table="flag_use", events="240000/s"):
        """The evaluations of a flag. Each of our 80 flags is evaluated some 3,000 times a second, and each evaluation adds one, at once."""

        flag: str = bt.key(bt.Text(max_length=40), cardinality=80)

        h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h", increments="180000/min")

        of_flag = bt.query("flag")

    return FlagUse


@bad(
    "Frames that are taken from the front of a table, by thousands of machines",
    "ROW009",
    "KEY003",
    says=("claim it by `put_if`", "`{salt}#{farm}#{submitted}#{frame}`"),
    never=("`{farm}#{frame}#{submitted}`",),
    verdict="warning",
)
def seventh_render_farm() -> object:
    class WaitingFrame(bt.Model, table="waiting_frame", events="1500/s"):
        """A frame that no machine has taken yet.

        Each of the 6,000 machines reads the first row of its farm, the frame that has waited longest, deletes the row, and
        renders the frame, which takes some seconds. Then it takes the next one. Nothing else reads the table.
        """

        farm: str = bt.key(bt.Text(width=3), cardinality=4)
        submitted: datetime = bt.key(bt.EpochMillis())
        frame: str = bt.key(bt.HexDigest(12), cardinality=100_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        scene: str = bt.column("scene", f, size=60, max_size=200)
        settings: dict[str, str] = bt.column("set", f, size=400, max_size=4_000)

        next_frame = bt.query("farm")

    return WaitingFrame


@bad(
    "A family for each locale",
    "FAM001",
    asked=("KEY020",),
    says=("`{product}#{locale}#{text}`, and give `locale` to `of_product`, too",),
    verdict="warning",
)
def seventh_interface_texts() -> object:
    class InterfaceText(bt.Model, table="interface_text", events="20000/day"):
        """A text of a product. Each locale that we support has a family named after it, such as `pt-BR`; there are 130, and a few come every year.

        A program loads the texts of its product in one locale when it starts.
        """

        product: str = bt.key(bt.Text(width=6), cardinality=350)
        text: str = bt.key(bt.Text(max_length=60), cardinality=90_000)

        translation = bt.family("{locale}", gc=bt.max_versions(1))
        words: str = bt.column("w", translation, size=60, max_size=4_000)
        reviewed: bool = bt.column("ok", translation)

        of_product = bt.query("product")

    return InterfaceText


@bad(
    "A number that is text, to which fourteen writers add",
    "COL006",
    says=("`boarded: int | None = bt.counter(",),
    never=("distinguishes the events",),
    verdict="warning",
)
def seventh_ride_turnstiles() -> object:
    class RideDay(bt.Model, table="ride_day", events="30/s"):
        """A day of a ride. Each of its fourteen turnstiles adds one to `boarded` whenever somebody passes. They do so at the same time, and the addition of one must not be lost to that of another."""

        ride: str = bt.key(bt.Text(width=4), cardinality=45)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_versions(1))
        boarded: int | None = bt.column("n", r, codec=bt.DecimalText(), default=None, increments="40/min")
        closed: bool | None = bt.column("closed", r, default=None)

        of_ride = bt.query("ride", between="day")

    return RideDay


@bad(
    "Votes that a robot reads from an index right after each",
    "QRY006",
    says=("make it a table of its own with the key `{change}#{reviewer}`",),
    verdict="warning",
)
def seventh_code_review_votes() -> object:
    class Vote(bt.Model, table="vote", events="300000/day"):
        """The vote of a reviewer on a change, from -2, a veto, to +2. Reviewers are known by random account ids."""

        reviewer: str = bt.key(bt.HexDigest(12), cardinality=80_000, pii=False)
        change: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        v = bt.family("v", gc=bt.max_versions(1))
        score: int = bt.column("score", v)
        at: datetime = bt.column("at", v)

        of_reviewer = bt.query("reviewer")

    class VoteOnChange(bt.Index, of=Vote, view="vote_on_change"):
        """The votes on a change.

        The merge robot reads them right after each vote, and merges the change if two reviewers have said +2 and none has
        said -2. A change with a veto must never be merged, and merges cannot be taken back.
        """

        change: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        reviewer: str = bt.covered()

        score: int = bt.covered()

        of_change = bt.query("change")

    return Vote, VoteOnChange


@bad(
    "Requests that must be gone after 30 days, under a rule that keeps the newest version of each",
    "FAM005",
    says=('`bt.family("q", gc=bt.max_age(days=30))`',),
    never=("gc=bt.max_versions(1)`",),
    verdict="warning",
)
def seventh_ride_requests() -> object:
    class RideRequest(bt.Model, table="ride_request", events="25000/day"):
        """A request, written once, on the day before the ride. By law nothing of it may be left a month and a half later: its cells must be collected after 30 days."""

        district: str = bt.key(bt.Text(width=5), cardinality=310)
        day: date = bt.key(bt.DateText())
        request: str = bt.key(bt.HexDigest(12), cardinality=9_000_000)

        q = bt.family("q", gc=bt.max_versions(1) & bt.max_age(days=30))
        passenger: str = bt.column("who", q, size=20, max_size=80)
        pick_up: str = bt.column("from", q, size=40, max_size=200)
        destination: str = bt.column("to", q, size=40, max_size=200)
        wheelchair: bool = bt.column("wc", q)

        of_day = bt.query("district", "day")

    return RideRequest


@bad(
    "Two tables of one key that are read and changed together",
    "ROW007",
    says=("declare `seats` in Rehearsal, so that one row of 'rehearsal' holds both",),
    verdict="warning",
)
def seventh_rehearsals() -> object:
    class Rehearsal(bt.Model, table="rehearsal", events="3000/day"):
        """A rehearsal, by orchestra, day and hall; one that is moved is cancelled and planned anew. The notice board shows it with its players; both are written and changed at once by the planner."""

        orchestra: str = bt.key(bt.Text(width=5), cardinality=900)
        day: date = bt.key(bt.DateText(), sequential=False, changes=False)
        hall: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False, changes=False)

        r = bt.family("r", gc=bt.max_versions(1))
        works: list[str] = bt.column("works", r, size=120, max_size=2_000)
        conductor: str = bt.column("cond", r, size=8, max_size=8)
        minutes: int = bt.column("min", r)

        of_orchestra = bt.query("orchestra", between="day", span="7d", together=["RehearsalPlayers"])

    class RehearsalPlayers(bt.Model, table="rehearsal_players", events="3000/day"):
        """The seats that are wanted at a rehearsal, by the same orchestra, day and hall: the seat, and the account of who takes it."""

        orchestra: str = bt.key(bt.Text(width=5), cardinality=900)
        day: date = bt.key(bt.DateText(), sequential=False, changes=False)
        hall: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False, changes=False)

        s = bt.family("s", gc=bt.max_versions(1))
        seats: dict[str, str] = bt.mapping(s, bt.Text(max_length=12), size=12, max_size=12, entries=130)

        of_orchestra = bt.query("orchestra", between="day", span="7d", together=["Rehearsal"])

    return Rehearsal, RehearsalPlayers


@bad("A wide row within all limits, written in pieces", asked=("COL003",), verdict="info")
def seventh_gene_bank() -> object:
    class Accession(bt.Model, table="accession", events="60/day"):
        """An accession with the calls of all 600,000 markers of the chip, which is the most there can be.

        The import writes them in pieces of 50,000. Programs read some named markers of some accessions, hardly ever all.
        """

        accession: str = bt.key(bt.Text(width=9), cardinality=70_000)

        c = bt.family("c", gc=bt.max_versions(1))
        calls: dict[str, str] = bt.mapping(c, bt.Text(width=10), size=5, max_size=8, entries=600_000)

        p = bt.family("p", gc=bt.max_versions(1))
        species: str | None = bt.column("species", p, default=None, size=20, max_size=60)
        country: str | None = bt.column("country", p, default=None, size=2, max_size=2)

        of_accession = bt.query("accession")

    return Accession


@good("Settings of which the newest stays for ever, and those before for 90 days")
def seventh_lighthouse_lamps() -> object:
    class Lamp(bt.Model, table="lamp", events="40/day"):
        """The settings of a lamp. Those in force must never go, however old they are; those before are kept for 90 days, however many there were."""

        station: str = bt.key(bt.Text(width=6), cardinality=1_900)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=90))
        settings: bt.History[dict[str, int]] = bt.history("set", s, size=150, max_size=2_000, every="40d")

        of_station = bt.query("station")

    return Lamp
