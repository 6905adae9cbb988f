"""The Terraform file: formatted as Terraform formats it, parsed back, and its text evaluated by Terraform."""

import base64
import json
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import hcl2
import pytest
from attrs import evolve
from btmodel_codegen import generate
from btmodel_codegen.terraform import quoted, resource_name
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.key import Text
from btmodel.schema import (
    Aggregate,
    AuthorizedView,
    Family,
    FamilySubset,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    TableSettings,
    Union,
    tables,
)
from btmodel.schema.gc import simplified
from btmodel.schema.limits import BACKUPS_KEPT, COLD_AFTER, FAMILY_ID, STREAM_KEPT, TABLE_ID
from btmodel.schema.model import OFF
from tests.codegen.golden import case, load
from tests.gc_rules import RULES
from tests.schemas import key_of, model_of

UNITS = {
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
    "ms": timedelta(milliseconds=1),
    "us": timedelta(microseconds=1),
}
ESCAPED = re.compile(r'\\[nrt"\\]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\$\$(?=\{)|%%(?=\{)')


def terraform() -> str:
    """The program."""
    found = shutil.which("terraform")
    if found is None:
        pytest.skip("terraform is not installed")
    return found


def text_of(literal: str) -> str:
    """The text of a quoted template of HCL without templates in it."""
    assert literal.startswith('"')
    assert literal.endswith('"')

    def character(found: re.Match[str]) -> str:
        match found[0][:2]:
            case "\\u" | "\\U":
                return chr(int(found[0][2:], 16))
            case "$$" | "%%":
                return found[0][0]
            case one:
                return {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}[one[1]]

    return ESCAPED.sub(character, literal[1:-1])


def rule_of(document: dict[str, Any]) -> GcRule:
    """The rule of the provider's JSON, by its own checks: a mode with two rules at least, or one rule."""
    match document:
        case {"max_age": str(text), **rest} if not rest:
            number, unit = re.fullmatch("([0-9]+)([a-z]+)", text).groups()  # type: ignore[union-attr]
            return MaxAge(int(number) * UNITS[unit])
        case {"max_version": int(number), **rest} if not rest:
            return MaxVersions(number)
        case {"mode": "union", "rules": [_, _, *_] as rules, **rest} if not rest:
            return Union(tuple(map(rule_of, rules)))
        case {"mode": "intersection", "rules": [_, _, *_] as rules, **rest} if not rest:
            return Intersection(tuple(map(rule_of, rules)))
    raise AssertionError(f"the provider refuses {document}")


def top_rule_of(expression: str) -> GcRule:
    """The rule of an expression ``jsonencode({...})``, whose objects are turned into JSON by hand."""
    found = re.fullmatch(r"(?:\$\{)?jsonencode\((.*?)\)\}?", expression, re.S)
    assert found is not None, expression
    document = json.loads(re.sub(r"([a-z_]+) *= *", r'"\1": ', found[1]))
    match document:
        case {"rules": [one], **rest} if not rest:
            return rule_of(one)
    return rule_of(document)


Shape = dict[str, dict[str, tuple[GcRule, str | None]]]


def parsed(text: str) -> Shape:
    """The tables of a file: of each family its rule, and its type."""
    document = hcl2.loads(text)
    resources = {kind: {} for kind in ('"google_bigtable_table"', '"google_bigtable_gc_policy"')}
    for block in document.get("resource", []):
        for kind, named in block.items():
            for name, body in named.items():
                if kind not in resources:
                    continue  # what a table has besides
                assert name not in resources[kind]
                resources[kind][name] = body
    found: Shape = {}
    for name, body in resources['"google_bigtable_table"'].items():
        assert body["project"] == "${var.project}"
        assert body["instance_name"] == "${var.instance}"
        assert text_of(body["deletion_protection"]) in ("PROTECTED", "UNPROTECTED")
        assert body["lifecycle"][0]["prevent_destroy"] is True
        policy = resources['"google_bigtable_gc_policy"'].pop(name, {"for_each": {}})
        rules = {text_of(id): top_rule_of(rule) for id, rule in policy["for_each"].items()}
        if rules:
            assert policy["table"] == f"${{google_bigtable_table.{name[1:-1]}.name}}"
            assert policy["column_family"] == "${each.key}"
            assert policy["gc_rules"] == "${each.value}"
        families = {text_of(one["family"]): one.get("type") for one in body["column_family"]}
        assert rules.keys() <= families.keys()
        found[text_of(body["name"])] = {
            id: (rules.get(id, KeepAll()), type and text_of(type)) for id, type in families.items()
        }
    assert not resources['"google_bigtable_gc_policy"']
    return found


