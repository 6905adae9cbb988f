"""Rows: keys, cells, mutations and reads of a model, as functions of its schema. No server is needed."""

from btmodel.rows.cells import Cell
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
    Times,
    Value,
    Versions,
    Within,
    WithoutValues,
)
from btmodel.rows.key import RowKeyCodec
from btmodel.rows.mutations import Add, Append, Conditional, Delete, Increment, Mutation, ReadModifyWrite
from btmodel.rows.plan import Planner
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import Joined, ReadPlan
from btmodel.rows.row import RowCodec

__all__ = [
    "Add",
    "Append",
    "Cell",
    "Chain",
    "Conditional",
    "Delete",
    "EventCodec",
    "Families",
    "Filter",
    "FirstCells",
    "Increment",
    "Interleave",
    "Joined",
    "KeyMatches",
    "Mutation",
    "Planner",
    "QualifierRange",
    "Qualifiers",
    "ReadModifyWrite",
    "ReadPlan",
    "RowCodec",
    "RowKeyCodec",
    "RowRange",
    "Rows",
    "Times",
    "Value",
    "Versions",
    "Within",
    "WithoutValues",
]
