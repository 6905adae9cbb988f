"""Settings: ``[tool.btmodel]`` of the nearest ``pyproject.toml``."""

import os
import shlex
import tomllib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from attrs import field, frozen

from btmodel.errors import SettingsError
from btmodel.words import meant

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


@frozen
class Settings:
    """What a project says of itself.

    ``models`` are the modules that declare models, ``out`` is the folder of generated
    files within the project, ``targets`` the kinds of them (None: those that are written unless told
    otherwise), ``templates`` the folder of the project's own templates, ``migrations`` that of its revisions,
    ``instance`` the instance that commands work on, ``instances`` names for more of them, ``emulated`` those that an emulator may serve in the place of the service, by their
    names or paths, in which a ``*`` stands for any text; ``root`` is the folder of
    the ``pyproject.toml``.
    """

    root: Path
    models: tuple[str, ...] = ()
    out: str = "generated"
    targets: tuple[str, ...] | None = None
    templates: str | None = None
    migrations: str = "migrations"
    instance: str | None = None
    instances: Mapping[str, str] = field(factory=dict)
    emulated: tuple[str, ...] = ()

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
        there = next(one for one in (folder, *folder.parents) if os.path.exists(one))
        if folder != root and os.path.isdir(there):
            return folder
        if folder == root:
            what = "is the folder of the project"
        else:
            what = "is a file" if there == folder else f"would be in {there}, a file"
        raise SettingsError(
            f"{self.root / 'pyproject.toml'}: migrations: wanted a folder of its own within {root}, got "
            f'{self.migrations!r}, which {what}: name one that holds revisions alone, such as migrations = "migrations"'
        )

    def _within(self, name: str, given: str, way: str) -> Path:
        """A folder of the project, also by links: who checks it out and runs a command must not have it write elsewhere."""
        where = f"{self.root / 'pyproject.toml'}: {name}"
        try:
            folder, root = (self.root / given).resolve(), self.root.resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a ring of links, a NUL
            raise SettingsError(f"{where}: {given!r} is no folder: {error}") from None
        if not folder.is_relative_to(root):
            raise SettingsError(
                f"{where}: wanted a folder within {root}, got {given!r}, which is {folder}: "
                f"name one within, {way.format(folder=shlex.quote(str(folder)))}"
            )
        return folder


def read(start: Path | None = None) -> Settings:
    """The settings that hold in ``start`` (this folder, unless given), or the defaults where there are none.

    Raises :class:`SettingsError` for a file that does not parse, an unknown setting, or one of a wrong type.
    """
    try:
        start = (start or Path.cwd()).resolve()
    except OSError as error:
        raise SettingsError(f"this folder cannot be read: {error}") from None
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return _parsed(path)
    return Settings(start)


def instance_named(name: str) -> str:
    """The instance that the settings call ``name``; the file of a local one lies beside the settings."""
    settings = read()
    known = settings.instances
    if name not in known:
        raise SettingsError(
            f"instance {name!r} is not in [tool.btmodel.instances] ({meant(name, sorted(known))})"
        )
    kind, colon, file = known[name].partition(":")
    return f"{kind}{colon}{settings.root / file}" if (kind, bool(file)) == ("local", True) else known[name]


def _parsed(path: Path) -> Settings:
    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from None
    table = tool.get("btmodel", {}) if isinstance(tool, dict) else tool
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: wanted a table [tool.btmodel], got {table!r}")
    for name, value in table.items():
        if name not in KNOWN:
            raise SettingsError(f"{path}: [tool.btmodel] has no setting {name!r} ({meant(name, KNOWN)})")
        if not isinstance(value, KNOWN[name]):
            raise SettingsError(f"{path}: {name}: wanted a {KNOWN[name].__name__}, got {value!r}")
    lists = {name: tuple(value) for name, value in table.items() if isinstance(value, list)}
    texts: list[Any] = [*chain(*lists.values()), *table.get("instances", {}).values()]
    for value in texts:
        if not isinstance(value, str):
            raise SettingsError(f"{path}: [tool.btmodel]: wanted text, got {value!r}")
    for name, value in [*table.items(), *table.get("instances", {}).items()]:
        if value == "":
            raise SettingsError(f"{path}: [tool.btmodel]: {name}: wanted some text, got none")
    return Settings(root=path.parent, **{**table, **lists})
