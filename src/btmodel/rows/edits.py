"""Edits of rows that are not read: added to, put behind, cleared."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.columns import ColumnCodec
from btmodel.rows.mutations import (
    Add,
    Append,
    Conditional,
    Delete,
    Increment,
    Mutation,
    ReadModifyWrite,
)
from btmodel.rows.whole import CheckedChange, has_needed
from btmodel.schema import Column, ModelSchema
from btmodel.schema.edits import counts, extends, identifies, increments, lacks, removes, shares_family
from btmodel.schema.stamp import WRITTEN

LEAST, MOST = -(2**63) + 1, 2**63 - 1  # Google's client takes no smaller one


class Edits:
    """Makes the edits of one model's rows, each from a row key and the names of columns.

    Every method raises :class:`QueryRefused` for a column that cannot be edited so, and
    :class:`ValueRefused` for a value that does not fit.
    """

    def __init__(self, model: ModelSchema, codecs: Mapping[str, ColumnCodec]) -> None:
        self._model = model
        self._columns = {column.name: column for column in model.columns}
        self._codecs = codecs
        self._needed = has_needed(model)

    def increment(self, key: bytes, name: str, by: int) -> ReadModifyWrite:
        """Adds ``by`` to the newest value of a column of 64-bit integers."""
        column = self._column(
            name,
            increments,
            "only 64-bit big-endian integers (the codec Int64) can be incremented by the server",
        )
        self._check_amount(name, by)
        self._refuse_unchangeable(column)
        return ReadModifyWrite(self._model.table, key, [Increment(column.family, column.qualifier, by)])

    def extend(self, key: bytes, name: str, value: Any) -> ReadModifyWrite:
        """Puts ``value`` behind the newest value of a column of text or bytes."""
        column = self._column(
            name,
            extends,
            "only text and bytes (the codecs Utf8 and Raw) can be extended by the server",
        )
        self._refuse_unchangeable(column)
        raw = self._codecs[name].encoded(value)
        return ReadModifyWrite(self._model.table, key, [Append(column.family, column.qualifier, raw)])

    def checked(self, change: ReadModifyWrite, name: str) -> CheckedChange | None:
        """The same change of the column ``name``, where a row with nothing but that column would lack something.

        None where no other column is required: the server may then change the cell as it is.
        """
        needed = has_needed(self._model, name)
        if needed is None:
            return None
        return CheckedChange(self._model, self._codecs[name], change.key, change.changes[0], needed)

    def if_there(self, mutation: Mutation) -> Conditional | None:
        """The mutation under the condition that its row has what the model requires; None where that is nothing."""
        return None if self._needed is None else Conditional(mutation, self._needed, present=True)

    def _refuse_unchangeable(self, column: Column) -> None:
        """Refuse a column whose new value would need another row key, or a time that is not the server's."""
        name = column.name
        if identifies(self._model, column):
            raise QueryRefused(
                f"{self._model.name}.{name}: the row key is made from it, so that another value belongs in another "
                "row: put that one, and delete this one"
            )
        if self._model.stamp != WRITTEN:
            raise QueryRefused(
                f"{self._model.name}.{name}: the server gives the present time to what it changes, and would hide "
                "later puts of this model, whose timestamps are its own: read the row and use put_if"
            )

    def add(self, key: bytes, amounts: Mapping[str, int]) -> Mutation:
        """Adds amounts to counters."""
        adds = []
        for name, amount in amounts.items():
            column = self._column(name, counts, "only counters are added to; see increment")
            self._check_amount(name, amount)
            adds.append(Add(column.family, column.qualifier, 0, amount))
        self._refuse_nothing("add", adds)
        return Mutation(self._model.table, key, adds=adds)

    def clear(self, key: bytes, names: Iterable[str]) -> Mutation:
        """Deletes the cells of columns that rows may lack."""
        deletes = [self._cleared(name) for name in names]
        self._refuse_nothing("clear", deletes)
        return Mutation(self._model.table, key, deletes=deletes)

    def remove(self, key: bytes, entries: Mapping[str, Iterable[Any]]) -> Mutation:
        """Deletes entries of columns that are mappings or sets."""
        self._refuse_nothing("remove", entries)
        deletes = []
        for name, some in entries.items():
            column = self._column(
                name,
                removes,
                "only mappings and sets have entries to remove; see clear",
            )
            if isinstance(some, (str, bytes)):
                raise ValueRefused("several entries, as a list", some, where=f"{self._model.name}.{name}")
            deletes += [Delete(column.family, self._codecs[name].qualifier(entry)) for entry in some]
        return Mutation(self._model.table, key, deletes=deletes)

    def _cleared(self, name: str) -> Delete:
        column = self._column(name, lacks, "no row can be without it")
        if not column.open:
            return Delete(column.family, column.qualifier)
        if shares_family(self._model, column):
            raise QueryRefused(
                f"{self._model.name}.{name}: it shares its family {column.family!r}, and no server can delete "
                "a part of one: remove its entries by name"
            )
        return Delete(column.family)

    def _column(self, name: str, fits: Callable[[Column], bool], why: str) -> Column:
        fitting = [column.name for column in self._columns.values() if fits(column)]
        if name in fitting:
            return self._columns[name]
        place = f"{self._model.name}.{name}" if name in self._columns else self._model.name
        came = "" if name in self._columns else f", got {shown(name)}"
        offered = f"one of {', '.join(fitting)}" if fitting else "a column that the model does not have"
        raise QueryRefused(f"{place}: {why}; wanted {offered}{came}")

    def _check_amount(self, name: str, amount: object) -> None:
        if type(amount) is not int or not LEAST <= amount <= MOST:
            wanted = "a whole number of 64 bits to add"
            raise ValueRefused(wanted, amount, where=f"{self._model.name}.{name}")

    def _refuse_nothing(self, what: str, done: Collection[Any]) -> None:
        if not done:
            raise QueryRefused(f"{self._model.name}: {what}: wanted something to {what}, got nothing")
