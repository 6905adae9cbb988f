"""Running all rules: on one model, or on all models of a project together.

Where the rows of a model exist already, what another design would do better is information, with its cost.
What cannot be true, or would lose data, stays what it is.
"""

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from btmodel.design.related_tables import Identity, identity, with_first_tables
from btmodel.estimates import shares, sized_rows, stored_bytes, stored_rows
from btmodel.lint.attribute_docstrings import with_attribute_docstrings
from btmodel.lint.catalogue import CHECK_RULES, MODEL_RULES, SUPPRESSION_RULES, TOGETHER_RULES
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.fix_order import in_order
from btmodel.lint.proof import GROWTH, settled
from btmodel.lint.rule import OF_VIEWS, Rewritten, Rule, Suppressions
from btmodel.lint.rules.fig002_contradicting_figures import corrected
from btmodel.schema import Location, ModelSchema
from btmodel.schema.limits import VIEWS_OF_A_TABLE
from btmodel.schema.model import remembered
from btmodel.schema.names import placeholders
from btmodel.value import Value
from btmodel.words import counted, size_text

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
    fixed = [finding for finding in findings if finding.edit]
    wanted = Counter(_name(finding, known) for finding in fixed)
    for finding in findings:
        edit, model = finding.edit, known.get((finding.module, finding.model))
        if edit is None or (
            model is not None
            and named[identity(model)] == 1
            and (finding.location is None or _by_itself(model, finding.location, places))
            and (_of_the_class(edit) or tables[model.table] == 1)
            and (edit.argument != "table" or not _taken(json.loads(edit.text), tables))
            and (edit.argument not in _NAMES or wanted[_name(finding, known)] == 1)
        ):
            yield finding
        else:
            yield evolve(finding, edit=None)


def _uncontested(findings: Sequence[Finding], models: Sequence[ModelSchema]) -> Sequence[Finding]:
    """The findings, without the fixes whose numbers come out otherwise where figures that contradict each other are corrected."""
    known = {identity(model): model for model in models}
    others = {place: [*corrected(model)] for place, model in known.items() if model.view is None}
    return tuple(
        evolve(
            finding,
            edit=None,
            fix=f"{finding.fix}; the number follows from figures that FIG002 calls wrong, so correct these first",
        )
        if finding.edit is not None
        and finding.rule in _OF_ONE
        and re.search("[0-9]", finding.edit.text)
        and any(
            finding.edit not in _edits(finding, other)
            for other in others.get((finding.module, finding.model), ())
        )
        else finding
        for finding in findings
    )


def _edits(finding: Finding, model: ModelSchema) -> list[ArgumentEdit | None]:
    """What the rule of a finding would write into another form of its model, at the same place."""
    again = (
        each
        for each in _OF_ONE[finding.rule].check(model)
        if (each.field, each.model) == (finding.field, finding.model)
    )
    return [settled(model, each, _findings_after_fix).edit for each in again]


def _places(model: ModelSchema) -> set[Location | None]:
    """The places at which the parts of the model were declared."""
    groups = (model.families, model.key.fields, model.columns, model.queries)
    return {part.location for parts in groups for part in parts}


def _by_itself(model: ModelSchema, place: Location, places: Mapping[Location | None, int]) -> bool:
    """Whether what stands there, in the file of the model, is part of no other one."""
    return model.location is not None and place.file == model.location.file and places[place] <= 1


def _of_the_class(edit: ArgumentEdit) -> bool:
    return isinstance(edit.argument, int) or edit.argument in _OF_THE_CLASS


def _name(finding: Finding, known: Mapping[Identity, ModelSchema]) -> tuple[object, ...]:
    """The name that a fix gives, with what it must be the only one in; empty of one that gives none."""
    edit, model = finding.edit, known.get((finding.module, finding.model))
    if edit is None or model is None or edit.argument not in _NAMES:
        return ()
    name = json.loads(edit.text)
    if edit.argument == "table":
        return edit.argument, name
    if edit.argument == "qualifier":
        families = {column.name: column.family for column in model.columns}
        name = f"{families.get(finding.field or '')}:{name}"
    return finding.module, finding.model, name


def _taken(id: str, tables: Iterable[str]) -> bool:
    """Whether a table is, or may at run time be, called so."""
    return any(id == table or (placeholders(table) and _pattern(table).fullmatch(id)) for table in tables)


def _pattern(table: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in re.split(r"\{.*?\}", table)))


