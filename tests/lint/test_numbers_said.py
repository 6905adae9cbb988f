"""What descriptions say of how many versions there are decides between the ways to bound a history."""

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Finding
from tests.lint.parts import found


class Dose(bt.Model, table="DOSE", events="35/s"):
    """The rate of an infusion pump, as it was set."""

    ward: str = bt.key(bt.Text(max_length=12), cardinality=900)
    pump: str = bt.key(bt.HexDigest(8), cardinality=70_000)

    s = bt.family("s", gc=bt.max_versions(5) & bt.max_age(days=90))
    rate: bt.History[float] = bt.history("r", s, every="20min")

    of_ward = bt.query("ward")


def dose(doc: str) -> Finding:
    """What the rule on series in versions finds on doses that are described so."""
    (finding,) = found(evolve(bt.schema_of(Dose), doc=doc), "COL005")
    return finding


SAID = (
    "The display shows how the rate was changed: never more than five settings, and none that is older than ninety days.",
    "A dose. At most five are shown.",
    "A dose, of which there are no more than 5.",
    "The last five doses of a pump.",
    "A pump and its newest five doses.",
    "A dose. The nurse sees up to five of them.",
    "A dose. Only five are of use.",
    "A dose; not more than five fit on the screen.",
    "A pump. Five doses at most are kept.",
    "A dose: five at most, of the last ninety days.",
    "A pump with a maximum of five settings.",
    "A dose. Nor are more than 5 wanted.",
)
UNSAID = (
    "A dose.",
    "A dose of the last five days.",
    "A dose. It is never more than five hours old.",
    "A dose. It is never more than six millilitres.",
    "A dose. Five nurses read it.",
    "A dose, set at least five times a day.",
    "A dose. More than five are normal.",
    "A dose. Up to five hundred a month.",
    "A dose. At most 50 come in a day.",
    "A dose. Only 5.5 ml are given.",
    "The last dose. It was given at five.",
    "A dose, of at most 5 ml.",
    "A dose. It is never more than five percent.",
)


@pytest.mark.parametrize("doc", SAID)
def test_a_number_that_is_said_comes_first(doc: str) -> None:
    """A union keeps no more than that, and rows of events would."""
    finding = dose(doc)
    assert finding.fix.startswith("keep no more, as the description says ")
    assert "`gc=bt.max_versions(5) | bt.max_age(days=90)`" in finding.fix
    assert "row per event" not in finding.fix
    (made,) = finding.models
    assert made.families[0].gc == bt.max_versions(5) | bt.max_age(days=90)
    assert found(made, "COL005") == []


@pytest.mark.parametrize("doc", UNSAID)
def test_of_no_number_rows_of_events_come_first(doc: str) -> None:
    """Nor of that of something else; the union stays the second way."""
    finding = dose(doc)
    assert finding.fix.startswith("write one row per event")
    assert "; or, if no more than 5 were meant" in finding.fix
