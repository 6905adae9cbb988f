"""The three-way merge of tables: what two sides did since they parted, joined."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from attrs import frozen

from btmodel.migrate.revisions import toml
from btmodel.migrate.revisions.contested import Conflict, settle
from btmodel.migrate.revisions.origins import Origins
from btmodel.schema import Table
from btmodel.schema.recorded import as_data, from_data

_ABSENT: Any = object()


def joined(
    base: Sequence[Table],
    left: Sequence[Table],
    right: Sequence[Table],
    origins: Origins,
    *,
    mine: bool,
) -> tuple[tuple[Table, ...], tuple[Conflict, ...]]:
    """The tables with what both sides did since ``base``, and the places that both changed, each in its own way.

    There ``left`` is right where ``mine``, else ``right`` is. ``origins`` says what the tables and families of both were called
    in ``base``.
    """
    before, ours, theirs = map(as_data, (base, left, right))
    conflicts: list[Conflict] = []
    found = deepcopy(_Joining(conflicts, mine).mapping((), before, ours, theirs))  # parts are those of a side
    conflicts += settle(found, before, ours, theirs, origins, mine=mine)
    return from_data(found, "the merged tables"), tuple(conflicts)


@frozen
class _Joining:
    """A three-way merge of plain data; ``mine`` says that the left side is right in a conflict."""

    conflicts: list[Conflict]
    mine: bool

    def mapping(
        self,
        path: tuple[str, ...],
        base: Mapping[str, Any],
        left: Mapping[str, Any],
        right: Mapping[str, Any],
    ) -> dict[str, Any]:
        joined: dict[str, Any] = {}
        for name in dict.fromkeys((*left, *right)):
            sides = (one.get(name, _ABSENT) for one in (base, left, right))
            value = self.value((*path, name), *sides)
            if value is not _ABSENT:
                joined[name] = value
        return joined

    def value(self, path: tuple[str, ...], base: Any, left: Any, right: Any) -> Any:
        if left == right or right == base:
            return left
        if left == base:
            return right
        if isinstance(left, dict) and isinstance(right, dict) and path[-1] != "gc":
            return self.mapping(path, base if isinstance(base, dict) else {}, left, right)
        self.conflicts.append(Conflict(_place(path), _shown(left), _shown(right)))
        return left if self.mine else right


def _place(path: tuple[str, ...]) -> str:
    """``("QUOTE", "families", "MD", "gc")`` as ``table QUOTE, family MD, gc``."""
    words = {"families": "family", "models": "model", "settings": "setting", "cells": "cell"}
    parts = [f"table {path[0]}"]
    kind = ""
    for name in path[1:]:
        if not kind and name in words:
            kind = words[name]
        else:
            parts.append(f"{kind} {name}".strip())
            kind = ""
    return ", ".join(parts)


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "gone"
    text = toml.value(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
