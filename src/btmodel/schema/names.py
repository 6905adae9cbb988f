"""What Python takes for a name, wherever models and their parameters are called something."""

import keyword
import unicodedata

# What the first parameter of a method is called, and what the body of a constructor uses.
_OF_METHODS = ("cls", "self", "super")


def is_name(text: str) -> bool:
    """Whether Python takes ``text`` for a name, and for no other one: it takes ``ﬁ`` for ``fi``."""
    normal = unicodedata.normalize("NFKC", text) == text
    return normal and text.isidentifier() and not keyword.iskeyword(text)


def is_private(name: str) -> bool:
    """Whether Python makes another name of ``name`` inside of classes, or keeps it for itself."""
    return name.startswith("__")


def is_parameter(name: str) -> bool:
    """Whether the constructor of a repository can have a parameter of this name."""
    return is_name(name) and not is_private(name) and name not in _OF_METHODS