def parsed_views(text: str) -> dict[str, tuple[str, bool]]:
    """The views of a file: of each its query, and whether it is protected."""
    named = [
        block.get('"google_bigtable_materialized_view"', {}) for block in hcl2.loads(text).get("resource", [])
    ]
    bodies = [body for one in named for body in one.values()]
    return {
        text_of(one["materialized_view_id"]): (text_of(one["query"]), one["deletion_protection"])
        for one in bodies
    }


def parsed_parts(text: str) -> tuple[dict[str, AuthorizedView], dict[str, bytes]]:
    """The authorized views and schema bundles of a file, each behind the id of its table."""
    blocks = [item for block in hcl2.loads(text).get("resource", []) for item in block.items()]
    bodies = [(kind, body) for kind, named in blocks for body in named.values()]

    def raws(one: dict[str, Any], name: str) -> tuple[bytes, ...]:
        return tuple(base64.b64decode(text_of(part)) for part in one[name])

    views = {}
    for kind, body in bodies:
        if kind == '"google_bigtable_authorized_view"':
            [subset] = body["subset_view"]
            subsets = tuple(
                FamilySubset(
                    text_of(one["family_name"]), raws(one, "qualifiers"), raws(one, "qualifier_prefixes")
                )
                for one in subset["family_subsets"]
            )
            id, protected = text_of(body["name"]), text_of(body["deletion_protection"]) == "PROTECTED"
            views[f"{body['table_name']} {id}"] = AuthorizedView(
                id, raws(subset, "row_prefixes"), subsets, protected
            )
    bundles = {
        f"{body['table']} {text_of(body['schema_bundle_id'])}": base64.b64decode(
            text_of(body["proto_schema"][0]["proto_descriptors"])
        )
        for kind, body in bodies
        if kind == '"google_bigtable_schema_bundle"'
    }
    return views, bundles


def declared(models: list[ModelSchema]) -> Shape:
    """The same of the schemas."""
    return {
        table.id: {
            family.id: (
                simplified(family.gc or KeepAll()),
                f"int{family.aggregate.value}" if family.aggregate else None,
            )
            for family in table.families
        }
        for table in tables(models)
    }


