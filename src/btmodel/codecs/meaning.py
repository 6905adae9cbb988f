"""What codecs say of themselves, asked with care: a codec of the user's may raise, or say what is no text."""

from typing import Protocol


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
