"""The query planner: a declared query with its values to ranges of row keys and a filter."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from btmodel.errors import QueryRefused, shown
from btmodel.rows.kept import of_model
from btmodel.rows.key import HALF_OPEN, RowKeyCodec, misfit
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import Joined, ReadPlan
from btmodel.rows.select import Selection
from btmodel.schema import Access, AccessKind, KeyField, ModelSchema, Query, access
from btmodel.schema.access import newest_first


class Planner:
    """Plans the reads of one model."""

    def __init__(self, model: ModelSchema) -> None:
        self._model = model
        self._keys = RowKeyCodec(model)
        self._filter = of_model(model)

    def row(self, key: bytes) -> ReadPlan:
        """The read of the row with this key."""
        return ReadPlan(self._model.table, (RowRange.of_key(key),), self._filter, limit=1)

    def keys(self, keys: Iterable[bytes]) -> ReadPlan:
        """The read of the rows with these keys, as far as they are there, in the order of the keys."""
        ranges = tuple(map(RowRange.of_key, sorted(set(keys))))
        return ReadPlan(self._model.table, ranges, self._filter)

    def query(self, query: Query, values: Mapping[str, Any]) -> ReadPlan:
        """The read of a declared query.

        The value of its ``between`` field is a pair ``(start, end)``, half-open, or
        ``(start, end, "[]")`` with the ends that belong to it; either end may be None: the
        range is open there. The value of its ``starting`` field is what values begin with;
        a path or a domain begins with itself, too.
        Raises :class:`QueryRefused` for wrong fields and :class:`ValueRefused` for a value
        that does not fit.
        """
        found = access(self._model.key, query)
        where = f"{self._model.name}.{query.name}"
        if not isinstance(found, Access):
            raise QueryRefused(f"{where}: no key serves it: {found.why}")
        needed = {*query.equal} | ({query.starting} if query.starting else set())
        wanted = needed | ({query.between} if query.between else set())
        if not needed <= values.keys() <= wanted:
            raise QueryRefused(misfit(where, needed | (wanted & values.keys()), values))
        joined = Joined.KEY_ORDER
        leads: tuple[int, ...] = ()
        if found.scattered is None:
            ranges = tuple(self._ranges(found, values))
        else:
            joined = Joined.MERGED
            ranges, leads = self._scattered(found, found.scattered, values)
        chosen = Selection.of_query(self._model, query).filter if query.only else self._filter
        return ReadPlan(
            self._model.table,
            ranges,
            chosen,
            joined=joined,
            leads=leads,
            backwards=query.newest and not newest_first(self._model.key, found),
        )

    def _scattered(
        self, found: Access, salt: KeyField, values: Mapping[str, Any]
    ) -> tuple[tuple[RowRange, ...], tuple[int, ...]]:
        """The ranges of each value of ``salt``, and how many bytes of each do not count in the order."""
        assert salt.derived is not None
        ahead = found.prefix[: found.prefix.index(salt) + 1]
        ranges: list[RowRange] = []
        leads: list[int] = []
        for value in salt.derived.values or ():
            salted = {**values, salt.name: value}
            lead = len(self._keys.prefix(ahead, salted))
            for span in self._ranges(found, salted):
                ranges.append(span)
                leads.append(lead)
        return tuple(ranges), tuple(leads)

    def _ranges(self, found: Access, values: Mapping[str, Any]) -> Iterator[RowRange]:
        if found.kind is AccessKind.POINT:
            yield RowRange.of_key(self._keys.key(values))
            return
        if found.starting is not None:
            yield from sorted(
                self._beginning(found.prefix, found.starting, values), key=lambda span: span.start
            )
            return
        if found.between is not None:
            whole = RowRange.of_prefix(self._keys.prefix(found.prefix, values))
            rows = self._keys.range(whole, found.between, *self._ends(found.between.name, values))
            yield from () if rows is None else (rows,)
            return
        yield from self._leading(found.prefix, values)

    def _beginning(
        self, prefix: tuple[KeyField, ...], field: KeyField, values: Mapping[str, Any]
    ) -> Iterator[RowRange]:
        """The rows whose ``field`` begins with its value; just this value may have bytes that begin otherwise."""
        stem = self._keys.stem(field, values[field.name])
        if len(stem) <= field.codec.length.most:
            yield RowRange.of_prefix(self._keys.prefix(prefix, values) + stem)
        if self._keys.stemless(field, values[field.name], stem):
            yield from self._leading((*prefix, field), values)

    def _leading(self, fields: tuple[KeyField, ...], values: Mapping[str, Any]) -> Iterator[RowRange]:
        """The rows whose leading ``fields`` have these values."""
        prefix = self._keys.prefix(fields, values)
        left = len(self._model.key.fields) - len(fields)
        alone = prefix
        if left == 1 and self._model.key.optional:
            alone = prefix.removesuffix(self._model.key.behind(fields[-1]))
        # No row has an empty key, and the service refuses to look for it.
        if alone and (not left or alone != prefix):
            yield RowRange.of_key(alone)
        if left:
            yield RowRange.of_prefix(prefix)

    def _ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, Any, str]:
        match values.get(name):
            case None:
                return None, None, HALF_OPEN
            case (start, end):
                return start, end, HALF_OPEN
            case (start, end, "[)" | "[]" | "()" | "(]" as closed):
                return start, end, closed
            case other:
                raise QueryRefused(
                    f"{self._model.name}.{name}: wanted a pair (start, end), or (start, end, '[]') "
                    f"with one of '[)', '[]', '()', '(]', got {shown(other)}"
                )
