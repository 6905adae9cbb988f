"""Sessions: a hash in the key, and an end in the timestamps."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

import btmodel as bt
from examples.generated.session_repository import SessionRepository
from examples.sessions import Session, sessions_of_a_company
from examples.worked.sessions import EXAMPLE
from tests.worked.raw_cells import versions

Open = Callable[..., bt.Database]


@pytest.fixture
def sessions(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_key_is_a_hash_and_the_timestamp_the_end(sessions: bt.Database) -> None:
    """The first 8 bytes of the SHA-256 of the address lead the key; every cell ends with its session."""
    rows = versions(sessions, "sessions")
    assert list(rows) == [b"c22bbf2e80063b24#laptop", b"c22bbf2e80063b24#phone"]
    end = datetime(2100, 1, 1, tzinfo=UTC)
    assert rows[b"c22bbf2e80063b24#phone"] == [
        (b"data:basket", end, b'["p-42"]'),
        (b"data:email", end, b"corrie@example.com"),
    ]


def test_a_session_that_has_ended_is_not_read(sessions: bt.Database) -> None:
    """Its cells may be there for a week yet, but no read returns them."""
    assert [answer.answer for answer in EXAMPLE.ask(sessions)] == [[("phone", ["p-42"])]]
    repository = SessionRepository(sessions)
    assert repository.get(device="laptop", email="corrie@example.com") is None


def test_a_session_can_be_prolonged(sessions: bt.Database) -> None:
    """Writing it again with a later end keeps it, and the end is read back."""
    repository = SessionRepository(sessions)
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    repository.put(Session(email="corrie@example.com", device="laptop", basket=["p-17"], expires=later))
    found = repository.get(device="laptop", email="corrie@example.com")
    assert found is not None
    assert (found.expires, found.basket) == (later, ["p-17"])


def test_addresses_that_begin_alike_are_refused() -> None:
    """A hash tells nothing about the beginning of what was hashed."""
    with pytest.raises(
        bt.DeclarationError, match=r"QRY001 full-scan: (.|\n)*only a hash of 'email' is in the key"
    ):
        sessions_of_a_company()
