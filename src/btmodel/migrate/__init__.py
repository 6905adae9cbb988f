"""Migrations: what differs between the declared tables and a live instance, and the way there."""

from btmodel.migrate.apply import Done, apply, refuse
from btmodel.migrate.bring import bring
from btmodel.migrate.changes import (
    AddFamily,
    Change,
    ChangeAggregate,
    ChangeGc,
    CreateTable,
    DropFamily,
    DropTable,
    Effect,
    UndeclaredFamily,
    UndeclaredTable,
)
from btmodel.migrate.diff import diff
from btmodel.migrate.instance import Instance
from btmodel.migrate.plan import Plan, make_plan, read_plan
from btmodel.migrate.render import as_json, as_text, tally

__all__ = [
    "AddFamily",
    "Change",
    "ChangeAggregate",
    "ChangeGc",
    "CreateTable",
    "Done",
    "DropFamily",
    "DropTable",
    "Effect",
    "Instance",
    "Plan",
    "UndeclaredFamily",
    "UndeclaredTable",
    "apply",
    "as_json",
    "as_text",
    "bring",
    "diff",
    "make_plan",
    "read_plan",
    "refuse",
    "tally",
]
