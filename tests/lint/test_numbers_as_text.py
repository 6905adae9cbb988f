"""The rules on ranges of numbers that are written as text, and the code of their fix."""

import re
from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import Level
from btmodel.schema import ModelSchema
from tests.lint.parts import found


class Stone(bt.Model, table="STONE", events="90/s", allow={"QRY001": "the tests review it"}):
    """A cut stone with its certificate."""

    shape: str = bt.key(bt.Text(max_length=12), cardinality=14)
    carats: str = bt.key(bt.Text(width=6), cardinality=2_000)
    certificate: int = bt.key(bt.PaddedInt(10), cardinality=5_000_000, sequential=False)

    s = bt.family("s", gc=bt.max_versions(1))
    clarity: str = bt.column("cl", s, max_size=4)

    weighing = bt.query("shape", between="carats")


OPEN = bt.Text(max_length=6)


def stone(name: str, doc: str = "", codec: Any = OPEN) -> ModelSchema:
    """Stones by a text that is called so, and described so."""
    model = bt.schema_of(Stone)
    fields = tuple(
        evolve(part, name=name, codec=codec) if part.name == "carats" else part for part in model.key.fields
    )
    queries = tuple(evolve(query, between=name) for query in model.queries)
    return evolve(
        model, doc=doc or model.doc, key=evolve(model.key, fields=fields), queries=queries, allow={}
    )


QUANTITIES = (
    "carats",
    "grams",
    "euros",
    "weight",
    "price",
    "amount",
    "height",
    "score",
    "version",
    "rating",
    "salary",
    "odometer",
    "torque",
    "size_ct",
    "diameter",
    "kilograms",
)
TEXTS = (
    "cut",
    "grades_text",
    "lot",
    "meters",
    "in",
    "mi",
    "label",
    "origin",
    "colour",
    "ct",
    "report",
    "batch",
)


@pytest.mark.parametrize("name", QUANTITIES)
def test_a_range_of_what_is_called_like_a_quantity_is_one_of_numbers(name: str) -> None:
    """The rule on unserved queries proposes the same, and no end or width that leaves text what it is."""
    (number,) = found(stone(name), "KEY007")
    (unserved,) = found(stone(name), "QRY001")
    assert number.level is Level.WARNING
    assert unserved.fix.startswith(number.fix)
    for text in ("NUL", "width of"):
        assert text not in unserved.fix
    for made in (*number.models, *unserved.models):
        assert found(made, "KEY007") == found(made, "QRY001") == []


@pytest.mark.parametrize("name", TEXTS)
def test_other_texts_sort_as_such(name: str) -> None:
    """A unit by itself that is a word for something else, and whatever is no number."""
    assert found(stone(name), "KEY007") == []
    assert "PaddedInt" not in found(stone(name), "QRY001")[0].fix


SAMPLES = [
    ("carats", 'Weights stand as on the certificate: "0.5", "1.25", "10.02".', 2),
    ("cut", 'A stone. Written as on paper, such as "0.5" or "10.02".', 2),
    ("purity", 'The purity is written such as "7.5", "12.25" and "100".', 2),
    ("lot", "A lot is named such as 0.5, 1.5, 10.5.", 1),
    ("index_of", 'Values, for example "2.125" and "12.5", come from the laboratory.', 3),
    ("tint", "The tint is like 0.75 or 11.5.", 2),
    ("depths", 'It has depths such as "1.5" and "22.5".', 1),
    ("gauge", 'Gauges are written as "5", "7.5", "10": "5.0", "10.0".', 1),
    ("clearness", 'A clearness, such as "0.25" or "25.5", of a lamp.', 2),
    ("mass", "A mass is written such as 3.5, 30.5.", 1),
]
NO_SAMPLES = [
    ("cut", 'Cuts are written such as "00.50", "10.02".'),
    ("cut", "A cut. The laboratory takes 0.5 or 10.02 euros for it."),
    ("cut", 'The clarity is written such as "0.5" or "10.02".'),
    ("cut", 'A certificate, numbered such as "1.5" or "10.5".'),
    ("lot", "A lot is named such as A1.5, B10.5."),
    ("cut", 'Words such as "round" and "oval".'),
    ("lot", "A lot is named such as 1.5, 2.5, 9.5."),
    ("lot", "Lots last such as 0.5 and 10.5 hours."),
    ("cut", "A stone of 0.5 to 10.02 carats."),
    ("origin", 'Mines are called such as "Mir" and "Udachnaya", since 1.5 years.'),
]