_OF_ONE: dict[str, Rule[Any]] = {rule.id: rule for rule in MODEL_RULES}
_OF_CHECK: dict[str, Rule[Any]] = {rule.id: rule for rule in CHECK_RULES}
_OF_CHECK |= {rule.id: rule for rule in TOGETHER_RULES}
_RULES = _OF_ONE | _OF_CHECK


@frozen(eq=False, repr=False)
class Review(Value):
    """The result of a review: ``findings``, and those that the models suppress with a reason (``allowed``)."""

    findings: tuple[Finding, ...]
    allowed: tuple[Finding, ...]


def review(model: ModelSchema) -> tuple[Finding, ...]:
    """The findings on ``model`` alone that it does not suppress."""
    return _reported(_reviewed((model,), (), partial=frozenset(_OF_CHECK)))


def review_all(models: Iterable[ModelSchema]) -> tuple[Finding, ...]:
    """The findings on each of ``models`` and on all of them together that they do not suppress."""
    return whole_review(models).findings


def whole_review(models: Iterable[ModelSchema]) -> Review:
    """The same, and what they allow. It hears the strings under fields, too, which an import does not read."""
    models = tuple(with_first_tables(tuple(map(with_attribute_docstrings, models))))
    reviewed = tuple(_reviewed(models, CHECK_RULES, partial=frozenset()))
    found = safely_fixed(_uncontested(_reported(reviewed), models), models)
    return Review(_sorted(found), _sorted(finding for finding, allowed in reviewed if allowed))


# What these rules find on a part of a model is true of all of it: of families and cells by themselves, and of a whole key.
_OF_PARTS = frozenset({"FAM002", "FAM003", "FAM004", "FAM008", "COL001", "COL002"})
_OF_KEYS = frozenset({f"KEY{number:03}" for number in (1, 2, 6, 8, 9, 10, 11, 20, 21)})


def review_part(model: ModelSchema, *, whole_key: bool) -> tuple[Finding, ...]:
    """What is found on the part of a model that is declared well, where the rest, which is reported, is not."""
    rules = _OF_PARTS | (_OF_KEYS if whole_key else frozenset())
    try:
        found = review(model)
    except Exception:  # what rules take for granted may be what is wrong
        return ()
    return tuple(evolve(finding, edit=None) for finding in found if finding.rule in rules)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that are errors."""
    return tuple(finding for finding in findings if finding.level is Level.ERROR)


def _reviewed(
    models: tuple[ModelSchema, ...], rules: Sequence[Rule[ModelSchema]], *, partial: frozenset[str]
) -> Iterator[tuple[Finding, bool]]:
    """Every finding of ``rules`` and of those on a model alone, and whether its model allows it."""
    yield from ((finding, allowed) for model in models if model.view for finding, allowed in _of_view(model))
    views = Counter(model.view.of_table for model in models if model.view)
    with_views, models = models, tuple(model for model in models if model.view is None)
    together: dict[tuple[str, str], list[Finding]] = {}
    for each in TOGETHER_RULES:
        for finding in each.check(with_views if each.sees_views else models):
            together.setdefault((finding.module, finding.model), []).append(finding)
    for model in models:
        raw = [*_alone(model), *(finding for rule in rules for finding in rule.check(model))]
        raw += together.pop((model.module, model.name), ())
        if views[model.table] >= VIEWS_OF_A_TABLE:
            raw = [
                finding
                if finding.ways is None
                else evolve(finding, ways=functools.partial(_in_tables, finding.ways))
                for finding in raw
            ]
        found = [_as_advice(model, settled(model, finding, _findings_after_fix)) for finding in raw]
        suppressions = Suppressions(model, tuple(found), _RULES, partial)
        reported = [finding for finding in found if not suppressions.cover(finding)]
        said = [
            _with_its_alternative(finding, reported)
            for finding in reported
            if not _said_by_another(finding, reported)
        ]
        again = functools.partial(_found_again, model, with_views)
        stays = functools.partial(_stays, model, with_views)
        names = {other.name for other in with_views} - {model.name}
        yield from ((finding, False) for finding in in_order(model, said, names, again, stays))
        yield from ((finding, True) for finding in found if finding not in reported)
        if model.allow:
            for allowing in SUPPRESSION_RULES:
                yield from ((finding, False) for finding in allowing.check(suppressions))


def _said_by_another(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether another finding on the same model says it, or does away with what it is about."""
    return any(
        said(finding, others) for said in (_contradicted, _repeated, _an_alternative, _said_of_the_copy)
    )


