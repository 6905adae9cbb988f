"""Moves as steps of revisions: ``@move(OldQuote, NewQuote)`` moves the rows and compares both tables, in this process or on the workers of a runner."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from attrs import frozen

from btmodel.declare import Model, schema_of
from btmodel.errors import DeclarationError
from btmodel.migrate.data.compared_parts import Passes
from btmodel.migrate.data.comparison import TAKE_BACK, compare_move
from btmodel.migrate.data.moved_models import refusal
from btmodel.migrate.data.moves import Move
from btmodel.migrate.data.sections import Spread
from btmodel.migrate.data.walks import Progress, Recorded, RowAccess
from btmodel.schema.names import placeholders
from btmodel.words import counted


@frozen(slots=False)
class MoveStep(Move):
    """The step of a revision that moves rows, or, with ``only_compares``, compares them with those that were moved."""

    only_compares: bool = False

    def unspread(self, rows: RowAccess) -> str | None:
        """Why workers cannot run it; None where it only compares."""
        return None if self.only_compares else self.alone

    def run(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
        say: Callable[[str], None] = lambda words: None,
        allow: Collection[str] = (),
        spread: Spread | None = None,
    ) -> int:
        """Move all rows, then compare both tables; the number of old rows that this and interrupted runs have seen.

        Raises :class:`MigrationError` and :class:`btmodel.errors.ServerError`.
        """
        if not self.only_compares:
            moved = self._over(db, history, name, progress, code, spread).written
            say(f"moved {counted(moved, 'row')} of {self.table} to {self.target_table}")
        remove = f"{TAKE_BACK}:{self.name}" in allow
        passes = Passes(self, history, name, code, spread, progress, remove) if spread else None
        found = compare_move(db, self, progress, remove=remove, passing=passes)
        say(f"compared {self.table} with {self.target_table}: {found}")
        return found.rows


Old = TypeVar("Old", bound=Model)
New = TypeVar("New", bound=Model)


def move(
    old: type[Old],
    new: type[New],
    *,
    shared: bool = False,
    only_compares: bool = False,
    left_out: Iterable[str] = (),
) -> Callable[[Callable[[Old], New | None]], MoveStep]:
    """Declare a function of a revision as a move: ``@move(OldQuote, NewQuote)``.

    The function makes the new row of an old one, or None for a row that is not moved. Declare both models beside it.
    With ``shared``, rows of these tables that have no key of these models are left out. With ``only_compares``, no row
    is moved: the step compares both tables, as before the reads of an application are switched. ``left_out`` are attributes of the
    old model that the new one does not have, and whose cells are left behind on purpose: they neither count in comparisons nor stop the drop of the old table.

    Raises :class:`DeclarationError` if rows cannot be moved so: between tables that are named at run time, with sums,
    which cannot be copied while they are added to, or if a new row does not hold the key of its old row.
    """
    for model in (old, new):
        if not isinstance(model, type) or not issubclass(model, Model):
            raise DeclarationError(f"move: expected two models, got {model!r}")
        if placeholders(schema_of(model).table):
            raise DeclarationError(
                f"move: expected models of one table each, and {schema_of(model).table!r} is named at run time"
            )
    why = refusal(schema_of(old), schema_of(new))
    if why:
        raise DeclarationError(f"move: {why}")
    given = frozenset((left_out,) if isinstance(left_out, str) else left_out)
    dropped = {column.name for column in schema_of(old).columns} - {*schema_of(new).attributes}
    if wrong := sorted(given - dropped):
        raise DeclarationError(
            f"move: left_out: expected columns of {old.__name__} that {new.__name__} does not have, got {', '.join(wrong)}; it does not have "
            f"{', '.join(sorted(dropped)) or 'none'}"
        )

    def declare(function: Callable[[Old], New | None]) -> MoveStep:
        name = getattr(function, "__name__", type(function).__name__)
        return MoveStep(name, schema_of(old).table, old, function, new, shared, only_compares, left_out=given)

    return declare
