"""The figures of a run by name: ratios of medians, with what they should be at least, and what is aimed at."""

from collections.abc import Callable, Mapping

from attrs import frozen

from tests.bench.speed import contests, layout, starting
from tests.bench.speed.contest import OURS, Outcome
from tests.bench.speed.keys import BY_HAND

MILLI = 1_000.0
REPLAY200, FLIGHTS200 = "scan ticks replay200", "scan flights replay200"


@frozen
class Target:
    """What a figure should be. Without ``more``, less is better."""

    least: float
    aim: float | None = None
    more: bool = True

    def met(self, figure: float) -> bool:
        """Whether it is at least that."""
        return figure >= self.least if self.more else figure <= self.least


@frozen
class Figure:
    """What is told of some outcome: ``name`` as programs read it, ``meaning`` as people do.

    ``cpu`` is the same of the processors, where ``take`` goes by the clock.
    """

    name: str
    meaning: str
    outcome: str
    take: Callable[[Outcome], float]
    target: Target | None = None
    cpu: Callable[[Outcome], float] | None = None


def over(way: str, name: str, meaning: str, outcome: str, target: Target | None = None) -> Figure:
    """How many times as long ``way`` takes as btmodel."""
    return Figure(
        name,
        meaning,
        outcome,
        lambda outcome: outcome.ratio(way),
        target,
        lambda outcome: outcome.cpu_ratio(way),
    )


def limit(way: str, name: str, meaning: str, outcome: str) -> Figure:
    """How many times as long ``way`` takes as to take the same bytes from the channel, and do nothing with them."""
    return Figure(
        name,
        meaning,
        outcome,
        lambda outcome: outcome.ratio(way, contests.DRAINED),
        cpu=lambda outcome: outcome.cpu_ratio(way, contests.DRAINED),
    )


def more(way: str, less: str) -> Callable[[Outcome], float]:
    """How many milliseconds of the processors ``way`` takes more than ``less``."""
    return lambda outcome: (outcome.cpu_micros(way) - outcome.cpu_micros(less)) / MILLI


def cpu(way: str, than: str) -> Callable[[Outcome], float]:
    """How many times as much of the processors ``way`` takes as ``than``."""
    return lambda outcome: outcome.cpu_ratio(way, than)


def _narrow(name: Callable[[str], str]) -> Callable[[Outcome], float]:
    return cpu(name(layout.NARROW), name(layout.WIDE))


