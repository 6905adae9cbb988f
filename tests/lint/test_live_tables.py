"""The rules on tables that are read from an instance: families, and nothing else."""

from datetime import timedelta
from typing import cast

from gc_rules import RULES as GC_RULES
from hypothesis import given
from hypothesis import strategies as st

from btmodel.cli.check import of_table
from btmodel.client.admin_messages import DeleteAll
from btmodel.lint import Level, errors, review, review_all
from btmodel.lint.catalogue import MODEL_RULES
from btmodel.schema import Aggregate, Family, KeepAll, MaxAge, MaxVersions, ModelSchema, Table
from btmodel.schema.column import OtherAggregate
from btmodel.schema.limits import TABLE_FAMILIES

INSTANCE = "projects/p/instances/i"
ONE = MaxVersions(1)

# Servers on this machine take names that the service refuses.
IDS = st.one_of(st.from_regex(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,49}", fullmatch=True), st.text(max_size=70))
AGGREGATES = st.sampled_from([None, *Aggregate, cast(Aggregate, OtherAggregate("hllpp_unique_count"))])
FAMILIES = st.builds(Family, IDS, GC_RULES | st.just(DeleteAll()), AGGREGATES)
TABLES = st.builds(Table, IDS, st.lists(FAMILIES, max_size=5, unique_by=lambda family: family.id).map(tuple))

# The rules of names and families; of personal data, a family's name tells as well as a key's.
OF_NAMES = ("FAM", "KEY010", "TAB006")


def live(id: str = "QUOTE", /, *families: Family) -> ModelSchema:
    return of_table(INSTANCE, Table(id, families))


def told(*models: ModelSchema) -> list[tuple[str, Level]]:
    return [(finding.rule, finding.level) for finding in review_all(models)]


@given(st.lists(TABLES, max_size=4, unique_by=lambda table: table.id))
def test_every_rule_copes_with_any_live_table(tables: list[Table]) -> None:
    """Names are judged, and families without a rule; of keys, columns and queries nothing is said."""
    models = [of_table(INSTANCE, table) for table in tables]
    for finding in review_all(models):
        assert finding.rule.startswith(OF_NAMES)
        assert finding.module == INSTANCE
        assert finding.model in {table.id for table in tables}
        assert finding.location is None
        assert str(finding)
        assert finding.as_json()
    for model in models:
        assert all(each.rule.startswith(OF_NAMES) for each in review(model))


def test_counters_need_no_rule() -> None:
    """A family that adds keeps no versions, so that it is to keep everything is no finding."""
    counters = (
        Family("c", KeepAll(), Aggregate.SUM),
        Family("o", KeepAll(), cast(Aggregate, OtherAggregate("h"))),
    )
    assert told(live("QUOTE", *counters)) == []


@given(TABLES)
def test_each_rule_copes_with_a_live_table(table: Table) -> None:
    """No rule of a single model expects a key field, a column or a query."""
    for rule in MODEL_RULES:
        for finding in rule.check(of_table(INSTANCE, table)):
            assert rule.id in {"FAM002", "FAM003", "FAM004", "FAM008", "KEY010", "TAB006"}, finding


def test_a_legal_table_is_clean() -> None:
    """A table of legal names, whose families have rules, has no finding."""
    assert told(live("QUOTE", Family("MD", ONE), Family("STAT", MaxAge(timedelta(days=7))))) == []


def test_a_live_family_without_a_rule_is_a_warning() -> None:
    """Whether it is to keep everything cannot be read, so it is no error; the fix says both."""
    (finding,) = review(live("QUOTE", Family("MD", KeepAll())))
    assert (finding.rule, finding.level, finding.place) == ("FAM004", Level.WARNING, "QUOTE.MD")
    assert finding.message == "family 'MD' has no GC rule"
    assert "`btmodel migrate`; where everything is to be kept, leave it so" in finding.fix


def test_too_many_live_families_are_information() -> None:
    """A live table is counted as one of models is; it exists already, so its families can only be copied."""
    families = [Family(f"f{number}", ONE) for number in range(TABLE_FAMILIES + 1)]
    assert told(live("QUOTE", *families)) == [("FAM001", Level.INFO)]
    assert told(live("QUOTE", *families[1:]), live("TRADE", *families[1:])) == []


def test_illegal_live_names_are_errors() -> None:
    """A server on this machine may have taken what the service refuses."""
    found = review_all([live("game players", Family("a family", ONE))])
    assert [finding.rule for finding in errors(found)] == ["FAM002", "TAB006"]


def test_a_live_family_is_not_renamed() -> None:
    """It has no attribute, and the service renames none: it is a new family and a copy, or stays."""
    (finding,) = review(live("QUOTE", Family("machine_measurements", ONE)))
    assert finding.rule == "FAM003"
    assert "cannot be renamed: make a new one" in finding.fix
    assert "attribute" not in finding.fix
