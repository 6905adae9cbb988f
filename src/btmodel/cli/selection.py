"""Choosing rules by their ids, the beginnings of ids, and names."""

from collections.abc import Sequence
from difflib import get_close_matches

import click

from btmodel.lint import RULES


def rules_named(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> frozenset[str]:
    """The ids of the rules that the values of an option name; a usage error for what no rule is called."""
    found: set[str] = set()
    for wanted in (part.strip() for value in given for part in value.split(",")):
        ids = _meant(wanted)
        if not ids:
            message = f"no rule is called {wanted!r}, or begins so{_near(wanted)}"
            raise click.BadParameter(message, context, parameter)
        found |= ids
    return frozenset(found)


def _meant(wanted: str) -> set[str]:
    if not wanted:
        return set()
    return {rule.id for rule in RULES if rule.name == wanted.lower() or rule.id.startswith(wanted.upper())}


def _near(wanted: str) -> str:
    """The ids, beginnings and names that are near to what is none, as the end of a sentence."""
    groups = sorted({rule.id.rstrip("0123456789") for rule in RULES})
    known = [*groups, *(rule.id for rule in RULES), *(rule.name for rule in RULES)]
    near = [
        *get_close_matches(wanted.upper(), known, 2, 0.7),
        *get_close_matches(wanted.lower(), known, 1, 0.7),
    ]
    if near:
        return f" (did you mean {' or '.join(near)}?)"
    return f" (they begin with {', '.join(groups)}; btmodel rule lists them)"
