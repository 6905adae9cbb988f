"""Repositories that tests generate: of a model at once, or written to a folder and imported, all called ``generated``."""

import importlib
import sys
from types import ModuleType
from typing import Any

from btmodel_codegen import generate

import btmodel as bt


def forget_repositories() -> None:
    """Let the next import of a repository read its file, though another test imported one of this name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def generated(model: type[bt.Model]) -> Any:
    """The module that is generated for a model."""
    texts = generate([bt.schema_of(model)])
    [text] = [text for name, text in texts.items() if name.endswith("_repository.py")]
    module = ModuleType(model.__name__)
    exec(compile(text, model.__name__, "exec"), vars(module))
    return module
