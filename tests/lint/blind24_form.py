"""The form of a set while it is frozen: the designs, and the verdict of their author."""

from collections.abc import Callable

FAULTY: dict[str, tuple[Callable[[], object], str, str]] = {}
GOOD: dict[str, tuple[Callable[[], object], str]] = {}


def fault(*, wrong: str, fix: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    def register(build: Callable[[], object]) -> Callable[[], object]:
        FAULTY[build.__name__] = (build, wrong, fix)
        return build

    return register


def sound(why: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    def register(build: Callable[[], object]) -> Callable[[], object]:
        GOOD[build.__name__] = (build, why)
        return build

    return register
