"""What ``connect`` is given: an instance, a name for one, or a server to start."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import evolve, field, frozen

from btmodel import emulator, server
from btmodel.client.options import Options
from btmodel.errors import SettingsError
from btmodel.server import running
from btmodel.settings import INSTANCE as INSTANCE_VARIABLE
from btmodel.settings import instance_named, options_at, read
from btmodel.words import did_you_mean, near

EMULATED = "projects/btmodel/instances/emulator"
LOCAL = running.LOCAL

SERVICE = "the Bigtable service"
_WANTED = "projects/PROJECT/instances/INSTANCE, 'local:FILE', 'local:' or 'emulator:'"
# No project of Google's is called so: instances of it are on servers of this machine alone.
_OWN = "projects/btmodel/"
INSTANCE = re.compile(r"projects/[^/\s]+/instances/[^/\s]+")


@frozen
class Target:
    """An instance and where it is served: ``host`` is None for the service itself.

    ``release`` stops the server, where connecting started it and no other process uses it. ``emulated`` is whether the environment put another server in
    the place of the service. ``file`` is the one that was asked for, and ``new_file``
    the same where it was made for that; where it was only to be read, it was not made, and ``is_absent``. ``options`` are those that the settings give to the instance. ``use`` is that of a
    local file, which another server may serve later.
    """

    instance: str
    host: str | None = None
    release: Callable[[], None] = field(default=lambda: None, eq=False, repr=False)
    new_file: Path | None = field(default=None, eq=False, repr=False)
    file: Path | None = field(default=None, eq=False, repr=False)
    emulated: bool = field(default=False, eq=False, repr=False)
    options: Options = field(factory=Options, eq=False, repr=False)
    use: server.Use | None = field(default=None, eq=False, repr=False)
    is_absent: bool = field(default=False, eq=False, repr=False)

    @property
    def address(self) -> str | None:
        """``host:port`` of the server that serves it now, to be asked for at each call; None for the service itself."""
        return self.host if self.use is None else self.use.address()

    @property
    def held(self) -> "Target":
        """The same for a connection that is not to release it."""
        return evolve(self, release=lambda: None)

    @property
    def project(self) -> str:
        """The project's id."""
        return self.instance.split("/")[1]

    @property
    def instance_id(self) -> str:
        """The instance's id."""
        return self.instance.split("/")[3]

    @property
    def server(self) -> str:
        """Which server it is: the file of a local one, the address of another, or the service."""
        return str(self.file.resolve()) if self.file else self.host or SERVICE

    @property
    def log(self) -> str:
        """Where to read more of a server that does not answer, to be said after that; nothing where there is no log."""
        place = None if self.use is None else self.use.log
        return f"; the log of that server is {place}" if place else ""

    def __str__(self) -> str:
        return f"{self.instance} on {self.host}" if self.host else self.instance


def resolve(text: str | None, *, makes_file: bool = True, only_reads: bool = False) -> Target:
    """The target of ``text``, None for the ``instance`` of the settings.

    ``local:dev.db`` is that file at the server that it has, or else at one that is started, and that ends with the last
    process that uses the file. ``local:`` is an instance in memory, for as long as the
    connection lasts, and ``emulator:`` starts Google's emulator likewise. ``projects/P/instances/I``
    is the service, or the server that ``BIGTABLE_EMULATOR_HOST`` names; any other word is a
    name from ``[tool.btmodel.instances]`` of ``pyproject.toml``. A file that is not there is made where ``makes_file`` is true, or where the
    settings name it; for what ``only_reads``, an empty instance in memory takes its place.

    Raises :class:`SettingsError` for a text that is none of these and for a file that is not there, and :class:`ServerError` where
    a server on this machine does not answer or start.
    """
    if text is None:
        settings = read()
        text = settings.instance
        if text is None:
            raise SettingsError(
                f"no instance: give one to connect, set {INSTANCE_VARIABLE}, or write instance = ... in the settings "
                f"({settings.origin})"
            )
    if not isinstance(text, str):
        raise SettingsError(f"instance: expected {_WANTED}, or a name from the settings, got {text!r}")
    if INSTANCE.fullmatch(text) or text.removeprefix("local:") not in ("", text):
        options = _options(*options_at(text))  # before a server is started
    else:
        options = Options()
    target = _literal(text, makes_file, only_reads)
    if target is not None:
        return evolve(target, options=options)
    if "/" in text or ":" in text:
        meant = did_you_mean(near(text, _forms(text)))
        raise SettingsError(
            f"instance {text!r}: expected {_WANTED}, or a name from [tool.btmodel.instances]{meant}"
        )
    named, given, place = instance_named(text, ("local:", "emulator:"))
    options = _options(given, place)
    target = _literal(named, True, only_reads)
    if target is None:
        raise SettingsError(f"instance {text!r} is {named!r} in the settings: expected {_WANTED}")
    return evolve(target, options=options)


