"""Sessions of a web site: rows that expire by themselves, under keys that do not tell whose they are.

The cells of a session have the time of its end as their timestamp, in the future. The rule keeps
cells until they are a millisecond old, so the end of the session is the end of its cells. The service
deletes them up to a week later, but reads leave out what the rule no longer keeps. The key begins with a one-way
hash of the address, so it shows in no log; sessions are found by the whole address alone.
"""

from datetime import datetime

import btmodel as bt


class Session(bt.Model, table="sessions", events="1000/s"):
    """What a visitor does at the moment, on one device."""

    visitor = bt.digest("email", size=8)
    device: str = bt.key(bt.Text(max_length=20))

    data = bt.family("data", gc=bt.max_age(milliseconds=1))
    email: str = bt.column("email", data, cardinality=1_000_000)
    basket: list[str] = bt.column("basket", data, size=400)
    expires: datetime = bt.timestamp()

    of_visitor = bt.query("email")


def sessions_of_a_company() -> object:
    """The sessions of all addresses that begin alike, of which the key holds a hash only."""

    class Sessions(bt.Model, table="sessions", events="1000/s"):
        visitor = bt.digest("email", size=8)

        data = bt.family("data", gc=bt.max_age(milliseconds=1))
        email: str = bt.column("email", data)
        expires: datetime = bt.timestamp()

        beginning = bt.query(starting="email")

    return Sessions
