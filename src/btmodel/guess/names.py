"""Python names for ids and bytes."""

import builtins
import keyword
import re
from collections.abc import Collection

# What a module of models imports: an attribute or a class of that name would hide it.
IMPORTED = ("bt", "datetime", "date", "timedelta", "Decimal", "UUID", "Any")
# What a class of a model has already.
_OF_MODELS = ("row_key", "read_key", "self", "mro")
_BUILTINS = frozenset(dir(builtins))
# Linters refuse them: they look like digits.
_AMBIGUOUS = ("l", "I", "O")
_LONGEST = 40


def identifier(raw: bytes, otherwise: str) -> str:
    """The name of an attribute after ``raw``, in small letters; ``otherwise`` where nothing of it can be used."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", raw.decode("ascii", "replace"))
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:_LONGEST].strip("_")
    if not name:
        return otherwise
    return name if name[0].isalpha() else f"{otherwise}_{name}"


def class_name(table: str) -> str:
    """The name of a class after the id of a table: ``stock_level`` and ``STOCK-LEVEL`` are ``StockLevel``."""
    words = re.findall(r"[A-Za-z0-9]+", table)
    name = "".join(word.capitalize() if word.isupper() else word[:1].upper() + word[1:] for word in words)
    if not name or name[0].isdigit():
        name = f"Table{name}"
    return f"{name}Table" if keyword.iskeyword(name) or name in {*_BUILTINS, *IMPORTED, *_AMBIGUOUS} else name


def attribute(name: str, taken: Collection[str]) -> str:
    """``name``, or one like it that is not ``taken``, and that hides nothing a class body needs."""
    if not name.isidentifier() or name.startswith("_"):
        name = identifier(name.encode(), "field")
    if keyword.iskeyword(name) or name in {*IMPORTED, *_OF_MODELS, *_AMBIGUOUS} or name in _BUILTINS:
        name = f"{name}_"
    return unused(name, taken)


def unused(name: str, taken: Collection[str]) -> str:
    """``name``, numbered where it is taken."""
    found, count = name, 1
    while found in taken:
        count += 1
        found = f"{name}_{count}" if name[-1].isdigit() else f"{name.rstrip('_')}_{count}"
    return found


def model_name(name: str) -> str:
    """The name of a class that was recorded, where a module can have it; else one like it."""
    hides = keyword.iskeyword(name) or name in {*_BUILTINS, *IMPORTED, *_AMBIGUOUS}
    return name if name.isidentifier() and name.isascii() and not hides else class_name(name)
