"""The API, from a request to the rows."""

import btmodel as bt
import pytest
from btmodel.pytest_plugin import Instances
from fastapi.testclient import TestClient

from fill import positions
from scooters.api import app
from scooters.generated.position_repository import PositionRepository
from scooters.models import Position


@pytest.fixture
def client(bigtable: Instances, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setenv("BTMODEL_INSTANCE", bigtable.path(Position))
    with bt.connect() as db:
        PositionRepository(db).put_many(positions())
    return TestClient(app)


def test_the_newest_position(client: TestClient) -> None:
    with client:
        assert client.get("/scooters/BX4021").json()["battery"] == 65
        assert client.get("/scooters/BX9999").status_code == 404


def test_pages(client: TestClient) -> None:
    with client:
        path = "/scooters/BX4021/positions"
        first = client.get(path, params={"size": 200}).json()
        second = client.get(path, params={"size": 200, "cursor": first["next"]}).json()
        assert (len(first["rows"]), len(second["rows"]), second["next"]) == (
            200,
            160,
            None,
        )


def test_what_is_wrong_is_said(client: TestClient) -> None:
    with client:
        answer = client.get("/scooters/a-name-that-is-too-long")
        assert answer.status_code == 422
        assert "scooter" in answer.json()["detail"]
