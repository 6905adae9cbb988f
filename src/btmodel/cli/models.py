"""Finding the models that a command is about."""

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import click

from btmodel.cli.stop import Stop
from btmodel.cli.undisturbed import undisturbed
from btmodel.declare import Declared, Model, StandIn, collecting, lacks_table, note, schema_of
from btmodel.errors import BtmodelError, DeclarationError, SettingsError
from btmodel.lint import errors, review
from btmodel.near import meant
from btmodel.schema import ModelSchema
from btmodel.settings import Settings, read


def settings_and_models(context: click.Context) -> tuple[Settings, list[ModelSchema]]:
    """The settings of this folder, and the schemas of the models that they, or ``-m``, name.

    Raises :class:`SettingsError` for a module that does not import, and
    :class:`DeclarationError` for a model that cannot be.
    """
    settings = read()
    modules = named_modules(context, settings)
    _find_modules_of(settings)
    found = [schema for name in modules for schema in map(schema_of, _models(_imported(name)))]
    if not found:
        raise SettingsError(_no_model(modules))
    return settings, _once(found)


def load_each(
    context: click.Context, modules: Sequence[str] = ()
) -> tuple[list[ModelSchema], list[BtmodelError]]:
    """The schemas of all models in all modules, those that rules refuse included, and why others cannot be.

    Of a module that does not import, the models that it had declared before are there. Each
    problem is there once, with its place, and with what else could not be reviewed because of it.
    """
    settings = read()
    names = modules or named_modules(context, settings)
    _find_modules_of(settings)
    with collecting() as declared:
        stops: dict[str, BtmodelError] = {}
        found = [schema for name in names for schema in _declared_by(name, declared, stops)]
    # A class that rules refuse stops those who import it, though none of these modules shows it.
    shown = {_identity(schema) for schema in found}
    hidden = (schema for schema in declared.schemas if _identity(schema) not in shown)
    return _once([*found, *(schema for schema in hidden if errors(review(schema)))]), [
        _with_notes(problem) for problem in declared.problems
    ]


def named_modules(context: click.Context, settings: Settings) -> Sequence[str]:
    """The modules that the settings, or ``-m``, name. Raises :class:`SettingsError` where neither does."""
    modules: Sequence[str] = context.meta.get("btmodel.models") or settings.models
    if not modules:
        raise SettingsError(
            'no models: name their modules, as models = ["app.models"] under [tool.btmodel] in '
            f"{settings.root / 'pyproject.toml'}, or with -m"
        )
    return modules


def called(name: str, models: Sequence[ModelSchema]) -> list[ModelSchema]:
    """The models that ``name`` is the name of. Raises :class:`SettingsError`, with the nearest names."""
    found = [model for model in models if name in (model.name, f"{model.module}.{model.name}")]
    if found:
        return found
    names = [*(model.name for model in models), *(f"{model.module}.{model.name}" for model in models)]
    raise SettingsError(f"no model {name!r}; {meant(name, names, 'models')}")


def _once(schemas: Sequence[ModelSchema]) -> list[ModelSchema]:
    """Each model once, though several modules show it, or one ran twice."""
    return list({_identity(one): one for one in schemas}.values())


def _identity(schema: ModelSchema) -> tuple[str, ...]:
    return schema.module, schema.name, schema.table, str(schema.location)


def _find_modules_of(settings: Settings) -> None:
    for folder in (settings.root / "src", settings.root):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))


def _contents(module: ModuleType) -> list[object]:
    """What a module holds; a module may have put anything in its own place."""
    return list(getattr(module, "__dict__", {}).values())


def _models(module: ModuleType) -> list[type[Model]]:
    values = _contents(module)
    return [
        value
        for value in values
        if isinstance(value, type) and issubclass(value, Model) and "__schema__" in vars(value)
    ]


def _imported(name: str) -> ModuleType:
    try:
        with undisturbed():
            return import_module(name)
    except Exception as error:
        raise Stop.of(name, error).told() from error


def _declared_by(name: str, declared: Declared, stops: dict[str, BtmodelError]) -> list[ModelSchema]:
    """The schemas of the models that a module shows, or that it had declared where it stopped."""
    try:
        with undisturbed():
            module = import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() in one module is no reason to leave out the others
        stop = Stop.of(name, error)
        _tell(stop, declared, stops)
        return [schema for schema in declared.schemas if _within(schema.module, stop.modules)]
    models = _models(module)
    if not models and not any(isinstance(value, StandIn) for value in _contents(module)):
        declared.problem(SettingsError(_no_model([name])))
    return [schema_of(model) for model in models]


def without_table(modules: Sequence[str]) -> list[str]:
    """The classes of these modules that have a row key and no table, and that no other class inherits from."""
    found = []
    for name in modules:
        for value in _contents(sys.modules[name]) if name in sys.modules else ():
            if not isinstance(value, type) or not issubclass(value, Model) or isinstance(value, StandIn):
                continue
            if value.__module__ == name and lacks_table(value) and not value.__subclasses__():
                found.append(f"{name}.{value.__name__}")
    return found


def _no_model(modules: Sequence[str]) -> str:
    """What to say of modules in which no model was found."""
    classes = without_table(modules)
    hint = f": {', '.join(classes)} cannot be one without table=" if classes else ""
    return f"no model is declared in {', '.join(modules)}{hint}"


def _within(module: str, stopped: Sequence[str]) -> bool:
    """Whether ``module`` is one of those that stopped, or a part of such a package."""
    return any(f"{module}.".startswith(f"{name}.") for name in stopped)


def _tell(stop: Stop, declared: Declared, stops: dict[str, BtmodelError]) -> None:
    """Put ``stop`` among the problems, or what came of it with the one that is known."""
    cause = stop.cause
    problem = cause or stops.get(stop.root) or declared.problem(stop.told())
    stops[stop.root] = problem
    first, *others = stop.modules
    if cause is not None:
        note(
            problem,
            f"module {first!r} stops at {stop.place} because of it: what stands behind is not reviewed",
        )
    elif isinstance(problem, DeclarationError):
        note(problem, f"module {first!r} stops there: what stands behind is not reviewed")
    for name in others:
        note(problem, f"module {name!r} imports it, and stops, too")


def _with_notes(problem: BtmodelError) -> BtmodelError:
    return type(problem)("\n  ".join([str(problem), *getattr(problem, "__notes__", ())]))
