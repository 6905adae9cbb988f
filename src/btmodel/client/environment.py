"""Constructing the data client for a server on this machine.

The client learns of one from the environment alone, and only while it is constructed.
"""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from btmodel.emulator import VARIABLE

_LOCK = Lock()


@contextmanager
def served_at(host: str | None) -> Iterator[None]:
    """Within, the environment names ``host`` as the emulator, or none."""
    with _LOCK, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Connecting to Bigtable emulator")
        before = os.environ.pop(VARIABLE, None)
        if host is not None:
            os.environ[VARIABLE] = host
            # The client measures nothing on an emulator, and logs that it cannot.
            logging.getLogger("google.cloud.bigtable.data._metrics.data_model").setLevel(logging.ERROR)
        try:
            yield
        finally:
            os.environ.pop(VARIABLE, None)
            if before is not None:
                os.environ[VARIABLE] = before
