"""What the data steps of revisions have made true of the rows of an instance."""

from datetime import datetime

from attrs import frozen

from btmodel.migrate.data.move_steps import MoveStep
from btmodel.schema import Family, Layout, Table


@frozen
class MovedCells:
    """Cells of a table that a step has rewritten, all of them, under the name of another column; ``required`` says that no row lacks these.

    ``of`` is the layout of the rows: other models of the table may have others. ``at`` is when that was done; None if this run is still to do it.
    ``writers`` are the models that write them under the old name all the same, as other revisions declare them.
    """

    table: str
    of: Layout
    old: str
    new: str
    required: bool
    at: datetime | None
    writers: frozenset[str] = frozenset()

    def is_of(self, layout: Layout) -> bool:
        """Whether these are all cells of the rows of ``layout``."""
        return same_rows(self.of, layout) and layout.model not in self.writers


def same_rows(one: Layout, other: Layout) -> bool:
    """Whether these are layouts of one model, also after its class or its key has changed, or of models of the same keys."""
    return one.model == other.model or one.key == other.key


@frozen
class OneMove:
    """The move of the rows of one model by the revision ``by``; ``step`` is the last one that moved or compared them.

    ``compared`` is when both tables were found equal last; None if this run is still to do it. ``ran`` is false where the revision is
    recorded as applied, and no record says that its steps have run.
    """

    step: MoveStep
    by: str
    compared: datetime | None
    ran: bool = True

    def takes_from(self, family: Family) -> bool:
        """Whether the new rows hold columns of a family of the old table, in cells or in their keys."""
        return family.id in self.step.families_taken

    def has_place_for(self, family: Family) -> bool:
        """Whether cells of a family of the old table were moved: of its columns, or of those that no model declares."""
        return self.takes_from(family) or family.id in self.step.places

    @property
    def done(self) -> str:
        """``to LISTED by 0003_by_exchange_backfill, and compared on 2026-01-01 10:00:00 UTC``."""
        when = f", and compared on {self.compared:%Y-%m-%d %H:%M:%S} UTC" if self.compared else ""
        when = when if self.ran else ", of which no record says that it has run"
        return f"to {self.step.target_table} by {self.by}{when}"


@frozen
class MovedRows:
    """A table whose rows were moved to other keys, those of several models by a move each."""

    table: str
    moves: tuple[OneMove, ...]

    @property
    def steps(self) -> tuple[MoveStep, ...]:
        """The last step of each move."""
        return tuple(move.step for move in self.moves)

    @property
    def targets(self) -> str:
        """The tables that have the rows now."""
        return " and ".join(dict.fromkeys(step.target_table for step in self.steps))

    @property
    def done(self) -> str:
        """Where the rows went, by which revisions, and when they were compared."""
        return " and ".join(dict.fromkeys(move.done for move in self.moves))

    def unmoved(self, live: Table) -> tuple[Family, ...]:
        """The families of the old table for which the rows of a move have no place."""
        return tuple(
            family for family in live.families if any(family.id not in step.places for step in self.steps)
        )

    def takes_from(self, family: Family) -> bool:
        """Whether the rows of one of the moves hold columns of a family of the old table."""
        return any(move.takes_from(family) for move in self.moves)

    def has_place_for(self, family: Family) -> bool:
        """Whether one of the moves took cells of a family of the old table."""
        return any(move.has_place_for(family) for move in self.moves)


@frozen
class UnknownMove:
    """A ``table``, or a ``family`` of it, whose cells have gone to the place called ``new``, with which they cannot be compared: ``why`` says what is not known."""

    table: str
    family: str | None
    new: str
    why: str

    @property
    def subject(self) -> str:
        """``QUOTE``, or ``QUOTE.MD``."""
        return self.table if self.family is None else f"{self.table}.{self.family}"


@frozen
class RewrittenCells:
    """The cells of a column that a step has rewritten, all of them, as recorded in ``before``: they are written in ``codec`` alone by now.

    ``of`` is the layout of the rows. ``at`` is when that was done; None if this run is still to do it.
    """

    table: str
    of: Layout
    cell: str
    before: str
    codec: str
    at: datetime | None

    def is_of(self, layout: Layout) -> bool:
        """Whether these are cells of the rows of ``layout``."""
        return same_rows(self.of, layout)


@frozen
class StepResults:
    """What the data steps of applied revisions have made true, as far as the migration history shows that they have run.

    ``moved`` are cells that have gone to another column, ``rewritten`` cells that have got another codec, and ``moves`` tables whose rows
    have gone to another table. ``unknown`` are those of which nothing is known but that. ``undone`` are the steps of moves that a rollback undoes.
    """

    moved: frozenset[MovedCells] = frozenset()
    rewritten: frozenset[RewrittenCells] = frozenset()
    moves: tuple[MovedRows, ...] = ()
    undone: tuple[MoveStep, ...] = ()
    unknown: tuple[UnknownMove, ...] = ()


# No step is known to have run.
NO_RESULTS = StepResults()
