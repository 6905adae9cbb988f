"""A file that many processes use: one server for all of them, which comes with the first and goes with the last."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from file_user import FileUser, killed, lives, server_of, until
from server_api import Api

import btmodel as bt
from btmodel.client.target import LOCAL
from btmodel.errors import ServerError
from btmodel.rows import Append, Cell, Mutation, ReadModifyWrite
from btmodel.server import join, start
from examples.market import Quote


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The name of a file that is not there yet."""
    return tmp_path / "dev.db"


@pytest.fixture
def ten(file: Path) -> Iterator[list[FileUser]]:
    """Ten processes for one file."""
    with ExitStack() as stack:
        yield [stack.enter_context(FileUser(file)) for _ in range(10)]


def together(users: list[FileUser], command: str) -> list[str]:
    """What comes of it where all do something at the same moment."""
    for user in users:
        user.tell(command)
    return [user.answer() for user in users]


def test_processes_that_open_a_file_at_once_share_its_server(file: Path, ten: list[FileUser]) -> None:
    """Of processes that open a file at once one starts a server, and all use it, which ends when all have left."""
    usual = [user.ask("descriptors") for user in ten]
    for number in range(4):
        users = ten[: 2 if number % 2 else 10]
        hosts = together(users, "join")
        assert len(set(hosts)) == 1 and hosts[0].startswith("127.0.0.1:"), hosts
        server = server_of(file)
        assert lives(server)
        assert set(together(users, "release")) == {"released"}
        assert not Path(f"{file}-wal").exists()  # the last to leave has waited for the end
        until(lambda pid=server: not lives(pid), 5)
    assert [user.ask("descriptors") for user in ten] == usual
    assert {user.ask("zombies") for user in ten} == {"0"}


def test_processes_that_come_while_others_leave(file: Path, ten: list[FileUser]) -> None:
    """A process that comes when the last user leaves gets that server, alive, or a new one, and never one that ends."""
    counts = together(ten[:4], "come_and_go 8")
    assert all(count.isdecimal() for count in counts), counts
    until(lambda: not lives(server_of(file)), 5)


def test_the_server_outlives_the_process_that_started_it(file: Path) -> None:
    """The end of the process that started the server harms no other user, and its output ends with it."""
    with FileUser(file, stderr=subprocess.PIPE) as first, FileUser(file) as second:
        assert first.ask("join") == second.ask("join")
        server = server_of(file)
        first.kill()
        assert first.process.stdout is not None and first.process.stderr is not None
        assert first.process.stdout.read() == first.process.stderr.read() == ""
        assert lives(server)
        with FileUser(file) as third:
            assert third.ask("join") == second.ask("join")
            second.kill()
            time.sleep(0.1)
            assert lives(server)
        until(lambda: not lives(server), 5)


def test_nothing_acknowledged_is_lost_whoever_is_killed(file: Path, tmp_path: Path) -> None:
    """Processes that write go on when the starter, the server or another user is killed, and every row that was acknowledged is there."""
    logs = [tmp_path / f"keys{number}" for number in range(3)]

    def acknowledged() -> list[int]:
        return [len(log.read_bytes().splitlines()) if log.exists() else 0 for log in logs]

    def all_go_on(users: slice) -> None:
        before = acknowledged()
        until(
            lambda: all(
                now > then + 20 for now, then in list(zip(acknowledged(), before, strict=True))[users]
            )
        )

    with FileUser(file) as first, FileUser(file) as second, FileUser(file) as third:
        host = first.ask("join")
        api = Api(host)
        api.instance = LOCAL
        table = api.table()
        api.close()
        server = server_of(file)
        for user, log, kind in zip((first, second, third), logs, ("sync", "sync", "async"), strict=True):
            assert user.ask(f"write {log} {kind}") == "begun"
        all_go_on(slice(3))
        first.kill()
        all_go_on(slice(1, 3))
        assert server_of(file) == server
        os.kill(server, signal.SIGKILL)
        all_go_on(slice(1, 3))
        assert server_of(file) != server
        assert third.ask("join") == host
        second.kill()
        all_go_on(slice(2, 3))
        assert third.ask("stop") == ""
        assert third.ask("zombies") == "0"
        server = server_of(file)
        third.ask("release")
        until(lambda: not lives(server), 5)
    with start(file) as running:
        keys = {key for key, _ in Api(running.host).rows(table)}
    noted = {key for log in logs for key in log.read_bytes().splitlines(keepends=True) if key.endswith(b"\n")}
    assert len(noted) > 100
    assert {key.strip() for key in noted} <= keys


