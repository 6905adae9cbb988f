"""Whether the fixes of several findings on one model can be followed together."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from attrs import evolve

from btmodel.declare.metaclass import collecting
from btmodel.lint import Finding, review_all
from btmodel.schema import ModelSchema

# What a fix begins with that is to be followed after others, or is settled by them.
_RULE = r"[A-Z]{3}\d{3}(?: of `[^`]+`)?"
AFTER = re.compile(rf"(?:after )?the fix(?:es)? of ({_RULE}(?:(?:, | and ){_RULE})*)(?:,| settles?) ")


def contradictions(declare: Callable[[], object], found: Sequence[Finding]) -> Iterator[str]:
    """The pairs of findings on one model of which neither says that it follows the other, and that want different things in one place.

    The second is read later: it may say the same, in full, of the model as the first one leaves it.
    """
    with collecting() as declared:
        declare()
    for model in declared.schemas:
        own = [one for one in found if (one.module, one.model) == (model.module, model.name) and one.models]
        for first, second in combinations(own, 2):
            if first.rule in _behind(second) or second.rule in _behind(first):
                continue
            ours, theirs = _changes(model, first), _changes(model, second)
            places = [place for place in ours.keys() & theirs.keys() if ours[place] != theirs[place]]
            if places and not any(
                again.fix == second.fix
                or all(_changes(first.models[0], again).get(place) == theirs[place] for place in places)
                for again in _behind_it(first, second)
            ):
                yield f"{first.rule} and {second.rule} of {model.name} at {places}: {first.fix!r} and {second.fix!r}"


def _behind_it(first: Finding, second: Finding) -> Iterator[Finding]:
    """The second finding as it is said where the first is followed."""
    for again in review_all(first.models):
        if (again.rule, again.field) == (second.rule, second.field) and again.models:
            yield again


def _behind(finding: Finding) -> str:
    said = AFTER.match(finding.fix)
    return said[1] if said else ""


def _changes(model: ModelSchema, finding: Finding) -> Mapping[tuple[str, str], object]:
    """What a fix makes of each part of a model, by what the part is called."""
    made, *tables = finding.models
    names = [part.name for part in made.key.fields]
    changes: dict[tuple[str, str], object] = {}
    if names != [part.name for part in model.key.fields]:
        changes["key", ""] = names
    for part in made.key.fields:
        changes["codec of", part.name] = _written(part.codec)
        changes["values of", part.name] = len(part.derived.values or ()) if part.derived else None
    for column in made.columns:
        changes["family of", column.name] = column.family
        changes["cell of", column.name] = (column.qualifier, column.shape, _written(column.codec))
    for family in made.families:
        changes["family", family.id] = (str(family.gc), family.aggregate)
    for table in tables:
        changes["table", table.table] = [part.name for part in table.key.fields]
    known = _changes(model, evolve(finding, models=(model,))) if finding.models[0] is not model else {}
    return {place: change for place, change in changes.items() if known.get(place) != change}


def _written(codec: object) -> str:
    """A codec as it is shown: functions that are made anew are other ones each time."""
    return re.sub(r" at 0x\w+", "", repr(codec))
