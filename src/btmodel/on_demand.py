"""Names of packages, patterns and libraries that are loaded on first use, so that importing a package costs next to nothing.

Such a package lists its names once, in the table that it gives to :func:`load_on_demand`. Type checkers and editors
read the same names from the imports under ``TYPE_CHECKING``, which ``codegen/public_names.py`` writes from the table.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, AnyStr, cast

# The names of each such package that is loaded, and the module where each of them is.
TABLES: dict[str, dict[str, str]] = {}


def _offered(name: str, known: Iterable[str]) -> str:
    """The near names; of what Python asks every module for, none."""
    if name.startswith("_"):
        return ""
    from btmodel.words import did_you_mean, near  # only here: to import a package loads nothing else

    return did_you_mean(near(name, known))


def load_on_demand(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of ``package``; ``homes`` lists the names that each module gives it."""
    home_of = TABLES[package] = {name: module for module, names in homes.items() for name in names.split()}
    space = vars(sys.modules[package])

    def load(name: str) -> object:
        if name not in home_of:
            # Without the module: Python would offer a name once more in a traceback.
            offered = _offered(name, home_of)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{offered}", name=name)
        # From now on it is found without asking here.
        value = space[name] = getattr(import_module(home_of[name]), name)
        return value

    def names() -> list[str]:
        return sorted({*space, *home_of})

    return load, names, sorted(home_of)


def pattern(text: AnyStr) -> re.Pattern[AnyStr]:
    """The regular expression ``text``, compiled when it is first used: most are of what few programs do."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(text))


class _LazyPattern:
    def __init__(self, text: str | bytes) -> None:
        self._text = text

    def __getattr__(self, name: str) -> object:
        # From now on it is found without asking here.
        value = vars(self)[name] = getattr(re.compile(self._text), name)
        return value


def library(name: str, extra: str, what: str, error: type[Exception]) -> Any:
    """The optional library ``name``; raises ``error`` where it is not installed: ``what`` needs it, and ``extra`` brings it."""
    try:
        return import_module(name)
    except ImportError:
        raise error(f'{what} needs {name}: pip install "btmodel[{extra}]"') from None
