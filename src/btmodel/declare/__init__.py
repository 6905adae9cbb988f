"""Declaring models: a thin metaclass that gathers, builds the schema, has it reviewed, and hands over to attrs."""

from btmodel.declare.attributes import (
    column,
    constant,
    counter,
    derived,
    digest,
    family,
    history,
    key,
    mapping,
    marks,
    members,
    salt,
    slots,
    timestamp,
)
from btmodel.declare.collection import FollowUp, StandIn, collecting
from btmodel.declare.keywords import table
from btmodel.declare.metaclass import ModelMeta
from btmodel.declare.model import (
    Fields,
    Model,
    codec_of,
    key_of,
    lacks_table,
    mutation_of,
    schema_of,
    unknown_cells,
)
from btmodel.declare.problems import Declared, note, placed
from btmodel.declare.query import DeclaredQuery, ModelQuery, query
from btmodel.declare.twins import Twins, twins, twins_in

__all__ = [
    "Declared",
    "DeclaredQuery",
    "Fields",
    "FollowUp",
    "Model",
    "ModelMeta",
    "ModelQuery",
    "StandIn",
    "Twins",
    "codec_of",
    "collecting",
    "column",
    "constant",
    "counter",
    "derived",
    "digest",
    "family",
    "history",
    "key",
    "key_of",
    "lacks_table",
    "mapping",
    "marks",
    "members",
    "mutation_of",
    "note",
    "placed",
    "query",
    "salt",
    "schema_of",
    "slots",
    "table",
    "timestamp",
    "twins",
    "twins_in",
    "unknown_cells",
]
