"""The recorded cases: folders with the models of each, and with the files that they give. Needs no pytest."""

import importlib.util
import sys
from pathlib import Path

import btmodel as bt
from btmodel.declare import twins_in
from btmodel.schema import ModelSchema, TwinsSchema

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/models.py"))


def load(folder: Path) -> list[ModelSchema]:
    """The models of a case."""
    found = [value for value in vars(sys.modules[_loaded(folder)]).values() if hasattr(value, "__schema__")]
    return [bt.schema_of(model) for model in found if isinstance(model, type) and issubclass(model, bt.Model)]


def load_twins(folder: Path) -> list[TwinsSchema]:
    """The twins of a case."""
    return twins_in([_loaded(folder)])


def _loaded(folder: Path) -> str:
    """The name of the module of a case."""
    name = f"golden_{folder.name}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, folder / "models.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return name
