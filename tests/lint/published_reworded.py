"""Designs of earlier sets with other figures, names and words, on which the review was wrong."""

from datetime import datetime

from published import bad

import btmodel as bt


@bad(
    "Passengers of a bus within one second, who are all at the same stop",
    "KEY017",
    says=("such as an id", "`{bus}#{at}#{id}`"),
    never=("#{stop}",),
    verdict="warning",
)
def reworded_bus_doors() -> object:
    class Passage(bt.Model, table="passage", events="9000/s"):
        """A passenger who broke the light barrier at one of the four doors of a bus. Planners replay the trips of a bus."""

        bus: str = bt.key(bt.Text(width=6), cardinality=4_500)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        p = bt.family("p", gc=bt.max_age(days=30))
        door: int = bt.column("d", p)
        stop: str = bt.column("s", p, size=8, max_size=8, cardinality=30_000)

        of_bus = bt.query("bus", between="at", span="1day")

    return Passage


@bad(
    "Rejected bottles of a line within one second, each with its number",
    "KEY017",
    says=("make the column `bottle` a key field, to distinguish the events: `{line}#{at}#{bottle}`",),
    verdict="error",
)
def reworded_bottles() -> object:
    class Reject(bt.Model, table="reject", events="90/s"):
        """A rejected bottle of one of 24 lines, with the score of the inspector."""

        line: int = bt.key(bt.PaddedInt(3), cardinality=24, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        r = bt.family("r", gc=bt.max_age(days=365))
        bottle: int = bt.column("no", r)
        score: float = bt.column("s", r)

        of_line = bt.query("line", between="at", span="8h")

    return Reject
