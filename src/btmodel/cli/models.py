"""The models of a project: found, imported, selected by name. The project's own modules go before installed ones."""

import ast
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FrameType, ModuleType
from typing import NoReturn

import click
from attrs import evolve, frozen

import btmodel
from btmodel.cli.terminal import MODULES
from btmodel.declare import (
    Declared,
    FollowUp,
    Model,
    StandIn,
    collecting,
    lacks_table,
    note,
    placed,
    schema_of,
    twins_in,
)
from btmodel.errors import BtmodelError, DeclarationError, SettingsError, raised, some
from btmodel.lint import errors, review
from btmodel.schema import ModelSchema, TwinsSchema
from btmodel.settings import FILES, Settings, read
from btmodel.words import did_you_mean, meant, near


def project() -> Settings:
    """The settings that hold in this folder; modules are imported from the folder of the project first.

    All commands that import models, or the code of data steps, read the settings here: an installed copy of the project
    may be older than its files. Raises :class:`btmodel.errors.SettingsError`.
    """
    settings = read()
    own = [str(settings.root), str(settings.root / "src")]
    sys.path[:] = [*own, *(path for path in sys.path if path not in own)]
    return settings


# What a user's module calls, where nothing is to be fixed.
_CALLED = tuple(
    f"{folder}/"
    for folder in (Path(btmodel.__file__).parent, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
)


@frozen
class Stop:
    """An exception that came out of an import.

    ``modules`` are those that stopped by it: the one whose own line raised it, then those
    that import it. ``place`` is the innermost line of the user's code on the way.
    """

    error: BaseException
    modules: tuple[str, ...]
    place: str

    @classmethod
    def of(cls, name: str, error: BaseException) -> "Stop":
        """Why the import of the module ``name`` raised ``error``, which its caller caught."""
        # The first frame is that of the caller.
        steps = list(traceback.walk_tb(error.__traceback__))[1:]
        began = [_module(frame) for frame, _ in steps if frame.f_code.co_name == "<module>"]
        return cls(error, tuple(dict.fromkeys(reversed([name, *began]))), _place(error, steps))

    @property
    def root(self) -> str:
        """The cause that the user has to fix: a module, or the file that does not parse."""
        return _unparsed(self.error) or self.modules[0]

    @property
    def cause(self) -> BtmodelError | None:
        """The problem of a class that the module went on without, up to here; None where that is not why."""
        return next((error.problem for error in _chain(self.error) if isinstance(error, FollowUp)), None)

    def as_error(self) -> BtmodelError:
        """The error as one of ours."""
        if isinstance(self.error, DeclarationError):
            return DeclarationError(placed(str(self.error), self.place))
        if isinstance(self.error, ModuleNotFoundError) and not self.place:
            return SettingsError(_not_there(self.error.name or self.modules[0]))
        at = f" ({self.place})" if self.place else ""
        return SettingsError(f"module {self.modules[0]!r} does not import: {raised(self.error)}{at}")


def _chain(error: BaseException) -> list[BaseException]:
    """``error``, what it came of, what that came of, and so on; an error may be its own cause."""
    chain: list[BaseException] = []
    last: BaseException | None = error
    while last is not None and not any(last is one for one in chain):
        chain.append(last)
        last = last.__cause__ or last.__context__
    return chain


def _not_there(name: str) -> str:
    """The error for a module that does not exist, with similar names beside it, or the folders that were searched."""
    package, dot, last = name.rpartition(".")
    inside = getattr(sys.modules.get(package), "__path__", None) if dot else None
    own = (path for path in sys.path if not path.startswith((sys.prefix, sys.base_prefix)))
    places = list(map(str, inside or dict.fromkeys(map(os.path.abspath, own))))
    beside = set[str]()
    with suppress(Exception):  # a folder that is closed, or an importer of somebody else's
        beside = {module.name for module in iter_modules(places)}
    hint = did_you_mean(f"{package}{dot}{one}" for one in near(last, beside))
    return f"module {name!r} does not exist{hint or f': it was searched for in {some(places, 3)}'}"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _unparsed(error: BaseException) -> str | None:
    """The file that does not parse, where that is what ``error`` says."""
    file = error.filename if isinstance(error, SyntaxError) else None
    return file if file and not file.startswith("<") else None


def _place(error: BaseException, steps: list[tuple[FrameType, int]]) -> str:
    if isinstance(error, SyntaxError) and _unparsed(error):
        return f"{error.filename}:{error.lineno}"
    places = [(frame.f_code.co_filename, line) for frame, line in steps]
    users = [(file, line) for file, line in places if not file.startswith((*_CALLED, "<"))]
    # An installed module is not the user's own, and a missing one has no line.
    installed = [
        (file, line) for file, line in places if not file.startswith("<") and "importlib" not in file
    ]
    file, line = (users or installed or [("", 0)])[-1]
    return f"{file}:{line}" if file else ""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Send to stderr what this block prints, also by its child processes, and come back to the working folder.

    The output of a command is its own: programs read it.
    """
    folder = os.getcwd()
    if sys.stdout is not None:  # as where a shell has closed it
        sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        with open(os.dup(2), "w", encoding="utf-8", errors="backslashreplace") as theirs:
            with redirect_stdout(theirs):
                yield
            if not theirs.closed:
                theirs.flush()
    finally:
        os.dup2(own, 1)
        os.close(own)
        os.chdir(folder)


def settings_and_models(context: click.Context) -> tuple[Settings, list[ModelSchema]]:
    """The settings of this folder, and the schemas of the models that they, or ``-m``, name.

    Raises :class:`SettingsError` for a module that does not import, and
    :class:`DeclarationError` for a model that cannot be.
    """
    settings = project()
    modules = named_modules(context, settings)
    found = [schema for name in modules for schema in map(schema_of, _models(_imported(name)))]
    if not found:
        raise SettingsError(_no_model(modules))
    for wrong in _half_moved(modules):
        raise wrong
    return settings, _once(found)


def _half_moved(modules: Sequence[str]) -> Iterator[DeclarationError]:
    """What is wrong with twins of a model whose rows move: they write the new table, and leave out the old one, which is still read."""
    for twins in twins_in(modules):
        for model in twins.half_moved:
            others = " and ".join(other.name for other in twins.models if other != model)
            yield DeclarationError(
                f"{twins.location}: {twins.name}: {model.name} is moved_from={model.moved_from!r}, and these twins do not write {model.moved_from!r}: as long as "
                f"that table is read, its readers would miss every row that they write. Take {model.name} out of {twins.name} until the move is done: write "
                f"{others} without it, and the rows of {model.name} with the twins of the module that `btmodel migrate new MESSAGE --dual-writes FILE` writes, "
                f"which write {model.moved_from!r} first. Once moved_from= is gone, declare it here again"
            )


def model_called(context: click.Context, name: str) -> type[Model]:
    """The class of the model that ``name`` is the name of, among those of the project.

    Raises :class:`SettingsError` where none is, and where several are; and what :func:`settings_and_models` does.
    """
    settings, schemas = settings_and_models(context)
    found = called(name, schemas)
    if len(found) > 1:
        full = ", ".join(f"{model.module}.{model.name}" for model in found)
        raise SettingsError(f"several models are called {name!r}: choose one of {full}")
    return next(model for model in _classes(context, settings) if schema_of(model) == found[0])


def model_classes(context: click.Context) -> list[type[Model]]:
    """The classes of all models of the project; none where neither the settings nor ``-m`` name a module.

    Raises what :func:`settings_and_models` does otherwise.
    """
    settings = read()
    if not (context.meta.get(MODULES) or settings.models):
        return []
    wanted = {_identity(model) for model in settings_and_models(context)[1]}
    found = {_identity(schema_of(model)): model for model in _classes(context, settings)}
    return [model for identity, model in found.items() if identity in wanted]


def _classes(context: click.Context, settings: Settings) -> Iterator[type[Model]]:
    """The classes of models in the modules, which are imported already."""
    for name in named_modules(context, settings):
        yield from _models(sys.modules[name])


def load_each(
    context: click.Context, modules: Sequence[str] = ()
) -> tuple[list[ModelSchema], list[BtmodelError]]:
    """The schemas of all models in all modules, those that rules refuse included, and why others cannot be."""
    return load_all(context, modules)[:2]


def load_all(
    context: click.Context, modules: Sequence[str] = ()
) -> tuple[list[ModelSchema], list[BtmodelError], list[tuple[ModelSchema, bool]]]:
    """The same, and what is known of classes that cannot be: see :func:`btmodel.declare.build.part_of_schema`.

    Of a module that does not import, the models that it had declared before are there. Each
    problem is there once, with its place, and with what else could not be reviewed because of it.
    """
    settings = project()
    names = modules or named_modules(context, settings)
    with collecting() as declared:
        stops: dict[str, BtmodelError] = {}
        found = [schema for name in names for schema in _declared_by(name, declared, stops)]
    # A class that rules refuse stops those who import it, though none of these modules shows it.
    shown = {_identity(schema) for schema in found}
    hidden = (schema for schema in declared.schemas if _identity(schema) not in shown)
    models = _with_twins(_once([*found, *(schema for schema in hidden if errors(review(schema)))]), names)
    partial = {_identity(schema): (schema, whole) for schema, whole in declared.partial}
    problems = [each for problem in declared.problems for each in _apart(problem)]
    problems += _half_moved(names)
    return models, problems, list(partial.values())


def named_modules(context: click.Context, settings: Settings) -> Sequence[str]:
    """The modules that the settings, or ``-m``, name. Raises :class:`SettingsError` where neither does."""
    modules = modules_of(context.meta.get(MODULES) or settings.models, settings)
    if not modules:
        raise SettingsError(
            'no models: name their modules, as models = ["app.models"] under [tool.btmodel] of pyproject.toml, '
            f"or with -m (settings: {settings.origin})"
        )
    return modules


def modules_of(names: Iterable[str], settings: Settings) -> list[str]:
    """The modules that these are the names of, or the paths of their files, or of folders in which files declare models.

    Raises :class:`SettingsError` for a file that is no module of the project, and for a folder without any that declares a model.
    """
    found: list[str] = []
    for name in names:
        path = Path(name)
        named = not name.strip(".") or "/" in name or os.sep in name
        files = list(_declaring(path, settings)) if named and os.path.isdir(path) else None
        if files == []:
            raise SettingsError(
                f"no file in {name!r} declares a model: expected a folder with a class that has a table"
            )
        found += [_module_of(one, settings) for one in ([name] if files is None else files)]
    return list(dict.fromkeys(found))


# Folders of what is no part of a program; and the files by which a folder is one of a virtual environment, or another project.
_MARKS = ("pyvenv.cfg", *FILES)
_LEFT_OUT = frozenset({"__pycache__", "node_modules", "build", "dist", "test", "tests"})


def _declaring(folder: Path, settings: Settings) -> Iterator[str]:
    """The files in the folder, and in those below it, that declare models, without importing them; not those of tests and revisions."""
    own = [settings.root / path for path in (settings.out, settings.migrations) if path]
    for place, folders, files in os.walk(folder, onerror=_unreadable):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _LEFT_OUT
            and not any(os.path.exists(os.path.join(place, name, mark)) for mark in _MARKS)
            and Path(place, name).resolve() not in own
        )
        for name in sorted(files):
            if name.endswith(".py") and not name.startswith("test_") and _declares(Path(place, name)):
                yield os.path.join(place, name)


def _unreadable(error: OSError) -> NoReturn:
    raise SettingsError(f"{error.filename} cannot be read: {error.strerror}") from error


def _declares(file: Path) -> bool:
    """Whether the file declares a model; one that cannot be read or parsed may do so: its import says why."""
    if not file.is_file():
        return False  # a pipe, or a link to nothing
    try:
        raw = file.read_bytes()
    except OSError:
        return True
    if b"btmodel" not in raw or b"class " not in raw:
        return False
    try:
        classes = [node for node in ast.walk(ast.parse(raw)) if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(given.arg in ("table", "view") for node in classes for given in node.keywords)


def _module_of(name: str, settings: Settings) -> str:
    """The module that ``name`` is the name of, or the path of its file. Raises :class:`SettingsError` for a file that is no module of the project."""
    if not (name.endswith(".py") or "/" in name or os.sep in name):
        return name
    path = Path(name)
    if not os.path.exists(path):
        raise SettingsError(
            f"{name!r} does not exist: expected a module, such as app.models, or the path of its file"
        )
    for folder in (settings.root / "src", settings.root):
        if path.resolve().is_relative_to(folder.resolve()):
            *parts, last = path.resolve().relative_to(folder.resolve()).with_suffix("").parts or ("",)
            names = parts if last == "__init__" else [*parts, last]
            if names and all(part.isidentifier() for part in names):
                return ".".join(names)
    raise SettingsError(
        f"{name!r} is not the file of a module of this project: expected one below {settings.root}, whose folders and file "
        "have names that Python can import, or a module, such as app.models"
    )


def called(name: str, models: Sequence[ModelSchema]) -> list[ModelSchema]:
    """The models that ``name`` is the name of. Raises :class:`SettingsError`, with the nearest names."""
    found = [model for model in models if name in (model.name, f"{model.module}.{model.name}")]
    if found:
        return found
    # With its module, as it was asked for; a list of both forms would name each model twice.
    names = [f"{model.module}.{model.name}" if "." in name else model.name for model in models]
    raise SettingsError(f"no model {name!r}{meant(name, names, 'models')}")


def _with_twins(schemas: Sequence[ModelSchema], modules: Sequence[str]) -> list[ModelSchema]:
    """The models, of which those that these modules declare as twins know it, and whether they are owned."""
    known = {_identity(twin.model): twins for twins in twins_in(modules) for twin in twins.others}
    owned = {_identity(twin.model) for twins in twins_in(modules) if twins.owned for twin in twins.others}
    return [
        evolve(schema, owned=True)
        if _identity(schema) in owned
        else evolve(schema, twins=known[_identity(schema)].declaration)
        if _identity(schema) in known
        else schema
        for schema in schemas
    ]


def _once(schemas: Sequence[ModelSchema]) -> list[ModelSchema]:
    """Each model once, though several modules show it, or one ran twice."""
    return list({_identity(model): model for model in schemas}.values())


def _identity(schema: ModelSchema) -> tuple[str, ...]:
    return schema.module, schema.name, schema.table, str(schema.location)


def _contents(module: ModuleType) -> list[object]:
    """The contents of a module; a module may have replaced itself with any object."""
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
        raise Stop.of(name, error).as_error() from error


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
    """The message for modules in which no model was found."""
    classes = without_table(modules)
    folders = [f"{name.replace('.', '/')}/" for name in modules]
    packages = [folder for folder in folders if os.path.isdir(folder)]
    hint = f": for its modules, name its folder, {packages[0]}" if packages and not packages[1:] else ""
    hint = f": {', '.join(classes)} cannot be one without table=" if classes else hint
    return f"no model is declared in {', '.join(modules)}{hint}"


def _within(module: str, stopped: Sequence[str]) -> bool:
    """Whether ``module`` is one of those that stopped, or a part of such a package."""
    return any(f"{module}.".startswith(f"{name}.") for name in stopped)


def _tell(stop: Stop, declared: Declared, stops: dict[str, BtmodelError]) -> None:
    """Put ``stop`` among the problems, or what came of it with the one that is known."""
    cause = stop.cause
    problem = cause or stops.get(stop.root) or declared.problem(stop.as_error())
    stops[stop.root] = problem
    first, *others = stop.modules
    if cause is not None:
        note(
            problem,
            f"module {first!r} stops at {stop.place} because of it: the rest of the module is not reviewed",
        )
    elif isinstance(problem, DeclarationError):
        note(problem, f"module {first!r} stops there: the rest of it is not reviewed")
    for name in others:
        note(problem, f"module {name!r} imports it, and also stops")


# What is indented goes on with the line before.
_LINE = re.compile(r"\n(?=\S)")


def _apart(problem: BtmodelError) -> list[BtmodelError]:
    """A class that cannot be has a line for each of its problems: each as an error, the last with what came of them."""
    *others, last = _LINE.split(str(problem)) if isinstance(problem, DeclarationError) else [str(problem)]
    last = "\n  ".join([last, *getattr(problem, "__notes__", ())])
    return [type(problem)(line) for line in (*others, last)]


def shown_twins(context: click.Context, settings: Settings | None = None) -> Sequence[TwinsSchema]:
    """The twins in the modules of models that are loaded."""
    return twins_in(named_modules(context, settings or read()))
