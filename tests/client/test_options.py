"""Options of connections: checked when connecting, sent with every request, and held by every call."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from attrs import evolve
from fake_bigtable import answering
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials
from google.protobuf.duration_pb2 import Duration
from google.rpc.code_pb2 import RESOURCE_EXHAUSTED, UNAVAILABLE  # type: ignore[import-untyped]
from google.rpc.error_details_pb2 import RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_status.rpc_status import to_status  # type: ignore[import-untyped]

import btmodel as bt
from btmodel import emulator
from btmodel.client.options import KINDS, Options
from btmodel.client.target import Target
from btmodel.rows import Add, Cell, Mutation, ReadPlan, RowRange
from btmodel.settings import configure, instance_named, read
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import QUOTE_TIME, Quote, the_message

ONE = ReadPlan("T", (RowRange(b"a", b"a\0"),), None)
ALL = ReadPlan("T", (RowRange(b"", b""),), None)
PUT = Mutation("T", b"a", cells=(Cell("f", b"q", 1000, b"1"),))
ADD = Mutation("T", b"a", adds=(Add("f", b"q", 0, 1),))

Calls = list[tuple[float, Mapping[str, str]]]


@contextmanager
def served(answer: Callable[[Any, int], bytes | None]) -> Iterator[tuple[Target, Calls]]:
    """A service that gives the same answer to everything; when it was asked, with which metadata."""
    calls: Calls = []

    def noted(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        calls.append((time.monotonic(), {item.key: item.value for item in call.invocation_metadata()}))
        given = answer(call, len(calls))
        if given:
            yield given

    with answering(noted) as target:
        yield target, calls


def well(call: Any, number: int) -> bytes:
    return b""


def silent(call: Any, number: int) -> None:
    while call.is_active():
        time.sleep(0.005)


def asks_to_wait(seconds: float, code: int, times: int = 1) -> Callable[[Any, int], bytes]:
    """An answer that the service is overloaded, with the time after which to come again."""

    def answer(call: Any, number: int) -> bytes:
        if number <= times:
            status = Status(code=code, message="overloaded")
            delay = Duration(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))
            status.details.add().Pack(RetryInfo(retry_delay=delay))
            call.abort_with_status(to_status(status))
        return b""

    return answer


def blocking(target: Target, act: Callable[[Any], Any], **options: Any) -> Any:
    with bt.Database(target, **options) as db:
        return act(db)


def awaited(target: Target, act: Callable[[Any], Any], **options: Any) -> Any:
    async def main() -> Any:
        async with bt.AsyncDatabase(target, **options) as db:
            done = act(db)
            if hasattr(done, "__aiter__"):
                return [one async for one in done]
            return await done

    return asyncio.run(main())


in_both_ways = pytest.mark.parametrize("do", [blocking, awaited])
Do = Callable[..., Any]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"app_profil": "x"}, r"a connection has no option 'app_profil' \(did you mean app_profile\?\)"),
        (
            {"app_profile": ""},
            "app_profile: expected the id of an app profile, or None for the instance's default, got ''",
        ),
        ({"app_profile": "a\nb"}, "app_profile: expected"),
        (
            {"deadline": {"raed": 1}},
            r"deadline: there is no kind of call 'raed' \(did you mean read\?\)",
        ),
        (
            {"deadline": 0},
            "deadline: expected seconds, more than 0 and at most 86,400, or such seconds by kind of call .*, got 0",
        ),
        ({"deadline": float("inf")}, "deadline: expected"),
        ({"deadline": float("nan")}, "deadline: expected"),
        ({"deadline": True}, "deadline: expected"),
        ({"deadline": {"read": "1s"}}, "deadline: expected"),
        (
            {"attempt_timeout": -1},
            "attempt_timeout: expected seconds, more than 0 and at most 86,400, got -1",
        ),
        (
            {"attempt_timeout": 2, "deadline": 1},
            "attempt_timeout: expected at most the deadline, 1 seconds at the longest, got 2: lower it, or raise",
        ),
        ({"attempt_timeout": 301}, "attempt_timeout: expected at most the deadline, 300 seconds"),
        (
            {"retry_on": ["UNAVAILBLE"]},
            r"retry_on: unknown status 'UNAVAILBLE' \(did you mean UNAVAILABLE\?\)",
        ),
        (
            {"retry_on": "UNAVAILABLE"},
            r"retry_on: expected a list of names of gRPC status codes, such as \['UNAVAILABLE'\], got 'UNAVAILABLE'",
        ),
        (
            {"bytes_in_flight": 32},
            r"bytes_in_flight: expected a number of bytes, at least 4,194,304 \(one batch\), got 32",
        ),
        ({"attempts": 0}, "attempts: expected a number of attempts, at least 1, got 0"),
        ({"backoff": (2, 1)}, "backoff: expected the first and the longest pause"),
        ({"backoff": 1}, "backoff: expected"),
        ({"pool_size": 0}, "pool_size: expected a number of channels, from 1 to 256, got 0"),
        ({"requests_in_flight": 2.5}, "requests_in_flight: expected"),
        ({"user_agent": "caf\u00e9"}, "user_agent: expected a name such as shop/1.4, in ASCII"),
        ({"data_plane": "grpc"}, "data_plane: expected 'btmodel' or 'client', got 'grpc'"),
        ({"retry_on": [["UNAVAILABLE"]]}, "retry_on: expected"),
        ({"retry_on": {"UNAVAILABLE": 1}}, "retry_on: expected"),
        ({"endpoint": "http://x:1"}, "endpoint: expected a host, or host:port, got 'http://x:1'"),
        ({"endpoint": "127.0.0.1:99999999"}, "endpoint: expected"),
        ({"admin_endpoint": "a b"}, "admin_endpoint: expected"),
        ({"universe_domain": "a b"}, "universe_domain: expected a domain, got 'a b'"),
        ({"impersonate": "not an address"}, "impersonate: expected the e-mail address of a service account"),
        ({"keepalive": 0.0001}, "keepalive: expected seconds, from 1 to 86,400, got 0.0001"),
        ({"credentials": ""}, "credentials: expected"),
        ({"on_call": "print"}, "on_call: expected a function of a Call, got 'print'"),
        (
            {"credentials": 5},
            "credentials: expected credentials of google.auth, or the path of a file of them, got 5",
        ),
    ],
)
def test_an_option_that_is_wrong_is_refused_when_connecting(
    options: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each names itself, what it wants and what it was given; nothing is started for it."""
    monkeypatch.chdir(tmp_path)
    for connect in (bt.connect, bt.connect_async):
        with pytest.raises(bt.SettingsError, match=message):
            connect("local:never-made.db", **options)
    assert not Path("never-made.db").exists()


