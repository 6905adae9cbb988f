"""Users and logins: ids written backwards, documents, and times from the newest on."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.users import newest_of_all
from examples.worked.users import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def users(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_ids_that_follow_each_other_lie_apart(users: bt.Database) -> None:
    """The last digit of an id is the first of its key; all that is known of a user is one cell."""
    assert cells(users, "users") == {
        b"117400000": [(b"data:profile", b'{"name":"Corrie","languages":["en"]}')],
        b"217400000": [(b"data:profile", b'{"name":"Jo","languages":["en"]}')],
        b"317400000": [(b"data:profile", b'{"name":"Sam","languages":["en"]}')],
    }


def test_the_newest_login_is_the_first_row(users: bt.Database) -> None:
    """The time is 9223372036854775807 less the milliseconds: 1423523569918, and one and two hours later."""
    assert cells(users, "logins") == {
        b"117400000#9223370613324005889": [(b"data:address", b"192.0.2.3")],
        b"117400000#9223370613327605889": [(b"data:address", b"192.0.2.2")],
        b"117400000#9223370613331205889": [(b"data:address", b"192.0.2.1")],
    }


def test_the_questions_have_answers(users: bt.Database) -> None:
    """Reads come from the newest on, and a range of times leaves out its later end."""
    assert [answer.answer for answer in EXAMPLE.ask(users)] == ["Jo", "192.0.2.3", ["192.0.2.2", "192.0.2.1"]]


def test_a_reversed_time_in_front_is_refused_like_any_other() -> None:
    """All new rows go to the first tablet instead of the last one."""
    with pytest.raises(bt.DeclarationError, match="KEY001 timestamp-first"):
        newest_of_all()
