"""What is loaded when it is first asked for: names of packages, so that importing them costs next to nothing, and optional libraries."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load_on_demand(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of ``package``; ``homes`` lists the names that each module gives it."""
    home_of = {name: module for module, names in homes.items() for name in names.split()}
    space = vars(sys.modules[package])

    def load(name: str) -> object:
        if name not in home_of:
            # With the module, so that Python can say which name was meant.
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package]
            )
        # From now on it is found without asking here.
        value = space[name] = getattr(import_module(home_of[name]), name)
        return value

    def names() -> list[str]:
        return sorted({*space, *home_of})

    return load, names


def library(name: str, extra: str, what: str, error: type[Exception]) -> Any:
    """The optional library ``name``; raises ``error`` where it is not installed: ``what`` needs it, and ``extra`` brings it."""
    try:
        return import_module(name)
    except ImportError:
        raise error(f'{what} needs {name}: pip install "btmodel[{extra}]"') from None
