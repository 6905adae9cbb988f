# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""The partitions of a change stream, and the changes of one partition."""

import time
from datetime import datetime

from google.api_core.exceptions import InvalidArgument

from btmodel.client.call import INITIAL_PARTITIONS, READ_CHANGE_STREAM, ActiveCall, InstanceAccess
from btmodel.client.change_messages import (
    Closed,
    Event,
    Joiner,
    initial_partition,
    initial_request,
    stream_request,
)
from btmodel.client.channels import leave, next_message
from btmodel.client.failures import google_error
from btmodel.client.row_streams import Pause, Stream, pause
from btmodel.client.tasks import SyncHome
from btmodel.rows.changes import Partition, Tokens, since_of

SKEW = 60.0  # seconds by which this machine's clock may be ahead of the service's
_ENDED = 0.1  # seconds until the rest is asked for where the service ends an answer without a word
_AGAIN = 0.5  # seconds until a time that the service takes for the future is asked for again


def initial_partitions(access: InstanceAccess, table: str) -> list[Partition]:
    """The partitions of the change stream of a table, in the order of their keys."""
    with ActiveCall(access, "read", INITIAL_PARTITIONS, table) as call:
        calls = access.open(table)
        request = initial_request(calls)
        while True:
            found: list[Partition] = []
            limit = call.clock.begin()
            answer = calls.stream(INITIAL_PARTITIONS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := next_message(answer)) is not None:
                    found.append(initial_partition(message))
                return sorted(found)
            except Exception as error:
                wait = call.clock.read_again(error)
            finally:
                leave(answer)
            pause(wait)


def changes(
    access: InstanceAccess,
    table: str,
    partition: Partition,
    tokens: Tokens,
    *,
    heartbeat: float,
    until: datetime | None = None,
    pause: Pause = pause,
) -> Stream[Event]:
    """The events of a partition behind its tokens; the last one is its end.

    Where the stream breaks off, it goes on behind the last event. A request ends by its timeout now and then, and goes on likewise.
    """
    home = SyncHome()
    with ActiveCall(access, "scan", READ_CHANGE_STREAM, table) as call:
        calls = access.open(table)
        while True:
            request = stream_request(calls, partition, tokens, heartbeat, until)
            limit = max(call.clock.begin(), 2 * heartbeat)
            answer = calls.stream(READ_CHANGE_STREAM)(request, timeout=limit, metadata=calls.metadata)
            joiner = Joiner()
            try:
                while (message := next_message(answer)) is not None:
                    for event in joiner.take(message):
                        if not isinstance(event, Closed):
                            tokens = {partition: event.token}
                        yield event
                        home.check()
                        if isinstance(event, Closed):
                            return
                    call.clock.reached((tokens, time.monotonic()))
                wait = _ENDED
            except Exception as error:
                wait = _AGAIN if _is_ahead(error, tokens) else call.clock.read_again(error)
            finally:
                if home.here:
                    leave(answer)
            pause(wait)


def _is_ahead(error: Exception, tokens: Tokens) -> bool:
    """Whether the service takes the time of the beginning for the future, which passes by."""
    start = next((since_of(token) for token in tokens.values()), None)
    fresh = start is not None and abs(time.time() - start / 1e6) < SKEW
    return fresh and isinstance(google_error(error), InvalidArgument)
