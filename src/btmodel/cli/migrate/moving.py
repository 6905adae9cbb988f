"""How far it is with rows that are copied, compared or rewritten: a bar at a terminal, elsewhere a line now and then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from btmodel.cli.console import Console
from btmodel.cli.terminal import echo
from btmodel.printable import one_line

_LINES = 10.0  # seconds from one line to the next


@define
class Moving:
    """Tells how many rows were dealt with, and how many that is in a second."""

    console: Console
    _what: str = ""
    _rows: int = 0
    _first: int = 0
    _began: float = 0.0
    _told: float = 0.0
    _bar: Progress | None = None
    _task: TaskID = field(default=TaskID(0))

    def __call__(self, what: str, rows: int) -> None:
        """Tell that ``what`` has come to ``rows``."""
        what, now = one_line(what), time.monotonic()
        if what != self._what or rows < self._rows:  # another look begins at the first row
            self._what, self._first, self._began, self._told = what, rows, now, now
        self._rows = rows
        speed = (rows - self._first) / (now - self._began) if now > self._began else 0.0
        words = f"{rows:,} rows, {speed:,.0f} in a second" if speed else f"{rows:,} rows"
        if self.console.is_terminal:
            self._show(words)
        elif now - self._told > _LINES:
            echo(f"{what}: {words}", err=self.console.stderr)
            self._told = now

    def say(self, words: str) -> None:
        """Tell something once, on a line of its own."""
        self.end()
        echo(words, err=self.console.stderr)

    def end(self) -> None:
        """Take the bar away, for lines that follow."""
        self._what = ""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self, words: str) -> None:
        if self._bar is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[words]}"),
            )
            self._bar = Progress(*columns, TimeElapsedColumn(), console=self.console, transient=True)
            self._task = self._bar.add_task(self._what, total=None, words=words)
            self._bar.start()
        self._bar.update(self._task, description=self._what, words=words)


@contextmanager
def moving(*, err: bool) -> Iterator[Moving]:
    """Tells it, on stderr with ``err``, and takes the bar away in the end."""
    told = Moving(Console(stderr=err))
    try:
        yield told
    finally:
        told.end()