def formatted(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What ``terraform fmt -check`` says of a file."""
    (folder / "tables.tf").write_text(text)
    command = [terraform(), "fmt", "-check", "-diff", "tables.tf"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@case
def test_the_file_parses_back(folder: Path) -> None:
    """The resources have the tables, families, types and rules of the models, and protect the tables."""
    models = load(folder)
    text = generate(models, ["terraform"])["tables.tf"]
    assert parsed(text) == declared(models)
    found = tables(models)
    assert parsed_parts(text) == (
        {
            f"${{google_bigtable_table.{resource_name(table.id)}.name}} {view.id}": evolve(
                view, deletion_protection=view.deletion_protection is not False
            )
            for table in found
            for view in table.authorized
        },
        {
            f"${{google_bigtable_table.{resource_name(table.id)}.name}} {bundle.id}": bundle.descriptors
            for table in found
            for bundle in table.bundles
        },
    )
    views = [view for table in tables(models) for view in table.views]
    assert parsed_views(text) == {
        view.id: (view.query, view.deletion_protection is not False) for view in views
    }


@case
def test_terraform_leaves_the_file_as_it_is(folder: Path, tmp_path: Path) -> None:
    """``terraform fmt`` parses the file, and changes nothing."""
    checked = formatted(generate(load(folder), ["terraform"])["tables.tf"], tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@st.composite
def any_tables(draw: st.DrawFn) -> list[ModelSchema]:
    """Models of tables with every kind of id, family and rule."""
    found = []
    for table in draw(st.lists(st.from_regex(TABLE_ID.pattern, fullmatch=True), max_size=4, unique=True)):
        ids = draw(
            st.lists(st.from_regex(FAMILY_ID.pattern, fullmatch=True), min_size=1, max_size=4, unique=True)
        )
        aggregates = st.sampled_from([None, *Aggregate])
        families = tuple(Family(id, draw(RULES), draw(aggregates)) for id in ids)
        found.append(evolve(model_of(key_of(Text(max_length=3)), families=families), table=table))
    return found


@given(models=any_tables())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_tables_parse_back_and_are_formatted(models: list[ModelSchema], tmp_path: Path) -> None:
    """Whatever the ids and rules, the file says them, and ``terraform fmt`` parses it and changes nothing."""
    text = generate(models, ["terraform"])["tables.tf"]
    assert parsed(text) == declared(models)
    checked = formatted(text, tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def stated_in(body: dict[str, Any]) -> TableSettings:
    """The settings of a table in a file, as the provider reads them."""
    backups = body.get("automated_backup_policy")
    found = TableSettings(
        deletion_protection=text_of(body["deletion_protection"]) == "PROTECTED",
        change_stream=period_of(body.get("change_stream_retention")),
        automated_backups=period_of(backups and backups[0]["retention_period"]),
        row_key_schema=text_of(body["row_key_schema"]) if "row_key_schema" in body else None,
    )
    if backups:
        daily = timedelta(days=1) if found.automated_backups else OFF
        assert period_of(backups[0]["frequency"]) == daily
    return found


def period_of(literal: str | None) -> timedelta | None:
    if literal is None:
        return None
    number, unit = re.fullmatch("([0-9]+)([a-z]*)", text_of(literal)).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit] if unit else timedelta(0)


@given(
    stated=st.builds(
        TableSettings,
        deletion_protection=st.none() | st.booleans(),
        change_stream=st.none() | st.just(OFF) | st.timedeltas(*STREAM_KEPT),
        automated_backups=st.none() | st.just(OFF) | st.timedeltas(*BACKUPS_KEPT),
        tiered_storage=st.none() | st.just(OFF) | st.timedeltas(COLD_AFTER[0], timedelta(days=100_000)),
    ),
    schema=st.sampled_from([None, True, False]),
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_settings_parse_back(stated: TableSettings, schema: bool | None, tmp_path: Path) -> None:
    """Each that is stated is there, but for tiered storage, which a comment names; protected unless stated otherwise."""
    model = evolve(model_of(key_of(Text(max_length=3))), settings=stated, row_key_schema=schema)
    text = generate([model], ["terraform"])["tables.tf"]
    (body,) = hcl2.loads(text)["resource"][0]['"google_bigtable_table"'].values()
    (table,) = tables([model])
    assert stated_in(body) == evolve(
        table.settings,
        deletion_protection=stated.deletion_protection is not False,
        tiered_storage=None,
        row_key_schema=table.settings.row_key_schema or None,
    )
    assert ("# Tiered storage after" in text) == bool(stated.tiered_storage)
    checked = formatted(text, tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@given(
    first=st.from_regex(TABLE_ID.pattern, fullmatch=True),
    second=st.from_regex(TABLE_ID.pattern, fullmatch=True),
)
def test_resource_names_are_identifiers_and_tell_tables_apart(first: str, second: str) -> None:
    """Every id has a name that Terraform takes, and that no other id has."""
    assert re.fullmatch("[A-Za-z_][-A-Za-z0-9_]*", resource_name(first))
    assert (resource_name(first) == resource_name(second)) == (first == second)
    assert resource_name("a.b") != resource_name("a_b") != resource_name("_a_b")


@given(text=st.text() | st.text("${}%\"\\\n'#"))
def test_quoted_text_says_the_text(text: str) -> None:
    """Any text is a literal on one line, which ends nowhere else and says the text by HCL's escapes."""
    literal = quoted(text)
    assert text_of(literal) == text
    assert len(literal.splitlines()) == 1
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', literal)


@given(texts=st.lists(st.text(st.characters(max_codepoint=0x2FF)) | st.text("${}%\"\\\n'#"), max_size=40))
@example(
    texts=[
        "${a}",
        "$${",
        "$$${",
        "$$$${",
        "%{if}",
        "%%{",
        "%$${",
        "\\${",
        "$",
        "{",
        "#",
        "//",
        "/*",
        "\0",
        "é",
    ]
)
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_terraform_reads_quoted_text_as_the_text(texts: list[str], tmp_path: Path) -> None:
    """Terraform itself evaluates a quoted text to the text: nothing in it is a template, a comment or an end."""
    lines = [f"t{number} = {quoted(text)}" for number, text in enumerate(texts)]
    (tmp_path / "main.tf").write_text("\n".join(["locals {", *lines, "}", ""]))
    names = ", ".join(f"local.t{number}" for number in range(len(texts)))
    ran = subprocess.run(
        [terraform(), "console"],
        input=f"base64encode(jsonencode([{names}]))\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(base64.b64decode(ran.stdout.strip().strip('"'))) == texts


def test_an_age_that_the_provider_cannot_count_is_refused() -> None:
    """An age of more than 292 years is refused, not wrapped round."""
    families = (Family("f", bt.max_age(days=107_000)),)
    model = model_of(key_of(Text(max_length=3)), families=families)
    with pytest.raises(bt.GenerationError, match="Terraform cannot state an age of 107000d"):
        generate([model], ["terraform"])