def test_a_server_that_was_killed_is_replaced(file: Path) -> None:
    """A call that may be repeated finds a new server at the old address; one that may not fails until there is one."""
    row = Mutation("t", b"k", [Cell("cf", b"q", 1000, b"v")])
    append = ReadModifyWrite("t", b"other", [Append("cf", b"q", b"v")])

    def appended() -> bool:
        try:
            db.modify(append)
        except ServerError:
            return False
        return True

    with bt.connect(f"local:{file}") as db:
        api = Api(str(db.target.host))
        api.instance = LOCAL
        api.table()
        api.close()
        db.write(row)
        killed(file)
        assert [cell.value for _, cells in db.cells("t") for cell in cells] == [b"v"]
        killed(file)
        db.write(row)
        killed(file)
        # What is sent once is sent again only where it did not leave this machine.
        try:
            db.modify(append)
        except (bt.Unavailable, bt.Unanswered):
            until(appended)
        assert [cell.value for cell in db.modify(append)] == [b"vv"]
        killed(file)
        bt.create_tables(db, Quote)
        assert list(db.cells("QUOTE")) == []
        server = server_of(file)
    assert not Path(f"{file}-wal").exists()
    until(lambda: not lives(server), 5)


def test_a_child_of_a_user_is_no_user(file: Path) -> None:
    """A process that was forked from a user keeps no server alive, and ends none."""
    with FileUser(file) as user:
        user.ask("join")
        server = server_of(file)
        child = int(user.ask("fork"))
        try:
            assert user.ask("release_in_child") == "0"
            time.sleep(0.2)
            assert lives(server)
            user.ask("release")
            until(lambda: not lives(server), 5)
            assert lives(child)
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_server_that_was_started_by_hand_is_used_and_left_alone(file: Path) -> None:
    """A server of one's own serves others, too; it stays when they go, and is not replaced when it was killed."""
    with start(file) as running:
        with bt.connect(f"local:{file}", deadline=0.5) as db:
            assert (db.target.host, db.target.instance) == (running.host, LOCAL)
            with pytest.raises(bt.MissingTable):
                db.splits("t")
        assert lives(running.pid)
        with bt.connect(f"local:{file}", deadline=0.5) as db:
            running.kill()
            with pytest.raises(bt.Unavailable):
                list(db.cells("t"))
            with bt.connect(f"local:{file}"), pytest.raises(bt.MissingTable):
                list(db.cells("t"))  # at the server that serves the file now


def test_a_server_for_a_file_that_is_shared_is_refused(file: Path) -> None:
    """A server with options of its own cannot serve what a shared one serves: that is said, with when it ends."""
    use = join(file)
    with pytest.raises(
        ServerError, match=f"dev.db is already being served by process {server_of(file)} at"
    ) as told:
        start(file, replicated=True)
    assert str(told.value).endswith(". This server ends with the last program that uses the file")
    use.release()
    use.release()
    start(file, replicated=True).stop()  # at once: the server has ended by then


def test_the_log_of_a_shared_server(file: Path) -> None:
    """Beside the file it says which process served where, within bounds; an error of a server that does not answer names it."""
    log = Path(f"{file}.log")
    log.write_text("an old line\n" * 40_000)
    with bt.connect(f"local:{file}", attempts=1) as db:
        server = server_of(file)
        serves = f"process {server}: serves {file} at {db.target.host}\n"
        until(lambda: log.read_text().endswith(serves))
        text = log.read_text()
        assert len(text) < 140_000
        assert text.startswith("an old line\n")
        killed(file)
        with pytest.raises(bt.Unavailable, match=re.escape(f"; the log of that server is {log}") + "$"):
            list(db.cells("none"))

        def replaced() -> bool:
            # The call that failed may have found the old server alive just before: then the next one starts another.
            with suppress(ServerError):
                list(db.cells("none"))
            return server_of(file) != server and "serves" in log.read_text().splitlines()[-1]

        until(replaced)
    until(lambda: log.read_text().endswith(f"process {server_of(file)}: ends, as no program uses the file\n"))


