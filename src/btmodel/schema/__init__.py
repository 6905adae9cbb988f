"""The schema: what a model class compiles to. Frozen, comparable, printable values.

Everything else (rules, row codec, generated text, migrations) is a function of
these values and knows nothing of classes.
"""

from btmodel.schema.access import Access, AccessKind, Unserved, access
from btmodel.schema.bucket import Bucket
from btmodel.schema.column import Column, Expected, Shape
from btmodel.schema.family import Aggregate, Family
from btmodel.schema.gc import GcChange, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union
from btmodel.schema.key import Derived, KeyField, Mirror, RowKey
from btmodel.schema.layout import CellLayout, KeyPart, Layout, layout_of
from btmodel.schema.model import (
    OFF,
    UNSTATED,
    ModelSchema,
    Query,
    Stamp,
    TableSettings,
    TwinSchema,
    TwinsSchema,
)
from btmodel.schema.names import Location
from btmodel.schema.rate import Rate
from btmodel.schema.table import Table, by_table, tables, tables_and_templates

__all__ = [
    "OFF",
    "UNSTATED",
    "Access",
    "AccessKind",
    "Aggregate",
    "Bucket",
    "CellLayout",
    "Column",
    "Derived",
    "Expected",
    "Family",
    "GcChange",
    "GcRule",
    "Intersection",
    "KeepAll",
    "KeyField",
    "KeyPart",
    "Layout",
    "Location",
    "MaxAge",
    "MaxVersions",
    "Mirror",
    "ModelSchema",
    "Query",
    "Rate",
    "RowKey",
    "Shape",
    "Stamp",
    "Table",
    "TableSettings",
    "TwinSchema",
    "TwinsSchema",
    "Union",
    "Unserved",
    "access",
    "by_table",
    "layout_of",
    "tables",
    "tables_and_templates",
]
