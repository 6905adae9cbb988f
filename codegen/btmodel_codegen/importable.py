"""Whether generated code can import what it is about: a module has to hold it under its own name."""

import sys
from types import ModuleType

from btmodel.errors import GenerationError
from btmodel.schema import Location, ModelSchema


def refuse_hidden(model: ModelSchema) -> None:
    """Refuse a model that its module does not hold under its name: one that a function made, say, or one that was deleted.

    Where the module is not loaded, nothing is known, and nothing refused. Raises :class:`GenerationError`.
    """
    module = sys.modules.get(model.module)
    if module is None:
        return
    found = _schema(getattr(module, model.name, None))
    if found is not None and found.location == model.location:
        return
    holds = (
        f"another model called {model.name!r}, of {found.location}"
        if found
        else f"no model {model.name!r}{_aliases(module, model)}"
    )
    raise GenerationError(
        f"{_placed(model.location)}{model.name}: generated code would say `from {model.module} import {model.name}`, "
        f"and this module holds {holds}: declare the model at the top of the module, in no function and no other "
        "class, and leave it there under its own name"
    )


def _schema(value: object) -> ModelSchema | None:
    schema = vars(value).get("__schema__") if isinstance(value, type) else None
    return schema if isinstance(schema, ModelSchema) else None


def _aliases(module: ModuleType, model: ModelSchema) -> str:
    """The names under which the module holds the model, as an addition to a sentence."""
    contents = list(getattr(module, "__dict__", {}).items())
    names = sorted(name for name, value in contents if _schema(value) == model)
    return f", only {' and '.join(map(repr, names))}" if names else ""


def _placed(location: Location | None) -> str:
    return f"{location}: " if location else ""
