"""ROW003 on lists in a cell: no age is proposed against the description, and what is declared of a size is not denied."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Device(bt.Model, table="DEVICE", events="1500/s"):
    """A device. `log` gets an entry for each change."""

    serial: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    log: list[dict[str, float]] = bt.column("log", d)

    of_device = bt.query("serial")


def device(said: str, most: int | None = None) -> ModelSchema:
    """Devices with such a description, and such a largest list."""
    model = bt.schema_of(Device)
    columns = tuple(evolve(one, expected=evolve(one.expected, max_size=most)) for one in model.columns)
    return evolve(model, doc=f"A device. `log` gets an entry for each change{said}", columns=columns)


KEPT = (
    ", for the life of the device (10 years, 40 a day).",
    ", over its whole lifetime.",
    ", and nothing is ever deleted.",
    ". It is read for two years.",
    ", as long as the device is installed.",
    ". The screen shows the last 5 years.",
    ", kept for good.",
    ". Entries are kept by law.",
)
FREE = (
    ".",
    ", some 40 a day.",
    ". The app shows the last 30 days.",
    ". It is read for two weeks.",
    ", in a list without end.",
    ". A device has one owner.",
    ". The latest hour is looked at.",
)


@pytest.mark.parametrize("said", KEPT)
def test_no_age_is_proposed_against_the_description(said: str) -> None:
    """A row for each item is what remains."""
    (finding,) = found(device(said), "ROW003")
    assert "max_age" not in finding.fix
    assert "write one row per event" in finding.fix


@pytest.mark.parametrize("said", FREE)
def test_an_age_is_proposed_where_nothing_speaks_against_it(said: str) -> None:
    """As one of the ways."""
    (finding,) = found(device(said), "ROW003")
    assert "max_age" in finding.fix


@pytest.mark.parametrize("most", [6_000_000, 1_500_000, 9_000_000])
def test_a_declared_size_is_said(most: int) -> None:
    """It is no bound that lets a list be written whole, but it is one."""
    (finding,) = found(device(".", most), "ROW003")
    assert "nothing says" not in finding.message
    assert "it may have" in finding.message
    assert "if it is short" not in finding.fix
    assert "nothing says how large it may get" in found(device("."), "ROW003")[0].message
    assert found(device(".", 10_000), "ROW003") == []
