"""Codecs: a Python value to bytes and back. Nothing here knows of models or tables.

``key`` holds the codecs of row-key fields, ``cell`` those of cell values.
"""

from abc import ABCMeta
from typing import TYPE_CHECKING, Any, Protocol


class CodecMeta(ABCMeta):
    """The class of all codecs: a keyword that none of them takes is refused with the near names."""

    # Type checkers take the arguments of a class from its ``__init__`` only where its metaclass has no such method.
    if not TYPE_CHECKING:

        def __call__(cls, *args: Any, **given: Any) -> Any:
            """Make a codec. Raises :class:`DeclarationError` for an unknown argument."""
            try:
                return super().__call__(*args, **given)
            except TypeError:
                # Only here: a codec is seldom made wrongly, and importing btmodel loads none of these.
                from inspect import Parameter, signature

                from btmodel.errors import DeclarationError
                from btmodel.words import meant

                known = signature(vars(cls).get("__init__", cls)).parameters
                several = any(one.kind is Parameter.VAR_KEYWORD for one in known.values())
                for name in () if several else given.keys() - known.keys():
                    offered = meant(name, [one for one in known if one != "self"])
                    raise DeclarationError(f"{cls.__name__}: unknown argument {name!r}{offered}") from None
                raise


class Described(Protocol):
    """A codec of a key field or of a cell."""

    @property
    def meaning(self) -> object:
        """The encoding in a few words, for people: text, if it keeps its word."""


def meaning_of(codec: Described) -> str:
    """The ``meaning`` of ``codec``, or why there is none, so that all else of its model can be shown.

    Whoever shows a codec asks here: no codec ends a page, a drawing or an error in a traceback.
    """
    try:
        meaning = codec.meaning
    except Exception as error:  # whatever a codec of the user's raises
        return f"cannot be described: {type(error).__name__}: {error}"
    if not isinstance(meaning, str):
        return f"cannot be described: its meaning is of {type(meaning).__name__}, and no text"
    return meaning
