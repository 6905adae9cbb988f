"""How clients are told where a server is: by the environment, which is the only way that all of them have."""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from btmodel.emulator import VARIABLE

DATA_MODEL = "google.cloud.bigtable.data._metrics.data_model"


@frozen
class Place:
    """An instance, and where it is served. ``server`` is what people call that server."""

    server: str
    host: str
    instance: str

    @property
    def project_id(self) -> str:
        """The project's id."""
        return self.instance.split("/")[1]

    @property
    def instance_id(self) -> str:
        """The instance's id."""
        return self.instance.split("/")[3]

    def table_name(self, table: str) -> str:
        """The whole name of a table."""
        return f"{self.instance}/tables/{table}"

    @contextmanager
    def named(self) -> Iterator[None]:
        """Clients that are made meanwhile speak to this server."""
        before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = self.host
        # The client measures nothing on an emulator, and says so.
        logging.getLogger(DATA_MODEL).setLevel(logging.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        finally:
            if before is None:
                del os.environ[VARIABLE]
            else:
                os.environ[VARIABLE] = before
