"""The emulator that BIGTABLE_EMULATOR_HOST names."""

import os
import socket

from btmodel.errors import ServerError

VARIABLE = "BIGTABLE_EMULATOR_HOST"
_PATIENCE = 3.0  # seconds


def named(without: str = "have one started") -> str | None:
    """The ``host:port`` of the environment, once something answered there; None where it names none.

    ``without`` says what comes of unsetting the variable.

    Raises :class:`ServerError` where the name is malformed, or nothing answers.
    """
    host = os.environ.get(VARIABLE, "").strip()
    if not host:
        return None
    why = silence(host)
    if why is not None:
        raise ServerError(
            f"{VARIABLE}={host}: nothing answers there ({why}): start that server, "
            f"or unset the variable to {without}"
        )
    return host


def silence(host: str) -> str | None:
    """Why nothing answers at ``host:port``; None where something does.

    Raises :class:`ServerError` where ``host`` is malformed.
    """
    try:
        socket.create_connection(_parts(host), _PATIENCE).close()
    except OSError as error:
        return error.strerror or str(error) or "no answer"
    return None


def _parts(host: str) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    if not (name and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise ServerError(f"{VARIABLE}: wanted host:port, such as 127.0.0.1:8086, got {host!r}")
    return name.strip("[]"), int(port)
