"""Views that the service keeps of tables: made, protected and dropped. What is in one can be made anew from its table."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import (
    CreationBesideFamilies,
    Drift,
    Effect,
    InstanceChange,
    InstanceFacts,
    PartChange,
    Phase,
    ProtectionChange,
)
from btmodel.migrate.instance import CreateViewCall, DeleteViewCall, ProtectViewCall, TableCall
from btmodel.schema import Table, TableView


@frozen
class ViewChange(PartChange):
    """A change of one view of a table; ``view`` is as declared, or as in the instance if it is not declared."""

    view: TableView

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.view.id}"


@frozen
class CreateView(CreationBesideFamilies, ViewChange):
    """Create the view, which the service then fills; it cannot be read before that, which takes hours for terabytes."""

    verb: ClassVar[str] = "create-view"
    usual: ClassVar[Effect] = Effect.SLOW

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (CreateViewCall(self.view),)

    @property
    def summary(self) -> str:
        protected = ", with deletion protection" if self.view.deletion_protection else ""
        return f"a view that the service fills from the table, and keeps (query {self.view.mark}){protected}"

    @property
    def details(self) -> tuple[str, ...]:
        return tuple(self.view.query.splitlines())


@frozen
class DropView(ViewChange):
    """Drop the view with its rows, after switching its protection off if it has one."""

    verb: ClassVar[str] = "drop-view"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE
    phase: ClassVar[Phase] = Phase.DROP_VIEW

    @property
    def calls(self) -> tuple[TableCall, ...]:
        off = (ProtectViewCall(self.view.id, on=False),) if self.view.deletion_protection else ()
        return (*off, DeleteViewCall(self.view.id))

    @property
    def summary(self) -> str:
        return "no view: programs that read it fail; the rows of the table stay"

    @property
    def lost(self) -> str:
        return "every row of the view; none of the table"

    @property
    def undo(self) -> str:
        return "by creating it again, which the service fills from the table, in hours for terabytes"


@frozen
class UndeclaredView(ViewChange, Drift):
    """A view in the instance that nothing declares. It stays, unless the user asks for its drop by name."""

    verb: ClassVar[str] = "undeclared-view"

    @property
    def end(self) -> DropView:
        return DropView(self.of_table, self.view)

    @property
    def summary(self) -> str:
        return "a view of the table that no model declares"


@frozen
class ChangeView(ViewChange):
    """Change the query of the view, which the service does not support; ``live`` is the view in the instance."""

    verb: ClassVar[str] = "change-view"
    sign: ClassVar[str] = "!"
    usual: ClassVar[Effect] = Effect.IMPOSSIBLE

    live: TableView

    @property
    def summary(self) -> str:
        return (
            f"another query ({self.view.mark}) than in the instance ({self.live.mark}), and that of a view is fixed when it is made: declare "
            f'it under another id, such as view="{self.view.id}_2", migrate, wait until it is filled and read it; then drop this one, '
            f"with --allow drop-view:{self.subject}"
        )

    @property
    def details(self) -> tuple[str, ...]:
        return (f"live: {self.live.asked}", f"declared: {self.view.asked}")


@frozen
class ProtectView(ProtectionChange, ViewChange):
    """Switch the deletion protection of the view on or off, as it is declared."""

    verb: ClassVar[str] = "protect-view"

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (ProtectViewCall(self.view.id, on=bool(self.view.deletion_protection)),)


def find_views(declared: Table | None, live: Table | None, facts: InstanceFacts) -> Iterator[InstanceChange]:
    """The differences of the views of one table that is declared; those of a table that is dropped: :func:`before_table`."""
    if declared is None:
        return
    there = {view.id: view for view in live.views} if live is not None else {}
    for view in declared.views:
        found = there.pop(view.id, None)
        if found is None:
            yield CreateView(declared.id, view)
        elif found.asked != view.asked:
            yield ChangeView(declared.id, view, found)
        elif view.deletion_protection not in (None, bool(found.deletion_protection)):
            yield ProtectView(declared.id, view)
    for view in there.values():
        yield UndeclaredView(declared.id, view)


def before_table(live: Table) -> Iterator[DropView]:
    """The drops of the views of a table that is dropped itself; each has to be allowed by its name as well."""
    for view in live.views:
        yield DropView(live.id, view)
