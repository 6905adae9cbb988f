"""Every public parameter that takes a number, so that tests can say of each what becomes of a wrong one."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

ROOMS = ("columnar", "repository", "migrate", "beam", "rows", "client")
_NUMBER = re.compile(r"\b(int|float)\b")
_OTHER = re.compile(r"Callable|Sequence|Mapping|Iterable|tuple|dict|list|Deadlines")


def numbers(modules: Iterable[ModuleType]) -> set[str]:
    """The names of these parameters: ``Rows.limit(rows)``, of the functions and classes that ``modules`` make public."""
    return {
        f"{function.__qualname__.removesuffix('.__init__').removeprefix('Async')}({one.name})"
        for module in modules
        for function in _functions(module)
        for one in inspect.signature(function).parameters.values()
        if _NUMBER.search(str(one.annotation)) and not _OTHER.search(str(one.annotation))
    }


def _functions(module: ModuleType) -> Iterator[Callable[..., Any]]:
    for name in module.__all__:
        thing = getattr(module, name)
        if not any(
            thing.__module__.startswith(f"btmodel.{room}") for room in ROOMS if hasattr(thing, "__module__")
        ):
            continue
        if inspect.isfunction(thing):
            yield thing
        elif inspect.isclass(thing):
            for member in dir(thing):
                found = inspect.getattr_static(thing, member)
                found = getattr(found, "__func__", found)
                if inspect.isfunction(found) and (member == "__init__" or not member.startswith("_")):
                    yield found
