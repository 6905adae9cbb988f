"""What ``connect`` is given: an instance, a name for one, or a server to start."""

import re
from collections.abc import Callable

from attrs import field, frozen

from btmodel import emulator
from btmodel.errors import SettingsError
from btmodel.settings import instance_named

EMULATED = "projects/btmodel/instances/emulator"

_INSTANCE = re.compile(r"projects/(?P<project>[^/]+)/instances/(?P<instance>[^/]+)")


@frozen
class Target:
    """An instance and where it is served: ``host`` is None for the service itself.

    ``release`` stops the server, where connecting started it.
    """

    instance: str
    host: str | None
    release: Callable[[], None] = field(eq=False, repr=False)

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

    ``projects/P/instances/I`` is the service, or the emulator that ``BIGTABLE_EMULATOR_HOST``
    names; ``emulator:`` starts Google's emulator, for as long as the connection lasts; any
    other word is a name from ``[tool.btmodel.instances]`` of ``pyproject.toml``. Raises
    :class:`ServerError` where a local server does not answer.
    """
    if text == "emulator:":
        return _emulated()
    if _INSTANCE.fullmatch(text):
        return _served(text)
    if "/" in text or ":" in text:
        raise SettingsError(
            f"instance {text!r}: wanted projects/PROJECT/instances/INSTANCE, 'emulator:', or a name "
            "from [tool.btmodel.instances]"
        )
    named = instance_named(text)
    if not (named == "emulator:" or _INSTANCE.fullmatch(named)):
        raise SettingsError(
            f"instance {text!r} is {named!r} in the settings: wanted projects/PROJECT/instances/INSTANCE or 'emulator:'"
        )
    return resolve(named)


def _served(instance: str) -> Target:
    return Target(instance, emulator.named(), lambda: None)


def _emulated() -> Target:
    server = emulator.start()
    return Target(EMULATED, server.host, server.stop)
