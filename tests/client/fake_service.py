"""The Bigtable service as far as it differs from a server on this machine: TLS, credentials, and what it refuses.

Run as a program, as the roots of TLS are read once in a process: ``python fake_service.py`` tries each kind of trouble
on real connections to it, and prints what came of each as JSON. Behind it is the local server.
"""

import asyncio
import datetime
import ipaddress
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from google.auth.credentials import CredentialsWithQuotaProject
from google.auth.exceptions import RefreshError

import btmodel as bt
from btmodel import server
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes, the_message
from tests.fake_bigtable import answering, asked

INSTANCE = "projects/p/instances/i"
KEY = ("NASDAQ", "ZXZZT", QUOTE_TIME)
Code = grpc.StatusCode


def certificate(folder: Path) -> tuple[bytes, bytes]:
    """A key and a certificate for this machine, which the roots of this process are set to."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    roots = folder / "roots.pem"
    roots.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    os.environ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"] = str(roots)
    return pem, roots.read_bytes()


class Front:
    """Hands calls on to the local server, if ``refuse`` has nothing against their metadata."""

    def __init__(self, behind: grpc.Channel) -> None:
        self.behind = behind
        self.refuse: Callable[[str, dict[str, str]], tuple[Code, str] | None] = lambda method, sent: None
        self.came: list[tuple[str, dict[str, str]]] = []
        self.breaks = 0  # streams that end after their first message

    def answer(self, path: str, request: bytes, call: Any) -> Iterator[bytes]:
        """What the server behind answers."""
        method = path.rpartition("/")[2]
        sent = {item.key: item.value for item in call.invocation_metadata()}
        self.came.append((method, sent))
        refused = self.refuse(method, sent)
        if refused is not None:
            call.abort(*refused)
        if method == "PingAndWarm":
            return
        metadata = [(name, value) for name, value in sent.items() if name.startswith(("x-goog", "bigtable"))]
        for message in asked(self.behind, path, request, call, metadata):
            yield message
            if self.breaks and method == "ReadRows":
                self.breaks -= 1
                call.abort(Code.UNAVAILABLE, "connection reset")


class Token(CredentialsWithQuotaProject):
    """Credentials whose token is renewed by a function, and is valid for so many seconds."""

    def __init__(self, renew: Callable[[int], str], seconds: float = 3600) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.renew, self.seconds, self.renewed = renew, seconds, 0

    def with_quota_project(self, quota_project_id: str) -> "Token":
        other = Token(self.renew, self.seconds)
        other._quota_project_id = quota_project_id
        return other

    def refresh(self, request: Any) -> None:
        self.renewed += 1
        self.token = self.renew(self.renewed)
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        # Google's library takes a token for expired some minutes before it is.
        self.expiry = now + datetime.timedelta(seconds=self.seconds)


def outcome(act: Callable[[], object]) -> str:
    """What came of it, in words."""
    try:
        return str(act())
    except bt.BtmodelError as error:
        return f"{type(error).__name__}: {error}"


def cannot(number: int) -> str:
    raise RefreshError("invalid_grant: Invalid JWT: not in a reasonable timeframe")  # type: ignore[no-untyped-call]


def main() -> None:
    """Try all, and print what came."""
    results: dict[str, Any] = {}
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        local = opened.enter_context(server.start())
        own = certificate(Path(folder))
        os.environ.pop("BIGTABLE_EMULATOR_HOST", None)
        front = Front(grpc.insecure_channel(local.host))
        secure = grpc.ssl_server_credentials([own])
        port = str(opened.enter_context(answering(front.answer, credentials=secure)).host).rpartition(":")[2]
        place: dict[str, Any] = {"endpoint": f"localhost:{port}", "admin_endpoint": f"localhost:{port}"}
        good = Token(lambda number: f"token-{number}")

        def get(**options: Any) -> object:
            with bt.connect(INSTANCE, **{**place, "credentials": good, **options}) as db:
                return QuoteRepository(db).get(*KEY) == the_message()[0]

        with bt.connect(INSTANCE, **place, credentials=good) as db:
            bt.create_tables(db, Quote)
            QuoteRepository(db).put_many(made_up_quotes(2_000))
            QuoteRepository(db).put(the_message()[0])
        front.came.clear()
        results["well"] = get(
            quota_project="payer", user_agent="shop/1.4", app_profile="default", pool_size=2
        )
        [sent] = [sent for method, sent in front.came if method == "ReadRows"]
        results["sent"] = {
            name: sent.get(name) for name in ("authorization", "x-goog-user-project", "user-agent")
        }

        async def awaited() -> bool:
            async with bt.connect_async(INSTANCE, **place, credentials=good, pool_size=2, keepalive=30) as db:
                return await AsyncQuoteRepository(db).get(*KEY) == the_message()[0]

        results["with await"] = asyncio.run(awaited())
        front.refuse = lambda method, sent: (
            (Code.PERMISSION_DENIED, "no bigtable.tables.readRows") if method == "ReadRows" else None
        )
        results["no permission to read"] = outcome(get)
        front.refuse = lambda method, sent: (Code.PERMISSION_DENIED, "no") if method == "MutateRow" else None
        with bt.connect(INSTANCE, **place, credentials=good) as db:
            results["no permission to write"] = outcome(lambda: QuoteRepository(db).put(the_message()[0]))
        front.refuse = lambda method, sent: (
            (Code.PERMISSION_DENIED, "no") if method == "CreateTable" else None
        )
        with bt.connect("projects/p/instances/other", **place, credentials=good) as db:
            results["no permission to create"] = outcome(lambda: bt.create_tables(db, Quote))
        front.refuse = lambda method, sent: (
            Code.UNAUTHENTICATED,
            "Request had invalid authentication credentials.",
        )
        results["token not accepted"] = outcome(get)
        front.refuse = lambda method, sent: (
            (Code.NOT_FOUND, f"Instance {INSTANCE} not found") if method == "ReadRows" else None
        )
        results["no such instance"] = outcome(get)
        front.refuse = lambda method, sent: (
            (Code.RESOURCE_EXHAUSTED, "Quota exceeded for quota metric 'Read requests'")
            if method == "ReadRows"
            else None
        )
        with ThreadPoolExecutor(2) as pool:  # both wait for their deadlines at once; the latter sends nothing
            quota = pool.submit(outcome, lambda: get(deadline=6))
            renewing = pool.submit(outcome, lambda: get(credentials=Token(cannot), deadline=6))
        results["quota"], results["token cannot be renewed"] = quota.result(), renewing.result()
        front.refuse = lambda method, sent: None

        os.environ |= {"HOME": folder, "NO_GCE_CHECK": "true", "CLOUDSDK_CONFIG": folder}
        os.environ.pop("GOOGLE_APPLICATION_CREDENTIALS", None)
        results["no credentials"] = outcome(lambda: get(credentials=None))

        short = Token(lambda number: f"token-{number}", seconds=0.5)
        front.breaks = 3
        front.came.clear()
        with bt.connect(INSTANCE, **place, credentials=short) as db:
            results["rows under a token that expires"] = sum(
                1 for _ in QuoteRepository(db).by_symbol("NASDAQ", "ZXZZT")
            )
        tokens = [sent["authorization"] for method, sent in front.came if method == "ReadRows"]
        results["tokens"] = len(set(tokens)), len(tokens)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Google's client still tries to send its measurements
