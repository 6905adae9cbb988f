"""Users with sequential ids, and their logins.

New users have the highest ids, so keys that begin with the id as it is would all be written
to the end of the table. Written backwards, neighbouring ids lie apart. What will be asked of
a profile is not known yet, so all of it is one cell. Logins are asked for from the newest on,
so their time is reversed: 9223372036854775807 less the milliseconds since 1970.
"""

from datetime import UTC, datetime
from typing import Any

import btmodel as bt


class User(bt.Model, table="users", events="200/s"):
    """A user, with everything that is known as one JSON document. The server cannot look inside."""

    id: int = bt.key(bt.ReversedDigits(9), cardinality=100_000_000, sequential=True)

    data = bt.family("data", gc=bt.max_versions(1))
    profile: dict[str, Any] = bt.column("profile", data, size=2_000)


class Login(bt.Model, table="logins", events="2000/s"):
    """A login of a user, the newest first."""

    user: int = bt.key(bt.ReversedDigits(9), cardinality=100_000_000, sequential=True)
    at: datetime = bt.key(bt.ReversedMillis())

    data = bt.family("data", gc=bt.max_age(days=90))
    address: str = bt.column("address", data)

    of_user = bt.query("user", between="at", newest=True)


def newest_of_all() -> object:
    """The newest logins of all users, by a key that begins with the time: reversed or not, one tablet takes them all."""

    class Newest(bt.Model, table="logins", events="2000/s"):
        at: datetime = bt.key(bt.ReversedMillis())
        user: int = bt.key(bt.ReversedDigits(9), cardinality=100_000_000)

        data = bt.family("data", gc=bt.max_age(days=90))
        address: str = bt.column("address", data)

    return Newest


FIRST_LOGIN = datetime(2015, 2, 9, 23, 12, 49, 918_000, tzinfo=UTC)
