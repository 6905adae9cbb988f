"""The order in which the fixes of one model can be followed.

Each fix is proved alone. Where one changes what another one is made from, such as the key that a second table has again,
the other one is worked out once more on the model as the first leaves it, and says which comes first.
"""

from collections.abc import Callable, Collection, Sequence

from attrs import evolve

from btmodel.lint.finding import Finding, Level
from btmodel.schema import ModelSchema, RowKey

# The same finding, with its proved fix, on the model as other fixes leave it; None where it is not found any more.
Again = Callable[[ModelSchema, Finding], Finding | None]


def in_order(
    model: ModelSchema, findings: Sequence[Finding], names: Collection[str], again: Again
) -> list[Finding]:
    """The findings on ``model``, with fixes that can be followed one after the other: those that change its key or its columns, then those that add tables.

    ``names`` are those of all other models: a fix that changes one of them, too, stays as it is.
    """
    own = [finding for finding in findings if _of_one(model, finding, names)]
    rearranging = [finding for finding in own if _rearranges(model, finding.models[0])]
    adding = [finding for finding in own if _adds(model, finding)]
    ordered = {id(finding): finding for finding in findings}
    left, before = model, list[Finding]()
    # What needs a field less may settle what is found of that field; what needs one more comes last.
    rearranging.sort(key=lambda one: (_invents(model, one), not _drops(model, one), *one.order))
    for finding in (*rearranging, *adding):
        behind = again(left, finding) if before else finding
        if before and (finding in adding or _contradicts(model, left, finding)):
            ordered[id(finding)] = _said_behind(model, left, finding, behind, before)
        if finding in rearranging and behind is not None and behind.models:
            left = behind.models[0]
            before.append(finding)
    return [ordered[id(finding)] for finding in findings]


def _of_one(model: ModelSchema, finding: Finding, names: Collection[str]) -> bool:
    """Whether a fix is proved that changes this model alone, and is more than advice."""
    others = {made.name for made in finding.models} - {model.name}
    return bool(finding.models) and finding.level is not Level.INFO and others.isdisjoint(names)


def _rearranges(model: ModelSchema, made: ModelSchema) -> bool:
    """Whether a model has another key or other columns than before: what the fixes of other findings are made from."""
    return (made.key, made.columns) != (model.key, model.columns)


def _adds(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix adds tables to the model, and changes no more of it than its queries."""
    first, *added = finding.models
    return bool(added) and evolve(first, queries=()) == evolve(model, queries=())


def _invents(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix needs a field that the model has not: another order of those that it has may make that needless, or place it."""
    known = {part.name for part in model.key.asked} | {column.name for column in model.columns}
    return any(part.name not in known for part in finding.models[0].key.asked)


def _drops(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix takes a field out of the key."""
    left = {part.name for part in finding.models[0].key.fields}
    return any(part.name not in left for part in model.key.fields)


def _contradicts(model: ModelSchema, left: ModelSchema, finding: Finding) -> bool:
    """Whether the whole key of a fix, as it was worked out alone, would take back that to which others lead; a change of one argument does not."""
    return (
        finding.edit is None and finding.models[0].key not in (model.key, left.key) and left.key != model.key
    )


def _said_behind(
    model: ModelSchema, left: ModelSchema, finding: Finding, behind: Finding | None, before: Sequence[Finding]
) -> Finding:
    """The finding as it is to be followed after the fixes ``before`` it: ``behind`` is what is found then, on the model as they leave it."""
    rules = list(dict.fromkeys(one.rule for one in before))
    fixes, settle = f"the fix of {rules[0]}", "settles"
    if rules[1:]:
        fixes, settle = f"the fixes of {', '.join(rules[:-1])} and {rules[-1]}", "settle"
    if behind is None:
        key = f": the key is then `{left.key.shape}`" if left.key != model.key else ""
        text = f"{fixes} {settle} it, too{key}; or, in {'their' if rules[1:] else 'its'} place, {finding.fix}"
        return evolve(finding, fix=text, edit=None, models=(left,))
    if not behind.models or _keys(behind) == _keys(finding):
        return finding
    return evolve(finding, fix=f"after {fixes}, {behind.fix}", edit=None, models=behind.models)


def _keys(finding: Finding) -> list[RowKey]:
    """The keys of the tables that a fix adds; of one that adds none, the key to which it leads."""
    return [made.key for made in finding.models[1:] or finding.models]
