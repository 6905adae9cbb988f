"""The repositories that ``btmodel generate`` writes of the models here, executed."""

from functools import cache
from types import ModuleType
from typing import Any

from btmodel_codegen import generate

import btmodel as bt


@cache
def repository_of(model: type[bt.Model]) -> Any:
    """The module of the repository of ``model``: with its class, its key and its event."""
    [text] = [
        text for name, text in generate([bt.schema_of(model)]).items() if name.endswith("_repository.py")
    ]
    module = ModuleType(f"{model.__name__}_repository")
    exec(compile(text, module.__name__, "exec"), vars(module))
    return module
