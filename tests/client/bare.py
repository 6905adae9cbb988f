"""A table made without a model, for tests of what the client sends."""

from collections.abc import Callable, Iterator

import pytest

from btmodel import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.schema import Family, Table

NASTY = [
    b"",
    b"\0",
    b"\n",
    b"\xff",
    b"\xff\xfe\0",
    "é".encode(),
    b"A",
    b"a",
    b"a\0",
    b"a\nb",
    b"a.b",
    b"aXb",
    b"a|b",
    b"\\C*",
    b"^a$",
    b"(?i)a",
    b"[a]",
    b"\\x61",
]


def made(target: Target, *families: Family) -> Target:
    """``target``, once it has the table T with these families."""
    with Admin(target) as admin:
        admin.create_table(Table("T", families))
    return target


Bare = Callable[..., Database]


@pytest.fixture
def target(server: object, instance: str) -> Target:
    """An empty instance on the server."""
    return Target(instance, server.host, lambda: None)  # type: ignore[attr-defined]


@pytest.fixture
def bare(target: Target) -> Iterator[Bare]:
    """Makes the table T with some families, and connects to its instance."""
    opened: list[Database] = []

    def open_(*families: Family) -> Database:
        opened.append(Database(made(target, *families)))
        return opened[-1]

    yield open_
    for db in opened:
        db.close()
