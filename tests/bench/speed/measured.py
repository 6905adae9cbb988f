"""All that is measured on servers, one outcome after the other, each with its name."""

from collections.abc import Iterator

from tests.bench.speed import contests, keys, layout, starting
from tests.bench.speed.contest import Outcome
from tests.bench.speed.ours import Ours
from tests.bench.speed.places import READ, WRITTEN, Servers
from tests.bench.speed.reached import Place
from tests.bench.speed.settings import Settings
from tests.bench.speed.workload import FLIGHTS, TICKS

Named = Iterator[tuple[str, Outcome]]


def measured(servers: Servers, settings: Settings) -> Named:
    """Every outcome."""
    yield from _reads(servers, settings)
    yield from _writes(servers, settings)
    yield from _points(servers, settings)
    yield from _alone(settings)
    yield "layout", layout.layouts(servers.replayed(200), settings.rounds)


def _reads(servers: Servers, settings: Settings) -> Named:
    rounds = settings.rounds
    for size in (200, 20):
        scan = contests.scans(TICKS, servers.replayed(size), settings.replayed, rounds)
        yield f"scan ticks replay{size}", scan
    yield "scan flights replay200", contests.scans(FLIGHTS, servers.replayed(200), settings.replayed, rounds)
    yield (
        "async scan replay200",
        contests.async_scans(TICKS, servers.replayed(200), settings.replayed, rounds),
    )
    for place in servers.kept(READ):
        fill(place, settings.served)
        yield f"scan ticks {_short(place)}", contests.scans(TICKS, place, settings.served, rounds)
    yield f"scan flights {_short(place)}", contests.scans(FLIGHTS, place, settings.served, rounds)


def _writes(servers: Servers, settings: Settings) -> Named:
    for work in (TICKS, FLIGHTS):
        write = contests.bulk_writes(work, servers.replayed(200), settings.loaded, settings.rounds)
        yield f"write {work.name} replay", write
    for place in servers.kept(WRITTEN):
        write = contests.bulk_writes(TICKS, place, settings.served, settings.rounds)
        yield f"write ticks {_short(place)}", write


def _points(servers: Servers, settings: Settings) -> Named:
    """On the emulator, if it is there; figures are taken from the first server, the others are told."""
    rounds = settings.rounds
    places = [servers.kept(READ)[0], servers.replayed(20)]
    for suffix, place in zip(("", " replay"), places, strict=True):
        yield f"point read{suffix}", contests.point_reads(TICKS, place, settings.points, rounds)
        yield f"point write{suffix}", contests.point_writes(TICKS, place, settings.points, rounds)
        yield f"multiget{suffix}", contests.multigets(TICKS, place, settings.multigets, rounds)
        yield f"async point{suffix}", contests.async_points(TICKS, place, settings.waits, rounds)


def _alone(settings: Settings) -> Named:
    """What needs no server."""
    rounds = max(settings.rounds, 5)
    yield "keys encoded", keys.encoding(TICKS, 5_000, rounds)
    yield "keys decoded", keys.decoding(TICKS, 5_000, rounds)
    yield "flight keys encoded", keys.encoding(FLIGHTS, 5_000, rounds)
    yield "flight keys decoded", keys.decoding(FLIGHTS, 5_000, rounds)
    yield "starts", starting.starts(settings.starts)


def fill(place: Place, rows: int) -> None:
    """Write the rows that are read."""
    for work in (TICKS, FLIGHTS):
        ours = Ours.of(work, place)
        ours.bulk(work.models(work.records(rows)))
        ours.close()


def _short(place: Place) -> str:
    return "local" if place.server == "local server" else "emulator"