def _found_again(
    model: ModelSchema, models: Sequence[ModelSchema], left: Sequence[ModelSchema], finding: Finding
) -> Finding | None:
    """The finding with its fix on the first of ``left``, as which other fixes leave ``model``, one of ``models``; None where it is gone."""
    again = _on_what_is_left(model, models, left, finding)
    if again is None or again is finding:
        return again
    return _as_advice(left[0], settled(left[0], again, _findings_after_fix))


def _stays(
    model: ModelSchema, models: Sequence[ModelSchema], left: Sequence[ModelSchema], finding: Finding
) -> bool:
    """Whether a finding stays as it is on what another fix leaves, without a proof of what would fix it there."""
    return _on_what_is_left(model, models, left, finding) is finding


def _on_what_is_left(
    model: ModelSchema, models: Sequence[ModelSchema], left: Sequence[ModelSchema], finding: Finding
) -> Finding | None:
    """The finding on the first of ``left``, whose fix is not proved yet; None where it is gone.

    What grows may be found by another rule then. The rest of ``left`` are second tables: a finding that one of them has, too, stays as it is.
    """
    first, *tables = left
    rules = [finding.rule, *sorted(GROWTH - {finding.rule})] if finding.rule in GROWTH else [finding.rule]
    others = [first if other == model else other for other in models]
    alone = all(rule in _OF_ONE for rule in rules)
    places = ((rule, first if rule in _OF_ONE else (*others, *tables)) for rule in rules)
    found = (one for rule, place in places for one in _RULES[rule].check(place))
    again = next((one for one in found if (one.model, one.field) == (finding.model, finding.field)), None)
    copied = ((table, one) for table in tables if alone for one in _alone(table))
    if any(
        one.rule in rules and one.field == finding.field and not Suppressions(table, (), _RULES).cover(one)
        for table, one in copied
    ):
        return finding
    if again is None and finding.rule == "QRY008" and not any(_answers(made, finding) for made in left):
        return finding  # a key also says what rows are called, so that a question may only not be heard
    return again


def _answers(made: ModelSchema, finding: Finding) -> bool:
    """Whether a table finds rows by what a question gives."""
    from btmodel.design.questions_said import key_serves  # here: few models have a question in words

    name = finding.field or ""
    return any(part.name == name for part in made.key.asked) and key_serves(made, [name])


def _in_tables(ways: Callable[[], Iterable[Fix]]) -> Iterator[Fix]:
    """The ways to fix a finding without those that add a view, of which a table has no more than the service allows."""
    return (fix for fix in ways() if not any(made.view for made in fix.models))


