"""What the speed benchmark tells of its laps: ratios within rounds, figures by name, a page and a picture."""

import json
from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.console import Console

from tests.bench.speed import contests, page, told
from tests.bench.speed.contest import OURS, Lap, Outcome, compete
from tests.bench.speed.figures import FIGURES, MEMORY, Target, taken, taken_of_cpu
from tests.bench.speed.growth import LINES, Point, memory_ratio, peak
from tests.bench.speed.plot import drawn

ASKED_FOR = [
    "write_emulator",
    "write_replay",
    "scan_replay200_vs_stream",
    "scan_replay200_vs_idiom",
    "scan_emulator_vs_stream",
    "multiget100",
    "async_point",
    "point_read",
    "point_write",
    "memory_scan",
    "memory_load",
    "import_ms",
    "help_cpu_ms",
    "key_encode_vs_fstring",
    "key_decode_vs_split",
    "row_validation_us",
]


def outcome(**seconds: list[float]) -> Outcome:
    """An outcome of ten rows with these laps; the processors took half of the time."""
    return Outcome(
        "a scan", 10, {name: [Lap(wall, wall / 2) for wall in laps] for name, laps in seconds.items()}
    )


def test_a_ratio_is_the_median_of_those_within_a_round() -> None:
    """A machine that is slow in one round is slow for all ways, and changes no ratio."""
    found = outcome(btmodel=[1, 10, 2], other=[3, 20, 8])
    assert found.ratio("other") == 3
    assert found.cpu_ratio("other") == 3
    assert found.spread("other") == (2, 4)
    assert found.micros(OURS) == pytest.approx(200_000)


def test_each_way_runs_once_untimed_and_once_a_round() -> None:
    """Each round begins with another way."""
    ran: list[str] = []
    found = compete("order", 1, 2, {"a": lambda: ran.append("a"), "b": lambda: ran.append("b")})
    assert ran == ["a", "b", "a", "b", "b", "a"]
    assert [len(laps) for laps in found.laps.values()] == [2, 2]


def test_figures_that_were_not_measured_are_null() -> None:
    """All names are in the line of JSON, whatever servers there are."""
    scan = outcome(btmodel=[1.0], **{contests.STREAM: [4.0]})
    figures = taken({"scan ticks replay20": scan})
    assert figures["scan_replay20_vs_stream"] == 4
    assert figures["write_emulator"] is None
    assert taken_of_cpu({"scan ticks replay20": scan})["scan_replay20_vs_stream"] == 4
    assert set(ASKED_FOR) <= figures.keys() | MEMORY.keys()
    assert json.loads(json.dumps(figures)) == figures


def test_less_is_better_for_some() -> None:
    """A target of milliseconds is met from below."""
    assert Target(2.5).met(2.5)
    assert not Target(2.5).met(2.4)
    assert Target(25, more=False).met(24)
    assert not Target(25, more=False).met(26)


def test_figures_are_told_to_people() -> None:
    """Each with what it should be, and whether it is."""
    console = Console(width=120, record=True, file=StringIO())
    found = {"write_replay": 13.0, "import_ms": 30.0, "write_emulator": None}
    told.figures(console, found, {"write_replay": 17.0, "write_emulator": None})
    lines = console.export_text().splitlines()
    assert any("13.00" in line and "17.00" in line and "met" in line for line in lines)
    assert any("30.00" in line and "at most 25" in line and "missed" in line for line in lines)
    assert any("not measured" in line for line in lines)


@pytest.fixture
def lines() -> dict[tuple[str, str], list[Point]]:
    """Growth of all lines, made up."""
    sizes = (1_000, 10_000, 1_000_000)
    return {
        (work, way): [Point(rows, rows / 50_000, 80 + rows / 20_000) for rows in sizes]
        for work, ways in LINES.items()
        for way in ways
    }


def test_growth_is_drawn(lines: dict[tuple[str, str], list[Point]]) -> None:
    """The picture is well-formed, and has a line for each way and measure, within its panel."""
    root = ElementTree.fromstring(drawn(lines))
    found = root.findall(".//{*}polyline")
    assert len(found) == 2 * len(lines)
    for line in found:
        places = [tuple(map(float, place.split(","))) for place in line.attrib["points"].split()]
        assert all(0 <= x <= 300 and 0 <= y <= 190 for x, y in places)


def test_memory_is_compared_with_ten_thousand_rows(lines: dict[tuple[str, str], list[Point]]) -> None:
    """What the most rows take, divided by what those take."""
    assert memory_ratio(lines["scan", OURS]) == (80 + 50) / (80 + 0.5)
    assert peak() > 10


def test_the_page_has_every_figure() -> None:
    """The recorded table names what the benchmark tells today, in its order."""
    text = page.PAGE.read_text()
    table = text.partition(page.BEGIN)[2].partition(page.END)[0]
    named = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert named == [one.name for one in FIGURES] + list(MEMORY)
    assert page.PLOT.exists()