@pytest.mark.parametrize(("name", "doc", "decimals"), SAMPLES)
def test_samples_with_decimals_show_numbers(name: str, doc: str, decimals: int) -> None:
    """Also with a fixed width, and where the samples happen to sort: a 9 is a number, too."""
    (finding,) = found(stone(name, doc, bt.Text(width=6)), "KEY007")
    assert finding.level is Level.WARNING
    assert f"value.scaleb({decimals})" in finding.fix


@pytest.mark.parametrize(("name", "doc"), NO_SAMPLES)
def test_samples_of_something_else_show_nothing(name: str, doc: str) -> None:
    """Nor do ids, what has as many digits always, and amounts."""
    assert found(stone(name, doc, bt.Text(width=6)), "KEY007") == []


@pytest.mark.parametrize(
    ("doc", "values"),
    [
        ("", ("0.50", "1.25", "9.00", "10.02")),
        ('They stand as "0.5" and "10.1".', ("0.5", "1.2", "9.0", "10.1")),
        ('They stand as on it: "0.125", "10.5".', ("0.125", "1.200", "9.000", "10.500")),
    ],
)
def test_the_code_of_the_fix_sorts_numbers_as_they_are(doc: str, values: tuple[str, ...]) -> None:
    """It is written to the letter, and gives a class whose keys climb with the numbers, and come back."""
    (finding,) = found(stone("carats", doc), "KEY007")
    declared, *functions = re.findall(r"`([^`]+)`", finding.fix)
    names: dict[str, Any] = {"bt": bt, "Decimal": Decimal}
    for function in functions:
        exec(function, names)
    codec = eval(declared.removeprefix("carats: Decimal = bt.key(").removesuffix(")"), names)
    written = [codec.encode(Decimal(value)) for value in values]
    assert written == sorted(written)
    assert [codec.decode(one) for one in written] == [Decimal(value) for value in values]
    made = stone("carats", doc, codec)
    assert found(made, "KEY007") == found(made, "QRY001") == []


@pytest.mark.parametrize(("most", "digits"), [(5, 5), (8, 8), (9, 9), (40, 9)])
@pytest.mark.parametrize(
    ("name", "doc"), [("lot_number", ""), ("lot", "Lots are numbered such as 9, 10, 11.")]
)
def test_a_number_has_no_more_digits_than_its_text(name: str, doc: str, most: int, digits: int) -> None:
    """The width follows from what is declared, and the models of the fix have it."""
    (finding,) = found(stone(name, doc, bt.Text(max_length=most)), "KEY007")
    assert f"`{name}: int = bt.key(bt.PaddedInt({digits}))`" in finding.fix
    (made,) = finding.models
    assert bt.PaddedInt(digits) in [part.codec for part in made.key.fields]


class Standing(bt.Model, table="STANDING"):
    tournament: str = bt.key(bt.HexDigest(8), cardinality=300_000)
    rank: int = bt.key(bt.Int(6), cardinality=5_000, sequential=False)
    team: str = bt.key(bt.HexDigest(8))

    r = bt.family("r", gc=bt.max_versions(1))
    wins: int = bt.column("w", r)

    of_tournament = bt.query("tournament")


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("The page shows the fifty lowest ranks of a tournament.", Level.WARNING),
        ("Ranks are shown starting with rank 1.", Level.WARNING),
        ("Teams are listed, sorted by rank.", Level.WARNING),
        ("Teams are read in the order in which they ended.", Level.WARNING),
        ("The page shows a tournament and its teams.", Level.INFO),
        ("The rank of the winner is 1.", Level.INFO),
    ],
)
def test_an_unpadded_number_by_which_rows_are_listed_is_more_than_a_question(said: str, level: Level) -> None:
    """The first rows of the key are then others than those that are asked for."""
    (finding,) = found(evolve(bt.schema_of(Standing), doc=f"The rank of a team. {said}"), "KEY007")
    assert finding.level is level
