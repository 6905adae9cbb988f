"""Views, authorized views and schema bundles of tables: made, changed, protected and dropped. No row of a table is ever lost by it."""

from collections.abc import Collection, Iterator
from itertools import count
from typing import ClassVar

from attrs import evolve, frozen

from btmodel.migrate.changes.base import Drift, Effect, InstanceChange, InstanceFacts, PartChange, Phase
from btmodel.migrate.instance import (
    CreatePartCall,
    CreateViewCall,
    DeletePartCall,
    DeleteViewCall,
    ProtectViewCall,
    TableCall,
    UpdatePartCall,
)
from btmodel.migrate.tables.view_queries import columns, differences, reads_the_same
from btmodel.schema import AuthorizedView, SchemaBundle, Table, TableView


class CreationBesideFamilies(InstanceChange):
    """The creation of what a table has beside its families, such as a view; no copy is ever made to it."""

    __slots__ = ()

    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.MAKE_VIEW
    makes: ClassVar[bool] = True

    @property
    def renews(self) -> bool:
        return False


class ProtectionChange(InstanceChange):
    """Switch the deletion protection of a view on or off, as it is declared."""

    __slots__ = ()

    sign: ClassVar[str] = "~"
    phase: ClassVar[Phase] = Phase.PROTECT

    @property
    def on(self) -> bool:
        """Whether it is switched on."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        return super().name if self.on else f"un{super().name}"

    @property
    def effect(self) -> Effect:
        return Effect.SAFE if self.on else Effect.BLOCKED

    @property
    def summary(self) -> str:
        return f"deletion protection {'on' if self.on else 'off'}"


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
        names = [name for name in columns(self.view) if name != "_key"]
        return (f"columns: {', '.join(names)}",) if names else ()

    @property
    def sql(self) -> dict[str, str]:
        return {"declared": self.view.query}


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
    """Change the query of the view, which the service does not support; ``live`` is the view in the instance, ``free_id`` an id that no view has."""

    verb: ClassVar[str] = "change-view"
    sign: ClassVar[str] = "!"
    usual: ClassVar[Effect] = Effect.IMPOSSIBLE

    live: TableView
    free_id: str

    @property
    def summary(self) -> str:
        return (
            f"another query ({self.view.mark}) than in the instance ({self.live.mark}), and that of a view is fixed when it is made: declare "
            f'it under another id, such as view="{self.free_id}", migrate, wait until it is filled and read it; then drop this one, '
            f"with --allow drop-view:{self.subject}"
        )

    @property
    def details(self) -> tuple[str, ...]:
        return tuple(differences(self.view, self.live))

    @property
    def sql(self) -> dict[str, str]:
        return {"live": self.live.query, "declared": self.view.query}


@frozen
class ProtectView(ProtectionChange, ViewChange):
    """Switch the deletion protection of the view on or off, as it is declared."""

    verb: ClassVar[str] = "protect-view"

    @property
    def on(self) -> bool:
        return bool(self.view.deletion_protection)

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (ProtectViewCall(self.view.id, on=self.on),)


@frozen
class AuthorizedViewChange(PartChange):
    """A change of one authorized view; ``view`` is as declared, or as in the instance if it is not declared."""

    view: AuthorizedView

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.view.id}"

    @property
    def summary(self) -> str:
        return str(self.view)


@frozen
class CreateAuthorizedView(CreationBesideFamilies, AuthorizedViewChange):
    """Create the authorized view; it cannot be used before access to it is granted."""

    verb: ClassVar[str] = "create-authorized-view"

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (CreatePartCall(self.of_table, self.view),)

    @property
    def summary(self) -> str:
        protected = ", with deletion protection" if self.view.deletion_protection else ""
        return f"an authorized view of {self.view}{protected}"


@frozen
class WidenAuthorizedView(AuthorizedViewChange):
    """Let the authorized view show more; ``live`` is what it shows before that. Users of it have access to that as well."""

    verb: ClassVar[str] = "widen-authorized-view"
    sign: ClassVar[str] = "~"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.MAKE_VIEW

    live: AuthorizedView

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (UpdatePartCall(self.of_table, self.view, ("subset_view",)),)

    @property
    def details(self) -> tuple[str, ...]:
        return (f"live: {self.live}", f"declared: {self.view}")


@frozen
class NarrowAuthorizedView(AuthorizedViewChange):
    """Let the authorized view show less than before, or something else; before families are dropped that it shows."""

    verb: ClassVar[str] = "narrow-authorized-view"
    sign: ClassVar[str] = "!"
    usual: ClassVar[Effect] = Effect.BLOCKED
    phase: ClassVar[Phase] = Phase.DROP_VIEW

    live: AuthorizedView

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (UpdatePartCall(self.of_table, self.view, ("subset_view",), ignore_warnings=True),)

    @property
    def summary(self) -> str:
        return f"{self.view}: not all that it shows now, so programs that read or write the rest through it will fail"

    @property
    def details(self) -> tuple[str, ...]:
        return (f"live: {self.live}", f"declared: {self.view}")


@frozen
class ProtectAuthorizedView(ProtectionChange, AuthorizedViewChange):
    """Switch the deletion protection of the authorized view on or off, as it is declared."""

    verb: ClassVar[str] = "protect-authorized-view"

    @property
    def on(self) -> bool:
        return bool(self.view.deletion_protection)

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (UpdatePartCall(self.of_table, self.view, ("deletion_protection",)),)


@frozen
class DropAuthorizedView(AuthorizedViewChange):
    """Drop the authorized view, after switching its protection off if it has one. Rows stay; programs that use it fail."""

    verb: ClassVar[str] = "drop-authorized-view"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.BLOCKED
    phase: ClassVar[Phase] = Phase.DROP_VIEW

    @property
    def calls(self) -> tuple[TableCall, ...]:
        off = evolve(self.view, deletion_protection=False)
        unprotect = (UpdatePartCall(self.of_table, off, ("deletion_protection",)),)
        return (
            *(unprotect if self.view.deletion_protection else ()),
            DeletePartCall(self.of_table, self.view),
        )

    @property
    def summary(self) -> str:
        return "no authorized view: programs that read and write through it fail, and the access that was given to it is gone; rows stay"


@frozen
class UndeclaredAuthorizedView(AuthorizedViewChange, Drift):
    """An authorized view in the instance that nothing declares. It stays, unless the user asks for its drop by name."""

    verb: ClassVar[str] = "undeclared-authorized-view"

    @property
    def end(self) -> DropAuthorizedView:
        return DropAuthorizedView(self.of_table, self.view)

    @property
    def summary(self) -> str:
        return f"an authorized view that no model declares: {self.view}"


@frozen
class SchemaBundleChange(PartChange):
    """A change of one schema bundle; ``bundle`` is as declared, or as in the instance if it is not declared."""

    bundle: SchemaBundle

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.bundle.id}"

    @property
    def summary(self) -> str:
        return f"the schemas of {self.bundle}"


@frozen
class CreateSchemaBundle(CreationBesideFamilies, SchemaBundleChange):
    """Create the schema bundle, so that SQL reads fields of messages."""

    verb: ClassVar[str] = "create-schema-bundle"

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (CreatePartCall(self.of_table, self.bundle),)


@frozen
class ChangeSchemaBundle(SchemaBundleChange):
    """Replace the schemas of the bundle; ``live`` is the one in the instance. Blocked where queries may name what is gone then."""

    verb: ClassVar[str] = "change-schema-bundle"
    sign: ClassVar[str] = "~"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.MAKE_VIEW

    live: SchemaBundle

    @property
    def _gone(self) -> list[str]:
        return sorted(self.live.entries() - self.bundle.entries())

    @property
    def effect(self) -> Effect:
        return Effect.BLOCKED if self._gone else Effect.SAFE

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (
            UpdatePartCall(self.of_table, self.bundle, ("proto_schema",), ignore_warnings=bool(self._gone)),
        )

    @property
    def summary(self) -> str:
        gone = self._gone
        return (
            f"lacks {gone[0]}{f' and {len(gone) - 1:,} more' if len(gone) > 1 else ''}, which queries in SQL may name"
            if gone
            else "other schemas of messages"
        )

    @property
    def details(self) -> tuple[str, ...]:
        new = sorted(self.bundle.entries() - self.live.entries())
        return (*(f"gone: {one}" for one in self._gone), *(f"new: {one}" for one in new))


@frozen
class DropSchemaBundle(SchemaBundleChange):
    """Drop the schema bundle. Rows stay; queries in SQL that name its messages fail."""

    verb: ClassVar[str] = "drop-schema-bundle"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.BLOCKED
    phase: ClassVar[Phase] = Phase.DROP_VIEW

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (DeletePartCall(self.of_table, self.bundle),)

    @property
    def summary(self) -> str:
        return "no schema bundle: queries in SQL that name its messages fail; rows stay"


@frozen
class UndeclaredSchemaBundle(SchemaBundleChange, Drift):
    """A schema bundle in the instance that nothing declares. It stays, unless the user asks for its drop by name."""

    verb: ClassVar[str] = "undeclared-schema-bundle"

    @property
    def end(self) -> DropSchemaBundle:
        return DropSchemaBundle(self.of_table, self.bundle)

    @property
    def summary(self) -> str:
        return f"a schema bundle that no model declares: {self.bundle}"


def find_parts(declared: Table | None, live: Table | None, facts: InstanceFacts) -> Iterator[InstanceChange]:
    """The differences of the views, authorized views and schema bundles of a table that is declared.

    Those of a table that is dropped: :func:`before_table`.
    """
    if declared is None:
        return
    yield from _views(declared, live, facts)
    yield from _authorized_views(declared, live)
    bundles = {bundle.id: bundle for bundle in live.bundles} if live is not None else {}
    for bundle in declared.bundles:
        there = bundles.pop(bundle.id, None)
        if there is None:
            yield CreateSchemaBundle(declared.id, bundle)
        elif there.same != bundle.same:
            yield ChangeSchemaBundle(declared.id, bundle, there)
    for bundle in bundles.values():
        yield UndeclaredSchemaBundle(declared.id, bundle)


def _free_id(id: str, taken: Collection[str]) -> str:
    """``id`` with the first number behind it that no view is called: ``BY_NAME_2``."""
    stem, _, number = id.rpartition("_")
    stem = stem if stem and number.isdecimal() else id
    return next(made for made in map(f"{stem}_{{}}".format, count(2)) if made not in taken and made != id)


def _views(declared: Table, live: Table | None, facts: InstanceFacts) -> Iterator[InstanceChange]:
    there = {view.id: view for view in live.views} if live is not None else {}
    for view in declared.views:
        found = there.pop(view.id, None)
        if found is None:
            yield CreateView(declared.id, view)
        elif not reads_the_same(view, found, declared):
            yield ChangeView(declared.id, view, found, _free_id(view.id, facts.views))
        elif view.deletion_protection not in (None, bool(found.deletion_protection)):
            yield ProtectView(declared.id, view)
    for view in there.values():
        yield UndeclaredView(declared.id, view)


def _authorized_views(declared: Table, live: Table | None) -> Iterator[InstanceChange]:
    views = {view.id: view for view in live.authorized} if live is not None else {}
    for view in declared.authorized:
        there = views.pop(view.id, None)
        if there is None:
            yield CreateAuthorizedView(declared.id, view)
            continue
        if there.same != view.same:
            yield from _other(declared, live, view, there)
        if view.deletion_protection not in (None, bool(there.deletion_protection)):
            yield ProtectAuthorizedView(declared.id, view)
    for view in views.values():
        yield UndeclaredAuthorizedView(declared.id, view)


def _other(
    declared: Table, live: Table | None, view: AuthorizedView, there: AuthorizedView
) -> Iterator[InstanceChange]:
    """What leads to another part of the table: less of it first, as far as its families are there already, then more."""
    if view.includes(there):
        yield WidenAuthorizedView(declared.id, view, there)
        return
    known = {family.id for family in live.families} if live is not None else set()
    first = evolve(view, subsets=tuple(subset for subset in view.subsets if subset.family in known))
    yield NarrowAuthorizedView(declared.id, first, there)
    if first != view:
        yield WidenAuthorizedView(declared.id, view, first)


def before_table(live: Table) -> Iterator[InstanceChange]:
    """The drops of the views and parts of a table that is dropped itself; each has to be allowed by its name as well."""
    for view in live.views:
        yield DropView(live.id, view)
    for authorized in live.authorized:
        yield DropAuthorizedView(live.id, authorized)
    for bundle in live.bundles:
        yield DropSchemaBundle(live.id, bundle)
