"""Data steps that add to counters, and what becomes of an addition of which nobody knows whether it was made.

To add is the one write that a run cannot repeat. So the rows of a batch are recorded before it adds for them, and a run that finds such a
record, as its predecessor was killed or got no answer, adds nothing until the user has decided. The progress of a step that has added is
kept, also once its revision is applied: a rollback turns it into such a record, of all its rows.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from btmodel.declare import Model, codec_of, schema_of
from btmodel.errors import (
    MigrationError,
    QueryRefused,
    ServerError,
    Unanswered,
    Unavailable,
    WriteFailed,
    shown,
)
from btmodel.migrate.data.walks import Recorded, Row
from btmodel.migrate.history import Reached
from btmodel.rows import Mutation
from btmodel.rows.edits import Edits
from btmodel.words import counted, meant, quoted


def added(model: type[Model], *, at: datetime | None = None, **values: Any) -> Mutation:
    """The mutation that adds to counters of one row of ``model``, for a data step to return: ``added(Tally, customer="ann", orders=1)``.

    ``values`` are the fields of the row key, and an amount for each counter: a number, or ``{"FR": 2}`` for entries of
    ``bt.counters``. Counters that are declared with ``every=`` need ``at``, a time of their span.

    Raises :class:`QueryRefused` for other names, and :class:`btmodel.errors.ValueRefused` for values that do not fit.
    """
    schema = schema_of(model)
    fields = [field.name for field in schema.key.asked]
    counters = {column.name: column for column in schema.columns if column.shape.summed}
    known = [*fields, *counters]
    for name in values:
        if name not in known:
            raise QueryRefused(
                f"added: expected fields of the row key of {schema.name} and counters ({quoted(known)}), got {name}"
                f"{meant(name, known, 'names')}"
            )
    amounts = {name: value for name, value in values.items() if name in counters}
    spans = [name for name in amounts if counters[name].spans is not None]
    if spans and at is None:
        raise QueryRefused(
            f"added: {schema.name}.{spans[0]} counts by spans of time: give at=, the time of what is counted"
        )
    key = model.row_key(**{name: value for name, value in values.items() if name in fields})
    step = Edits(schema, codec_of(model)).add(amounts, at)
    return Mutation.of(schema.table, key, step.changes)


def repeat_name(step: str) -> str:
    """The name that lets a step add for rows again, for which an interrupted run may have added."""
    return f"repeat-adds:{step}"


def skip_name(step: str) -> str:
    """The name that lets a step go on after such rows."""
    return f"skip-adds:{step}"


def why_unknown(step: str, reached: Reached) -> str:
    """Why a step does not go on after ``reached``, and how it does."""
    first = f"after {shown(reached.key)} " if reached.key else ""
    rows = f"{counted(reached.adding_rows, 'row')} {first}up to {shown(reached.adding)}"
    why = f"a run ended while it added for {rows}, and nobody knows for which of them it did"
    first_look = "make sure that its process has ended and is not only stopped, "
    if reached.is_rolled_back:
        why = f"before it was rolled back, it added for {rows}, and a rollback takes back nothing of that"
        first_look = ""
    return (
        f"{step}: {why}: {first_look}look into what it adds to, and use "
        f"--allow {repeat_name(step)} to add for all of them, or --allow {skip_name(step)} to go on after them"
    )


def noted(history: Recorded, name: str, batch: Sequence[Row], code: str) -> Callable[[], None]:
    """Record that a step is about to add for ``batch``; the function that is returned takes that back."""
    before = history.progress(name) or Reached(b"", 0)
    history.record_progress(name, evolve(before, code=code, adding=batch[-1][0], adding_rows=len(batch)))
    return lambda: history.record_progress(name, evolve(before, code=code))


def settle_adds(history: Recorded, name: str, reached: Reached, *, skip: bool) -> Reached:
    """Record, of a step and of its sections, that what it may have added counts as added, to ``skip`` it, or as not added."""
    for each, there in history.sections(name).items() if reached.starts else ():
        if there.adding:
            mine = history.progress(each) or there
            history.record_progress(each, mine.added if skip else mine.not_added)
    now = reached.not_added if reached.starts or not skip else reached.added
    history.record_progress(name, now)
    return now


def is_refused(error: ServerError, written: int) -> bool:
    """Whether the server has refused a write as a whole, so that none of it was added."""
    causes: Iterable[Exception] = [error]
    if isinstance(error, WriteFailed):
        causes = [failure.cause for failure in error.failures]
    return not written and not any(isinstance(cause, Unanswered | Unavailable) for cause in causes)


def refuse_unknown(step: str, reached: Reached | None) -> None:
    """Raise :class:`MigrationError` if a run may have added for rows behind ``reached``."""
    if reached is not None and reached.adding:
        raise MigrationError(why_unknown(step, reached))
