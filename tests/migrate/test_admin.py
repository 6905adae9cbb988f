"""The admin client, on a real emulator."""

import socket
import time
from collections.abc import Iterator

import pytest
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table

from btmodel import Database, emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MissingTable, SchemaConflict, ServerError, SettingsError, ValueRefused
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.schema import Family, KeepAll, MaxVersions

pytestmark = pytest.mark.both_servers


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


def test_an_empty_instance(admin: Admin) -> None:
    """An instance without tables has none, whichever are asked for."""
    assert admin.read_tables() == ()
    assert admin.read_tables(["QUOTE"]) == ()
    assert admin.table("QUOTE") is None


def test_tables_come_back_as_they_were_made(admin: Admin) -> None:
    """Families and rules survive, tables come in the order of their ids, and only those asked for."""
    deep = table("DEEP", a=(ONE & WEEK) | MaxVersions(9), b=KeepAll())
    for made in (TRADE, deep, QUOTE):
        admin.create_table(made)
    assert admin.read_tables() == as_live(deep, QUOTE, TRADE)
    assert admin.read_tables(["TRADE", "NONE"]) == as_live(TRADE)


def test_families_change_in_one_call(admin: Admin) -> None:
    """One call creates, updates and drops; an update to keeping everything clears the rule."""
    admin.create_table(table("T", a=ONE, b=ONE, c=ONE))
    admin.modify_families(
        "T", create=[Family("d", WEEK)], update=[Family("a", KeepAll()), Family("b", WEEK)], drop=["c"]
    )
    assert admin.table("T") == as_live(table("T", a=KeepAll(), b=WEEK, d=WEEK))[0]


def test_what_is_there_already(admin: Admin) -> None:
    """A table or a family that exists is a conflict, which a re-read resolves."""
    admin.create_table(QUOTE)
    with pytest.raises(SchemaConflict, match="'QUOTE'"):
        admin.create_table(QUOTE)
    with pytest.raises(SchemaConflict, match="'QUOTE'"):
        admin.modify_families("QUOTE", create=[Family("MD", ONE)])


def test_what_is_not_there(admin: Admin) -> None:
    """A missing table and a missing family are errors that name the table."""
    with pytest.raises(MissingTable, match="'QUOTE'"):
        admin.delete_table("QUOTE")
    with pytest.raises(MissingTable, match="'QUOTE'"):
        admin.modify_families("QUOTE", drop=["MD"])
    admin.create_table(QUOTE)
    with pytest.raises(ServerError, match=r"'QUOTE'.*zz"):
        admin.modify_families("QUOTE", drop=["zz"])


def test_a_dropped_table_is_gone(admin: Admin) -> None:
    """A deleted table is not read any more."""
    admin.create_table(QUOTE)
    admin.delete_table("QUOTE")
    assert admin.read_tables() == ()


def test_the_rows_of_a_prefix_are_dropped(admin: Admin) -> None:
    """Every row that begins with the prefix goes, of any bytes; its neighbours, and other tables, stay."""
    keys = [b"a", b"a#", b"a#1", b"a#\xff\xff", b"a$", b"\xff", b"\xff\xff1"]
    tables = (QUOTE, table("OTHER", MD=ONE))
    with Database(Target(admin.instance, admin._server, lambda: None)) as db:
        for made in tables:
            admin.create_table(made)
            db.write_many(made.id, [Mutation(made.id, key, [Cell("MD", b"q", 1000, b"")]) for key in keys])

        def left(id: str) -> list[bytes]:
            return [key for key, _ in db.read(ReadPlan(id, (RowRange(b"", b""),), None))]

        admin.drop_prefix("QUOTE", b"a#")
        assert left("QUOTE") == [b"a", b"a$", b"\xff", b"\xff\xff1"]
        admin.drop_prefix("QUOTE", b"\xff\xff")
        assert left("QUOTE") == [b"a", b"a$", b"\xff"]
        admin.drop_prefix("QUOTE", b"none")
        with pytest.raises(ValueRefused, match="expected a prefix of at least one byte, got b''"):
            admin.drop_prefix("QUOTE", b"")
        assert left("QUOTE") == [b"a", b"a$", b"\xff"]
        assert left("OTHER") == keys
    with pytest.raises(MissingTable, match="'MISSING'"):
        admin.drop_prefix("MISSING", b"a")


@pytest.mark.parametrize(
    "path", ["", "i", "projects/p", "projects/p/instances/", "projects/p/instances/i/tables/t"]
)
def test_a_malformed_path(path: str) -> None:
    """A path that names no instance is refused before anything is asked."""
    with pytest.raises(SettingsError, match="expected projects/PROJECT/instances/INSTANCE"):
        Admin(Target(path))


def test_nothing_answers(instance: str) -> None:
    """An address where nothing listens is told within seconds, by its name."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    began = time.monotonic()
    with pytest.raises(ServerError, match=f"no Bigtable server answers at {host}"):
        Admin(Target(instance, host))
    assert time.monotonic() - began < 10


@pytest.mark.usefixtures("startable")
def test_a_server_that_goes_away(instance: str) -> None:
    """After the server is gone, each call says so within seconds."""
    with emulator.running() as short, Admin(Target(instance, short.host)) as admin:
        short.stop()
        began = time.monotonic()
        with pytest.raises(
            ServerError, match=f"no answer from {short.host}.*; if that server has ended, start"
        ):
            admin.read_tables()
        with pytest.raises(ServerError, match=f"no answer from {short.host}"):
            admin.create_table(QUOTE)
        assert time.monotonic() - began < 10


def test_no_credentials(instance: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Without credentials for the service, the error names what is missing."""
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    with pytest.raises(ServerError, match=r"the Bigtable service.*default credentials were not found"):
        Admin(Target(instance))
