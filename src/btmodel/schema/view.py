"""What a table has beside its families: views that the service keeps of it, authorized views, and schema bundles."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from attrs import frozen

from btmodel.errors import DeclarationError
from btmodel.on_demand import pattern
from btmodel.schema.column import Column, Family
from btmodel.schema.key import KeyField
from btmodel.schema.limits import VIEWS_OF_A_TABLE
from btmodel.value import Value
from btmodel.words import VIEWS as VIEWS
from btmodel.words import as_text

# The only family of a view's rows, and the timestamp of its cells is 0. Assumed: no page of the service's documentation names it.
VIEW_FAMILY = "default"


class ViewKind(Enum):
    """What a row of a view is made of."""

    INDEX = "index"  # one row of the table
    ROLLUP = "rollup"  # all rows of the table that have the same key fields of the view


@frozen(eq=False, repr=False)
class TableView(Value):
    """A view as its table has it: its id, its query in GoogleSQL, and whether it is protected; None where that is not stated."""

    id: str
    query: str
    deletion_protection: bool | None = None

    @property
    def asked(self) -> str:
        """The query without line breaks and indentation, by which two are compared."""
        return " ".join(self.query.split())

    @property
    def mark(self) -> str:
        """Eight digits that differ where queries do."""
        from hashlib import blake2b  # only here: loading OpenSSL takes longer than all of this room

        return blake2b(self.asked.encode(), digest_size=4).hexdigest()


_FROM = pattern(r"\bFROM\s+`?([-_.a-zA-Z0-9]+)`?")


def table_of(query: str) -> str | None:
    """The id of the table that a query reads; None where the query does not say it."""
    found = _FROM.search(query)
    return found and str(found[1])


def views_of(table: str, views: Sequence[TableView]) -> tuple[TableView, ...]:
    """The views of a table in the order of their ids. Raises :class:`DeclarationError` for two of one id, and too many."""
    found = {view.id: view for view in views}
    if len(found) < len(views):
        twice = next(view.id for view in views if [view.id for view in views].count(view.id) > 1)
        raise DeclarationError(
            f"table {table!r}: two models declare the view {twice!r}: give each an id of its own"
        )
    if len(found) > VIEWS_OF_A_TABLE:
        raise DeclarationError(
            f"table {table!r}: expected at most {VIEWS_OF_A_TABLE} views, which is the limit of the service, got "
            f"{len(found)} ({', '.join(sorted(found))}): declare a second table for one of them, filled by `bt.twins`"
        )
    return tuple(found[id] for id in sorted(found))


@frozen(eq=False, repr=False)
class FamilySubset(Value):
    """The columns of one family that an authorized view shows: those of ``qualifiers``, and all that begin with one of ``prefixes``."""

    family: str
    qualifiers: tuple[bytes, ...] = ()
    prefixes: tuple[bytes, ...] = ()

    def shows(self, qualifier: bytes, *, open: bool = False) -> bool:
        """Whether it has the column of this qualifier; if ``open``, every column whose qualifier begins with it."""
        return (qualifier in self.qualifiers and not open) or qualifier.startswith(self.prefixes)

    def __str__(self) -> str:
        if b"" in self.prefixes:
            return self.family
        names = [as_text(qualifier) for qualifier in self.qualifiers] + [
            f"{as_text(prefix)}..." for prefix in self.prefixes
        ]
        return f"{self.family}:{{{', '.join(names)}}}"


def subsets_of(
    families: Iterable[Family], fields: Iterable[KeyField], columns: Iterable[Column] | None
) -> tuple[FamilySubset, ...]:
    """What an authorized view shows that is declared with these ``columns`` of a model, in the order of families; None is all of them.

    Without columns, it shows its ``families`` whole. With columns, it also shows the copies of key ``fields`` that rows keep in columns.
    """
    if columns is None:
        return tuple(FamilySubset(id, prefixes=(b"",)) for id in sorted(family.id for family in families))
    qualifiers: dict[str, set[bytes]] = {}
    prefixes: dict[str, set[bytes]] = {}
    for place in (place for column in columns for place in column.places):
        (prefixes if place.open else qualifiers).setdefault(place.family, set()).add(place.qualifier)
    for mirror in (field.mirror for field in fields if field.mirror is not None):
        qualifiers.setdefault(mirror.family, set()).add(mirror.qualifier)
    return tuple(
        FamilySubset(id, tuple(sorted(qualifiers.get(id, ()))), tuple(sorted(prefixes.get(id, ()))))
        for id in sorted({*qualifiers, *prefixes})
    )


@frozen(eq=False, repr=False)
class AuthorizedView(Value):
    """A part of a table that access is given to by itself: rows whose keys begin with one of ``row_prefixes``, and columns of families.

    An empty prefix stands for all rows. ``subsets`` are in the order of their families. ``deletion_protection`` is None where it is
    not stated.
    """

    id: str
    row_prefixes: tuple[bytes, ...]
    subsets: tuple[FamilySubset, ...]
    deletion_protection: bool | None = None

    def shows(self, family: str, qualifier: bytes, *, open: bool = False) -> bool:
        """Whether it has this column, whatever the row; if ``open``, every column whose qualifier begins with ``qualifier``."""
        return any(subset.family == family and subset.shows(qualifier, open=open) for subset in self.subsets)

    def includes(self, other: "AuthorizedView") -> bool:
        """Whether all that ``other`` shows of the table is in this one as well."""
        return all(prefix.startswith(self.row_prefixes) for prefix in other.row_prefixes) and all(
            all(self.shows(subset.family, name) for name in subset.qualifiers)
            and all(self.shows(subset.family, name, open=True) for name in subset.prefixes)
            for subset in other.subsets
        )

    @property
    def same(self) -> object:
        """What it shows, in a form that is equal for two that show the same in the same way."""
        return (
            sorted(self.row_prefixes),
            [(subset.family, sorted(subset.qualifiers), sorted(subset.prefixes)) for subset in self.subsets],
        )

    def __str__(self) -> str:
        rows = (
            "all rows" if b"" in self.row_prefixes else f"rows {', '.join(map(_begins, self.row_prefixes))}"
        )
        return f"{rows} with {', '.join(map(str, self.subsets)) or 'no columns'}"


def _begins(prefix: bytes) -> str:
    return f"{as_text(prefix)}..."


@frozen(eq=False, repr=False)
class SchemaBundle(Value):
    """Protobuf schemas that GoogleSQL reads cells of a table by: a serialized ``FileDescriptorSet``, imports included."""

    id: str
    descriptors: bytes

    @property
    def same(self) -> object:
        """What queries and rows notice of it, in a form that is equal whatever the order of its files, and whatever else is said in them."""
        return self.entries()

    def entries(self) -> frozenset[str]:
        """What SQL can name in it: ``shop.Order.id = 1 (int64)`` for each field, ``shop.Status.PAID = 2`` for each value of an enum."""
        return frozenset(_protobuf().names_in(self.descriptors))

    def __str__(self) -> str:
        return ", ".join(sorted({name.partition(" = ")[0].rpartition(".")[0] for name in self.entries()}))


def bundle_of(id: str, messages: Iterable[type]) -> SchemaBundle:
    """The bundle of the files that these message classes are of, and of all that they import, each behind its imports."""
    return SchemaBundle(id, _protobuf().file_set(messages))


def _protobuf() -> Any:
    from btmodel.codecs.cell import protobuf  # few tables have a bundle

    return protobuf