def test_a_shared_server_that_is_stopped_by_a_signal(file: Path) -> None:
    """A long read goes on at the next server without an error, and the log says what ended the one before."""
    with bt.connect(f"local:{file}") as db:
        api = Api(db.target.host)
        api.instance = LOCAL
        api.table()
        for number in range(40):
            db.write(Mutation("t", b"%02d" % number, [Cell("cf", b"q", 1000, b"v" * (1 << 20))]))
        server, rows = server_of(file), iter(db.cells("t"))
        first = next(rows)
        os.kill(server, signal.SIGTERM)
        until(lambda: not lives(server), 5)
        assert len([first, *rows]) == 40
        assert server_of(file) != server
        assert (
            f"process {server}: ends, stopped by SIGTERM" in Path(f"{file}.log").read_text().splitlines()[1]
        )


def test_a_file_that_was_deleted_while_it_is_served(file: Path) -> None:
    """A process that opens the name anew must not write into the file that is gone."""
    use = join(file)
    file.rename(file.with_name("old.db"))
    for _ in range(2):
        with pytest.raises(
            ServerError, match=f"dev.db was deleted or replaced while process {server_of(file)} at"
        ):
            join(file)
        file.write_bytes(b"")
    use.release()


def test_an_owner_that_does_not_answer(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that holds the lock and serves nothing is named, once it has been waited for."""
    monkeypatch.setattr("btmodel.server.running._SILENT_SECONDS", 0.2)
    monkeypatch.setattr("btmodel.server.running._START_SECONDS", 0.2)
    with Path(f"{file}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for written, said in (
            ("", "unknown, but it has given no address for"),
            ("77 127.0.0.1:1 shared 0:0", "77 at 127.0.0.1:1, but nothing answers there"),
            ("77 nonsense:nonsense", "77 at nonsense:nonsense, but nothing answers there"),
        ):
            lock.seek(0)
            lock.truncate()
            lock.write(written)
            lock.flush()
            with pytest.raises(ServerError, match=f"dev.db is already being served by process {said}"):
                join(file)
    use = join(file)  # what is written down counts only while the lock is held
    use.release()


def test_a_file_system_without_locks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files cannot be locked, that is said, and not that another process serves the file."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(ServerError, match=r"cannot lock .*dev.db.users: No locks available: .* local disk"):
        join(file)


def test_files_of_other_users(tmp_path: Path) -> None:
    """A file that another user serves is used there; nobody can serve it who may not write beside it, and each refusal is a sentence."""
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp())
    file = folder / "dev.db"
    try:
        folder.chmod(0o555)
        with FileUser(file, as_nobody) as other:
            refused = other.ask("join")
            assert (
                refused == f"ServerError: cannot serve {file}: cannot write {file}.users: Permission denied"
            )
            folder.chmod(0o755)
            running = start(file)
            folder.chmod(0o555)
            if as_nobody:
                assert other.ask("join") == running.host
                assert other.ask("release") == "released"
            running.kill()
            if as_nobody:
                refused = other.ask("join")
                assert (
                    refused
                    == f"ServerError: cannot serve {file}: cannot write {file}.lock: Permission denied"
                )
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_link_in_the_place_of_a_lock(file: Path) -> None:
    """What a link named as the lock points to is not written to."""
    victim = file.with_name("victim")
    victim.write_text("mine")
    for suffix in (".lock", ".users"):
        link = Path(f"{file}{suffix}")
        link.unlink(missing_ok=True)
        link.symlink_to(victim)
        with pytest.raises(ServerError, match=f"cannot write {link}: "):
            join(file)
        link.unlink()
    assert victim.read_text() == "mine"
