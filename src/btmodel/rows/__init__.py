"""Rows: keys, cells, mutations and reads of a model, as functions of its schema. No server is needed."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

_HOMES = {
    "btmodel.rows.cells": "Cell Fast RAW RowDecoder",
    "btmodel.rows.conditions": "if_absent if_equal",
    "btmodel.rows.edits": "CheckedChange Edits missing_row",
    "btmodel.rows.events": "EventCodec",
    "btmodel.rows.filters": (
        "Chain Families Filter FirstCells Interleave KeyMatches QualifierRange Qualifiers Rows RowsWithout "
        "Times Value ValueEnds Versions Within WithoutValues"
    ),
    "btmodel.rows.key": "RowKeyCodec",
    "btmodel.rows.mutations": "Add Append Conditional Delete Increment Mutation ReadModifyWrite",
    "btmodel.rows.plan": "Planner Selection",
    "btmodel.rows.ranges": "RowRange",
    "btmodel.rows.read": "Closed Joined Parallel ReadPlan cursor_of resumed",
    "btmodel.rows.row": "RowCodec",
    "btmodel.rows.wire": "Entry",
}

if TYPE_CHECKING:
    from btmodel.rows.cells import RAW, Cell, Fast, RowDecoder
    from btmodel.rows.conditions import if_absent, if_equal
    from btmodel.rows.edits import CheckedChange, Edits, missing_row
    from btmodel.rows.events import EventCodec
    from btmodel.rows.filters import (
        Chain,
        Families,
        Filter,
        FirstCells,
        Interleave,
        KeyMatches,
        QualifierRange,
        Qualifiers,
        Rows,
        RowsWithout,
        Times,
        Value,
        ValueEnds,
        Versions,
        Within,
        WithoutValues,
    )
    from btmodel.rows.key import RowKeyCodec
    from btmodel.rows.mutations import Add, Append, Conditional, Delete, Increment, Mutation, ReadModifyWrite
    from btmodel.rows.plan import Planner, Selection
    from btmodel.rows.ranges import RowRange
    from btmodel.rows.read import Closed, Joined, Parallel, ReadPlan, cursor_of, resumed
    from btmodel.rows.row import RowCodec
    from btmodel.rows.wire import Entry
else:
    __getattr__, __dir__ = load_on_demand(__name__, _HOMES)

__all__ = [
    "RAW",
    "Add",
    "Append",
    "Cell",
    "Chain",
    "CheckedChange",
    "Closed",
    "Conditional",
    "Delete",
    "Edits",
    "Entry",
    "EventCodec",
    "Families",
    "Fast",
    "Filter",
    "FirstCells",
    "Increment",
    "Interleave",
    "Joined",
    "KeyMatches",
    "Mutation",
    "Parallel",
    "Planner",
    "QualifierRange",
    "Qualifiers",
    "ReadModifyWrite",
    "ReadPlan",
    "RowCodec",
    "RowDecoder",
    "RowKeyCodec",
    "RowRange",
    "Rows",
    "RowsWithout",
    "Selection",
    "Times",
    "Value",
    "ValueEnds",
    "Versions",
    "Within",
    "WithoutValues",
    "cursor_of",
    "if_absent",
    "if_equal",
    "missing_row",
    "resumed",
]
