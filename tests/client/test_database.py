"""The life of a connection: one client, whatever the threads; closed is closed; the environment is left alone."""

import os
import pickle
import threading
from collections.abc import Callable

import pytest

import btmodel as bt
from btmodel import emulator, server
from btmodel.client.options import KINDS
from btmodel.client.target import Target
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes, the_message

Open = Callable[..., bt.Database]


def test_threads_share_one_client(database: Open) -> None:
    """Eight threads that read at once through one connection make one client."""
    db = database(Quote)
    made: list[object] = []
    start = threading.Barrier(8)

    def read() -> None:
        start.wait()
        QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME)
        made.append(db._connection._client)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len(set(map(id, made))) == 1


def test_a_closed_connection_says_so(database: Open) -> None:
    """Reading or writing after close is an error at once, and closing twice is none."""
    db = database(Quote)
    quotes = QuoteRepository(db)
    quotes.put(the_message()[0])
    db.close()
    db.close()
    with pytest.raises(bt.ServerError, match="is closed"):
        quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME)


def test_connecting_never_shows_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one thread connects to a local server, no other ever sees its address in the environment."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    seen: set[str | None] = set()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            seen.add(os.environ.get(emulator.VARIABLE))

    with server.start() as local:
        watcher = threading.Thread(target=watch)
        watcher.start()
        target = Target("projects/p/instances/i", local.host, lambda: None)
        for _ in range(20):
            with bt.Database(target) as db, pytest.raises(bt.MissingTable):
                QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME)
        over.set()
        watcher.join()
    assert seen == {None}


def test_a_connection_goes_where_its_target_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is set to another address later does not move a connection."""
    with (
        server.start() as local,
        bt.Database(Target("projects/p/instances/i", local.host, lambda: None)) as db,
    ):
        monkeypatch.setenv(emulator.VARIABLE, "127.0.0.1:1")
        with pytest.raises(bt.MissingTable):
            QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME)


def test_a_server_that_dies_in_a_bulk_write_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that were not acknowledged are listed as failed, and the reason is no answer, not a dump."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 2.0))
    with server.start() as local:
        target = Target("projects/p/instances/i", local.host, lambda: None)
        from btmodel.client.admin import Admin
        from btmodel.migrate import bring
        from btmodel.schema import tables

        with Admin(target) as admin:
            bring(admin, tables([bt.schema_of(Quote)]))

        def progress(done: int) -> None:
            local.kill()

        with bt.Database(target) as db, pytest.raises(bt.WriteFailed) as failed:
            QuoteRepository(db).put_many(made_up_quotes(1_500), progress=progress)
    assert failed.value.written == 1_000
    assert {row.index for row in failed.value.failures} == set(range(1_000, 1_500))
    assert f"no answer from {local.host}" in str(failed.value)
    assert "if that server has ended, start it again" in str(failed.value)
    assert "Rendezvous" not in str(failed.value)


def test_a_thousand_failures_at_the_very_end_are_not_called_an_early_stop(database: Open) -> None:
    """Where the last batch fails whole, nothing was left unread, and the error does not say so."""
    wrong = [Quote(exchange="TOOLONG", symbol="A", quote_time=QUOTE_TIME) for _ in range(1_000)]
    quotes = QuoteRepository(database(Quote))
    with pytest.raises(bt.WriteFailed) as failed:
        quotes.put_many(wrong)
    assert not failed.value.stopped
    with pytest.raises(bt.WriteFailed) as stopped:
        quotes.put_many([*wrong, the_message()[0]])
    assert stopped.value.stopped
    assert "1000 x Quote.exchange: expected text of 1 to 6 bytes" in str(stopped.value)


@pytest.mark.parametrize(
    "error",
    [
        bt.MissingTable("t", "i"),
        bt.UndecodableKey("M", "t", b"k", "why"),
        bt.ValueRefused("text", 5, where="M.f"),
        bt.WriteFailed("t", 3, [bt.FailedRow(0, b"k", bt.MissingTable("t", "i"))], stopped=False),
    ],
)
def test_errors_cross_processes(error: bt.BtmodelError) -> None:
    """An error that is pickled and read back says the same, and keeps what it holds."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert vars(again).keys() == vars(error).keys()
