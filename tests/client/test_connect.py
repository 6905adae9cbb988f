"""Connecting: what a target may be, and what is said when nothing is there."""

import os
import socket
import time
from pathlib import Path

import pytest

import btmodel as bt
from btmodel import emulator, server
from btmodel.client.admin import Admin
from btmodel.client.target import LOCAL, Target, resolve
from btmodel.migrate import bring
from btmodel.schema import tables
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, the_message


def _settings(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)


@pytest.mark.parametrize(
    "target", ["projects/p", "projects/p/instances/", "what:ever", "a/b", "projects//instances/i"]
)
def test_a_target_that_is_none_is_refused(target: str) -> None:
    """What is neither an instance's path nor a name says what was expected."""
    with pytest.raises(bt.SettingsError, match="expected projects/PROJECT/instances/INSTANCE"):
        bt.connect(target)


def test_a_name_comes_from_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: emulator.Emulator
) -> None:
    """A word is looked up in the settings of this folder; an unknown one lists the known ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(emulator.VARIABLE, server.host)
    _settings(tmp_path, '[tool.btmodel.instances]\ndev = "projects/p/instances/i"\nodd = "nowhere"\n')
    with bt.connect("dev") as db:
        assert str(db.target) == f"projects/p/instances/i on {server.host}"
    with pytest.raises(
        bt.SettingsError, match=r"'prod' is not in the settings \(.*pyproject.toml\) \(known: dev, odd\)"
    ):
        bt.connect("prod")
    with pytest.raises(bt.SettingsError, match="'odd' is 'nowhere' in the settings"):
        bt.connect("odd")


def test_options_of_an_instance_go_with_its_path_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: emulator.Emulator
) -> None:
    """As BTMODEL_INSTANCE of a container is often a path; where two names of one instance have other options, the path alone says too little."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(emulator.VARIABLE, server.host)
    path = "projects/p/instances/i"
    of_instance = f'instance = "{path}", app_profile'
    settings = f'[tool.btmodel.instances]\nmain = {{ {of_instance} = "users", deadline = {{ read = 1 }} }}\nother = "projects/p/instances/j"\n'
    _settings(tmp_path, settings)
    for name in ("main", path):
        monkeypatch.setenv("BTMODEL_INSTANCE", name)
        with bt.connect() as db:
            options = db.target.options
            assert (options.app_profile, options.deadline["read"]) == ("users", 1)
    with bt.connect(path, app_profile="batch") as db:
        assert (db.options.app_profile, db.options.deadline["read"]) == ("batch", 1)
    with bt.connect("projects/p/instances/j") as db:
        assert db.target.options.app_profile is None
    _settings(tmp_path, f'{settings}batch = {{ {of_instance} = "batch" }}\n')
    with pytest.raises(
        bt.SettingsError,
        match=rf"^instance '{path}' is called 'main' and 'batch' in the settings \(.*pyproject.toml\), with other options",
    ):
        bt.connect()
    with bt.connect("batch") as db:
        assert db.target.options.app_profile == "batch"


def test_options_of_a_local_file_go_with_its_path_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are the same wherever the path starts from."""
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    _settings(tmp_path, '[tool.btmodel.instances]\ndev = { instance = "local:dev.db", attempts = 3 }\n')
    for text in ("dev", "local:../dev.db", f"local:{tmp_path}/dev.db"):
        with bt.connect(text) as db:
            assert db.target.options.attempts == 3


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("local", "local:"),
        ("emulator", "emulator:"),
        ("dve", "dev"),
        ("locl:dev.db", "local:dev.db"),
        ("LOCAL:", "local:"),
        ("projects/p/instance/i", "projects/p/instances/i"),
    ],
)
def test_a_wrong_instance_is_told_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, meant: str
) -> None:
    """A word that is near to a name of the settings, or to a form of an instance, is answered with it."""
    monkeypatch.chdir(tmp_path)
    _settings(tmp_path, '[tool.btmodel.instances]\ndev = "local:"\n')
    with pytest.raises(bt.SettingsError) as refused:
        bt.connect(wrong)
    assert str(refused.value).endswith(f"(did you mean {meant}?)")


def test_a_server_that_is_not_there_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing answers at BIGTABLE_EMULATOR_HOST, one sentence says so within seconds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv(emulator.VARIABLE, f"127.0.0.1:{port}")
    started = time.monotonic()
    with pytest.raises(bt.ServerError, match=f"127.0.0.1:{port}: nothing answers there"):
        bt.connect("projects/p/instances/i")
    assert time.monotonic() - started < 10


def test_a_local_file_keeps_what_was_written(tmp_path: Path) -> None:
    """Rows in ``local:FILE`` are there for the next connection, and for a second one at once."""
    target = f"local:{tmp_path / 'dev.db'}"
    with bt.connect(target) as db:
        with Admin(db.target) as admin:
            bring(admin, tables([bt.schema_of(Quote)]))
        QuoteRepository(db).put(the_message()[0])
        with bt.connect(target) as second:
            assert second.target.host == db.target.host
            assert QuoteRepository(second).get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]
        assert QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]
    with bt.connect(target) as db:
        assert QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]


def test_a_file_whose_name_cannot_be_is_one_error(tmp_path: Path) -> None:
    """A NUL, a ring of links and a name that is too long."""
    (tmp_path / "ring.db").symlink_to("ring.db")
    for name in ("a\0b.db", "ring.db", "n" * 300 + ".db"):
        with pytest.raises(bt.ServerError, match="cannot serve"):
            bt.connect(f"local:{tmp_path / name}")
    store = bt.FileStore(tmp_path / "a\0b")
    with pytest.raises(bt.SettingsError, match="cannot read the positions"):
        store.load()
    with pytest.raises(bt.SettingsError, match="cannot write the positions"):
        store.save("x")


def test_a_file_that_the_settings_name_lies_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From any folder of a project, the name of a local instance means the same file."""
    _settings(tmp_path, '[tool.btmodel.instances]\ndev = "local:dev.db"\nmemory = "local:"\n')
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    with bt.connect("dev"):
        assert (tmp_path / "dev.db").is_file()
    with bt.connect("memory") as db:
        assert db.target.host
    assert list((tmp_path / "deep").iterdir()) == []


