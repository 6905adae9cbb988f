"""Finding the models that a command is about."""

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import click

from btmodel.declare import Model, schema_of
from btmodel.errors import BtmodelError, DeclarationError, SettingsError
from btmodel.schema import ModelSchema
from btmodel.settings import Settings, read


def settings_and_models(context: click.Context) -> tuple[Settings, list[ModelSchema]]:
    """The settings of this folder, and the schemas of the models that they, or ``-m``, name.

    Raises :class:`SettingsError` for a module that does not import, and
    :class:`DeclarationError` for a model that cannot be.
    """
    settings = read()
    modules = _named(context, settings)
    found = [schema for name in modules for schema in _load(name, settings)]
    if not found:
        raise SettingsError(f"no model is declared in {', '.join(modules)}")
    return settings, _once(found)


def load_each(
    context: click.Context, modules: Sequence[str] = ()
) -> tuple[list[ModelSchema], list[BtmodelError]]:
    """The schemas of all models in all modules that can be read, and why the others cannot."""
    settings = read()
    found: list[ModelSchema] = []
    problems: list[BtmodelError] = []
    for name in modules or _named(context, settings):
        try:
            loaded = _load(name, settings)
            if not loaded:
                raise SettingsError(f"no model is declared in {name}")
            found += loaded
        except BtmodelError as error:
            problems.append(error)
    return _once(found), problems


def _named(context: click.Context, settings: Settings) -> Sequence[str]:
    modules: Sequence[str] = context.meta.get("btmodel.models") or settings.models
    if not modules:
        raise SettingsError(
            'no models: name their modules, as models = ["app.models"] under [tool.btmodel] in '
            f"{settings.root / 'pyproject.toml'}, or with -m"
        )
    return modules


def _once(schemas: Sequence[ModelSchema]) -> list[ModelSchema]:
    """Each model once, though several modules show it."""
    return list({(schema.module, schema.name): schema for schema in schemas}.values())


def _load(name: str, settings: Settings) -> list[ModelSchema]:
    for folder in (settings.root / "src", settings.root):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return [schema_of(model) for model in _models(_imported(name))]


def _models(module: ModuleType) -> list[type[Model]]:
    values = vars(module).values()
    return [
        value
        for value in values
        if isinstance(value, type) and issubclass(value, Model) and "__schema__" in vars(value)
    ]


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except DeclarationError:
        raise
    except Exception as error:
        raise SettingsError(
            f"module {name!r} does not import: {type(error).__name__}: {error} ({_place(error)})"
        ) from error


def _place(error: Exception) -> str:
    """The file and line that an exception comes from."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    outside = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen") and "importlib" not in frame.filename
    ]
    # The first frame is ours; a module that is not there has no other.
    return f"{outside[-1].filename}:{outside[-1].lineno}" if len(outside) > 1 else "not found"
