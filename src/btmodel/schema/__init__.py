"""The schema: what a model class compiles to. Frozen, comparable, printable values.

Everything else (rules, row codec, generated text, migrations) is a function of
these values and knows nothing of classes.
"""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.schema.bucket": "Bucket",
            "btmodel.schema.column": "Aggregate Column Expected Family Shape",
            "btmodel.schema.gc": "GcChange GcRule GivenAge Intersection KeepAll MaxAge MaxVersions Union",
            "btmodel.schema.key": "Derived KeyField Mirror RowKey Skew",
            "btmodel.schema.layout": "CellLayout KeyPart Layout layout_of",
            "btmodel.schema.lookup": "Access AccessKind Unserved access",
            "btmodel.schema.model": "OFF UNSTATED ModelSchema Query SQL_TYPES SqlParameter SqlQuery Stamp TableSettings TwinSchema TwinsSchema View",
            "btmodel.schema.names": "Location",
            "btmodel.schema.rate": "Rate",
            "btmodel.schema.table": "Table by_table tables tables_and_templates",
            "btmodel.schema.view": "AuthorizedView FamilySubset SchemaBundle TableView ViewKind",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.schema.bucket import Bucket as Bucket
    from btmodel.schema.column import Aggregate as Aggregate
    from btmodel.schema.column import Column as Column
    from btmodel.schema.column import Expected as Expected
    from btmodel.schema.column import Family as Family
    from btmodel.schema.column import Shape as Shape
    from btmodel.schema.gc import GcChange as GcChange
    from btmodel.schema.gc import GcRule as GcRule
    from btmodel.schema.gc import GivenAge as GivenAge
    from btmodel.schema.gc import Intersection as Intersection
    from btmodel.schema.gc import KeepAll as KeepAll
    from btmodel.schema.gc import MaxAge as MaxAge
    from btmodel.schema.gc import MaxVersions as MaxVersions
    from btmodel.schema.gc import Union as Union
    from btmodel.schema.key import Derived as Derived
    from btmodel.schema.key import KeyField as KeyField
    from btmodel.schema.key import Mirror as Mirror
    from btmodel.schema.key import RowKey as RowKey
    from btmodel.schema.key import Skew as Skew
    from btmodel.schema.layout import CellLayout as CellLayout
    from btmodel.schema.layout import KeyPart as KeyPart
    from btmodel.schema.layout import Layout as Layout
    from btmodel.schema.layout import layout_of as layout_of
    from btmodel.schema.lookup import Access as Access
    from btmodel.schema.lookup import AccessKind as AccessKind
    from btmodel.schema.lookup import Unserved as Unserved
    from btmodel.schema.lookup import access as access
    from btmodel.schema.model import OFF as OFF
    from btmodel.schema.model import SQL_TYPES as SQL_TYPES
    from btmodel.schema.model import UNSTATED as UNSTATED
    from btmodel.schema.model import ModelSchema as ModelSchema
    from btmodel.schema.model import Query as Query
    from btmodel.schema.model import SqlParameter as SqlParameter
    from btmodel.schema.model import SqlQuery as SqlQuery
    from btmodel.schema.model import Stamp as Stamp
    from btmodel.schema.model import TableSettings as TableSettings
    from btmodel.schema.model import TwinSchema as TwinSchema
    from btmodel.schema.model import TwinsSchema as TwinsSchema
    from btmodel.schema.model import View as View
    from btmodel.schema.names import Location as Location
    from btmodel.schema.rate import Rate as Rate
    from btmodel.schema.table import Table as Table
    from btmodel.schema.table import by_table as by_table
    from btmodel.schema.table import tables as tables
    from btmodel.schema.table import tables_and_templates as tables_and_templates
    from btmodel.schema.view import AuthorizedView as AuthorizedView
    from btmodel.schema.view import FamilySubset as FamilySubset
    from btmodel.schema.view import SchemaBundle as SchemaBundle
    from btmodel.schema.view import TableView as TableView
    from btmodel.schema.view import ViewKind as ViewKind
