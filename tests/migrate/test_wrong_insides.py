"""Files whose checksum is right, or that need none, and whose insides no btmodel wrote: one sentence, whatever they hold."""

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_instance import MemoryInstance
from saving import save
from some_tables import ONE, QUOTE, WEEK, table

from btmodel.cli.migrate.diff import read_schema
from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate import read_plan
from btmodel.migrate.planning.saved import load
from btmodel.migrate.revisions.folder import read

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["table", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "plan.json"


def sealed(path: Path, **wrong: Any) -> None:
    """A plan with these insides, and with the checksum that fits them."""
    save(read_plan(MemoryInstance((table("QUOTE", MD=WEEK),)), (QUOTE,), ["tighten-gc:QUOTE.MD"]), path)
    data = {**json.loads(path.read_text()), **wrong}
    del data["checksum"]
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    path.write_text(json.dumps({**data, "checksum": hashlib.sha256(text.encode()).hexdigest()}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"plan": {}},
        {"plan": {"changes": None}},
        {"plan": {"changes": [1]}},
        {"plan": {"changes": [{}]}},
        {"plan": {"changes": [{"table": []}]}},
        {"plan": {"changes": [{"table": float("nan")}]}},
        {"allowed": [1]},
        {"allowed": [[1]]},
        {"live": {"QUOTE": 3}},
    ],
    ids=str,
)
def test_a_sealed_plan_with_wrong_insides(path: Path, wrong: dict[str, Any]) -> None:
    """What no plan holds is refused as no plan is."""
    sealed(path, **wrong)
    with pytest.raises(
        MigrationError, match=r"plan\.json is not a saved plan: expected what `btmodel migrate plan"
    ):
        load(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["allowed", "declared", "live", "plan", "changes"]), ANYTHING)
def test_any_insides(path: Path, name: str, wrong: Any) -> None:
    """Whatever stands in a sealed plan, it is read, or refused in a sentence; so it is when it is held against live."""
    sealed(path, **({"plan": {"changes": wrong}} if name == "changes" else {name: wrong}))
    with contextlib.suppress(MigrationError):
        load(path).read_again(MemoryInstance((table("QUOTE", MD=ONE),)))


def nested(depth: int) -> dict[str, Any]:
    """Tables with a rule of so many rules in one another."""
    rule: dict[str, Any] = {"max_versions": 1}
    for _ in range(depth - 1):
        rule = {"union": [rule]}
    return {"QUOTE": {"families": {"MD": {"gc": rule}}}}


@pytest.mark.parametrize("depth", [101, 300, 400])
def test_rules_that_are_nested_too_deep(path: Path, depth: int) -> None:
    """Rules in rules in rules are refused with their place, in a schema file, a saved plan and a revision alike."""
    told = "table 'QUOTE', family 'MD', gc: rules are nested too deep to be read: expected up to 100"
    schema = path.with_name("schema.json")
    schema.write_text(json.dumps({"tables": nested(depth)}))
    with pytest.raises(DeclarationError, match=rf"schema\.json: {told}"):
        read_schema(schema)
    sealed(path, declared=nested(depth))
    with pytest.raises(MigrationError, match=rf"plan\.json: {told}"):
        load(path)
    revision = path.with_name("0001_deep.toml")
    rule = "{ union = [" * (depth - 1) + "{ max_versions = 1 }" + "] }" * (depth - 1)
    revision.write_text(f'format = 1\nmessage = "deep"\n[tables.QUOTE.families]\nMD = {{ gc = {rule} }}\n')
    with pytest.raises(MigrationError, match=r"0001_deep\.toml: .*nested too deep to be read"):
        read(revision)


def test_as_deep_as_may_be(path: Path) -> None:
    """A hundred rules in one another are read."""
    path.write_text(json.dumps({"tables": nested(100)}))
    assert [one.id for one in read_schema(path)] == ["QUOTE"]


def test_other_values_that_are_nested_too_deep(path: Path) -> None:
    """Whatever is nested is refused in a sentence."""
    for depth in range(100, 900, 100):
        deep = json.loads("[" * depth + "]" * depth)
        path.write_text(json.dumps({"tables": {"QUOTE": {"families": deep}}}))
        with pytest.raises(DeclarationError, match=r"plan\.json: "):
            read_schema(path)