FIGURES = [
    over(contests.BULK, "write_emulator", "bulk write, emulator", "write ticks emulator", Target(6, 9)),
    over(contests.BULK, "write_replay", "bulk write, replay", "write ticks replay", Target(12, 25)),
    over(contests.BULK, "write_local", "bulk write, local server", "write ticks local"),
    over(contests.BULK, "write_flights_replay", "bulk write of flights, replay", "write flights replay"),
    over(
        contests.STREAM, "scan_replay200_vs_stream", "scan, 200 rows per message, versus the careful stream",
        REPLAY200, Target(2.5, 4),
    ),
    over(contests.IDIOM, "scan_replay200_vs_idiom", "the same, versus the documented idiom", REPLAY200, Target(7, 10)),
    over(contests.SINGLE, "scan_replay200_vs_option", "the same, versus the careful stream with the channel option", REPLAY200),
    over(contests.LEGACY, "scan_replay200_vs_legacy", "the same, versus the legacy client", REPLAY200),
    over(contests.PARSED, "scan_replay200_parse", "the part that protobuf alone takes to parse the same bytes", REPLAY200),
    over(contests.STREAM, "scan_replay20_vs_stream", "scan, 20 rows per message, versus the careful stream", "scan ticks replay20"),
    over(
        contests.STREAM, "scan_emulator_vs_stream", "scan, emulator, versus the careful stream",
        "scan ticks emulator", Target(4, 5),
    ),
    limit(contests.STREAM, "scan_emulator_floor", "the same if the bytes were only received (upper limit)", "scan ticks emulator"),
    over(contests.SINGLE, "scan_emulator_vs_option", "scan, emulator, versus the careful stream with the channel option", "scan ticks emulator"),
    over(contests.STREAM, "scan_local_vs_stream", "scan, local server, versus the careful stream", "scan ticks local"),
    over(contests.STREAM, "scan_flights_vs_stream", "scan of flights, 200 rows per message, versus the careful stream", FLIGHTS200),
    over(contests.IDIOM, "scan_flights_vs_idiom", "the same, versus the documented idiom", FLIGHTS200),
    over(contests.STREAM, "scan_async_vs_stream", "scan with asyncio, 200 rows per message", "async scan replay200"),
    Figure("columns_vs_rows", "CPU time to read columns of Arrow, versus rows, 200 rows per message", REPLAY200, cpu(contests.COLUMNS, OURS)),
    Figure("columns_vs_parse", "the same, versus protobuf's parsing of the same bytes alone", REPLAY200, cpu(contests.COLUMNS, contests.PARSED)),
    over(contests.LISTED, "multiget100", "multi-get of 100 keys", "multiget", Target(3, 3.7)),
    limit(contests.LISTED, "multiget100_floor", "the same if the bytes were only received (upper limit)", "multiget"),
    over(contests.POINT, "async_point", "point reads, asyncio, 50 at once", "async point", Target(2.5, 3.2)),
    limit(contests.POINT, "async_point_floor", "the same if the bytes were only received (upper limit)", "async point"),
    over(contests.POINT, "point_read", "one point read", "point read", Target(1.8, 2.2)),
    over(contests.POINT, "point_write", "one point write", "point write", Target(1.4, 1.6)),
    Figure("wide_read", "CPU time to read 96 rows of one column, versus one row of 96 columns", "layout", _narrow(layout.read)),
    Figure("wide_write", "the same for a write", "layout", _narrow(layout.written)),
    Figure(
        "import_ms", "`import btmodel` minus `import attrs`, ms of CPU",
        "starts", more(starting.BTMODEL, starting.ATTRS), Target(25, more=False),
    ),
    Figure(
        "declare_ms", "declare a model of three columns, minus `import attrs`, ms of CPU",
        "starts", more(starting.DECLARED, starting.ATTRS),
    ),
    Figure(
        "help_cpu_ms", "`btmodel --help`, ms of CPU",
        "starts", lambda starts: starts.cpu_micros(starting.HELP) / MILLI, Target(150, more=False),
    ),
    Figure(
        "key_encode_vs_fstring", "encode a key, versus an f-string",
        "keys encoded", cpu(OURS, BY_HAND), Target(1.3, more=False),
    ),
    Figure(
        "key_decode_vs_split", "decode a key, versus `split`",
        "keys decoded", cpu(OURS, BY_HAND), Target(1.3, more=False),
    ),
    Figure("flight_key_encode_vs_fstring", "encode a key of flights, versus an f-string", "flight keys encoded", cpu(OURS, BY_HAND)),
    Figure("flight_key_decode_vs_split", "decode a key of flights, versus `split`", "flight keys decoded", cpu(OURS, BY_HAND)),
    Figure(
        "row_validation_us", "µs of CPU per written row, more than bytes by hand",
        "write ticks replay", lambda write: write.cpu_micros(OURS) - write.cpu_micros(contests.UNCHECKED),
        Target(2, more=False),
    ),
]  # fmt: skip
MEMORY = {
    "memory_scan": ("memory of the longest scan, divided by that of 10,000 rows", Target(1.2, more=False)),
    "memory_load": ("memory of the longest load, divided by that of 10,000 rows", Target(1.2, more=False)),
}


def taken(outcomes: Mapping[str, Outcome]) -> dict[str, float | None]:
    """The figures of some outcomes; None where what it takes was not measured."""
    return {one.name: _of(outcomes, one.outcome, one.take) for one in FIGURES}


def taken_of_cpu(outcomes: Mapping[str, Outcome]) -> dict[str, float | None]:
    """Of the figures that go by the clock, those of the processors, by the same names."""
    return {one.name: _of(outcomes, one.outcome, one.cpu) for one in FIGURES if one.cpu}


def _of(outcomes: Mapping[str, Outcome], name: str, take: Callable[[Outcome], float]) -> float | None:
    return round(take(outcomes[name]), 3) if name in outcomes else None
