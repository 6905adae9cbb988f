"""Writes of one row that go wrong: what may be sent again is, and what may not is sent once."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from fake_bigtable import answering

from btmodel import AsyncDatabase, Database
from btmodel.client.options import KINDS
from btmodel.client.target import Target
from btmodel.errors import ServerError, Unanswered, Unavailable
from btmodel.rows import Add, Append, Cell, Conditional, Delete, Families, Mutation, ReadModifyWrite

Code = grpc.StatusCode
PUT = Mutation("T", b"k", [Cell("f", b"q", 1000, b"v")])
DELETE = Mutation("T", b"k", deletes=[Delete()])
ADD = Mutation("T", b"k", adds=[Add("f", b"q", 1000, 1)])
CREATE = Conditional(PUT, Families(("f",)), present=False)
APPEND = ReadModifyWrite("T", b"k", [Append("f", b"q", b"v")])

Act = Callable[[Any], Any]
AGAIN: list[Act] = [lambda db: db.write(PUT), lambda db: db.write(DELETE), lambda db: db.delete("T", b"k")]
ONCE: list[Act] = [lambda db: db.write(ADD), lambda db: db.write_if(CREATE), lambda db: db.modify(APPEND)]


@contextmanager
def service(*answers: bytes | Code | None) -> Iterator[tuple[Target, list[tuple[str, dict[str, Any]]]]]:
    """A service that answers one call after the other with bytes, an error, or (None) not at all; the calls."""
    left, calls = list(answers), list[tuple[str, dict[str, Any]]]()

    def answer(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        calls.append((path.rpartition("/")[2], dict(call.invocation_metadata())))
        given = left.pop(0) if left else b""
        while given is None and call.is_active():
            time.sleep(0.01)
        if not isinstance(given, bytes):
            call.abort(given or Code.ABORTED, "as scripted")
        yield given

    with answering(answer) as target:
        yield target, calls


def act(target: Target, act: Act) -> Any:
    with Database(target) as db:
        return act(db)


def act_async(target: Target, act: Act) -> Any:
    async def main() -> Any:
        async with AsyncDatabase(target) as db:
            return await act(db)

    return asyncio.run(main())


in_both_ways = pytest.mark.parametrize("do", [act, act_async])


@in_both_ways
@pytest.mark.parametrize("which", range(3))
def test_what_may_be_sent_again(do: Callable[[Target, Act], Any], which: int) -> None:
    """A write that sets or deletes is sent until it is taken."""
    with service(Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.UNAVAILABLE) as (target, asked):
        do(target, AGAIN[which])
    assert [method for method, _ in asked] == ["MutateRow"] * 4


@in_both_ways
@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("code", [Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.INTERNAL, Code.ABORTED])
def test_what_may_not_be_sent_again(do: Callable[[Target, Act], Any], which: int, code: Code) -> None:
    """An add, a conditional write and a change are sent once, and may have been applied."""
    with service(code) as (target, asked), pytest.raises(Unanswered, match="may have been applied"):
        do(target, ONCE[which])
    assert len(asked) == 1


@in_both_ways
@pytest.mark.parametrize("which", range(6))
def test_a_refusal(do: Callable[[Target, Act], Any], which: int) -> None:
    """What the server refuses is not sent again, and was not applied."""
    with (
        service(Code.INVALID_ARGUMENT) as (target, asked),
        pytest.raises(ServerError, match="refused by") as error,
    ):
        do(target, (AGAIN + ONCE)[which])
    assert "may have been" not in str(error.value)
    assert len(asked) == 1


@in_both_ways
def test_answers_that_never_come(do: Callable[[Target, Act], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A write is given up when its time is over, however often it was sent."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 1.0))
    started = time.monotonic()
    with service(*[None] * 100) as (target, _), pytest.raises(Unanswered, match="no answer"):
        do(target, AGAIN[0])
    # The last attempt may end by the time that is left, and not by an answer.
    with service(*[Code.UNAVAILABLE] * 1000) as (target, asked), pytest.raises((Unavailable, Unanswered)):
        do(target, AGAIN[0])
    assert 2 < len(asked) < 200
    assert time.monotonic() - started < 10


@in_both_ways
@pytest.mark.parametrize("which", [1, 2])
def test_an_answer_that_does_not_parse(do: Callable[[Target, Act], Any], which: int) -> None:
    """Bytes that are no answer are told as such, and that the change may have been applied."""
    with (
        service(b"\xff\xff") as (target, _),
        pytest.raises(Unanswered, match=r"is not valid.*may have been applied"),
    ):
        do(target, ONCE[which])


@in_both_ways
@pytest.mark.parametrize("which", range(6))
def test_what_a_request_is_sent_with(do: Callable[[Target, Act], Any], which: int) -> None:
    """Every request says where it is routed to and who asks."""
    with service() as (target, asked):
        do(target, (AGAIN + ONCE)[which])
    [(_, metadata)] = asked
    assert "table_name=projects%2Fp%2Finstances%2Fi%2Ftables%2FT" in metadata[
        "x-goog-request-params"
    ].replace("/", "%2F")
    assert "gccl/" in metadata["x-goog-api-client"]
    assert metadata["bigtable-features"]
