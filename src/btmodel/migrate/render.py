"""A plan for people, as plain text, and for programs, as JSON."""

from typing import Any

from btmodel.migrate.changes import Change, Effect, FamilyChange
from btmodel.migrate.plan import Plan

NOTHING = "nothing to do"


def line(change: Change) -> str:
    """A change on one line: its sign, its name, and what becomes of its subject."""
    return f"{change.sign} {change.name}  {change.summary}"


def as_text(plan: Plan) -> str:
    """The plan as lines of text, destructive changes and drift under headings of their own."""
    lines = [f"{plan.instance}: {tally(plan)}"]
    for effect in Effect:
        group = [change for change in (*plan.changes, *plan.drift) if change.effect is effect]
        if group:
            lines.append(f"{effect.value}:")
            lines.extend(f"  {line(change)}{hint(plan, change)}" for change in group)
    return "\n".join(lines)


def tally(plan: Plan) -> str:
    """How many changes there are of each effect."""
    if not plan.changes:
        return NOTHING
    destructive = sum(change.effect is Effect.DESTRUCTIVE for change in plan.changes)
    count = len(plan.changes)
    text = f"{count} change{'s' if count > 1 else ''}"
    return f"{text}, {destructive} destructive" if destructive else text


def hint(plan: Plan, change: Change) -> str:
    """What to say to have a change made that would not be made; empty where it would."""
    if change.requires is None or plan.allows(change):
        return ""
    verb = "drop with" if change.effect is Effect.DRIFT else "needs"
    return f"  [{verb} --allow {change.requires}]"


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as values that ``json`` can write.

    ``effect`` is ``safe``, ``destructive``, ``impossible`` or ``drift``; ``requires`` is the name to allow a
    change by, or None; ``allowed`` says whether applying the plan may make the change.
    """
    return {
        "instance": plan.instance,
        "changes": [_record(plan, change) for change in plan.changes],
        "drift": [_record(plan, change) for change in plan.drift],
    }


def _record(plan: Plan, change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "table": change.table_id,
        "family": change.family.id if isinstance(change, FamilyChange) else None,
        "effect": change.effect.name.lower(),
        "summary": change.summary,
        "requires": change.requires,
        "allowed": plan.allows(change),
    }
