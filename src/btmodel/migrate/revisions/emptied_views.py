"""Views in the instance that would lose cells, because a step moves these to a qualifier that the view does not read."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.migrate.revisions.past_moves import rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.tables.view_queries import is_emptied
from btmodel.schema import Table

EMPTY_VIEW = "empty-view:"


@frozen
class EmptiedView:
    """A view of a table that does not read cells of ``column`` under the qualifier to which a step moves them: ``MD:ASK to MD:OFFER``."""

    table: str
    view: str
    column: str

    @property
    def name(self) -> str:
        """The name that allows it."""
        return f"{EMPTY_VIEW}{self.table}.{self.view}"


def emptied_views(revision: Revision, folder: Path, there: Iterable[Table]) -> Iterator[EmptiedView]:
    """The views of tables that are ``there`` and would lose cells by the steps of ``revision``, each once.

    Raises :class:`MigrationError` for a step that cannot be loaded.
    """
    views = {table.id: table.views for table in there if table.views}
    for _, model in rewriting([revision], folder) if views else ():
        for view in views.get(model.table, ()):
            for column in model.columns:
                if is_emptied(view, column):
                    old = " and ".join(place.cell for place in column.places[1:])
                    yield EmptiedView(model.table, view.id, f"{old} to {column.cell}")
                    break


def why_view_emptied(found: EmptiedView, revision: Revision, folder: Path) -> str:
    """Why the steps of a revision do not run while a view is there that they would empty."""
    view = f"{found.table}.{found.view}"
    return (
        f"{folder / revision.id}.py: nothing was applied, because it moves the cells of {found.column}, where view {found.view} does not look: its rows would go. Once no process "
        f"reads it, drop it in the same run, with --allow drop-view:{view}; to keep it without these rows, use --allow {found.name}"
    )