def test_options_of_the_connection_are_none_of_a_call() -> None:
    """``with_options`` takes what may differ from call to call, and says where the rest belongs."""
    with served(well) as (target, _), bt.Database(target) as db:
        with pytest.raises(
            bt.SettingsError, match="pool_size: belongs to the connection: give it to connect"
        ):
            db.with_options(pool_size=2)  # type: ignore[call-arg]
        with pytest.raises(bt.SettingsError, match="has no option 'dead_line'"):
            db.with_options(dead_line=2)  # type: ignore[call-arg]


@in_both_ways
def test_a_profile_and_a_user_agent_go_with_every_request(do: Do) -> None:
    """Both reach the server: the profile by call, the user agent by connection."""
    with served(well) as (target, calls):
        do(target, lambda db: db.write(PUT), app_profile="serving", user_agent="shop/1.4")
        do(target, lambda db: db.with_profile("batch").write(PUT), app_profile="serving", pool_size=3)
    (_, first), (_, second) = calls
    assert "app_profile_id=serving" in first["x-goog-request-params"]
    assert first["user-agent"].startswith("shop/1.4 ")
    assert "app_profile_id=batch" in second["x-goog-request-params"]


@in_both_ways
def test_calls_take_turns_on_the_channels(do: Do) -> None:
    """Each channel of the pool is a connection of its own."""
    peers: set[str] = set()

    def answer(call: Any, number: int) -> bytes:
        peers.add(call.peer())
        return b""

    def one(db: Any) -> Any:
        for _ in range(5):
            db.write(PUT)
        return db.write(PUT)

    async def all_of(db: Any) -> None:
        for _ in range(6):
            await db.write(PUT)

    with served(answer) as (target, calls):
        do(target, all_of if do is awaited else one, pool_size=3)
        assert (len(calls), len(peers)) == (6, 3)


