"""Repositories of models that are declared here, generated when they are asked for."""

from functools import cache
from types import ModuleType

from btmodel_codegen import generate

import btmodel as bt


@cache
def generated(model: type[bt.Model]) -> ModuleType:
    """The module that ``btmodel generate`` would write for a model."""
    texts = generate([bt.schema_of(model)])
    [text] = [text for name, text in texts.items() if name.endswith("_repository.py")]
    module = ModuleType(f"{model.__name__}_repository")
    exec(compile(text, module.__name__, "exec"), vars(module))
    return module
