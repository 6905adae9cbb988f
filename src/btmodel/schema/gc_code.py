"""GC rules as a model declares them: Python that makes the rule again."""

from datetime import timedelta

from btmodel.schema.gc import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union

_MILLI = timedelta(milliseconds=1)
# From coarse to fine: the arguments of ``max_age``.
_UNITS = {
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
    "seconds": timedelta(seconds=1),
    "milliseconds": _MILLI,
}


def gc_code(rule: GcRule) -> str:
    """The expression of ``rule``, with the names of this package behind ``bt.``; its meaning is the same."""
    match rule:
        case KeepAll():
            return "bt.keep_all()"
        case MaxVersions(versions):
            return f"bt.max_versions({versions:_})"
        case MaxAge(age):
            return f"bt.max_age({_age(age)})"
        case Union(rules):
            return " | ".join(map(gc_code, rules))
        case Intersection((only,)):
            return gc_code(only)
        case Intersection(rules):
            return " & ".join(map(_part, rules))
        case _:
            raise TypeError(f"a GC rule that cannot be declared: {rule!r}")


def gc_lines(rule: GcRule) -> str:
    """The same expression with a line for each part of the rule, as formatters break one that is too long."""
    match _flat(rule):
        case Union(rules):
            return "\n| ".join(map(gc_code, rules))
        case Intersection(rules):
            return "\n& ".join(map(_part, rules))
        case other:
            return gc_code(other)


def _flat(rule: GcRule) -> GcRule:
    """The same rule without one of its own kind in it, and without one of a single part."""
    if not isinstance(rule, Union | Intersection):
        return rule
    parts: list[GcRule] = []
    for part in map(_flat, rule.rules):
        parts += part.rules if isinstance(part, Union | Intersection) and type(part) is type(rule) else [part]
    return parts[0] if len(parts) == 1 else type(rule)(tuple(parts))


def _part(rule: GcRule) -> str:
    """A part of an intersection: ``&`` binds closer than ``|``."""
    text = gc_code(rule)
    return f"({text})" if " | " in text else text


def _age(age: timedelta) -> str:
    """The arguments of an age: its largest whole unit, or days and what is left of them."""
    for name, unit in _UNITS.items():
        if not age % unit:
            return f"{name}={age // unit:_}"
    rest = f"milliseconds={(age - timedelta(days=age.days)) / _MILLI}"
    return f"days={age.days:_}, {rest}" if age.days else rest
