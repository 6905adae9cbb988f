"""A plan as text, for terminals, Markdown and JSON."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import attrs
from attrs import frozen

from btmodel.migrate.changes.base import Drift, Effect, InstanceChange
from btmodel.migrate.planning.plan import Plan
from btmodel.words import counted, one_line

NOTHING = "nothing to do"
_ALLOWED = "allowed by name"
_NEW = "needs no permission, as this run creates the table"
_LEFT_OVER = "created by a revision that is rolled back: say for each what should happen to it"
_FIRST = "only in the first"
_MOST = 10  # changes that one sentence names


@frozen
class ChangeLine:
    """A change as text; ``hint`` is the option that would have it made."""

    change: InstanceChange
    hint: str

    @property
    def fate(self) -> tuple[str, ...]:
        """What is lost, and whether it can be undone, without the name of the subject."""
        lost, undo = self.change.lost, self.change.undo
        found = (lost and f"lost: {lost}", undo and f"can be undone: {undo}")
        return tuple(words for words in found if words)

    @property
    def more(self) -> tuple[str, ...]:
        """Further lines about the change."""
        return (*map(one_line, self.change.details), *self.fate)

    @property
    def sign(self) -> str:
        """One character for the kind of change."""
        return self.change.sign

    @property
    def name(self) -> str:
        """The name of the change."""
        return one_line(self.change.name)

    @property
    def summary(self) -> str:
        """What happens to its subject."""
        return one_line(self.change.summary)


@frozen
class ChangeGroup:
    """Changes with the same effect on data; ``title`` names the effect and their number."""

    effect: Effect
    title: str
    lines: tuple[ChangeLine, ...]


@frozen
class PlanText:
    """A plan as text: the instance, a summary, its groups, the number of recorded layouts, and notes.

    The groups are in the order of :class:`Effect`, so data loss comes last, right above the question.
    """

    instance: str
    tally: str
    groups: tuple[ChangeGroup, ...]
    recorded: int
    notes: tuple[str, ...]

    @property
    def by_the_way(self) -> tuple[str, ...]:
        """The number of recorded layouts, and the notes."""
        if not self.recorded:
            return self.notes
        tables = counted(self.recorded, "table")
        return (f"the key and cell encodings of {tables} will also be recorded", *self.notes)


def plan_text(plan: Plan, command: str = "") -> PlanText:
    """``plan`` as text; ``command`` is the command that applies it, if another command shows it."""
    shown = (*plan.pending, *plan.drift)
    recorded = sum(bool(change.records) for change in plan.changes)
    groups = _groups(plan, shown, lambda change: _hint(plan, change, command))
    return PlanText(plan.instance, tally(plan), groups, recorded, plan.notes)


def with_left_over(text: PlanText, changes: Collection[InstanceChange]) -> PlanText:
    """``text`` with ``changes`` last, in a group of their own, because the revision that is rolled back created them."""
    groups: list[ChangeGroup] = []
    for group in text.groups:
        stays = tuple(line for line in group.lines if line.change not in changes)
        if stays:
            title = group.title.replace(f"({len(group.lines):,})", f"({len(stays):,})")
            groups.append(ChangeGroup(group.effect, title, stays))
    left = tuple(line for group in text.groups for line in group.lines if line.change in changes)
    if left:
        groups.append(ChangeGroup(Effect.BLOCKED, f"{_LEFT_OVER} ({len(left):,})", left))
    return attrs.evolve(text, groups=tuple(groups))


def compared(plan: Plan) -> PlanText:
    """``plan`` as text for a comparison: all differences, without hints how to apply them."""
    shown = (*plan.changes, *plan.drift)
    return PlanText(
        plan.instance, _counted(plan, shown, "difference"), _groups(plan, shown, lambda _: "", _FIRST), 0, ()
    )


def tally(plan: Plan) -> str:
    """The number of changes and how many lose data; without changes, whether everything is as declared."""
    if plan.pending:
        return _counted(plan, plan.pending, "change")
    if not plan.drift:
        return NOTHING
    verb = "is" if len(plan.drift) == 1 else "are"
    return f"everything declared is there; {counted(len(plan.drift), 'thing')} in the instance {verb} not declared"


def _counted(plan: Plan, changes: Sequence[InstanceChange], noun: str) -> str:
    text = counted(len(changes), noun) if changes else f"no {noun}"
    destructive = sum(plan.effect(change) is Effect.DESTRUCTIVE for change in changes)
    return f"{text}, {destructive} destructive" if destructive else text


def _groups(
    plan: Plan,
    changes: Sequence[InstanceChange],
    hint: Callable[[InstanceChange], str],
    drift: str = Effect.DRIFT.value,
) -> tuple[ChangeGroup, ...]:
    found: dict[tuple[Effect, str], list[ChangeLine]] = {}
    for change in changes:
        found.setdefault(_heading(plan, change, drift), []).append(ChangeLine(change, hint(change)))
    order = list(Effect)
    heads = sorted(found, key=lambda head: (order.index(head[0]), head[1] != _ALLOWED))
    return tuple(
        ChangeGroup(effect, f"{title} ({len(found[effect, title]):,})", tuple(found[effect, title]))
        for effect, title in heads
    )


def _heading(plan: Plan, change: InstanceChange, drift: str) -> tuple[Effect, str]:
    """The effect and the title under which a change is listed."""
    effect = plan.effect(change)
    if plan.is_unasked(change):
        return Effect.BLOCKED, _NEW  # its details say what is lost, which nothing is
    if change.effect is Effect.BLOCKED and effect in (Effect.SAFE, Effect.SLOW):
        # Its details say why it needed permission, which would contradict the title "loses no data".
        return Effect.BLOCKED, _ALLOWED
    return effect, drift if effect is Effect.DRIFT else effect.value


def _hint(plan: Plan, change: InstanceChange, command: str) -> str:
    """The option that would have a change made; if it loses data and is allowed, that it is allowed."""
    if change.requires is None:
        return ""
    if plan.is_unasked(change):
        return ""
    if change.requires in plan.allowed:
        return _ALLOWED if plan.effect(change) is Effect.DESTRUCTIVE else ""
    names = plan.names_to_end(change) if isinstance(change, Drift) else (change.requires,)
    options = " ".join(f"--allow {name}" for name in names)
    what = f"`{command} {options}`" if command else options
    if plan.effect(change) is not Effect.DRIFT:
        return f"needs {what}"
    verb = "drop" if change.requires.startswith(("drop-", "abandon-")) else "forget"
    return f"{verb} with {what}"


def listed(changes: Sequence[InstanceChange]) -> str:
    """Some changes in one sentence: the first of them, and the number of others."""
    return "; ".join(first([one_line(change.refusal) for change in changes]))


def allowing(names: Iterable[str]) -> str:
    """The options that allow the changes with ``names``: the first of them, and the number of others."""
    return " ".join(first([f"--allow {name}" for name in dict.fromkeys(names)]))


def first(items: Sequence[str]) -> tuple[str, ...]:
    """The first of some items for a sentence, and the number of others."""
    more = len(items) - _MOST
    return (*items[:_MOST], *([f"and {more:,} more"] if more > 0 else []))


def as_text(plan: Plan) -> str:
    """The plan as lines of text, with a heading for each effect; data loss comes last."""
    return plain(plan_text(plan))


def plain(text: PlanText) -> str:
    """The lines of a plan's text."""
    lines = [f"{text.instance}: {text.tally}", *(f"note: {note}" for note in text.by_the_way)]
    for group in text.groups:
        lines.append(f"{group.title}:")
        for line in group.lines:
            hint = f"  [{line.hint}]" if line.hint else ""
            lines.append(f"  {line.sign} {line.name}  {line.summary}{hint}")
            lines.extend(f"      {detail}" for detail in line.more)
    return "\n".join(lines)


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as JSON data.

    ``effect`` is ``safe``, ``slow``, ``destructive``, ``blocked``, ``impossible`` or ``drift``. ``requires`` is the
    name to allow a change by, or None, and ``allowed`` says whether applying the plan may make the change. ``lost``
    and ``undo`` say what is lost and whether it can be undone, or are None. Views have their queries as ``sql``.
    """
    return {
        "instance": plan.instance,
        "changes": [_record(plan, change) for change in plan.changes],
        "drift": [_record(plan, change) for change in plan.drift],
        "notes": list(plan.notes),
    }


def _record(plan: Plan, change: InstanceChange) -> dict[str, Any]:
    return {
        "name": change.name,
        "table": change.table_id,
        "family": change.family_id,
        "effect": plan.effect(change).name.lower(),
        "summary": change.summary,
        "details": list(change.details),
        "lost": change.lost,
        "undo": change.undo,
        "quiet": change.quiet,
        "requires": change.requires,
        "allowed": plan.allows(change),
        **({"sql": change.sql} if change.sql else {}),
    }
