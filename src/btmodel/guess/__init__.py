"""Models for live tables, guessed from sampled rows: pure functions of bytes, with evidence for each guess.

Whatever is guessed is held against the rows that it was guessed from, and a weaker guess is taken where
one of them does not fit. So a guess may be wrong about rows that were not seen, never about those that were.
"""

from btmodel.guess.key import SampledRow, TableSample, sampled
from btmodel.guess.model import AuthorizedGuess, ModelGuess
from btmodel.guess.table import TableGuess, guess_table, guess_tables
from btmodel.guess.views import ViewGuess

__all__ = [
    "AuthorizedGuess",
    "ModelGuess",
    "SampledRow",
    "TableGuess",
    "TableSample",
    "ViewGuess",
    "guess_table",
    "guess_tables",
    "sampled",
]
