"""Recent activity against a server."""

from collections.abc import Iterator
from datetime import timedelta

import btmodel as bt
from examples.activity import START, Activity, actions, newest_of_everybody
from examples.generated.activity_repository import ActivityRepository
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Seven actions of two users."""
    ActivityRepository(db).put_many(actions())


def ask(db: bt.Database) -> Iterator[Answer]:
    """The sidebar; the next page of it; and a span of time."""
    of_corrie = ActivityRepository(db).of_user("corrie")
    newest = [f"{row.action.value} {row.name} ({row.price})" for row in of_corrie.limit(5)]
    yield Answer("What are Corrie's five newest actions?", newest)
    page = of_corrie.page(5)
    older = [row.name for row in of_corrie.page(5, page.next).rows]
    yield Answer("And the page behind them?", older)
    first = ActivityRepository(db).of_user("corrie", START, START + timedelta(minutes=2))
    yield Answer("What did Corrie do in the first two minutes?", [row.name for row in first])


EXAMPLE = Example("Recent activity", (Activity,), write, ask, refused=(newest_of_everybody,))
