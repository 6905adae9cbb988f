"""Rows: keys, cells, mutations and reads of a model, as functions of its schema. No server is needed."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.rows.cells": "CELLS Cell Fast RAW RowDecoder Stored",
            "btmodel.rows.checked_change": "CheckedChange missing_row",
            "btmodel.rows.comparisons": "Comparison",
            "btmodel.rows.conditions": "Condition conditional if_absent if_equal when",
            "btmodel.rows.edits": "DELETED Edits RowEdit",
            "btmodel.rows.events": "EventCodec",
            "btmodel.rows.filters": (
                "Before Chain ExactValue Families Filter FirstCells Interleave KeyLength KeyMatches QualifierRange Qualifiers Rows RowsWithout Sample "
                "Times Unexpired ValueEnds Values Versions Within WithoutFirst WithoutValues"
            ),
            "btmodel.rows.key_codec": "RowKeyCodec",
            "btmodel.rows.mutations": "Add Append Conditional Delete Increment Mutation ReadModifyWrite",
            "btmodel.rows.planner": "Planner Selection",
            "btmodel.rows.ranges": "RowRange",
            "btmodel.rows.read": "Closed RangeOrder Parallel ReadPlan cursor_of resumed",
            "btmodel.rows.row": "RowCodec",
            "btmodel.rows.serialized": "Entry",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.rows.cells import CELLS as CELLS
    from btmodel.rows.cells import RAW as RAW
    from btmodel.rows.cells import Cell as Cell
    from btmodel.rows.cells import Fast as Fast
    from btmodel.rows.cells import RowDecoder as RowDecoder
    from btmodel.rows.cells import Stored as Stored
    from btmodel.rows.checked_change import CheckedChange as CheckedChange
    from btmodel.rows.checked_change import missing_row as missing_row
    from btmodel.rows.comparisons import Comparison as Comparison
    from btmodel.rows.conditions import Condition as Condition
    from btmodel.rows.conditions import conditional as conditional
    from btmodel.rows.conditions import if_absent as if_absent
    from btmodel.rows.conditions import if_equal as if_equal
    from btmodel.rows.conditions import when as when
    from btmodel.rows.edits import DELETED as DELETED
    from btmodel.rows.edits import Edits as Edits
    from btmodel.rows.edits import RowEdit as RowEdit
    from btmodel.rows.events import EventCodec as EventCodec
    from btmodel.rows.filters import Before as Before
    from btmodel.rows.filters import Chain as Chain
    from btmodel.rows.filters import ExactValue as ExactValue
    from btmodel.rows.filters import Families as Families
    from btmodel.rows.filters import Filter as Filter
    from btmodel.rows.filters import FirstCells as FirstCells
    from btmodel.rows.filters import Interleave as Interleave
    from btmodel.rows.filters import KeyLength as KeyLength
    from btmodel.rows.filters import KeyMatches as KeyMatches
    from btmodel.rows.filters import QualifierRange as QualifierRange
    from btmodel.rows.filters import Qualifiers as Qualifiers
    from btmodel.rows.filters import Rows as Rows
    from btmodel.rows.filters import RowsWithout as RowsWithout
    from btmodel.rows.filters import Sample as Sample
    from btmodel.rows.filters import Times as Times
    from btmodel.rows.filters import Unexpired as Unexpired
    from btmodel.rows.filters import ValueEnds as ValueEnds
    from btmodel.rows.filters import Values as Values
    from btmodel.rows.filters import Versions as Versions
    from btmodel.rows.filters import Within as Within
    from btmodel.rows.filters import WithoutFirst as WithoutFirst
    from btmodel.rows.filters import WithoutValues as WithoutValues
    from btmodel.rows.key_codec import RowKeyCodec as RowKeyCodec
    from btmodel.rows.mutations import Add as Add
    from btmodel.rows.mutations import Append as Append
    from btmodel.rows.mutations import Conditional as Conditional
    from btmodel.rows.mutations import Delete as Delete
    from btmodel.rows.mutations import Increment as Increment
    from btmodel.rows.mutations import Mutation as Mutation
    from btmodel.rows.mutations import ReadModifyWrite as ReadModifyWrite
    from btmodel.rows.planner import Planner as Planner
    from btmodel.rows.planner import Selection as Selection
    from btmodel.rows.ranges import RowRange as RowRange
    from btmodel.rows.read import Closed as Closed
    from btmodel.rows.read import Parallel as Parallel
    from btmodel.rows.read import RangeOrder as RangeOrder
    from btmodel.rows.read import ReadPlan as ReadPlan
    from btmodel.rows.read import cursor_of as cursor_of
    from btmodel.rows.read import resumed as resumed
    from btmodel.rows.row import RowCodec as RowCodec
    from btmodel.rows.serialized import Entry as Entry
