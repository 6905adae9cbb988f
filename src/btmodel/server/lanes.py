"""Lanes: the few threads that work for all calls, each with what waits for it in order."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

_log = logging.getLogger(__name__)
_Item = TypeVar("_Item")
_REST_AFTER = 1.0  # seconds


class Lane(Generic[_Item]):
    """Threads that take what is put in: all that waits at a time, up to *most* of it.

    A thread that has had nothing to do for a second calls *rest*, once, before it waits for more.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Sequence[_Item]], None],
        rest: Callable[[], None],
        *,
        threads: int = 1,
        most: int = 1,
    ) -> None:
        self._work, self._rest, self._most = work, rest, most
        self._waiting: SimpleQueue[_Item | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]

    def put(self, item: _Item) -> None:
        """Have something done."""
        self._waiting.put(item)

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Do what waits, and end."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        going = True
        while going:
            items = [self._first()]
            while items[-1] is not None and len(items) < self._most and not self._waiting.empty():
                items.append(self._waiting.get())
            going = items[-1] is not None
            try:
                self._work([item for item in items if item is not None])
            except Exception:
                _log.exception("the work of a lane failed")
            del items  # what it was done for may be large

    def _first(self) -> _Item | None:
        try:
            return self._waiting.get(timeout=_REST_AFTER)
        except Empty:
            self._rest()
        return self._waiting.get()
