"""Where findings stand that follow from a sentence of a description: at its line, in every output."""

import json
from pathlib import Path

import pytest
from user_project import Run

PARCEL = '''\
import btmodel as bt


class Outer:
    """Couriers ask for their parcels."""


class Parcel(bt.Model, table="PARCEL", events="400/s"):
    """A parcel, as it is sent.

    Dispatchers list the parcels
    of a depot. Others do not.
    """

    parcel: str = bt.key(bt.Text(width=12), cardinality=900_000_000)

    p = bt.family("p", gc=bt.max_age(days=400))
    depot: str = bt.column("d", p, max_size=12, cardinality=30_000)
    grams: int = bt.column("g", p)
'''
SENTENCE = "Dispatchers list the parcels"


@pytest.fixture
def models(project: Path) -> Path:
    path = project / "shop" / "models.py"
    path.write_text(PARCEL)
    return path


def test_the_place_is_the_line_of_the_sentence(run: Run, models: Path) -> None:
    """And the carets are below its words, as far as they stand on that line."""
    line = PARCEL.split("\n").index(f"    {SENTENCE}") + 1
    lines = run("check").stdout.split("\n")
    at = next(number for number, text in enumerate(lines) if "QRY008" in text)
    assert lines[at].endswith(f"Parcel.depot (shop/models.py:{line})")
    assert lines[at + 1].endswith(f"    {SENTENCE}")
    assert lines[at + 2].endswith(f"    {'^' * len(SENTENCE)}")
    (found,) = (
        one for one in json.loads(run("check", "--json").stdout)["findings"] if one["rule"] == "QRY008"
    )
    assert (found["line"], found["file"]) == (line, str(models))
    (result,) = (
        one
        for one in json.loads(run("check", "--format", "sarif").stdout)["runs"][0]["results"]
        if one["ruleId"] == "QRY008"
    )
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {
        "startLine": line,
        "startColumn": 5,
        "endLine": line,
        "endColumn": 5 + len(SENTENCE),
    }
    assert f"line={line},endLine={line},col=5" in run("check", "--format", "github").stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A parcel, as', '__doc__ = """A parcel, as'),
        ("Dispatchers list", "D\\x69spatchers list"),
    ],
    ids=["assigned", "escaped"],
)
def test_a_sentence_that_is_written_otherwise_has_the_place_of_its_class(
    run: Run, models: Path, old: str, new: str
) -> None:
    """No other words are taken for it."""
    models.write_text(PARCEL.replace(old, new))
    line = next(at for at, text in enumerate(PARCEL.split("\n"), 1) if text.startswith("class Parcel"))
    assert f"Parcel.depot (shop/models.py:{line})" in run("check").stdout
