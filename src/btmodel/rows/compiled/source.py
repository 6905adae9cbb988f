"""The builder of source text for compiled functions."""

import linecache
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

_NUMBERS = count(1)


class FunctionSource:
    """A function that is being written: its lines, and the objects that they refer to by name."""

    def __init__(self) -> None:
        self._names: dict[str, Any] = {}
        self._lines: list[str] = []
        self._depth = 0

    def line(self, *lines: str) -> None:
        """Add lines at the depth that has been reached."""
        self._lines += ("    " * self._depth + line for line in lines)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add ``head``, and one level deeper what is added within."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def guarded(self, otherwise: str) -> Iterator[None]:
        """Do what is added within, and ``otherwise`` where any of it fails: the plain codec then says why."""
        with self.block("try:"):
            yield
        with self.block("except Exception:"):
            self.line(otherwise)

    def name_all(self, names: Mapping[str, Any], variable: str) -> None:
        """Take in what an inline expression of ``variable`` refers to."""
        for name, value in names.items():
            self._names[name.replace("$", variable)] = value

    def name(self, value: object) -> str:
        """A name for ``value``."""
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines) + "\n"

    def function(self, name: str, of: str) -> Any:
        """Compile, and give the function ``name``; ``of`` says in a traceback what it is for."""
        file = f"<btmodel {next(_NUMBERS)}: {of!r}>"
        text = self.text
        scope: dict[str, Any] = {"__name__": "btmodel.generated", **self._names}
        exec(compile(text, file, "exec"), scope)
        # A traceback shows the lines, as it does for the constructors that attrs writes.
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        return scope[name]
