"""What ``connect`` is given: an instance, a name for one, or a server to start."""

import re
from collections.abc import Callable
from pathlib import Path

from attrs import field, frozen

from btmodel import emulator, server
from btmodel.errors import SettingsError
from btmodel.settings import instance_named

EMULATED = "projects/btmodel/instances/emulator"
LOCAL = "projects/btmodel/instances/local"

_WANTED = "projects/PROJECT/instances/INSTANCE, 'local:FILE', 'local:' or 'emulator:'"
INSTANCE = re.compile(r"projects/[^/\s]+/instances/[^/\s]+")


@frozen
class Target:
    """An instance and where it is served: ``host`` is None for the service itself.

    ``release`` stops the server, where connecting started it. ``new_file`` is the file that it made for that.
    """

    instance: str
    host: str | None
    release: Callable[[], None] = field(eq=False, repr=False)
    new_file: Path | None = field(default=None, eq=False, repr=False)

    @property
    def project(self) -> str:
        """The project's id."""
        return self.instance.split("/")[1]

    @property
    def instance_id(self) -> str:
        """The instance's id."""
        return self.instance.split("/")[3]

    def __str__(self) -> str:
        return f"{self.instance} on {self.host}" if self.host else self.instance


def resolve(text: str) -> Target:
    """The target of ``text``.

    ``local:dev.db`` serves that file, and ``local:`` an instance in memory, for as long as the
    connection lasts; ``emulator:`` starts Google's emulator likewise. ``projects/P/instances/I``
    is the service, or the server that ``BIGTABLE_EMULATOR_HOST`` names; any other word is a
    name from ``[tool.btmodel.instances]`` of ``pyproject.toml``.

    Raises :class:`SettingsError` for a text that is none of these, and :class:`ServerError` where
    a server on this machine does not answer or start.
    """
    if not isinstance(text, str):
        raise SettingsError(f"instance: wanted {_WANTED}, or a name from the settings, got {text!r}")
    target = _literal(text)
    if target is not None:
        return target
    if "/" in text or ":" in text:
        raise SettingsError(f"instance {text!r}: wanted {_WANTED}, or a name from [tool.btmodel.instances]")
    named = instance_named(text)
    target = _literal(named)
    if target is None:
        raise SettingsError(f"instance {text!r} is {named!r} in the settings: wanted {_WANTED}")
    return target


def _literal(text: str) -> Target | None:
    """The target of a text that is no name."""
    if text.startswith("local:"):
        name = text.removeprefix("local:")
        file = Path(name) if name and not Path(name).exists() else None
        running = server.start(name or None)
        return Target(LOCAL, running.host, running.stop, file)
    if text == "emulator:":
        started = emulator.start()
        return Target(EMULATED, started.host, started.stop)
    if INSTANCE.fullmatch(text):
        return Target(text, emulator.named(), lambda: None)
    return None
