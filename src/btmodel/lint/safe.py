"""Which fixes hold where all models of a project are seen: those that change one model, and no other one."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve

from btmodel.lint.finding import Finding
from btmodel.lint.fix import Fix
from btmodel.lint.partners import Identity, identity
from btmodel.schema import Location, ModelSchema
from btmodel.schema.parameters import placeholders

# What only the model itself knows of; all else is a matter of its table, too.
_OF_THE_CLASS = ("allow", "between", "starting")
# Texts by which a table, a family or a cell is known.
_NAMES = ("table", "id", "qualifier", "mirror")


def safely_fixed(findings: Sequence[Finding], models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """The findings, without the fixes that would change, or get in the way of, another model or another fix."""
    known = {identity(model): model for model in models}
    named = Counter(map(identity, models))
    tables = Counter(model.table for model in models)
    places = Counter(place for model in models for place in _places(model))
    fixed = [finding for finding in findings if finding.fix]
    wanted = Counter(_name(finding, known) for finding in fixed)
    for finding in findings:
        fix, model = finding.fix, known.get((finding.module, finding.model))
        if fix is None or (
            model is not None
            and named[identity(model)] == 1
            and (finding.location is None or _by_itself(model, finding.location, places))
            and (_of_the_class(fix) or tables[model.table] == 1)
            and (fix.argument != "table" or not _taken(json.loads(fix.text), tables))
            and (fix.argument not in _NAMES or wanted[_name(finding, known)] == 1)
        ):
            yield finding
        else:
            yield evolve(finding, fix=None)


def _places(model: ModelSchema) -> set[Location | None]:
    """Where the parts of the model were declared."""
    groups = (model.families, model.key.fields, model.columns, model.queries)
    return {part.location for parts in groups for part in parts}


def _by_itself(model: ModelSchema, place: Location, places: Mapping[Location | None, int]) -> bool:
    """Whether what stands there, in the file of the model, is part of no other one."""
    return model.location is not None and place.file == model.location.file and places[place] <= 1


def _of_the_class(fix: Fix) -> bool:
    return isinstance(fix.argument, int) or fix.argument in _OF_THE_CLASS


def _name(finding: Finding, known: Mapping[Identity, ModelSchema]) -> tuple[object, ...]:
    """The name that a fix gives, with what it must be the only one in; empty of one that gives none."""
    fix, model = finding.fix, known.get((finding.module, finding.model))
    if fix is None or model is None or fix.argument not in _NAMES:
        return ()
    name = json.loads(fix.text)
    if fix.argument == "table":
        return fix.argument, name
    if fix.argument == "qualifier":
        families = {column.name: column.family for column in model.columns}
        name = f"{families.get(finding.field or '')}:{name}"
    return finding.module, finding.model, name


def _taken(id: str, tables: Iterable[str]) -> bool:
    """Whether a table is, or may at run time be, called so."""
    return any(id == table or (placeholders(table) and _pattern(table).fullmatch(id)) for table in tables)


def _pattern(table: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in re.split(r"\{.*?\}", table)))
