"""The proof of a fix: the models that it leads to are built, checked and reviewed again before the fix is shown.

A fix holds if the declaration accepts these models, the finding is gone, no error or warning has come, every query that was
served is served, every attribute is still there, no rows are merged, as far as declared numbers prove it, and what an age ended still ends. Where no fix holds, one is tried together with a fix of the fault that it brings.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from types import SimpleNamespace
from typing import Any, NamedTuple

from attrs import evolve

from btmodel import design
from btmodel.design.changes_said import described_changing
from btmodel.design.keys import merging
from btmodel.design.own_ids_said import found_by_own_id
from btmodel.design.proposal import serves
from btmodel.design.questions_said import key_serves
from btmodel.errors import DeclarationError
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query, Shape
from btmodel.schema.checks import CHECKS
from btmodel.schema.gc import keeps_for_ever
from btmodel.schema.model import Clock

# What a review of models finds, before any fix of it is worked out: of all of them together, or of each alone.
Reviewer = Callable[[Sequence[ModelSchema], bool], Iterable[Finding]]
# So many ways to fix one finding are tried; and so many steps more, with so many ways each, where one brings a fault.
_WAYS = 8
_STEPS = 2
# What these rules find is deleted too soon, so their fixes keep it for longer.
_TOO_SOON = ("FAM005", "FAM006")


# Where a declaration stands, in front of what is wrong with it: the finding says the place.
_PLACE = pattern(r"^\S+\.py:[0-9]+: ")


class Failure(NamedTuple):
    """Why a fix does not hold, and the fault that it brings, where that is why."""

    why: str
    fault: Finding | None = None


def settled(model: ModelSchema, finding: Finding, review: Reviewer) -> Finding:
    """The finding of a rule on ``model`` with the first fix that holds, and its alternatives; where none does, it says so."""
    if finding.ways is None and finding.edit is None:
        return finding
    failures: list[tuple[Fix, Failure]] = []
    first: tuple[Fix, tuple[ModelSchema, ...]] | None = None
    texts: list[str] = []
    for fix in islice(_ways(finding), _WAYS):
        if first is not None and (not fix.alternative or _said(fix, texts)):
            continue
        models = _models(model, finding, fix)
        if _unkept(models):
            continue  # what the service cannot keep is no advice
        failure = _failure(model, finding, fix, models, review) if models else None
        if failure is not None:
            failures.append((fix, failure))
            continue
        if first is None and not models:  # better than words is what a fix in front of them comes to
            first = _further(model, finding, failures, review)
            texts += [f" {first[0].text}"] if first else []
        if first is None or fix.alternative:
            text = fix.text if first is not None else f"{fix.head}{fix.text}"
            first = first or (fix, models)
            texts.append(f", {text}" if text.startswith("if ") else f" {text}")
    if first is None:
        first = _further(model, finding, failures, review)
        if first is None:
            return evolve(finding, fix=_none_holds(failures), edit=None, ways=None)
        texts.append(f" {first[0].text}")
    fix, models = first
    return evolve(
        finding, fix="; or".join(texts).lstrip(", ") + fix.otherwise, edit=fix.edit, models=models, ways=None
    )


# A key as it is drawn in the words of a fix.
_KEY = pattern(r"`[^`]*\{[^`]*`")


def _said(fix: Fix, texts: Iterable[str]) -> bool:
    """Whether one of ``texts`` says a fix already, maybe with its fields in another order."""
    return any(_KEY.sub("", fix.text) in _KEY.sub("", text) for text in texts)


def _ways(finding: Finding) -> Iterable[Fix]:
    if finding.ways is None:
        return (Fix(finding.fix, edit=finding.edit),)
    return map(_with_a_last_field, finding.ways())


def _with_a_last_field(fix: Fix) -> Fix:
    """The fix with keys whose last field, which may have had others behind it, ends with the key."""
    unended, names = [], []
    for made in fix.models:
        last = made.key.fields[-1] if made.key.fields else None
        if last is not None and last.ends is not None:
            names.append(last.name)
            made = evolve(made, key=evolve(made.key, fields=(*made.key.fields[:-1], evolve(last, ends=None))))
        unended.append(made)
    if not names:
        return fix
    alone = " and ".join(f"`{name}`" for name in dict.fromkeys(names))
    return evolve(
        fix, text=f"{fix.text}, where {alone} is last and has no `ends=` any more", models=tuple(unended)
    )


def _further(
    model: ModelSchema, finding: Finding, failures: Sequence[tuple[Fix, Failure]], review: Reviewer
) -> tuple[Fix, tuple[ModelSchema, ...]] | None:
    """The first of the fixes that failed which holds together with fixes of the faults that it brings; None where none does."""
    tried = ((fix, _models(model, finding, fix), failure) for fix, failure in failures)
    return next((held for one in tried for held in _with_more_steps(model, finding, one, review)), None)


def _with_more_steps(
    model: ModelSchema,
    finding: Finding,
    tried: tuple[Fix, tuple[ModelSchema, ...], Failure | None],
    review: Reviewer,
    left: int = _STEPS,
) -> Iterator[tuple[Fix, tuple[ModelSchema, ...]]]:
    """What holds of a fix together with fixes of the faults that it brings, one after the other."""
    fix, models, failure = tried
    if failure is None:
        yield fix, models
        return
    fault = failure.fault
    if fault is None or not left:
        return
    place = next((at for at, schema in enumerate(models) if fault in [*review((schema,), False)]), None)
    if place is None:  # it is found of several together
        return
    others = {schema.name for schema in (*models[:place], *models[place + 1 :])}
    for step in islice(_ways(fault), _STEPS):
        after = _models(models[place], fault, step)
        made = (*models[:place], *after, *models[place + 1 :])
        if after and not step.replaced and others.isdisjoint(schema.name for schema in after[1:]):
            text, instead = f"{fix.text}; then {step.text}", (*fix.instead, *step.instead)
            both = evolve(fix, text=text, instead=instead, edit=None, as_if=None)
            again = _failure(model, finding, both, made, review)
            yield from _with_more_steps(model, finding, (both, made, again), review, left - 1)


# What the words begin with where no fix holds.
_ONLY, _EACH, _NONE = "the only change that was found brings", "each of the", "no order of the declared"


def unfixed(finding: Finding) -> bool:
    """Whether fixes were looked for, and none holds by itself."""
    return not finding.models and finding.fix.startswith((_ONLY, _EACH, _NONE))


def _none_holds(failures: Sequence[tuple[Fix, Failure]]) -> str:
    """The words where no fix holds: the nearest one, and why it is none."""
    if not failures:
        return (
            f"{_NONE} fields and columns does it: the model needs another field, "
            "of many values, that its queries give"
        )
    fix, failure = failures[0]
    tried = f"{_ONLY} another fault"
    if failures[1:]:
        tried = f"{_EACH} {len(failures)} changes that were found brings another fault. The nearest"
    return f"{tried}: {fix.text}; but {failure.why}{fix.otherwise}"


def _models(model: ModelSchema, finding: Finding, fix: Fix) -> tuple[ModelSchema, ...]:
    """The models that the fix leads to; none where only words say it."""
    edit = fix.edit or fix.as_if
    made = applied(model, finding, edit) if edit is not None and not fix.models else None
    return fix.models if made is None else (made,)


def _failure(
    model: ModelSchema, finding: Finding, fix: Fix, models: Sequence[ModelSchema], review: Reviewer
) -> Failure | None:
    """Why the fix does not hold; None if it does."""
    before = (model, *fix.replaced)
    why = _refused(before, models) or _lost(before, fix, models) or _merged(before, models)
    if not why and not fix.longer and finding.rule not in _TOO_SOON:
        why = _kept_for_ever(before, fix, models)
    return Failure(why) if why else _new_findings(before, finding, fix, models, review)


def _refused(before: Sequence[ModelSchema], models: Sequence[ModelSchema]) -> str:
    for check in CHECKS:
        if not any(_refusal(check, model) for model in before):
            for made in models:
                if refusal := _refusal(check, made):
                    return f"the declaration then refuses {made.name}: {refusal}"
    return ""


def _unkept(models: Sequence[ModelSchema]) -> bool:
    """Whether one of the models is a view that the service cannot keep."""
    return any(design.unkept(made) for made in models)


def _refusal(check: Callable[[ModelSchema], None], model: ModelSchema) -> str:
    try:
        check(model)
    except DeclarationError as error:
        return _PLACE.sub("", str(error))
    return ""


def _lost(before: Sequence[ModelSchema], fix: Fix, models: Sequence[ModelSchema]) -> str:
    """Which queries or attributes the models do not have any more."""
    for model in before:
        left = [made for made in models if _origin(before, made.name) == model.name]
        left = left or list(models)
        for query in model.queries:
            if serves(model.key, query) and not any(_has(made, query) for made in left):
                return f"the query `{query.name}` would not be served any more"
        id = found_by_own_id(model)
        if id is not None and not any(key_serves(made, [id]) for made in left):
            return f"a row would not be found by `{id}` alone any more, as the description wants"
        kept = {name for made in left for name in _attributes(made)}
        kept |= {old for old, new in fix.instead if new in kept}
        if model.view is not None and model.view.source is not None:
            kept |= {*_attributes(model.view.source)}  # what a view leaves out is still in its table
        gone = [name for name in _attributes(model) if name not in kept]
        if gone:
            return f"`{gone[0]}` would have no place any more"
    return ""


def _origin(before: Sequence[ModelSchema], name: str) -> str:
    """The model that one of this name was made from: a second table has a name that begins with that of its model, or else is one of the first."""
    names = [model.name for model in before]
    longest = sorted((known for known in names if name.startswith(known)), key=len)
    return longest[-1] if longest else names[0]


def _merged(before: Sequence[ModelSchema], models: Sequence[ModelSchema]) -> str:
    """Which field of a key becomes a column of a table that has fewer rows than the field has values, by their declared numbers.

    One that is known to change may have more values, over time, than there are rows.
    """
    for model in before:
        for made in models:
            cells = {column.name for column in made.columns if column.shape is Shape.VALUE}
            keys = {part.name for part in made.key.fields}
            taken = [
                part
                for part in model.key.asked
                if part.name in cells - keys and not (part.changes or described_changing(model, part))
            ]
            merged = merging(made.key.fields, taken)
            if merged is not None:
                part, rows = merged
                return f"rows would be merged: `{part.name}` has {part.cardinality:,} values, and `{made.key.shape}` at most {rows:,} rows"
    return ""


def _kept_for_ever(before: Sequence[ModelSchema], fix: Fix, models: Sequence[ModelSchema]) -> str:
    """Which attribute nothing deletes any more, and an age did."""
    for model in before:
        for column in model.columns:
            if (
                _ends(model, column)
                and _endless(models, fix, column)
                and not _as_before(model, models, column)
            ):
                return f"`{column.name}` would be kept for ever, and has an age now"
    return ""


def _as_before(model: ModelSchema, models: Sequence[ModelSchema], column: Column) -> bool:
    """Whether a column that wants an age, and has none now, stays in the family that it is in."""
    family = model.family(column.family)
    if family is None or family.gc is None or not keeps_for_ever(family.gc):
        return False
    there = (
        made.family(other.family) for made in models for other in made.columns if other.name == column.name
    )
    return all(other == family for other in there)


def _ends(model: ModelSchema, column: Column) -> bool:
    """Whether an age ends even the newest cell of the column, by what it wants to be kept, or else by the rule of its family."""
    family = model.family(column.family)
    rule = column.expected.keep or (family.gc if family else None)
    # A cell that always has the same timestamp has no age that says anything.
    return (
        rule is not None
        and not rule.given
        and not keeps_for_ever(rule)
        and model.clock(column) is not Clock.FIXED
    )


def _endless(models: Sequence[ModelSchema], fix: Fix, column: Column) -> bool:
    """Whether nothing ends the cells of the column in the models any more; those of a view end with those of its table."""
    name = dict(fix.instead).get(column.name, column.name)
    tables = [made for made in models if made.view is None]
    held = [made.family(other.family) for made in tables for other in made.columns if other.name == name]
    return any(family is not None and family.gc is not None and keeps_for_ever(family.gc) for family in held)


def _has(made: ModelSchema, query: Query) -> bool:
    return any(other.name == query.name and serves(made.key, other) for other in made.queries)


def _attributes(model: ModelSchema) -> list[str]:
    stamp = (model.stamp.attribute,) if model.stamp.stored and model.stamp.attribute else ()
    return [*(part.name for part in model.key.asked), *(column.name for column in model.columns), *stamp]


# What these find of one part is that it grows; the fix of another fault may leave less of that, and is not to blame for the rest.
GROWTH = frozenset({"COL005", "ROW002", "ROW003"})


def _new_findings(
    before: Sequence[ModelSchema],
    finding: Finding,
    fix: Fix,
    models: Sequence[ModelSchema],
    review: Reviewer,
) -> Failure | None:
    """What a review of the models finds besides what it found before, or still finds."""
    together = bool(fix.replaced) or fix.together
    known = {
        (rule, found.model, found.field)
        for found in _graver(review(before, together))
        for rule in (GROWTH if found.rule in GROWTH - {finding.rule} else {found.rule})
    }
    renamed = fix.edit is not None and fix.edit.argument == "id"
    new = json.loads(fix.edit.text) if fix.edit is not None and renamed else None
    after = list(review(models, together))
    for found in after if finding.level is Level.INFO else _graver(after):
        subject = finding.field if renamed and found.field == new else found.field
        name = _origin(before, found.model)  # what is found of a second table, too, is said of the model
        if (found.rule, name, subject) == (finding.rule, finding.model, finding.field):
            return Failure(f"{found.rule} ({found.name}) would still be found: {found.message}")
        # A caller that has only what the fix takes out of the key finds what stands for it in another table, as the fix says.
        elsewhere = found.rule == "QRY008" and found.field in dict(fix.instead)
        if found.level is not Level.INFO and not elsewhere and (found.rule, name, subject) not in known:
            return Failure(f"{found.rule} ({found.name}) would then be found: {found.message}", found)
    return None


def _graver(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.level is not Level.INFO]


def applied(model: ModelSchema, finding: Finding, edit: ArgumentEdit) -> ModelSchema | None:
    """The model with one argument of the declaration that ``finding`` points at changed; None where no schema says it."""
    change = _CHANGES.get("query" if isinstance(edit.argument, int) else edit.argument)
    return change(model, finding.field or "", edit) if change else None


def _with_codec(model: ModelSchema, name: str, edit: ArgumentEdit) -> ModelSchema:
    codec = _evaluated(edit.text)
    fields = tuple(evolve(part, codec=codec) if part.name == name else part for part in model.key.fields)
    return evolve(model, key=evolve(model.key, fields=fields))


def _with_gc(model: ModelSchema, id: str, edit: ArgumentEdit) -> ModelSchema:
    rule = _evaluated(edit.text)
    return evolve(
        model,
        families=tuple(evolve(family, gc=rule) if family.id == id else family for family in model.families),
    )


def _with_family(model: ModelSchema, id: str, edit: ArgumentEdit) -> ModelSchema:
    new = json.loads(edit.text)
    return evolve(
        model,
        families=tuple(evolve(family, id=new) if family.id == id else family for family in model.families),
        columns=tuple(
            evolve(column, family=new) if column.family == id else column for column in model.columns
        ),
    )


def _with_table(model: ModelSchema, _: str, edit: ArgumentEdit) -> ModelSchema:
    return evolve(model, table=json.loads(edit.text))


def _with_allowed(model: ModelSchema, _: str, edit: ArgumentEdit) -> ModelSchema:
    return evolve(model, allow=json.loads(edit.text))


def _with_qualifier(model: ModelSchema, name: str, edit: ArgumentEdit) -> ModelSchema:
    new = json.loads(edit.text).encode()
    return evolve(
        model,
        columns=tuple(
            evolve(column, qualifier=new) if column.name == name else column for column in model.columns
        ),
    )


def _with_query(model: ModelSchema, name: str, edit: ArgumentEdit) -> ModelSchema:
    new = json.loads(edit.text)

    def changed(query: Query) -> Query:
        if not isinstance(edit.argument, int):
            return evolve(query, **{edit.argument: new})
        return evolve(query, equal=(*query.equal[: edit.argument], new, *query.equal[edit.argument + 1 :]))

    return evolve(model, queries=tuple(changed(one) if one.name == name else one for one in model.queries))


_CHANGES: Mapping[str, Callable[[ModelSchema, str, ArgumentEdit], ModelSchema]] = {
    "codec": _with_codec,
    "gc": _with_gc,
    "id": _with_family,
    "table": _with_table,
    "allow": _with_allowed,
    "qualifier": _with_qualifier,
    "query": _with_query,
    "between": _with_query,
    "starting": _with_query,
}


def _evaluated(text: str) -> Any:
    """The codec or the GC rule of an edit, whose text is made by rules of this package."""
    from btmodel.codecs import key
    from btmodel.schema import gc

    names = {**vars(gc), **{name: getattr(key, name) for name in dir(key)}}
    return eval(
        text, {"__builtins__": {}, "bt": SimpleNamespace(**names), "date": date, "timedelta": timedelta}
    )
