"""Reads of views by the client: how they are routed, and what is said where the library or the server has none."""

from types import SimpleNamespace
from typing import Any

import pytest
from google.cloud.bigtable.data import BigtableDataClient

import btmodel as bt
from btmodel.client.call import Calls, opened
from btmodel.errors import MissingTable, SettingsError
from btmodel.schema.view import VIEWS


class NoViews:
    """A client library that is older than views: it knows tables alone."""

    def get_table(self, instance_id: str, table: str, app_profile_id: str | None) -> str:
        return f"{instance_id}/{table}"


def test_an_older_library_is_refused_with_the_version_that_it_takes() -> None:
    """A library without views reads tables, and refuses a view with a sentence that says what to install."""
    assert opened(NoViews(), "i", "T", None) == "i/T"
    with pytest.raises(
        SettingsError, match=r"google-cloud-bigtable \d.* cannot read the view 'V': expected 2\.41 or newer"
    ):
        opened(NoViews(), "i", f"{VIEWS}V", None)


def test_a_view_is_routed_by_its_instance() -> None:
    """The routing header of a view names the instance, as the service knows no table of that name; that of a table the table."""

    def calls(**names: str) -> Calls:
        channel = SimpleNamespace(grpc_channel=None)
        info = SimpleNamespace(to_grpc_metadata=lambda: ("x-goog-api-client", "test"))
        client = SimpleNamespace(transport=channel, client_info=info)
        table: Any = SimpleNamespace(app_profile_id="p", client=client, **names)
        return Calls.of(table, None)

    view = calls(materialized_view_name="projects/p/instances/i/materializedViews/V")
    assert ("x-goog-request-params", "name=projects/p/instances/i&app_profile_id=p") in list(view.metadata)
    assert view.address == {"materialized_view_name": "projects/p/instances/i/materializedViews/V"}
    table = calls(table_name="projects/p/instances/i/tables/T")
    assert ("x-goog-request-params", "table_name=projects/p/instances/i/tables/T&app_profile_id=p") in list(
        table.metadata
    )
    assert table.address == {"table_name": "projects/p/instances/i/tables/T"}


@pytest.mark.skipif(
    not hasattr(BigtableDataClient, "get_materialized_view"), reason="this client library knows no views"
)
def test_a_view_that_is_not_there_is_said_to_be_a_view(bigtable: Any) -> None:
    """The error names the view, and the command that makes it."""
    db: bt.Database = bigtable()
    with pytest.raises(MissingTable, match=r"view 'NOWHERE' is not in .*: create it with `btmodel migrate`"):
        list(db.cells(f"{VIEWS}NOWHERE"))
