"""Finding the twins that modules show."""

import sys
from collections.abc import Iterable
from typing import Any

from btmodel.declare.collecting import StandIn
from btmodel.declare.model import schema_of
from btmodel.declare.twins import Twins
from btmodel.schema import TwinsSchema


def twins_in(modules: Iterable[str]) -> list[TwinsSchema]:
    """The twins that the loaded ones of these modules show, each once, by its name where it is declared.

    Those in which a class only stands in for a model are left out.
    """
    found: dict[int, TwinsSchema] = {}
    for module in modules:
        for name, value in _contents(module):
            if isinstance(value, Twins) and id(value) not in found and not _stands_in(value):
                found[id(value)] = _schema(value, module, name)
    return list(found.values())


def _contents(module: str) -> list[tuple[str, object]]:
    """What a module holds; it may have put anything in its own place."""
    return list(getattr(sys.modules.get(module), "__dict__", {}).items())


def _stands_in(twins: Twins[Any]) -> bool:
    return any(isinstance(model, StandIn) for model in (twins.source, *(one.model for one in twins.others)))


def _schema(twins: Twins[Any], module: str, name: str) -> TwinsSchema:
    """The twins as plain values: what holds them where they are declared, or, where nothing does, ``name``."""
    declared = ((twins.module, known) for known, value in _contents(twins.module) if value is twins)
    module, name = next(declared, (module, name))
    others = tuple(twin.schema for twin in twins.others)
    return TwinsSchema(name, module, schema_of(twins.source), others, twins.location)
