"""Google's data client for a server on this machine."""

import logging
import warnings
from typing import Any


def served_at(client: Any, host: str | None) -> Any:
    """The client class ``client`` for a server at ``host``, or for the service, whatever the environment says.

    The client looks for an emulator in the environment alone. That is the whole
    process's: to change it while one client is made would mislead another, made by
    another thread. So the attribute that holds what was found is fixed instead.
    """
    if host is not None:
        warnings.filterwarnings("ignore", message="Connecting to Bigtable emulator")
        # The client measures nothing on an emulator, and logs that it cannot.
        logging.getLogger("google.cloud.bigtable.data._metrics.data_model").setLevel(logging.ERROR)
    found = property(lambda self: host, lambda self, value: None)
    return type(client.__name__, (client,), {"_emulator_host": found})
