"""The built-in codecs as source text, for code that is generated for one model.

Such code runs for every row, where calling a codec costs more than what it does. So
the codecs that are met the most are written down here a second time, as expressions, for
the values that are met the most: whatever an expression is not certain of is left to the codec
itself, which alone decides what is refused. A property test holds each to its codec.

A codec that is not in the tables, as one of a user's, is called.
"""

from btmodel.codecs.inline.cells import InlineCell, cell_inline
from btmodel.codecs.inline.keys import InlineKey, key_inline
from btmodel.codecs.inline.memo import MOST_KEPT, Memo

__all__ = ["MOST_KEPT", "InlineCell", "InlineKey", "Memo", "cell_inline", "key_inline"]