def _options(given: Mapping[str, Any], place: str) -> Options:
    """The options of a connection that the settings state at ``place``."""
    try:
        return Options.of(given)
    except SettingsError as error:
        raise SettingsError(f"{place}: {error}") from None


def _forms(text: str) -> list[str]:
    """What ``text``, which has a wrong form, would be in each right one."""
    rest, path = text.partition(":")[2], text.split("/")
    of_service = [f"projects/{path[1]}/instances/{path[3]}"] if len(path) == 4 and all(path) else []
    return [f"local:{rest}", *([] if rest else ["emulator:"]), *of_service]


def _literal(text: str, makes_file: bool, only_reads: bool) -> Target | None:
    """The target of a text that is no name."""
    if text.startswith("local:"):
        return _local(text.removeprefix("local:"), makes_file, only_reads)
    if text == "emulator:":
        started = emulator.start()
        return Target(EMULATED, started.host, started.stop)
    if INSTANCE.fullmatch(text):
        host = emulator.named("call the service itself, in the cloud")
        return Target(text, host, lambda: None, emulated=host is not None and not text.startswith(_OWN))
    return None


def _local(name: str, makes_file: bool, only_reads: bool) -> Target:
    """The file of that name, or one in memory: at the server that has it already, or else one that is started."""
    if not name:
        started = server.start()
        return Target(LOCAL, started.host, started.stop)
    file = Path(name)
    new = file if _is_missing(file) else None
    if new is not None and not makes_file:
        raise SettingsError(
            f"{new}: there is no such file{did_you_mean(nearest(new))}, and this command makes none: "
            "`btmodel migrate` and `btmodel serve` make a new database"
        )
    if new is not None and only_reads:
        started = server.start()
        return Target(LOCAL, started.host, started.stop, new, file, is_absent=True)
    use = server.join(file)
    return Target(LOCAL, use.host, use.release, new, file, use=use)


def nearest(file: Path) -> list[str]:
    """The names of the files that lie beside ``file`` and may have been meant in its place."""
    beside = [path.name for path in file.parent.glob(f"*{file.suffix}") if path.is_file() and path != file]
    return near(file.name, beside)


def _is_missing(file: Path) -> bool:
    """Whether there is no such file; False where this process cannot know, as in a folder that is closed to this user: the server then reports it."""
    try:
        os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


class AsyncMixed:
    """A connection that is used with ``async with``."""

    if not TYPE_CHECKING:

        def __enter__(self) -> NoReturn:
            raise TypeError(
                "a connection of connect_async: write `async with`, or connect with `bt.connect` for `with`"
            )

        def __exit__(self, *error: object) -> None:
            pass


class Mixed:
    """A connection that is used with ``with``."""

    if not TYPE_CHECKING:

        async def __aenter__(self) -> NoReturn:
            raise TypeError(
                "a connection of connect: write `with`, or connect with `bt.connect_async` for `async with`"
            )

        async def __aexit__(self, *error: object) -> None:
            pass
