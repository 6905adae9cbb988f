"""The docstrings of edits: what they cost, and what they do where a row is not there, follow from the model."""

from collections.abc import Iterable, Sequence

from btmodel.errors import some
from btmodel.schema import Column, ModelSchema
from btmodel.schema.possible_edits import needed_besides, oldest_kept
from btmodel_codegen.python_text import filled

INDENT = 8
MOST_NAMES = 3

ONCE = "It is not tried again where the answer is lost, for it may have been done."
AT_ONCE = "The server reads and writes in one step."
OF_ANY_AGE = (
    "It knows no garbage-collection rule: a cell that is too old to be read, by ``max_age`` of its family, is changed "
    "as long as it is not collected."
)
CHECKED = (
    "The server cannot change a cell under a condition, so the cell is read, and the new one written if neither "
    "it nor the row has changed meanwhile: two requests, and two more each time that another writer came first; "
    "after 100 times it is a :class:`ServerError`. Where the answer of a write is lost, it may have been done."
)


def increment_doc(model: ModelSchema, columns: Sequence[Column]) -> str:
    """The docstring of ``increment``."""
    return _doc(
        "Add to a column of 64-bit integers, and return its new value.\n\nAn absent one counts as 0.",
        model,
        columns,
    )


def increment_entry_doc(model: ModelSchema, columns: Sequence[Column]) -> str:
    """The docstring of ``increment_entry``."""
    return _doc(
        "Add to the 64-bit integer of one entry, and return its new value.\n\nAn absent entry counts as 0.",
        model,
        columns,
    )


def extend_doc(model: ModelSchema, columns: Sequence[Column]) -> str:
    """The docstring of ``extend``."""
    return _doc("Append text or bytes to a column, and return its new value.", model, columns)


def put_if_doc(model: ModelSchema) -> str:
    """The docstring of ``put_if``."""
    late = ""
    if model.stamp.stored:
        late = " Raises :class:`LaterRow` if it held, but the stored row has a later time."
    parts = [
        "Write one row if named columns are as expected, and conditions hold.",
        "Columns and conditions are given as to ``when``. The server checks and writes in one step, and compares bytes. "
        f"Returns whether the condition held.{late} Raises :class:`QueryRefused` without any condition: to write "
        "without one, use ``put``.",
    ]
    return filled(parts, INDENT)


def update_doc(model: ModelSchema, begin: str) -> str:
    """The docstring of ``update``."""
    parts = ["Write these columns of one row, and leave the others; nothing is read."]
    parts.append("None deletes the cell of a column that rows may be without.")
    needed = needed_besides(model)
    if needed:
        required = some([f"``{name}``" for name in needed], MOST_NAMES)
        parts.append(
            f"Every {model.name} has {required}: where some of it is not given, the row must be there, and the server looks and "
            f"writes in one step; where it is not, it is a :class:`MissingRow`. ``{begin}=True`` writes without a look."
        )
    else:
        parts.append(
            f"A row that is not there begins with them; with ``{begin}=False`` it is a :class:`MissingRow`."
        )
    return filled(parts, INDENT)


def add_doc(model: ModelSchema, at: str = "") -> str:
    """The docstring of ``add``; ``at`` is the parameter for the time of counters of spans."""
    needed = needed_besides(model)
    spans = f"``{at}`` is a time in the span that is added to, by default now. " if at else ""
    twice = f"{spans}Not safe to repeat: what is added twice counts twice."
    if not needed:
        return filled(["Add to counters. Nothing is read, and the row need not be there.", twice], INDENT)
    refused = f"{_refused(model, needed)} The server looks and adds in one step, and is asked once."
    return filled(["Add to counters of a row that is there.", f"{refused} {twice}"], INDENT)


def _doc(first: str, model: ModelSchema, columns: Sequence[Column]) -> str:
    """The docstring of a change of one of ``columns``, some of which a row may begin with."""
    needed = {column.name: needed_besides(model, column.name) for column in columns}
    begins = [name for name, others in needed.items() if not others]
    ages = any(oldest_kept(model, column) for column in columns if column.name in begins)
    checked = [name for name, others in needed.items() if others]
    parts = [first]
    if begins:
        of = _of(begins) if checked else ""
        sentences = [AT_ONCE, *([OF_ANY_AGE] if ages else []), ONCE]
        parts.append(f"{of}{' '.join(sentences)} A row that is not there begins with this cell alone.")
    if checked:
        of = _of(checked) if begins else ""
        parts.append(f"{of}{_refused(model, needed_besides(model))} {CHECKED}")
    return filled(parts, INDENT)


def _of(names: Iterable[str]) -> str:
    return f"Of {', '.join(f'``{name}``' for name in names)}: "


def _refused(model: ModelSchema, needed: Sequence[str]) -> str:
    required = some([f"``{name}``" for name in needed], MOST_NAMES)
    return f"Every {model.name} has {required}, so the row must be there: where it is not, nothing is written, and it is a :class:`MissingRow`."
