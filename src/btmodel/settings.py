"""Settings: ``btmodel.toml``, or ``[tool.btmodel]`` of ``pyproject.toml``, what the environment says, and the program."""

import os
import shlex
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from btmodel.errors import SettingsError
from btmodel.words import did_you_mean, meant, near

KNOWN = {
    "models": list,
    "out": str,
    "targets": list,
    "templates": str,
    "migrations": str,
    "instance": str,
    "instances": dict,
    "emulated": list,
}
# In one folder the first of them counts.
FILES = ("btmodel.toml", "pyproject.toml")
INSTANCE = "BTMODEL_INSTANCE"  # the variable that names the instance to work on
FILE = "BTMODEL_SETTINGS"  # and that for the file of settings


@frozen
class Settings:
    """What a project says of itself.

    ``models`` are the modules that declare models, ``out`` is the folder of generated
    files within the project, ``targets`` the kinds of them (None: those that are written
    by default), ``templates`` the folder of the project's own templates, ``migrations`` that of its revisions,
    ``instance`` the instance that commands work on, ``instances`` names for more of them, ``emulated`` those that an emulator may serve in the place of the service, by their
    names or paths, in which a ``*`` stands for any text. ``root`` is the folder that paths in the settings start
    from, and ``origin`` says in words where they come from. ``options`` are those of connections, by the names of
    ``instances``.
    """

    root: Path
    origin: str
    models: tuple[str, ...] = ()
    out: str = "generated"
    targets: tuple[str, ...] | None = None
    templates: str | None = None
    migrations: str = "migrations"
    instance: str | None = None
    instances: Mapping[str, str] = field(factory=dict)
    emulated: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = field(factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of generated files, whole; raises :class:`SettingsError` where it is not within the project."""
        return self._within("out", self.out, "or write there with `btmodel generate --out {folder}`")

    @property
    def revisions(self) -> Path:
        """The folder of revisions, whole; raises :class:`SettingsError` where it is not one within the project, or holds other files."""
        folder = self._within(
            "migrations", self.migrations, "or move pyproject.toml to a folder that holds both"
        )
        root = self.root.resolve()
        there = next(path for path in (folder, *folder.parents) if os.path.exists(path))
        if folder != root and os.path.isdir(there):
            return folder
        if folder == root:
            what = "is the folder of the project"
        else:
            what = "is a file" if there == folder else f"would be in {there}, a file"
        raise SettingsError(
            f"{self.origin}: migrations: expected a folder of its own within {root}, got "
            f'{self.migrations!r}, which {what}: name one that holds revisions alone, such as migrations = "migrations"'
        )

    def _within(self, name: str, given: str, way: str) -> Path:
        """A folder of the project, also by links: a user who checks it out and runs a command must not have it write elsewhere."""
        where = f"{self.origin}: {name}"
        try:
            folder, root = (self.root / given).resolve(), self.root.resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a ring of links, a NUL
            raise SettingsError(f"{where}: {given!r} is not a folder: {error}") from None
        if not folder.is_relative_to(root):
            raise SettingsError(
                f"{where}: expected a folder within {root}, got {given!r}, which is {folder}: "
                f"name one within, {way.format(folder=shlex.quote(str(folder)))}"
            )
        return folder


_configured: Settings | None = None


def configure(
    *,
    instance: str | None = None,
    instances: Mapping[str, str | Mapping[str, Any]] | None = None,
    root: str | os.PathLike[str] = ".",
    **settings: Any,
) -> None:
    """Set the settings of this process in code, instead of reading them from a file.

    ``instance`` and ``instances`` and all others are those of the file, with the same names and values: for a
    container that has no ``pyproject.toml``, or settings that come from somewhere else. Paths in them start from the
    folder ``root``. A second call replaces the first; without arguments, the files count again. The environment
    (``BTMODEL_INSTANCE``) still goes first.

    Raises :class:`SettingsError` for an unknown setting, or one of a wrong type.
    """
    global _configured
    given = {"instance": instance, "instances": instances, **settings}
    stated = {name: value for name, value in given.items() if value is not None}
    _configured = _checked(stated, Path(root).absolute(), "configure()") if stated else None


def read(start: Path | None = None) -> Settings:
    """The settings that hold in ``start`` (this folder, unless given), or the defaults where there are none.

    Those of :func:`configure`, or else of the file that ``BTMODEL_SETTINGS`` names, or else of the nearest folder
    that has a ``btmodel.toml`` or a ``pyproject.toml``. ``BTMODEL_INSTANCE`` replaces their ``instance``.

    Raises :class:`SettingsError` for a file that does not parse, an unknown setting, or one of a wrong type.
    """
    found = _configured or _read(start)
    name = os.environ.get(INSTANCE)
    if name is None:
        return found
    if not name.strip():
        raise SettingsError(f"{INSTANCE}: expected an instance, got {name!r}: set it to one, or unset it")
    return evolve(found, instance=name.strip())


def _read(start: Path | None) -> Settings:
    named = os.environ.get(FILE)
    if named is not None:
        path = Path(named).absolute()
        if not os.path.isfile(path):
            raise SettingsError(f"{FILE}: expected a file, got {named!r}, and there is none at {path}")
        return _parsed(path)
    try:
        start = (start or Path.cwd()).resolve()
    except OSError as error:
        raise SettingsError(f"this folder cannot be read: {error}") from None
    for folder in (start, *start.parents):
        for name in FILES:
            if os.path.isfile(folder / name):
                return _parsed(folder / name)
    looked = f"no {' or '.join(FILES)} in {start} or a folder above it"
    return Settings(start, f"{looked}, and {FILE} is not set")


def instance_named(name: str, others: Collection[str] = ()) -> tuple[str, Mapping[str, Any], str]:
    """The instance that the settings call ``name``, the options of connections to it, and the place that states them.

    ``others`` are what may be given in the place of a name, which errors offer, too. The file of a local instance, and that of credentials, lies beside the settings. Raises :class:`SettingsError`.
    """
    settings = read()
    known = settings.instances
    if name not in known:
        offered = did_you_mean(near(name, [*sorted(known), *others])) or meant(name, sorted(known))
        raise SettingsError(f"instance {name!r} is not in the settings ({settings.origin}){offered}")
    return _stated(settings, name)


def options_at(path: str) -> tuple[Mapping[str, Any], str]:
    """The options of connections to the instance at ``path``, which the settings give to a name of it, and the place that states them; none where no name has it.

    ``path`` is that of an instance of the service, or of a local file. Raises :class:`SettingsError` where two names have it, with other options.
    """
    settings = read()
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for name in settings.instances:
        instance, options, place = _stated(settings, name)
        if _file_or_path(instance) == _file_or_path(path):
            found[name] = (options, place)
    name, *others = found or [""]
    for other in others:
        if found[other][0] != found[name][0]:
            raise SettingsError(
                f"instance {path!r} is called {name!r} and {other!r} in the settings ({settings.origin}), with other options of connections: expected "
                f"one of these names, such as {name!r}"
            )
    return found.get(name, ({}, ""))


def _file_or_path(instance: str) -> str:
    """What two texts have in common that mean one instance; files count by where they are."""
    kind, _, file = instance.partition(":")
    if kind != "local" or not file or "\0" in file:
        return instance
    return os.path.realpath(file)


def _stated(settings: Settings, name: str) -> tuple[str, Mapping[str, Any], str]:
    known = settings.instances
    options = dict(settings.options.get(name, {}))
    if options.get("credentials") and isinstance(options["credentials"], str):
        options["credentials"] = settings.root / options["credentials"]
    kind, colon, file = known[name].partition(":")
    local = (kind, bool(file)) == ("local", True)
    place = f"{settings.origin}: instances.{name}"
    return f"{kind}{colon}{settings.root / file}" if local else known[name], options, place


def _parsed(path: Path) -> Settings:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from None
    return _of_text(path, text)


@lru_cache(
    maxsize=4
)  # a command asks several times, and each connection once; parsing takes far longer than reading
def _of_text(path: Path, text: str) -> Settings:
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from None
    if path.name == "pyproject.toml":
        tool = table.get("tool", {})
        table = tool.get("btmodel", {}) if isinstance(tool, dict) else tool
        if not isinstance(table, dict):
            raise SettingsError(f"{path}: expected a table [tool.btmodel], got {table!r}")
    return _checked(table, path.parent, str(path))


def _checked(table: Mapping[str, Any], root: Path, origin: str) -> Settings:
    """The settings of ``table``; raises :class:`SettingsError` for what is unknown or of a wrong type."""
    for name, value in table.items():
        if name not in KNOWN:
            raise SettingsError(f"{origin}: has no setting {name!r}{meant(name, KNOWN)}")
        kind: Any = (list, tuple) if KNOWN[name] is list else KNOWN[name]
        if not isinstance(value, kind):
            raise SettingsError(f"{origin}: {name}: expected a {KNOWN[name].__name__}, got {value!r}")
    instances, options = _instances(table.get("instances", {}), origin)
    lists = {name: tuple(value) for name, value in table.items() if isinstance(value, list | tuple)}
    for value in chain(*lists.values()):
        if not isinstance(value, str):
            raise SettingsError(f"{origin}: expected text, got {value!r}")
    for name, value in [*table.items(), *instances.items()]:
        if value == "":
            raise SettingsError(f"{origin}: {name}: expected some text, got none")
    return Settings(**{**table, **lists, "instances": instances}, root=root, origin=origin, options=options)


def _instances(stated: Mapping[str, Any], origin: str) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """The instances by their names, and the options of those that are stated as a table."""
    instances: dict[str, str] = {}
    options: dict[str, dict[str, Any]] = {}
    for name, value in stated.items():
        given = {"instance": value} if isinstance(value, str) else value
        if not isinstance(given, Mapping) or not isinstance(given.get("instance"), str):
            raise SettingsError(
                f'{origin}: instances.{name}: expected text, or a table with instance = "projects/..." and options of '
                f"connections, got {value!r}"
            )
        options[name] = {key: option for key, option in given.items() if key != "instance"}
        instances[name] = given["instance"]
    return instances, options
