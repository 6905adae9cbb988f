"""The query planner: a declared query with its values to ranges of row keys and a filter."""

from collections.abc import Mapping
from typing import Any

from btmodel.errors import QueryRefused, shown
from btmodel.rows.kept import of_model
from btmodel.rows.key import RowKeyCodec, misfit
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import ReadPlan
from btmodel.schema import Access, AccessKind, ModelSchema, Query, access


class Planner:
    """Plans the reads of one model."""

    def __init__(self, model: ModelSchema) -> None:
        self._model = model
        self._keys = RowKeyCodec(model)
        self._filter = of_model(model)

    def row(self, values: Mapping[str, Any]) -> ReadPlan:
        """The read of one row by its key fields."""
        return ReadPlan(self._model.table, (RowRange.of_key(self._keys.encode(values)),), self._filter, 1)

    def query(self, query: Query, values: Mapping[str, Any]) -> ReadPlan:
        """The read of a declared query; the value of its ``between`` field is a pair ``(start, end)``.

        Either end may be None: the range is open there. Raises :class:`QueryRefused` for
        wrong fields and :class:`ValueRefused` for a value that does not fit.
        """
        found = access(self._model.key, query)
        where = f"{self._model.name}.{query.name}"
        if not isinstance(found, Access):
            raise QueryRefused(f"{where}: no key serves it: {found.why}")
        wanted = {*query.equal} | ({query.between} if query.between else set())
        if values.keys() - {query.between} != set(query.equal) or not values.keys() <= wanted:
            raise QueryRefused(misfit(where, set(query.equal) | (wanted & values.keys()), values))
        return ReadPlan(self._model.table, self._ranges(found, values), self._filter)

    def _ranges(self, found: Access, values: Mapping[str, Any]) -> tuple[RowRange, ...]:
        if found.kind is AccessKind.POINT:
            return (RowRange.of_key(self._keys.key(values)),)
        whole = RowRange.of_prefix(self._keys.prefix(found.prefix, values))
        if found.between is None:
            return (whole,)
        start, end = self._pair(found.between.name, values.get(found.between.name))
        rows = self._keys.range(whole, found.between, start, end)
        return () if rows is None else (rows,)

    def _pair(self, name: str, ends: Any) -> tuple[Any, Any]:
        if ends is None:
            return None, None
        if not isinstance(ends, tuple) or len(ends) != 2:
            raise QueryRefused(f"{self._model.name}.{name}: wanted a pair (start, end), got {shown(ends)}")
        start, end = ends
        return start, end
