"""How often which method of a client is called."""

from collections import Counter
from typing import Any


class Counted:
    """A client whose calls are counted, by their methods."""

    def __init__(self, client: Any, calls: Counter[str]) -> None:
        self._client = client
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **options: Any) -> Any:
            self._calls[name] += 1
            return found(*arguments, **options)

        return call