@in_both_ways
@pytest.mark.parametrize("kind", ["read", "scan", "write", "add", "bulk"])
def test_a_server_that_keeps_silent_is_given_up_within_the_deadline(do: Do, kind: str) -> None:
    """The time is absolute, whatever attempts it holds; a call that is made once has it all for one."""
    rows = list if do is blocking else lambda stream: stream
    acts: dict[str, Callable[[Any], Any]] = {
        "read": lambda db: rows(db.read(ONE)),
        "scan": lambda db: rows(db.read(ALL)),
        "write": lambda db: db.write(PUT),
        "add": lambda db: db.write(ADD),
        "bulk": lambda db: db.write_many("T", [PUT]),
    }
    begun = time.monotonic()
    with served(silent) as (target, calls), pytest.raises((bt.Unanswered, bt.WriteFailed)):
        do(target, acts[kind], deadline=0.6)
    assert 0.5 < time.monotonic() - begun < 3
    assert len(calls) == (1 if kind == "add" else 2)


@in_both_ways
def test_a_server_that_is_gone_is_given_up_within_the_deadline(do: Do) -> None:
    """A refused connection is tried again, and not for minutes; the error says that nothing was done."""
    with served(well) as (target, _):
        pass
    begun = time.monotonic()
    for mutation in (PUT, ADD):
        # What is sent once was not sent, and so is tried again, too.
        with pytest.raises(bt.Unavailable) as gone:
            do(target, lambda db, mutation=mutation: db.write(mutation), deadline=0.5)
        assert "may have been applied" not in str(gone.value)
        assert re.search(
            r"\(nothing came for 0\.\d s, in \d+ attempts, last exception: 503 ", str(gone.value)
        )
    assert time.monotonic() - begun < 5


def test_deadlines_by_kind() -> None:
    """One number is for all kinds; a table changes those that it names."""
    assert {kind: Options().policy(kind, local=False).deadline for kind in KINDS} == {
        "read": 10, "scan": 60, "write": 10, "bulk": 300, "admin": 20,
    }  # fmt: skip
    options = Options.of({"deadline": 2}).with_changes({"deadline": {"scan": 30}})
    assert options.policy("read", local=False).deadline == options.policy("bulk", local=True).deadline == 2
    assert options.policy("scan", local=False).deadline == 30
    assert options.policy("scan", local=False).attempt == 15
    # Longer than the deadline of some kinds, as that of one call that is hurried.
    patient = Options.of({"attempt_timeout": 99})
    assert patient.policy("read", local=False).attempt == 10
    assert patient.for_calls({"deadline": 0.2}).policy("bulk", local=False).attempt == 0.2
    # The only attempt has all the time.
    single: list[dict[str, Any]] = [{"attempts": 1}, {"retry_on": ()}, {"retry_on": ["UNAVAILABLE"]}]
    assert [Options.of(one).policy("read", local=False).attempt for one in single] == [10, 10, 10]


@in_both_ways
@pytest.mark.parametrize("code", [RESOURCE_EXHAUSTED, UNAVAILABLE])
@pytest.mark.parametrize("mutation", [PUT, ADD], ids=["put", "add"])
def test_an_overloaded_service_is_waited_for(do: Do, code: int, mutation: Mutation) -> None:
    """Where it says when to come again, even what is sent once is sent then, as the service has not taken it."""
    with served(asks_to_wait(0.4, code)) as (target, calls):
        do(target, lambda db: db.write(mutation))
    (first, _), (second, _) = calls
    assert 0.4 <= second - first < 3


@in_both_ways
def test_a_wait_beyond_the_deadline_is_not_begun(do: Do) -> None:
    """The error comes at once, and says how long the service asks to wait."""
    begun = time.monotonic()
    with (
        served(asks_to_wait(30, UNAVAILABLE, 99)) as (target, calls),
        pytest.raises(bt.Unavailable) as refused,
    ):
        do(target, lambda db: db.write(PUT), deadline=5)
    assert (len(calls), refused.value.retry_after) == (1, 30)
    assert time.monotonic() - begun < 3