def test_a_local_instance_in_memory_is_new_each_time() -> None:
    """``local:`` has no tables, whatever another connection made."""
    with bt.connect("local:") as db, pytest.raises(bt.MissingTable):
        QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """A folder that is missing, or a file that is no database, is one error with its path."""
    with pytest.raises(bt.ServerError, match="missing"):
        bt.connect(f"local:{tmp_path / 'missing' / 'dev.db'}")
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at" * 20)
    with pytest.raises(bt.ServerError, match=r"notes.txt"):
        bt.connect(f"local:{tmp_path / 'notes.txt'}")


def test_a_started_emulator_ends_with_its_connection(
    monkeypatch: pytest.MonkeyPatch, startable: None
) -> None:
    """``emulator:`` starts a server, and closing the connection stops it."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    with bt.connect("emulator:") as db:
        host, port = str(db.target.host).split(":")
        with pytest.raises(bt.MissingTable):
            QuoteRepository(db).get("NYSE", "IBM", QUOTE_TIME)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((host, int(port)), 5)


def test_the_environment_is_left_as_it_was(
    monkeypatch: pytest.MonkeyPatch, server: emulator.Emulator
) -> None:
    """Connecting to a started server does not redirect other clients of this process."""

    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    with bt.connect("local:") as db, pytest.raises(bt.MissingTable):
        QuoteRepository(db).get("NYSE", "IBM", QUOTE_TIME)
    assert emulator.VARIABLE not in os.environ


def test_an_app_profile_goes_with_every_request() -> None:
    """Reads and writes name the app profile that the connection was given."""
    with server.start() as local:
        target = Target("projects/p/instances/i", local.host, lambda: None)
        with Admin(target) as admin:
            bring(admin, tables([bt.schema_of(Quote)]))
        table = bt.schema_of(Quote).table
        for known in (None, "default"):
            with bt.Database(target, app_profile=known) as db:
                assert list(db.cells(table)) == []
        with bt.Database(target, app_profile="other") as db:
            with pytest.raises(bt.ServerError, match="App profile not found: other"):
                list(db.cells(table))
            with pytest.raises(bt.ServerError, match="App profile not found: other"):
                db.delete(table, b"key")


def test_a_file_that_is_served_is_reached_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``local:`` connects to the server of its file, whatever the environment names; any other file is served anew."""
    file = tmp_path / "dev.db"
    with server.start(file) as running, server.start() as other:
        for named in ("", other.host, running.host):
            monkeypatch.setenv(emulator.VARIABLE, named)
            with bt.connect(f"local:{file}") as db:
                assert (db.target.host, db.target.instance) == (running.host, LOCAL)
        target = resolve(f"local:{tmp_path / 'staging.db'}")
        target.release()
        assert target.host != running.host
        running.kill()
        # What a killed server left beside its file is no server.
        target = resolve(f"local:{file}")
        target.release()
        assert target.host != running.host


def test_a_connection_by_another_app_profile(tmp_path: Path) -> None:
    """A database is made of what `connect` takes, with the id of an app profile; what can be none is refused at once."""
    for profile in ("default", "batch"):
        with bt.Database(f"local:{tmp_path / 'dev.db'}", app_profile=profile) as db:
            bt.create_tables(db, Quote)
            if profile == "default":
                assert QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME) is None
            else:
                with pytest.raises(bt.ServerError, match="App profile not found: batch"):
                    QuoteRepository(db).get("NASDAQ", "ZXZZT", QUOTE_TIME)
    with pytest.raises(bt.SettingsError, match="expected projects/PROJECT/instances/INSTANCE"):
        bt.Database("projects/p", app_profile="batch")
    for wrong in ("", 5):
        with pytest.raises(bt.SettingsError, match="app_profile: expected the id of an app profile"):
            bt.Database("projects/p/instances/i", app_profile=wrong)  # type: ignore[arg-type]


def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    """Neither a pipe in the place of the file nor one in the place of its lock is waited for."""
    pipe, locked = tmp_path / "pipe.db", tmp_path / "dev.db"
    os.mkfifo(pipe)
    os.mkfifo(tmp_path / "dev.db.lock")
    with pytest.raises(
        bt.ServerError, match=r"pipe\.db is not a database of the local server: it is no regular file"
    ):
        bt.connect(f"local:{pipe}")
    with pytest.raises(bt.ServerError, match=r"cannot serve .*dev.db: cannot write .*dev.db.lock"):
        bt.connect(f"local:{locked}")
