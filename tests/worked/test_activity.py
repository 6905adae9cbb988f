"""Recent activity: five actions of a user, the newest first."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.activity import CORRIE, JO, SEEDS, SHOVEL, newest_of_everybody
from examples.worked.activity import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def shop(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_an_action_carries_what_the_sidebar_shows(shop: bt.Database) -> None:
    """A row is an action, the newest first, with the details of its product."""
    rows = cells(shop, "activity")
    assert list(rows) == [
        b"corrie#9223370610322075807",
        b"corrie#9223370610322135807",
        b"corrie#9223370610322195807",
        b"corrie#9223370610322255807",
        b"corrie#9223370610322315807",
        b"corrie#9223370610322375807",
        b"jo#9223370610322375807",
    ]
    assert rows[b"corrie#9223370610322075807"] == [
        (b"activity:action", b"rated"),
        (b"activity:image", b"carrots.jpg"),
        (b"activity:name", b"Carrot seeds"),
        (b"activity:price", b"1.95"),
        (b"activity:product", b"p-42"),
    ]


def test_an_action_carries_nothing_else(shop: bt.Database) -> None:
    """Neither a phone number nor the address of a maker is in the table."""
    kept_out = [one.encode() for one in (CORRIE.phone, JO.phone, SHOVEL.maker_address, SEEDS.maker_address)]
    values = [value for row in cells(shop, "activity").values() for _, value in row]
    assert not any(secret in value for secret in kept_out for value in values)


def test_the_questions_have_answers(shop: bt.Database) -> None:
    """The five newest actions of a user, the page behind them, and those between two times."""
    assert [answer.answer for answer in EXAMPLE.ask(shop)] == [
        [
            "rated Carrot seeds (1.95)",
            "bought Shovel (24.90)",
            "viewed Shovel (24.90)",
            "bought Carrot seeds (1.95)",
            "viewed Carrot seeds (1.95)",
        ],
        ["Shovel"],
        ["Carrot seeds", "Shovel"],
    ]


def test_actions_by_time_alone_are_refused() -> None:
    """They are all written to one tablet, and no user's can be asked for."""
    with pytest.raises(bt.DeclarationError, match=r"KEY001 timestamp-first(.|\n)*QRY001 full-scan"):
        newest_of_everybody()