@in_both_ways
@pytest.mark.parametrize(
    ("options", "attempts"),
    [({"attempts": 3}, 3), ({"attempts": 1}, 1), ({"retry_on": ()}, 1), ({"retry_on": ["ABORTED"]}, 1)],
)
def test_how_often_and_after_what(do: Do, options: dict[str, Any], attempts: int) -> None:
    """The number of attempts and the codes after which there is another are the caller's to choose."""

    def answer(call: Any, number: int) -> bytes:
        call.abort(grpc.StatusCode.UNAVAILABLE, "away")
        return b""

    with served(answer) as (target, calls), pytest.raises(bt.ServerError):
        do(target, lambda db: db.write(PUT), deadline=5, backoff=(0.01, 0.02), **options)
    assert len(calls) == attempts


@in_both_ways
def test_the_options_of_reads_reach_googles_client(do: Do) -> None:
    """With ``data_plane="client"`` the profile, the deadline and the statuses to retry are those of the connection too."""

    def answer(call: Any, number: int) -> bytes:
        call.abort(grpc.StatusCode.UNAVAILABLE, "away")
        return b""

    rows = list if do is blocking else lambda stream: stream
    with served(answer) as (target, calls), pytest.raises(bt.ServerError):
        do(target, lambda db: rows(db.read(ALL)), data_plane="client", retry_on=(), app_profile="batch")
    assert len(calls) == 1
    assert "app_profile_id=batch" in calls[0][1]["x-goog-request-params"]
    begun = time.monotonic()
    with served(answer) as (target, calls), pytest.raises(bt.ServerError):
        do(target, lambda db: rows(db.read(ALL)), data_plane="client", deadline=0.5)
    assert len(calls) > 1
    assert time.monotonic() - begun < 5


def test_cancelling_wins() -> None:
    """``asyncio.timeout`` ends a call at its time, whatever deadline and pauses the call has left."""

    async def main(target: Target) -> float:
        async with bt.AsyncDatabase(target) as db:
            begun = time.monotonic()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await db.write(PUT)
            return time.monotonic() - begun

    for answer in (silent, asks_to_wait(5, UNAVAILABLE, 99)):
        with served(answer) as (target, _):
            assert asyncio.run(main(target)) < 2


def test_options_of_a_repository_and_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An instance of the settings may be a table with options; connect's go before them, and a call's before those."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(
        '[tool.btmodel.instances.dev]\ninstance = "local:dev.db"\napp_profile = "default"\n'
        "deadline = { read = 3, scan = 4 }\nretry_on = ['UNAVAILABLE']\n"
    )
    with bt.connect("dev", deadline={"scan": 5}) as db:
        assert (db.options.app_profile, db.options.retry_on) == ("default", ("UNAVAILABLE",))
        assert dict(db.options.deadline) == {"read": 3, "scan": 5}
        bt.create_tables(db, Quote)
        quotes = QuoteRepository(db)
        quotes.put(the_message()[0])
        hurried = quotes.with_options(deadline=2.5)
        assert hurried.get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]
        with pytest.raises(bt.ServerError, match="App profile not found: batch"):
            quotes.with_options(app_profile="batch").get("NASDAQ", "ZXZZT", QUOTE_TIME)
        assert quotes.get("NASDAQ", "ZXZZT", QUOTE_TIME) == the_message()[0]

    async def main() -> None:
        async with bt.connect_async("dev") as db:
            quotes = AsyncQuoteRepository(db)
            with pytest.raises(bt.ServerError, match="App profile not found: batch"):
                await quotes.with_options(app_profile="batch").get("NASDAQ", "ZXZZT", QUOTE_TIME)

    asyncio.run(main())
    Path("pyproject.toml").write_text(
        '[tool.btmodel.instances.dev]\ninstance = "local:dev.db"\ndeadlin = 3\n'
    )
    wrong = r"pyproject.toml: instances.dev: a connection has no option 'deadlin' \(did you mean deadline\?\)"
    with pytest.raises(bt.SettingsError, match=wrong):
        bt.connect("dev")


