"""The scripts of cbt and gcloud, run: by cbt against a server, by gcloud against one that records what it is sent."""

import json
import os
import shlex
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from attrs import asdict, evolve, frozen
from btmodel_codegen import generate
from google.cloud.bigtable_admin_v2.types import CreateTableRequest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from btmodel import emulator
from btmodel.client import admin_messages
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.codecs.key import Text
from btmodel.migrate import bring
from btmodel.schema import (
    Aggregate,
    Family,
    GcChange,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Table,
    TableSettings,
    Union,
    tables,
)
from btmodel.schema.gc import simplified
from btmodel.schema.limits import BACKUPS_KEPT, COLD_AFTER, STREAM_KEPT
from btmodel.schema.model import OFF
from tests.codegen.forked_gcloud import ForkedGcloud
from tests.codegen.golden import CASES, case, load
from tests.gc_rules import RULES
from tests.googles_tools import NO_CREDENTIALS
from tests.schemas import key_of, model_of

few = settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
LIMITS: st.SearchStrategy[GcRule] = st.one_of(
    st.integers(1, 2**31 - 1).map(MaxVersions),
    st.integers(1, 10**14).map(lambda millis: MaxAge(timedelta(milliseconds=millis))),
)
FINE: st.SearchStrategy[GcRule] = st.integers(1000, 10**10).map(
    lambda micros: MaxAge(timedelta(microseconds=micros))
)


def times(least: timedelta, most: timedelta) -> st.SearchStrategy[timedelta]:
    """Lengths of time to the millisecond, from ``least`` to ``most``."""
    milli = timedelta(milliseconds=1)
    return st.integers(least // milli, min(most, timedelta(days=100_000)) // milli).map(
        lambda some: some * milli
    )


@st.composite
def tables_of(draw: st.DrawFn, rules: st.SearchStrategy[GcRule]) -> ModelSchema:
    """A model with many families, of as many rules, and with awkward names."""
    names = st.text("-_.aZ9", min_size=1, max_size=6)
    families = tuple(
        Family(id, draw(rules)) for id in draw(st.lists(names, min_size=1, max_size=30, unique=True))
    )
    table = draw(st.sampled_from("_aZ9")) + draw(st.text("-_.aZ9", max_size=20))
    return evolve(model_of(key_of(Text(max_length=3)), families=families), table=table)


def run_cbt(script: Path, models: Sequence[ModelSchema], host: str, instance: str) -> None:
    """Run the cbt script of some models."""
    script.write_text(generate(models, ["cbt"])["tables.cbt.sh"])
    environment = {
        **os.environ,
        **NO_CREDENTIALS,
        emulator.VARIABLE: host,
        "PROJECT": instance.split("/")[1],
        "INSTANCE": instance.split("/")[3],
    }
    subprocess.run(["sh", str(script)], env=environment, check=True, capture_output=True)


def assert_makes_what_migrate_makes(
    models: Sequence[ModelSchema], tmp_path: Path, server: emulator.Emulator
) -> None:
    """The cbt script of the models leaves the tables and families that ``btmodel migrate`` leaves.

    Rules are the same by meaning: of three parts, cbt makes two, of which the first is of two.
    """
    if shutil.which("cbt") is None:
        pytest.skip("cbt is not installed (gcloud components install cbt)")
    instance = f"projects/test/instances/i{uuid.uuid4().hex[:12]}"
    run_cbt(tmp_path / "tables.cbt.sh", models, server.host, instance)
    with Admin(Target(instance, server.host)) as admin:
        by_script = admin.read_tables()
    with Admin(Target(f"{instance}x", server.host)) as admin:
        bring(admin, tables(models))
        migrated = admin.read_tables()
    assert [shape(table) for table in by_script] == [shape(table) for table in migrated]
    for table, wanted in zip(by_script, migrated, strict=True):
        for family, other in zip(table.families, wanted.families, strict=True):
            assert family.gc is not None
            assert other.gc is not None
            assert family.gc.compared_to(other.gc) is GcChange.EQUAL


def shape(table: Table) -> tuple[str, list[tuple[str, Aggregate | None]]]:
    """A table without its rules."""
    return table.id, [(family.id, family.aggregate) for family in table.families]


@case
def test_the_cbt_script_makes_the_tables_that_migrate_makes(
    folder: Path, tmp_path: Path, server: emulator.Emulator
) -> None:
    """The script, run by a shell with cbt against a server, leaves what ``btmodel migrate`` leaves."""
    # cbt makes no views, and the emulator has none.
    assert_makes_what_migrate_makes([one for one in load(folder) if not one.view], tmp_path, server)


@given(model=tables_of(RULES))
@few
def test_cbt_reads_every_rule_as_migrate_sends_it(
    model: ModelSchema, tmp_path: Path, server: emulator.Emulator
) -> None:
    """Whatever rules are nested in each other, cbt makes of its words the rules that ``btmodel migrate`` makes."""
    assert_makes_what_migrate_makes([model], tmp_path, server)


