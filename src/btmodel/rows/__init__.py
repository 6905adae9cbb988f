"""Rows: keys, cells, mutations and reads of a model, as functions of its schema. No server is needed."""

from btmodel.rows.cells import Cell, Mutation
from btmodel.rows.events import EventCodec
from btmodel.rows.filters import Chain, Families, Filter, Interleave, Times, Versions, Within
from btmodel.rows.key import RowKeyCodec
from btmodel.rows.plan import Planner, ReadPlan
from btmodel.rows.ranges import RowRange
from btmodel.rows.row import RowCodec

__all__ = [
    "Cell",
    "Chain",
    "EventCodec",
    "Families",
    "Filter",
    "Interleave",
    "Mutation",
    "Planner",
    "ReadPlan",
    "RowCodec",
    "RowKeyCodec",
    "RowRange",
    "Times",
    "Versions",
    "Within",
]