def test_credentials_that_cannot_be_read_are_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is missing or holds something else is named when connecting to the service."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    other = tmp_path / "other.json"
    other.write_text("{}")
    for path in (tmp_path / "missing.json", other):
        with pytest.raises(bt.SettingsError, match=f"credentials: cannot read '{path}'"):
            bt.connect("projects/p/instances/i", credentials=path)


def test_what_googles_client_is_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials, endpoint, universe and quota project are handed on; nothing is asked of the service for it."""
    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    from btmodel.client.channels import google_settings

    given = Credentials(token="a token")  # type: ignore[no-untyped-call]
    options = Options.of(
        {
            "credentials": given,
            "endpoint": "bigtable.example:443",
            "universe_domain": "example",
            "quota_project": "q",
        }
    )
    settings = google_settings(options, options.endpoint)
    assert settings["credentials"] is given
    chosen = settings["client_options"]
    assert (chosen.api_endpoint, chosen.universe_domain, chosen.quota_project_id) == (
        "bigtable.example:443", "example", "q",
    )  # fmt: skip
    borrowed = google_settings(evolve(options, impersonate="job@p.iam.gserviceaccount.com"), None)[
        "credentials"
    ]
    assert borrowed.service_account_email == "job@p.iam.gserviceaccount.com"
    anonymous = evolve(options, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]
    with pytest.raises(bt.SettingsError, match="quota_project: these credentials take none"):
        google_settings(anonymous, None)


def test_settings_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of its own, a file that the environment names, the environment's instance, and the program itself."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.btmodel]\ninstance = "local:project.db"\n')
    assert read().instance == "local:project.db"
    (tmp_path / "btmodel.toml").write_text('instance = "local:own.db"\n')
    assert (read().instance, read().origin) == ("local:own.db", str(tmp_path / "btmodel.toml"))
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "prod.toml").write_text('instance = "local:named.db"\n')
    monkeypatch.setenv("BTMODEL_SETTINGS", "etc/prod.toml")
    assert (read().instance, read().root) == ("local:named.db", tmp_path / "etc")
    try:
        configure(instance="app", instances={"app": {"instance": "local:", "deadline": 3}})
        assert read().instance == "app"
        with bt.connect() as db:
            assert (db.target.instance, db.options.policy("read", local=True).deadline) == (
                "projects/btmodel/instances/local", 3,
            )  # fmt: skip
        monkeypatch.setenv("BTMODEL_INSTANCE", "local:")
        assert read().instance == "local:"
        with pytest.raises(bt.SettingsError, match=r"configure\(\): has no setting 'instnce'"):
            configure(instnce="x")
    finally:
        configure()
    monkeypatch.setenv("BTMODEL_INSTANCE", " ")
    with pytest.raises(bt.SettingsError, match="BTMODEL_INSTANCE: expected an instance, got ' '"):
        read()
    monkeypatch.delenv("BTMODEL_INSTANCE")
    monkeypatch.setenv("BTMODEL_SETTINGS", "nowhere.toml")
    with pytest.raises(bt.SettingsError, match=r"BTMODEL_SETTINGS: expected a file, got 'nowhere\.toml'"):
        read()
    monkeypatch.delenv("BTMODEL_SETTINGS")
    monkeypatch.chdir("/")
    looked = (
        "no instance: give one to connect, set BTMODEL_INSTANCE, .*no btmodel.toml or pyproject.toml in /"
    )
    with pytest.raises(bt.SettingsError, match=looked):
        bt.connect()


def test_settings_that_change_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is parsed once, but another text of the same file counts at once, whatever a caller did to what it got."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "btmodel.toml"
    file.write_text('[instances]\na = {instance = "local:a.db", timeout = 3}\n')
    first = read()
    assert read() is first
    options = dict(instance_named("a")[1])
    instance_named("a")[1].pop("timeout")  # type: ignore[attr-defined]
    assert dict(instance_named("a")[1]) == options == {"timeout": 3}
    file.write_text("[instances\n")
    with pytest.raises(bt.SettingsError, match=r"btmodel\.toml"):
        read()
    file.write_text('[instances]\nb = "local:a.db"\n')
    assert [*read().instances] == ["b"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "btmodel.toml").write_text(file.read_text())
    assert read(other).root == other