@frozen
class Recorder:
    """A server that answers every request of gcloud, and keeps what it was sent."""

    environment: dict[str, str]
    requests: list[tuple[str, dict[str, Any]]]

    def run(self, script: Path, text: str) -> "subprocess.CompletedProcess[str]":
        """Run a script with gcloud pointed at this server, and no account of anybody's."""
        script.write_text(text)
        environment = {**self.environment, "CLOUDSDK_CONFIG": str(script.parent)}
        self.requests.clear()
        return subprocess.run(["sh", str(script)], env=environment, capture_output=True, text=True)


def environment_of_gcloud(url: str, config: Path) -> dict[str, str]:
    """An environment in which gcloud asks that server, without an account."""
    return {
        **os.environ,
        "PROJECT": "my-project",
        "INSTANCE": "my-instance",
        "CLOUDSDK_CONFIG": str(config),
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_BIGTABLEADMIN": url,
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "true",
        "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
        "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "true",
    }


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorder]:
    """A recording server on this machine."""
    if shutil.which("gcloud") is None:
        pytest.skip("gcloud is not installed (the Google Cloud SDK)")
    requests: list[tuple[str, dict[str, Any]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer the command that gcloud warms up with: there is no table; and that an operation is over."""
            self.answer(
                {"name": "operations/o", "done": True, "response": {"name": "v"}}
                if "/operations/" in self.path
                else None
            )

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            requests.append((self.path, json.loads(body)))
            # A view is made by an operation, which gcloud waits for.
            made = (
                {"name": "operations/o", "done": True, "response": {"name": "v"}}
                if "/materializedViews" in self.path
                else {}
            )
            self.answer(made)

        def answer(self, body: dict[str, Any] | None = None) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body or {}).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        environment = environment_of_gcloud(url, tmp_path_factory.mktemp("gcloud"))
        forked = ForkedGcloud(environment)
        path = f"{forked.folder}{os.pathsep}{environment['PATH']}"
        yield Recorder({**environment, "PATH": path}, requests)
        forked.close()
        server.shutdown()


def ours(model: Sequence[ModelSchema]) -> dict[str, CreateTableRequest]:
    """The requests of ``tables.json`` by table, as far as gcloud's script goes: row key schemas where they are stated."""
    found = {}
    stated = {table.id for table in tables(model) if table.settings.row_key_schema}
    for request in json.loads(generate(model, ["json"])["tables.json"])["requests"]:
        if request["tableId"] not in stated:
            request["table"].pop("rowKeySchema", None)
        found[request["tableId"]] = CreateTableRequest.from_json(json.dumps(request))
    return found


# What scripts make after the tables: the collection in the address, the list in ``tables.json``, and what is asked for.
PARTS = {
    "materializedViews": ("viewRequests", "materializedView"),
    "authorizedViews": ("authorizedViewRequests", "authorizedView"),
    "schemaBundles": ("schemaBundleRequests", "schemaBundle"),
}


def sent(recorder: Recorder) -> dict[str, CreateTableRequest]:
    """The requests that gcloud sent, by table."""
    bodies = [
        (path, body) for path, body in recorder.requests if not any(f"/{one}?" in path for one in PARTS)
    ]
    assert {path for path, _ in bodies} <= {"/v2/projects/my-project/instances/my-instance/tables?alt=json"}
    requests = [CreateTableRequest.from_json(json.dumps(body)) for _, body in bodies]
    return {request.table_id: request for request in requests}


@case
def test_gcloud_sends_the_requests_of_the_json(folder: Path, tmp_path: Path, recorder: Recorder) -> None:
    """gcloud sends what ``tables.json`` holds, but for the tables that a comment names as left out."""
    models = load(folder)
    text = generate(models, ["gcloud"])["tables.gcloud.sh"]
    ran = recorder.run(tmp_path / "tables.gcloud.sh", text)
    left_out = {line.split()[1] for line in text.splitlines() if line.startswith("# ") and "left out" in line}
    assert sent(recorder) == {id: one for id, one in ours(models).items() if id not in left_out}
    parts = [
        (path.partition(f"{made}Id=")[2], body)
        for path, body in recorder.requests
        for kind, (_, made) in PARTS.items()
        if f"/{kind}?" in path
    ]
    document = json.loads(generate(models, ["json"])["tables.json"])
    wanted = [
        (one[f"{made}Id"], one[made]) for named, made in PARTS.values() for one in document.get(named, [])
    ]
    if wanted:  # gcloud shows what was made, which this server has not, and so the script ends with the first
        wanted = wanted[:1]
    else:
        assert ran.returncode == bool(left_out), ran.stderr
    assert parts == wanted
    assert all(id in ran.stderr for id in left_out)


def test_gcloud_sends_a_schema_bundle(tmp_path: Path, recorder: Recorder) -> None:
    """The script gives gcloud the descriptors of a bundle as they are."""
    [folder] = [one for one in CASES if one.name == "parts"]
    models = [evolve(model, authorized=()) for model in load(folder)]
    recorder.run(tmp_path / "tables.gcloud.sh", generate(models, ["gcloud"])["tables.gcloud.sh"])
    [[path, body]] = [one for one in recorder.requests if "/schemaBundles?" in one[0]]
    [wanted] = json.loads(generate(models, ["json"])["tables.json"])["schemaBundleRequests"]
    assert path.partition("?")[0].endswith("/tables/ORDER/schemaBundles")
    assert "schemaBundleId=MESSAGES" in path
    assert body == wanted["schemaBundle"]


@given(
    model=tables_of(
        st.one_of(
            LIMITS,
            st.just(KeepAll()),
            st.tuples(LIMITS, LIMITS).map(Union),
            st.tuples(LIMITS, LIMITS).map(Intersection),
        )
    )
)
@few
def test_gcloud_reads_every_rule_that_it_is_given(
    model: ModelSchema, tmp_path: Path, recorder: Recorder
) -> None:
    """Of every rule of two parts at most, of ages to the millisecond, gcloud sends what the JSON says."""
    ran = recorder.run(tmp_path / "tables.gcloud.sh", generate([model], ["gcloud"])["tables.gcloud.sh"])
    assert ran.returncode == 0, ran.stderr
    assert sent(recorder) == ours([model])


SETTINGS = st.builds(
    TableSettings,
    deletion_protection=st.none() | st.booleans(),
    change_stream=st.none() | st.just(OFF) | times(*STREAM_KEPT),
    automated_backups=st.none() | st.just(OFF) | times(*BACKUPS_KEPT),
    tiered_storage=st.none() | st.just(OFF) | times(*COLD_AFTER),
)


@given(model=tables_of(st.just(KeepAll())), stated=SETTINGS)
@few
def test_gcloud_reads_all_settings(
    model: ModelSchema, stated: TableSettings, tmp_path: Path, recorder: Recorder
) -> None:
    """Of every setting that is stated, of times to the millisecond, gcloud sends what the JSON says."""
    model = evolve(model, settings=stated)
    ran = recorder.run(tmp_path / "tables.gcloud.sh", generate([model], ["gcloud"])["tables.gcloud.sh"])
    assert ran.returncode == 0, ran.stderr
    assert sent(recorder) == ours([model])


@given(stated=SETTINGS)
def test_the_json_asks_for_the_settings(stated: TableSettings) -> None:
    """The request makes what ``btmodel migrate`` makes of the same settings."""
    model = evolve(model_of(key_of(Text(max_length=3))), settings=stated, row_key_schema=True)
    (made,) = tables([model])
    found = ours([model])[made.id].table
    assert admin_messages.settings_of(found) == made.settings.over(TableSettings(False, OFF, OFF, OFF, ""))


def test_what_gcloud_would_round_is_left_out() -> None:
    """A time finer than a millisecond is named in a comment, and the script ends with an error."""
    fine = TableSettings(change_stream=timedelta(days=1, microseconds=1))
    text = generate([evolve(model_of(key_of(Text(max_length=3))), settings=fine)], ["gcloud"])[
        "tables.gcloud.sh"
    ]
    assert "#   change_stream is 86400000001us: gcloud rounds what is finer than a millisecond" in text
    assert text.endswith("exit 1\n")


@case
def test_cbt_names_the_settings_that_it_leaves_out(folder: Path) -> None:
    """Above the command of a table that is to have settings stands which those are."""
    lines = generate(load(folder), ["cbt"])["tables.cbt.sh"].splitlines()
    for table in tables(load(folder)):
        (command,) = (number for number, line in enumerate(lines) if f" createtable {table.id} " in line)
        on = [name for name, value in asdict(table.settings).items() if value]
        assert ("cbt cannot set" in lines[command - 1]) == bool(on)
        assert all(name in lines[command - 1] for name in on)


@given(model=tables_of(RULES | LIMITS | FINE), aggregate=st.sampled_from([None, *Aggregate]))
def test_gcloud_is_given_nothing_that_it_would_misread(
    model: ModelSchema, aggregate: Aggregate | None
) -> None:
    """A table with an aggregate, a nested rule or a fine age has no command, but a comment; of any other each word is one word."""
    first, *rest = model.families
    model = evolve(model, families=(evolve(first, aggregate=aggregate), *rest))
    text = generate([model], ["gcloud"])["tables.gcloud.sh"]
    words = [shlex.split(line) for line in text.splitlines() if line.startswith("gcloud ")]
    rules = [simplified(family.gc) for family in model.families if family.gc]
    nested = any(len(list(rule.thresholds())) > 2 for rule in rules)
    fine = any("us" in str(rule) for rule in rules)
    if not words:
        assert f"# {model.table} is left out" in text
        assert text.endswith("exit 1\n")
    else:
        [command] = words
        assert aggregate is None
        assert not nested
        assert not fine
        assert command[5:8] == [model.table, "--project=$PROJECT", "--instance=$INSTANCE"]
        [families] = command[8:]
        assert not set("()") & set(families)
        assert {part.split(":")[0] for part in families.removeprefix("--column-families=").split(",")} == {
            family.id for family in model.families
        }
