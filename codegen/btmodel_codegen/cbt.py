"""Table DDL as a shell script of ``cbt`` commands.

cbt makes tables without settings, no views of any kind and no schema bundles: a comment names what is left to ``btmodel migrate``.
"""

import shlex
from collections.abc import Sequence
from datetime import timedelta

from attrs import asdict

from btmodel.errors import GenerationError
from btmodel.schema import (
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Table,
    Union,
    tables,
)
from btmodel.schema.gc import age_text, simplified
from btmodel_codegen.render import render

FILE = "tables.cbt.sh"


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The script that creates the tables of ``models``."""
    commands = [(_command(table), _unsaid(table)) for table in tables(models)]
    return {FILE: render("tables.cbt.sh.jinja", file=FILE, commands=commands)}


def _unsaid(table: Table) -> list[str]:
    """What cbt leaves to others, in words: the settings that a table without any lacks, by name, and its views."""
    settings = ", ".join(name for name, value in asdict(table.settings).items() if value)
    found = [f"set {settings}"] if settings else []
    kinds = {
        "materialized view": [view.id for view in table.views],
        "authorized view": [view.id for view in table.authorized],
        "schema bundle": [bundle.id for bundle in table.bundles],
    }
    for kind, ids in kinds.items():
        if ids:
            found.append(f"create the {kind}{'s' * (len(ids) > 1)} {', '.join(ids)}")
    return found


def _command(table: Table) -> str:
    families = ",".join(map(_family, table.families))
    return f"createtable {shlex.quote(table.id)} {shlex.quote(f'families={families}')}"


def _family(family: Family) -> str:
    """A family in cbt's words: its id, its GC rule, and the type of an aggregate, ``intsum``."""
    kind = "" if family.aggregate is None else f":int{family.aggregate.value}"
    return f"{family.id}:{policy(simplified(family.gc or KeepAll()))}{kind}"


def policy(rule: GcRule) -> str:
    """A GC rule in cbt's words. cbt knows no precedence, so every part is in parentheses."""
    match rule:
        case MaxVersions(versions):
            return f"maxversions={versions}"
        case MaxAge(age):
            return f"maxage={_age(age)}"
        case Union(rules):
            return "||".join(f"({policy(part)})" for part in rules)
        case Intersection(rules):
            return "&&".join(f"({policy(part)})" for part in rules)
        case KeepAll():
            return "never"
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def _age(age: timedelta) -> str:
    text = age_text(age)
    if text.endswith("us"):
        raise GenerationError(f"cbt cannot state an age of {text}: its finest unit is the millisecond")
    return text
