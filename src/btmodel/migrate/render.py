"""A plan for people, as plain text, and for programs, as JSON."""

from typing import Any

from btmodel.migrate.changes import Change
from btmodel.migrate.plan import Plan
from btmodel.migrate.told import Told, tally, told

__all__ = ["as_json", "as_text", "tally"]


def as_text(plan: Plan) -> str:
    """The plan as lines of text, each effect under a heading of its own; what loses data comes last."""
    return told_text(told(plan))


def told_text(said: Told) -> str:
    """The lines of a plan in words."""
    lines = [f"{said.instance}: {said.tally}", *(f"note: {note}" for note in said.by_the_way)]
    for group in said.groups:
        lines.append(f"{group.title}:")
        for one in group.lines:
            hint = f"  [{one.hint}]" if one.hint else ""
            lines.append(f"  {one.sign} {one.name}  {one.summary}{hint}")
            lines.extend(f"      {detail}" for detail in one.more)
    return "\n".join(lines)


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as values that ``json`` can write.

    ``effect`` is ``safe``, ``slow``, ``destructive``, ``blocked``, ``impossible`` or ``drift``; ``requires`` is the
    name to allow a change by, or None; ``allowed`` says whether applying the plan may make the change;
    ``lost`` and ``undo`` say what is lost, and whether it can be undone, or are None.
    """
    return {
        "instance": plan.instance,
        "changes": [_record(plan, change) for change in plan.changes],
        "drift": [_record(plan, change) for change in plan.drift],
        "notes": list(plan.notes),
    }


def _record(plan: Plan, change: Change) -> dict[str, Any]:
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
    }
