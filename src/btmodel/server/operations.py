"""Long-running operations, which here are all done when they are answered."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict

from btmodel.server import protos
from btmodel.server.protos import Message
from btmodel.server.status import not_found

_Operation = protos.message("google.longrunning.Operation")
_REMEMBERED = 1_000


class Operations:
    """The last operations, for clients that ask again for one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._known: OrderedDict[str, Message] = OrderedDict()

    def done(self, resource: str, response: Message, metadata: Message) -> Message:
        """An operation on a resource that is over and has a response."""
        now = time.time_ns() // 1000
        for moment in (metadata.start_time, metadata.end_time):
            moment.FromMicroseconds(now)
        operation = _Operation(name=f"operations/{resource}/operations/{next(self._numbers)}", done=True)
        operation.response.Pack(response, deterministic=True)
        operation.metadata.Pack(metadata)
        self._known[operation.name] = operation
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return operation

    def get_operation(self, request: Message) -> Message:
        """Answer an operation again."""
        operation = self._known.get(request.name)
        if operation is None:
            raise not_found(f"Operation not found: {request.name}")
        return operation

    wait_operation = get_operation
