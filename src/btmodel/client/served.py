"""Google's data client for a server on this machine."""

import logging
import warnings
from functools import partial
from typing import Any

import grpc

from btmodel.client.channels import UNLIMITED, Options


def served_at(client: Any, host: str | None, options: Options = ()) -> Any:
    """The client class ``client`` for a server at ``host``, or for the service, whatever the environment says.

    The client looks for an emulator in the environment alone. That is the whole
    process's: to change it while one client is made would mislead another, made by
    another thread. So the attribute that holds what was found is fixed instead.

    Its channels, those that it exchanges old ones for among them, get ``options``, too.
    """
    if host is not None:
        warnings.filterwarnings("ignore", message="Connecting to Bigtable emulator")
        # The client measures nothing on an emulator, and logs that it cannot.
        logging.getLogger("google.cloud.bigtable.data._metrics.data_model").setLevel(logging.ERROR)

    kind: Any

    def channel(self: Any, *args: Any, **settings: Any) -> Any:
        settings["options"] = [*settings.get("options", ()), *options]
        made = super(kind, self)._build_grpc_channel(*args, **settings)
        # To a server on this machine the client makes a channel without any options.
        return made if host is None else _plain_channel(made, host, options)

    found = property(lambda self: host, lambda self, value: None)
    kind = type(client.__name__, (client,), {"_emulator_host": found, "_build_grpc_channel": channel})
    return kind


def _plain_channel(made: Any, host: str, options: Options) -> Any:
    """A channel of the kind of ``made``, which is exchanged in the same way, with options."""
    if not hasattr(made, "swap_channel"):
        return made  # an older client's
    wrapped: Any = type(made)
    if isinstance(made, grpc.aio.Channel):
        return wrapped(partial(grpc.aio.insecure_channel, host, [*UNLIMITED, *options]))
    made.close()
    return wrapped(partial(grpc.insecure_channel, host, [*UNLIMITED, *options]))
