"""Choosing rules by their ids, the beginnings of ids, and names."""

from collections.abc import Sequence
from difflib import get_close_matches

import click

from btmodel.lint import RULES
from btmodel.lint.near import near_ids


def rules_named(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> frozenset[str]:
    """The ids of the rules that the values of an option name; a usage error for what no rule is called."""
    found: set[str] = set()
    for wanted in (part.strip() for value in given for part in value.split(",")):
        ids = _meant(wanted)
        if not ids:
            message = f"no rule is called {wanted!r}, or begins so{near(wanted)}"
            raise click.BadParameter(message, context, parameter)
        found |= ids
    return frozenset(found)


def _meant(wanted: str) -> set[str]:
    if not wanted:
        return set()
    return {rule.id for rule in RULES if rule.name == wanted.lower() or rule.id.startswith(wanted.upper())}


def near(wanted: str) -> str:
    """The ids, beginnings and names that are near to what is none, as the end of a sentence."""
    groups = sorted({rule.id.rstrip("0123456789") for rule in RULES})
    found = near_ids(wanted, (rule.id for rule in RULES)) or [
        *get_close_matches(wanted.upper(), groups, 1, 0.7),
        *get_close_matches(wanted.lower(), [rule.name for rule in RULES], 1, 0.7),
    ]
    if found:
        return f" (did you mean {' or '.join(found)}?)"
    return f" (they begin with {', '.join(groups)}; btmodel rule lists them)"
