"""What a second table or an index copies of a row: what its queries read, but no number that is added to, and nothing as large as a file."""

from collections.abc import Iterable, Sequence

from btmodel.design.attribute_words import singular
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query
from btmodel.schema.limits import MB
from btmodel.schema.possible_edits import added_to
from btmodel.words import words

# From this size on, a value is not worth a second copy: a reader gets it from its row by the key (this project's own figure).
_FILE = MB


def covered(made: ModelSchema) -> tuple[Column, ...]:
    """The columns of a second table that are worth a copy there.

    They are those that its queries read, and all where one of them reads whole rows. Dual writes copy what is put, and no
    additions, and a number that is added to is a counter as soon as another rule has its way: its copy would be an old one.
    """
    named = asked(made.queries)
    whole = not made.queries or any(not query.only for query in made.queries)
    return tuple(
        column
        for column in made.columns
        if not added_to(column) and (column.name in named or (whole and not as_file(column)))
    )


def asked(queries: Iterable[Query]) -> frozenset[str]:
    """The columns that queries name: those that they read, and by which their readers pick rows."""
    return frozenset(name for query in queries for name in (*query.only, *query.where))


def as_file(column: Column) -> bool:
    """Whether a value of the column is as large as a file."""
    return column.shape.plain and (column.expected.size or column.expected.max_size or 0) >= _FILE


_READ_ALONE = pattern(
    r"(?i)\b(?:only|just|nothing\s+(?:else\s+)?(?:but|than)|merely)\s+(?:(?:sees?|shows?|reads?|wants?|needs?|gets?|lists?)\s+)?(?P<what>(?:the|its|their|his|her|each)\s+[^.;:]+)"
)


def read_alone(model: ModelSchema, sentence: str) -> tuple[str, ...]:
    """The columns that a sentence says are all that is read, as in "a list that shows only the title and the price"; none where it says no such thing."""
    found = _READ_ALONE.search(sentence)
    return () if found is None else tuple(_named(model.columns, found["what"]))


def _named(columns: Sequence[Column], text: str) -> Iterable[str]:
    spoken = {singular(word) for word in words(text)}
    return (one.name for one in columns if {singular(word) for word in words(one.name)} <= spoken)