def _contradicted(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether it would have its reader change what the fix of a graver finding does away with."""
    name = finding.field or ""
    return any(name in _fields(finding.models[:1]) for _ in finding.models[:1]) and any(
        other.level.rank < finding.level.rank and other.models and name not in _fields(other.models)
        for other in others
    )


# What these rules find is the cause of what others find on the same part: of growth and of size, of a wrong order, or of events that are lost.
_CAUSES = frozenset({"KEY007", "KEY017", "ROW002", "ROW003"})


def _repeated(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether another finding on the same part is fixed in the same way, and is graver, names the cause or comes first: one change settles both, so there is one thing to say."""
    if finding.edit is None and not finding.models:
        return False  # what stays in words is proved to settle nothing
    alike = [other for other in others if (other.field, other.fix) == (finding.field, finding.fix)]
    return min(alike, key=lambda other: (other.level.rank, other.rule not in _CAUSES)) is not finding


# What the first of these finds is what comes of the second on the same part: one cause, with two ways to fix it.
_ONE_CAUSE = ("ROW002", "COL005")


def _other_of(finding: Finding, others: Sequence[Finding], rule: str) -> Finding | None:
    """The finding of a rule on the same part, of which both have a fix that is proved."""
    known = (other for other in others if other.rule == rule and other.field == finding.field)
    return next((other for other in known if other.models and finding.models and finding in others), None)


def _an_alternative(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a graver finding says it, and has its fix as an alternative."""
    result, cause = _ONE_CAUSE
    return finding.rule == cause and _other_of(finding, others, result) is not None


# Both find events that overwrite one another; the second knows which field of another table tells them apart.
_OVERWRITTEN = ("KEY017", "KEY023")


def _said_of_the_copy(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether the other rule on events that overwrite one another says more of the same table, or finds them graver."""
    alike = [other for other in others if other.rule in _OVERWRITTEN]
    return finding in alike and finding is not min(
        alike, key=lambda other: (other.level.rank, not other.models, -_OVERWRITTEN.index(other.rule))
    )


def _with_its_alternative(finding: Finding, others: Sequence[Finding]) -> Finding:
    """The finding, also with the fix of the one on its cause, which is then not said by itself."""
    result, cause = _ONE_CAUSE
    other = _other_of(finding, others, cause) if finding.rule == result else None
    if other is None or other.fix == finding.fix:
        return finding
    return evolve(finding, fix=f"{finding.fix}; or {other.fix}")


def _fields(models: Sequence[ModelSchema]) -> set[str]:
    """The names of all that the models have: fields of their keys, made ones too, columns, families and queries."""
    return {
        name
        for model in models
        for name in (
            *(part.name for part in model.key.fields),
            *(column.name for column in model.columns),
            *(family.id for family in model.families),
            *(query.name for query in model.queries),
        )
    }


def _as_advice(model: ModelSchema, finding: Finding) -> Finding:
    """``finding`` as information with its cost, where ``model`` describes rows that exist and its fix would write them again."""
    if not model.existing or finding.models == (model,):
        return finding  # a declaration of twins alone writes nothing again
    if finding.edit is not None and (finding.edit.rewrites or finding.edit.argument == "table"):
        finding = evolve(finding, edit=None)  # the rows stay as they are, and would not be found any more
    if finding.edit is not None and finding.edit.argument == "gc":
        return finding  # a GC rule is changed without writing anything again
    rule = _RULES.get(finding.rule)
    if rule is None or rule.rewrites is None or (finding.level is Level.ERROR and not rule.slow):
        return finding
    return evolve(finding, level=Level.INFO, cost=_cost(model, finding, rule.rewrites))


def _cost(model: ModelSchema, finding: Finding, rewritten: Rewritten) -> str:
    if rewritten is Rewritten.ROWS or (
        model.family(finding.field or "") is None and rewritten is Rewritten.FAMILY
    ):
        return f"a new table, and a copy of {_rows(model)}{_bytes(stored_bytes(model))}"
    if rewritten is Rewritten.FAMILY:
        size = _bytes(_cells(model, finding.field))
        return f"a new family, and a copy of the cells of {finding.field!r} in {_rows(model)}{size}"
    return f"its cells are written again in {_rows(model)}{_bytes(_cells(model, finding.field))}"


def _rows(model: ModelSchema) -> str:
    count = stored_rows(model)
    return "every row" if count is None else f"up to {counted(count, 'row')}"


def _bytes(count: int | None) -> str:
    return "" if count is None else f" ({size_text(count)})"


def _cells(model: ModelSchema, name: str | None) -> int | None:
    """The bytes of the cells of a family, or of an attribute, in all rows."""
    rows = sized_rows(model)
    sizes = [share.bytes.usual.value for share in shares(model) if name in (share.family, share.source.name)]
    if rows is None or not sizes or None in sizes:
        return None
    return rows * sum(size for size in sizes if size is not None)


def _of_view(model: ModelSchema) -> Iterator[tuple[Finding, bool]]:
    """What the rules that are about views, too, find on one by itself."""
    found = [settled(model, finding, _findings_after_fix) for finding in (*_alone(model), *_joint((model,)))]
    suppressions = Suppressions(model, tuple(found), _RULES, frozenset(_OF_CHECK))
    yield from ((evolve(finding, edit=None), suppressions.cover(finding)) for finding in found)


def _joint(models: Sequence[ModelSchema]) -> list[Finding]:
    """What the rules on several models find on these; on a view by itself, those that are about views."""
    of_views = any(model.view for model in models)
    return [
        finding
        for rule in TOGETHER_RULES
        if not of_views or rule.id in OF_VIEWS
        for finding in rule.check(models)
    ]


def _findings_after_fix(models: Sequence[ModelSchema], together: bool) -> Iterator[Finding]:
    """What the rules find on models that a fix leads to, and that these do not suppress: on all of them together, or on each alone."""
    for group in (models,) if together else [(model,) for model in models]:
        joint = _joint(group)
        for model in group:
            found = (
                *_alone(model),
                *(finding for finding in joint if (finding.module, finding.model) == identity(model)),
            )
            suppressions = Suppressions(model, (), _RULES)
            yield from (finding for finding in found if not suppressions.cover(finding))


@remembered
def _alone(model: ModelSchema) -> tuple[Finding, ...]:
    """What a model alone shows: it is reviewed when its class is made, and again with all others."""
    rules = (rule for rule in MODEL_RULES if model.view is None or rule.id in OF_VIEWS)
    return tuple(finding for rule in rules for finding in rule.check(model))


def _reported(reviewed: Iterable[tuple[Finding, bool]]) -> tuple[Finding, ...]:
    return _sorted(finding for finding, allowed in reviewed if not allowed)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.order))
