"""Tables that are there, as the schemas of models of which nothing else is known."""

from attrs import evolve

from btmodel.schema.family import Family
from btmodel.schema.gc import KeepAll
from btmodel.schema.key import RowKey
from btmodel.schema.model import ModelSchema
from btmodel.schema.table import Table


def of_table(instance: str, table: Table) -> ModelSchema:
    """The schema of a table of ``instance``: its families, an empty key, no columns and no queries.

    It is called as the table is, and its module as the instance.
    """
    families = tuple(map(_as_stated, table.families))
    return ModelSchema(table.id, instance, "", table.id, RowKey((), b""), families, ())


def _as_stated(family: Family) -> Family:
    # A table does not tell a family that is to keep everything from one without a rule.
    return evolve(family, gc=None) if isinstance(family.gc, KeepAll) else family
