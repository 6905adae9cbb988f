"""Declaring models: a thin metaclass that gathers, builds the schema, has it reviewed, and hands over to attrs."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.declare.attributes": (
                "average_of column count counter counters covered distinct_of expires family histories history mapping marks max_of "
                "members min_of slots sum_of timed timestamp"
            ),
            "btmodel.declare.key_fields": "constant derived digest key salt",
            "btmodel.declare.keywords": "authorized_view table",
            "btmodel.declare.metaclass": "FollowUp ModelMeta StandIn collecting",
            "btmodel.declare.model": (
                "Fields Index Model Rollup codec_of from_dict key_of lacks_table mutation_of replace schema_of to_dict unknown_cells"
            ),
            "btmodel.declare.problems": "Declared note placed",
            "btmodel.declare.queries": "DeclaredQuery DeclaredSql ModelQuery ModelSql query sql_query",
            "btmodel.declare.twin_classes": "Twins twins twins_in",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.declare.attributes import average_of as average_of
    from btmodel.declare.attributes import column as column
    from btmodel.declare.attributes import count as count
    from btmodel.declare.attributes import counter as counter
    from btmodel.declare.attributes import counters as counters
    from btmodel.declare.attributes import covered as covered
    from btmodel.declare.attributes import distinct_of as distinct_of
    from btmodel.declare.attributes import expires as expires
    from btmodel.declare.attributes import family as family
    from btmodel.declare.attributes import histories as histories
    from btmodel.declare.attributes import history as history
    from btmodel.declare.attributes import mapping as mapping
    from btmodel.declare.attributes import marks as marks
    from btmodel.declare.attributes import max_of as max_of
    from btmodel.declare.attributes import members as members
    from btmodel.declare.attributes import min_of as min_of
    from btmodel.declare.attributes import slots as slots
    from btmodel.declare.attributes import sum_of as sum_of
    from btmodel.declare.attributes import timed as timed
    from btmodel.declare.attributes import timestamp as timestamp
    from btmodel.declare.key_fields import constant as constant
    from btmodel.declare.key_fields import derived as derived
    from btmodel.declare.key_fields import digest as digest
    from btmodel.declare.key_fields import key as key
    from btmodel.declare.key_fields import salt as salt
    from btmodel.declare.keywords import authorized_view as authorized_view
    from btmodel.declare.keywords import table as table
    from btmodel.declare.metaclass import FollowUp as FollowUp
    from btmodel.declare.metaclass import ModelMeta as ModelMeta
    from btmodel.declare.metaclass import StandIn as StandIn
    from btmodel.declare.metaclass import collecting as collecting
    from btmodel.declare.model import Fields as Fields
    from btmodel.declare.model import Index as Index
    from btmodel.declare.model import Model as Model
    from btmodel.declare.model import Rollup as Rollup
    from btmodel.declare.model import codec_of as codec_of
    from btmodel.declare.model import from_dict as from_dict
    from btmodel.declare.model import key_of as key_of
    from btmodel.declare.model import lacks_table as lacks_table
    from btmodel.declare.model import mutation_of as mutation_of
    from btmodel.declare.model import replace as replace
    from btmodel.declare.model import schema_of as schema_of
    from btmodel.declare.model import to_dict as to_dict
    from btmodel.declare.model import unknown_cells as unknown_cells
    from btmodel.declare.problems import Declared as Declared
    from btmodel.declare.problems import note as note
    from btmodel.declare.problems import placed as placed
    from btmodel.declare.queries import DeclaredQuery as DeclaredQuery
    from btmodel.declare.queries import DeclaredSql as DeclaredSql
    from btmodel.declare.queries import ModelQuery as ModelQuery
    from btmodel.declare.queries import ModelSql as ModelSql
    from btmodel.declare.queries import query as query
    from btmodel.declare.queries import sql_query as sql_query
    from btmodel.declare.twin_classes import Twins as Twins
    from btmodel.declare.twin_classes import twins as twins
    from btmodel.declare.twin_classes import twins_in as twins_in
