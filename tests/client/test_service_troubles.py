"""Trouble with the service itself: each kind is one message that says what to do. See ``fake_service``."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TABLE = "table 'QUOTE' in projects/p/instances/i: "


@pytest.fixture(scope="module")
def troubles() -> dict[str, Any]:
    """What came of each kind of trouble, on real connections with TLS and credentials."""
    command = [sys.executable, str(Path(__file__).with_name("fake_service.py"))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=True)
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def test_credentials_and_options_reach_the_service(troubles: dict[str, Any]) -> None:
    """The token, the quota project and the user agent go with a read over TLS."""
    assert troubles["well"] is True
    assert troubles["with await"] is True
    sent = troubles["sent"]
    assert sent["authorization"].startswith("Bearer token-")
    assert sent["x-goog-user-project"] == "payer"
    assert sent["user-agent"].startswith("shop/1.4 grpc-python/")


def test_a_token_that_expires_is_renewed_within_a_scan(troubles: dict[str, Any]) -> None:
    """A scan that breaks off goes on with a new token, and no row is lost or comes twice."""
    assert troubles["rows under a token that expires"] == 1000
    assert troubles["tokens"] == [4, 4]


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (
            "no permission to read",
            f"NotAllowed: {TABLE}not permitted to these credentials, which need bigtable.tables.readRows "
            "(role roles/bigtable.reader) (the service says: no bigtable.tables.readRows)",
        ),
        (
            "no permission to write",
            f"NotAllowed: {TABLE}not permitted to these credentials, which need bigtable.tables.mutateRows "
            "(role roles/bigtable.user) (the service says: no)",
        ),
        ("no permission to create", "which need bigtable.tables.create (role roles/bigtable.admin)"),
        (
            "token not accepted",
            f"NotAllowed: {TABLE}the service does not accept these credentials (Request had invalid authentication "
            "credentials.): renew them, as `gcloud auth application-default login` does, or connect with other "
            "`credentials`",
        ),
        ("no such instance", "or check the name of the instance"),
        ("quota", f"Unavailable: {TABLE}not taken now by the service (gave up after "),
        ("quota", " attempts), which says: Quota exceeded for quota metric 'Read requests'"),
        ("token cannot be renewed", f"Unavailable: {TABLE}the credentials cannot be renewed ("),
        (
            "token cannot be renewed",
            "Invalid JWT: not in a reasonable timeframe): check that they are still valid",
        ),
        ("token cannot be renewed", "and this machine's clock"),
        (
            "no credentials",
            f"ServerError: {TABLE}cannot connect to the service: Your default credentials were not found. To set up",
        ),
    ],
)
def test_trouble_says_what_to_do(troubles: dict[str, Any], trouble: str, message: str) -> None:
    """What is missing, and how to get it."""
    assert message in troubles[trouble]
