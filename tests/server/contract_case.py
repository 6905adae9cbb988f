"""One case of the contract that both servers are held to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import grpc
from attrs import frozen

#: what a case does with a server
Run: TypeAlias = Callable[[Any], object]

PROTO = "proto comment of "
DOC = "Bigtable documentation: "
STRICTER = "stricter reading: "
ENDS = "its process ends"


@frozen
class Case:
    """One thing that a client can do, and what each server answers."""

    name: str
    run: Callable[[Any], object]
    local: str
    emulator: str | None = None  #: None when it is the same
    source: str = ""  #: what says that the local server is right; needed where they differ

    def outcome(self, api: Any) -> str:
        """What a server answers."""
        try:
            answer = self.run(api)
        except grpc.RpcError as error:
            code: str = error.code().name
            return code
        return str(answer) if isinstance(answer, bool | int | str | list) else "OK"
