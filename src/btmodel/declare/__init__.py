"""Declaring models: a thin metaclass that gathers, builds the schema, has it reviewed, and hands over to attrs."""

from btmodel.declare.fields import column, constant, family, history, key
from btmodel.declare.metaclass import ModelMeta
from btmodel.declare.model import Fields, Model, codec_of, key_of, schema_of, unknown_cells
from btmodel.declare.query import DeclaredQuery, ModelQuery, query

__all__ = [
    "DeclaredQuery",
    "Fields",
    "Model",
    "ModelMeta",
    "ModelQuery",
    "codec_of",
    "column",
    "constant",
    "family",
    "history",
    "key",
    "key_of",
    "query",
    "schema_of",
    "unknown_cells",
]
