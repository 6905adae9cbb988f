"""Devices and machines: their keys and cells, and what they can be asked for."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.devices import all_of_one_day
from examples.worked.devices import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def devices(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_day_of_a_device_is_a_row(devices: bt.Database) -> None:
    """The type leads, then the id, then the day."""
    assert cells(devices, "devices") == {
        b"phone#4c410523#20200501": [(b"stats:reports", b"10")],
        b"phone#4c410523#20200502": [(b"stats:reports", b"20")],
        b"tablet#a0b81f74#20200501": [(b"stats:reports", b"10")],
        b"tablet#a0b81f74#20200502": [(b"stats:reports", b"20")],
    }


def test_a_reading_of_memory_is_a_row(devices: bt.Database) -> None:
    """The metric stands in the middle of the key, and each second has a row."""
    assert cells(devices, "memory_use") == {
        b"4c410523#memusage#1423523569918": [(b"memory:percent", b"40")],
        b"4c410523#memusage#1423523570918": [(b"memory:percent", b"41")],
        b"4c410523#memusage#1423523571918": [(b"memory:percent", b"42")],
    }


def test_a_machine_is_named_in_the_key(devices: bt.Database) -> None:
    """The codecs of its own write the number behind a word, and a length of time in seconds."""
    assert cells(devices, "machines") == {
        b"machine_4223421#1425330757685": [(b"load:cpu", b"17"), (b"load:running", b"86400")]
    }


def test_columns_lie_in_the_order_of_their_bytes(devices: bt.Database) -> None:
    """A sign sorts below capitals, whatever the order of declaration; the id repeats the key."""
    assert cells(devices, "processes") == {
        b"machine_4223421#0003150": [
            (b"SysMonitor:%CPU", b"12.5"),
            (b"SysMonitor:DiskRead", b"512"),
            (b"SysMonitor:ID", b"3150"),
            (b"SysMonitor:Memory", b"1048576"),
            (b"SysMonitor:Priority", b"20"),
            (b"SysMonitor:ProcessName", b"indexer"),
            (b"SysMonitor:User", b"root"),
        ]
    }


def test_the_questions_have_answers(devices: bt.Database) -> None:
    """A type, a type and an id, a machine: each is a prefix or a range."""
    assert [answer.answer for answer in EXAMPLE.ask(devices)] == [
        ["4c410523 2020-05-01", "4c410523 2020-05-02"],
        [20],
        [40, 41],
        "1 day, 0:00:00",
        ["indexer"],
    ]


def test_all_devices_of_a_day_are_refused() -> None:
    """The day stands behind the type and the id, so it is no prefix."""
    with pytest.raises(bt.DeclarationError, match=r"QRY001 full-scan: .*'kind' stands in front of 'day'"):
        all_of_one_day()
