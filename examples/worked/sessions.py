"""Sessions against a server."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import btmodel as bt
from examples.generated.session_repository import SessionRepository
from examples.sessions import Session, sessions_of_a_company
from examples.worked.example import Answer, Example

LATER = datetime(2100, 1, 1, tzinfo=UTC)


def write(db: bt.Database) -> None:
    """A session that goes on for long, and one that has ended a minute ago."""
    ended = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=1)
    sessions = SessionRepository(db)
    sessions.put(Session(email="corrie@example.com", device="phone", basket=["p-42"], expires=LATER))
    sessions.put(Session(email="corrie@example.com", device="laptop", basket=["p-17"], expires=ended))


def ask(db: bt.Database) -> Iterator[Answer]:
    """The sessions that there are still."""
    sessions = [(row.device, row.basket) for row in SessionRepository(db).of_visitor("corrie@example.com")]
    yield Answer("Which sessions has Corrie?", sessions)


EXAMPLE = Example("Sessions", (Session,), write, ask, refused=(sessions_of_a_company,))
