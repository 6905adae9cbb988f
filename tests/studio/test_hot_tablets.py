"""The hot tablets that the service tells, by a service whose answers are made up: the local server tells none."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import grpc
from google.cloud import bigtable_admin_v2 as api

from btmodel.client.target import Target
from btmodel.studio.state import Studio
from examples.market import Quote
from tests.fake_bigtable import answering
from tests.studio.conftest import running
from tests.studio.test_studio_pages import sound

INSTANCE = "projects/p/instances/i"
CLUSTERS = api.ListClustersResponse(clusters=[api.Cluster(name=f"{INSTANCE}/clusters/c")])
AT = datetime(2026, 1, 5, 8, 30, tzinfo=UTC)


def tablet(table: str, start: str, cpu: float) -> api.HotTablet:
    return api.HotTablet(
        name=f"{INSTANCE}/clusters/c/hotTablets/{table}{cpu}", table_name=f"{INSTANCE}/tables/{table}", start_key=start,
        end_key="NYSE  #J", node_cpu_usage_percent=cpu, start_time=AT, end_time=AT.replace(minute=40),
    )  # fmt: skip


HOT = [
    tablet("QUOTE", "NYSE  #IBM  #1426535612406", 12.4),
    tablet("OTHER", "elsewhere", 99),
    tablet("QUOTE", "<b>", 87.6),
]


def answers(path: str, request: bytes, call: Any) -> Iterator[bytes]:
    method = path.rpartition("/")[2]
    if method == "ListClusters":
        yield api.ListClustersResponse.serialize(CLUSTERS)
    elif method == "ListHotTablets":
        yield api.ListHotTabletsResponse.serialize(api.ListHotTabletsResponse(hot_tablets=HOT))
    else:
        call.abort(grpc.StatusCode.UNIMPLEMENTED, method)


def test_hot_tablets_of_the_table_are_listed() -> None:
    """Those of the model's table alone, the hottest first, with the fields of their keys where they begin with one."""
    with answering(answers) as target, running(Studio(target, "far", (Quote,))) as studio:
        page = sound(studio.get("/models/Quote/load", **{"for": "1h"}).text)
    assert "elsewhere" not in page
    assert page.index("88 %") < page.index("12 %")
    assert "symbol=IBM" in page
    assert "2026-01-05 08:30 to 08:40" in page
    assert "&lt;b&gt;" in page
    assert "Good:" in page


def test_who_may_not_list_them_is_told_that_none_are(monkeypatch: Any) -> None:
    """Without the right to it, the page says where they would come from."""

    def refuses(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        call.abort(grpc.StatusCode.PERMISSION_DENIED, "no")
        yield b""

    with (
        answering(refuses) as target,
        running(Studio(Target(target.instance, target.host), "far", (Quote,))) as studio,
    ):
        page = studio.get("/models/Quote/load", **{"for": "1h"}).text
    assert "does not report hot tablets" in page
