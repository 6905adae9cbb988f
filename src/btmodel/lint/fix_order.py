"""The order in which the fixes of one model can be followed.

Each fix is proved alone. Where one changes what another one is made from, such as the key that a second table has again or
the family of a column, the other one is worked out once more on the model as the first leaves it, and says which comes first.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from attrs import evolve

from btmodel.lint.finding import Finding, Level
from btmodel.lint.proof import unfixed
from btmodel.schema import ModelSchema

# The same finding, with its proved fix, on the model as other fixes leave it, and on the second tables behind it; None where it is not found any more.
Again = Callable[[Sequence[ModelSchema], Finding], Finding | None]
# Whether a finding is the same there, as it is on one of the second tables.
Stays = Callable[[Sequence[ModelSchema], Finding], bool]


def in_order(
    model: ModelSchema, findings: Sequence[Finding], names: Collection[str], again: Again, stays: Stays
) -> list[Finding]:
    """The findings on ``model``, with fixes that can be followed one after the other: those that change it, then those that add tables.

    ``names`` are those of all other models: a fix that changes one of them, too, stays as it is. What is information need not be followed,
    so nothing graver comes after it; what has no fix by itself may have one behind the others.
    """
    own = [finding for finding in findings if _of_one(model, finding, names)]
    ordered = {id(finding): finding for finding in findings}
    several = {rule for rule, count in Counter(one.rule for one in own).items() if count > 1}
    left, aside, before = model, list[ModelSchema](), list[Finding]()
    for finding in sorted(own, key=lambda one: _rank(model, one, own, stays)):
        behind = again([left, *aside], finding) if before else finding
        if before and _differs(model, left, finding, behind):
            causes = _causes(finding, behind, before, again)
            if behind is not None or all(one.models != finding.models for one in causes):
                ordered[id(finding)] = _said_behind(model, [left, *aside], finding, behind, causes, several)
        if behind is not None and behind.models and not added(left, behind):
            left, *tables = behind.models
            aside += tables
            before.append(finding)
    return [ordered[id(finding)] for finding in findings]


def _of_one(model: ModelSchema, finding: Finding, names: Collection[str]) -> bool:
    """Whether a fix is proved that changes this model alone, or each that was tried brings another fault."""
    others = {made.name for made in finding.models} - {model.name}
    return bool(finding.models or unfixed(finding)) and others.isdisjoint(names)


def _rank(
    model: ModelSchema, finding: Finding, others: Sequence[Finding], stays: Stays
) -> tuple[object, ...]:
    """The place of a fix among the others.

    Families come first, as what moves to another table takes its GC rule along. What needs a field less may settle what is found of
    that field, unless a second table still has it; what needs one more comes behind the others that change the model. Names come behind
    what may do away with them, and tables behind all of these, as they have the key that these leave.
    """
    fixed = bool(finding.models)
    return (
        finding.level is Level.INFO,
        not fixed,
        bool(added(model, finding)),
        fixed and bool(finding.models[1:]) and (not _drops(model, finding) or _keeps(finding, others, stays)),
        _renames(finding),
        fixed and not _regroups(model, finding),
        fixed and _invents(model, finding),
        fixed and not _drops(model, finding),
        *finding.order,
    )


# The arguments whose text follows from the rest of the model; others are names.
_WORKED_OUT = ("codec", "gc")


def _renames(finding: Finding) -> bool:
    return finding.edit is not None and finding.edit.argument not in _WORKED_OUT


def _regroups(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix changes only which GC rules there are, and which columns have them."""
    made, *added = finding.models
    alike = [[evolve(column, family="") for column in each.columns] for each in (model, made)]
    return not added and made.key == model.key and alike[0] == alike[1]


def added(model: ModelSchema, finding: Finding) -> tuple[ModelSchema, ...]:
    """The tables that the fix of a finding on ``model`` adds to it, of which it changes no more than its queries; none of any other fix."""
    if not finding.models or finding.model != model.name:
        return ()
    first, *others = finding.models
    same = evolve(first, queries=()) == evolve(model, queries=())
    return tuple(others) if same and all(other.name != model.name for other in others) else ()


def _invents(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix needs a field that the model has not: another order of those that it has may make that needless, or place it."""
    known = {part.name for part in model.key.asked} | {column.name for column in model.columns}
    return any(part.name not in known for part in finding.models[0].key.asked)


def _drops(model: ModelSchema, finding: Finding) -> bool:
    """Whether the fix takes a field out of the key."""
    left = {part.name for part in finding.models[0].key.fields}
    return any(part.name not in left for part in model.key.fields)


def _keeps(finding: Finding, others: Sequence[Finding], stays: Stays) -> bool:
    """Whether a second table of the fix still has what another fix alone takes away, such as an e-mail address in the key."""
    alone = (other for other in others if other is not finding and other.models and not other.models[1:])
    return any(stays(finding.models, other) for other in alone)


def _differs(model: ModelSchema, left: ModelSchema, finding: Finding, behind: Finding | None) -> bool:
    """Whether others leave nothing to fix, or something that is fixed in another way; a name that is given stays the same."""
    if behind is None:
        return True
    if not behind.models or behind.fix == finding.fix or _renames(finding):
        return False
    return not finding.models or _change(model, finding) != _change(left, behind)


def _change(model: ModelSchema, finding: Finding) -> tuple[object, ...]:
    """What a fix makes of a model: new fields and another order, families, columns, and second tables."""
    made, *tables = finding.models
    names = [part.name for part in made.key.fields]
    return (
        [part for part in made.key.fields if part not in model.key.fields],
        None if names == [part.name for part in model.key.fields] else names,
        [family for family in made.families if family not in model.families],
        [column for column in made.columns if column not in model.columns],
        [(table.key, [column.name for column in table.columns]) for table in tables],
    )


def _causes(
    finding: Finding, behind: Finding | None, before: Sequence[Finding], again: Again
) -> Sequence[Finding]:
    """Which of the fixes ``before`` it make the difference: one alone, where that is enough, or all."""
    if len(before) == 1:
        return before
    for one in before:
        alone = again(one.models, finding) if one.models else finding
        if (alone and alone.fix) == (behind and behind.fix):
            return (one,)
    return before


def _said_behind(
    model: ModelSchema,
    left: Sequence[ModelSchema],
    finding: Finding,
    behind: Finding | None,
    before: Sequence[Finding],
    several: Collection[str],
) -> Finding:
    """The finding as it is to be followed after the fixes ``before`` it: ``behind`` is what is found then, on the first of the models that they leave.

    A rule that found ``several`` is named with what it found.
    """
    changed, *aside = left
    rules = list(
        dict.fromkeys(f"{one.rule} of `{one.field}`" if one.rule in several else one.rule for one in before)
    )
    fixes, settle = f"the fix of {rules[0]}", "settles"
    if rules[1:]:
        fixes, settle = f"the fixes of {', '.join(rules[:-1])} and {rules[-1]}", "settle"
    if behind is not None:
        return evolve(finding, fix=f"after {fixes}, {behind.fix}", edit=None, models=(*behind.models, *aside))
    key = f": the key is then `{changed.key.shape}`" if changed.key != model.key else ""
    instead = f"; or, in {'their' if rules[1:] else 'its'} place, {finding.fix}" if finding.models else ""
    return evolve(finding, fix=f"{fixes} {settle} it, too{key}{instead}", edit=None, models=(*left,))
