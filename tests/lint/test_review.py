"""The machinery: suppressions, order, the error of a class, JSON."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import DateText, Int, Text
from btmodel.lint import Finding, Level, errors, refusal, refuse, review, review_all, whole_review
from btmodel.lint.catalogue import MODEL_RULES, TOGETHER_RULES
from btmodel.schema import Aggregate, Column, Family, KeyField, Location, ModelSchema
from btmodel.schema.gc import max_age, max_versions

Make = Callable[..., ModelSchema]


def reviewed(models: Iterable[ModelSchema]) -> tuple[Finding, ...]:
    """The review of all; that models of few words lack figures is left out."""
    return tuple(finding for finding in review_all(models) if finding.rule != "FIG001")


def ids(model: ModelSchema) -> list[str]:
    return [finding.rule for finding in review(model)]


def test_an_allowed_finding_is_gone(a_model: Make) -> None:
    """A rule that the model allows with a reason finds nothing there, and the suppression is no finding."""
    assert ids(a_model(("day", DateText()))) == ["KEY001"]
    assert ids(a_model(("day", DateText()), allow={"KEY001": "one writer"})) == []


def test_what_is_allowed_can_be_told(a_model: Make) -> None:
    """The whole review has what is allowed and what is not, each finding in one of them."""
    before = whole_review([a_model(("day", DateText()))])
    after = whole_review([a_model(("day", DateText()), allow={"KEY001": "one writer"})])
    assert before.allowed == ()
    assert [finding.rule for finding in after.allowed] == ["KEY001"]
    assert {*after.findings, *after.allowed} == {*before.findings}


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_suppression_without_a_reason_does_not_count(a_model: Make, reason: str) -> None:
    """An empty reason is an error, and what it was to allow stays one."""
    assert ids(a_model(("day", DateText()), allow={"KEY001": reason})) == ["ALW001", "KEY001"]


@pytest.mark.parametrize(
    ("id", "near"),
    [
        ("KEY0001", "KEY001"),
        ("key001", "KEY001"),
        ("KEY1", "KEY001"),
        ("KEY19", "KEY019"),
        ("KEYS-2", "KEY002"),
        ("KEY999", None),
        ("KEY", None),
        ("ALW003", None),
        ("E501", None),
    ],
)
def test_an_unknown_rule_is_named_with_the_one_meant(a_model: Make, id: str, near: str | None) -> None:
    """A wrong id, one of a finding about suppressions included, is an error that says which was meant."""
    found = [finding for finding in review(a_model(allow={id: "why"})) if finding.rule == "ALW002"]
    assert len(found) == 1
    assert found[0].level is Level.ERROR
    assert ("did you mean" in found[0].message) == (near is not None)
    if near:
        assert f"did you mean {near}?" in found[0].message


def test_a_suppression_that_suppresses_nothing_is_a_warning(a_model: Make) -> None:
    """Once the mistake is fixed its suppression is to go, which refuses no class."""
    (found,) = review(a_model(allow={"KEY007": "legacy keys"}))
    assert (found.rule, found.level) == ("ALW003", Level.WARNING)
    refuse(a_model(allow={"KEY007": "legacy keys"}))


def test_a_suppression_of_a_rule_over_all_models_is_judged_with_all_models(a_model: Make) -> None:
    """A model alone cannot know whether the families of its table are too many: it is not told so."""
    model = a_model(allow={"FAM001": "measured"})
    assert ids(model) == []
    assert [finding.rule for finding in reviewed([model])] == ["ALW003"]


def test_a_hard_limit_cannot_be_allowed(a_model: Make) -> None:
    """The service's refusal stays an error, and the suppression is one, too."""
    bad = a_model(table="my table", allow={"TAB006": "the emulator takes it"})
    assert ids(bad) == ["ALW004", "TAB006"]
    assert all(finding.level is Level.ERROR for finding in review(bad))


def test_of_a_rule_with_a_limit_its_warning_can_be_allowed(a_model: Make) -> None:
    """KEY009 warns of long keys, which can be allowed, and refuses impossible ones, which cannot."""
    allow = {"KEY009": "paths are short"}
    assert ids(a_model(("path", Text(width=600)))) == ["KEY009"]
    assert ids(a_model(("path", Text(width=600)), allow=allow)) == []
    assert ids(a_model(("path", Text(max_length=6000)), allow=allow)) == ["ALW004", "KEY009"]


def test_a_class_is_refused_with_every_error_at_once() -> None:
    """One exception lists all errors of a class, each with its line and its fix, and holds the findings."""
    with pytest.raises(bt.DeclarationError) as caught:

        class Wrong(bt.Model, table="a table"):
            at: datetime = bt.key(bt.EpochMillis())
            number: int = bt.key(bt.Int(6))
            md = bt.family("MD")
            cellphone: int = bt.column("CELLPHONE_NUMBER", md)
            some = bt.query(between="number")

    text = str(caught.value)
    assert text.startswith("Wrong: 5 errors in its declaration\n")
    for id, fix in [
        ("FAM004", "`gc=bt.max_versions(1)`"),
        ("KEY001", "`{number}#{at}`"),
        ("KEY007", "`bt.PaddedInt(6)`"),
        ("QRY001", "`{number}#{at}`"),
        ("TAB006", '`table="a_table"`'),
    ]:
        assert id in text
        assert fix in text
    assert "COL001" not in text
    line = test_a_class_is_refused_with_every_error_at_once.__code__.co_firstlineno + 5
    assert f"Wrong.at ({__file__}:{line}): KEY001" in text
    rules = [finding.rule for finding in caught.value.findings if isinstance(finding, Finding)]
    assert rules == ["FAM004", "KEY001", "KEY007", "QRY001", "TAB006", "COL001"]


class Fine(bt.Model, table="FINE"):
    """A model that no rule flags."""

    id: int = bt.key(bt.PaddedInt(6))
    data = bt.family("data", gc=bt.max_versions(1))
    value: int = bt.column("value", data)


def test_a_model_without_errors_is_not_refused(a_model: Make) -> None:
    """Warnings alone refuse no class."""
    model = a_model(("path", Text(width=600)))
    assert [finding.level for finding in review(model)] == [Level.WARNING]
    assert errors(review(model)) == ()
    refuse(model)


def test_a_finding_is_flat_json_with_stable_keys(a_model: Make) -> None:
    """Programs read findings as JSON: the keys and the values are pinned here."""
    (finding,) = review(a_model(KeyField("n", Int(3), sequential=False, location=Location("models.py", 2))))
    assert json.loads(json.dumps(finding.as_json())) == {
        "rule": "KEY007",
        "name": "unpadded-number",
        "level": "warning",
        "limit": False,
        "module": "shop.models",
        "model": "Thing",
        "field": "n",
        "file": "models.py",
        "line": 2,
        "message": "the number `n` (up to 3 digits, not padded) does not sort as its values do",
        "why": "keys are compared byte by byte, so a range of such values is not a range of rows",
        "fix": "encode `n` as `bt.PaddedInt(3)`",
        "edit": {"argument": "codec", "text": "bt.PaddedInt(3)"},
        "simulated": None,
        "cost": None,
    }
    assert str(finding) == (
        "Thing.n (models.py:2): warning KEY007 unpadded-number: the number `n` (up to 3 digits, not padded) does "
        "not sort as its values do. Why: keys are compared byte by byte, so a range of such values is not a "
        "range of rows. Fix: encode `n` as `bt.PaddedInt(3)`."
    )


def test_a_part_without_a_line_has_that_of_its_model(a_model: Make) -> None:
    """A finding always has the nearest place that is known; none is needed for a live table."""
    assert review(a_model(("n", Int(3))))[0].location == Location("models.py", 1)
    nowhere = review(a_model(("n", Int(3)), location=None))[0]
    assert nowhere.as_json()["line"] is None
    assert nowhere.place == "Thing.n"


def test_findings_are_sorted_by_model_then_by_level_then_by_rule(a_model: Make) -> None:
    """The order of models given, and of rules in the table, does not show."""
    data = Family("data", max_versions(1))
    column = Column("n", "data", b"A_VERY_LONG_NAME", bt.DecimalText(), True)
    b = a_model(
        KeyField("n", Int(3), sequential=False),
        name="B",
        table="no table",
        families=(data,),
        columns=(column,),
    )
    a = evolve(b, name="A")
    found = reviewed([b, a])
    assert [(each.model, each.rule) for each in found] == [
        (model, rule) for model in "AB" for rule in ("TAB006", "COL001", "KEY007")
    ]
    assert found == reviewed([a, b])


def test_reviewing_all_finds_what_reviewing_each_does(a_model: Make) -> None:
    """A project's review holds the findings of each of its models."""
    models = [a_model(("n", Int(3)), name="A", table="A"), a_model(("day", DateText()), name="B", table="B")]
    assert reviewed(models) == (*review(models[0]), *review(models[1]))
    assert reviewed([]) == ()


def test_families_are_counted_over_the_models_of_a_table(a_model: Make) -> None:
    """Two models of 60 families each are too many for one table, and fine for two tables."""

    def model(name: str, table: str, first: int, count: int, **changes: Any) -> ModelSchema:
        families = tuple(Family(f"f{n}", max_versions(1)) for n in range(first, first + count))
        return a_model(name=name, table=table, families=families, **changes)

    small, large = model("A", "T", 0, 60), model("B", "T", 100, 61)
    (found,) = reviewed([small, large])
    assert (found.rule, found.model) == ("FAM001", "B")
    assert "table 'T' has 121 column families over its 2 models (B 61, A 60)" in found.message
    assert "21 fewer" in found.fix
    assert reviewed([small, model("B", "T", 40, 60)]) == ()
    assert reviewed([small, model("B", "U", 100, 61)]) == ()
    assert reviewed([small, evolve(large, allow={"FAM001": "measured"})]) == ()


def test_two_rules_for_one_family_are_found_over_all_models(a_model: Make) -> None:
    """Models of one table must agree on what a family keeps; models of other tables need not."""
    a = a_model(name="A", key=a_model(("a", Text(width=2))).key)
    b = a_model(name="B", families=(Family("data", max_age(days=1), location=Location("b.py", 9)),))
    (found,) = [finding for finding in reviewed([b, a]) if finding.rule == "FAM009"]
    assert (found.model, found.location) == ("B", Location("b.py", 9))
    assert "keeps only what is younger than 1d here and the newest 1 version in A" in found.message
    assert reviewed([a, evolve(b, table="OTHER")]) == ()
    unstated = evolve(b, families=(Family("data", None),))
    assert "FAM009" not in {finding.rule for finding in reviewed([a, unstated])}


def test_two_aggregates_of_one_family_are_found_over_all_models(a_model: Make) -> None:
    """Models of one table must agree on how a family aggregates."""
    a = a_model(name="A", families=(Family("data", max_versions(1)),))
    b = evolve(a, name="B", families=(Family("data", max_versions(1), Aggregate.SUM),))
    found = [finding for finding in reviewed([a, b]) if finding.rule == "FAM009"]
    assert [finding.model for finding in found] == ["B"]
    assert "holds aggregates (sum) here and plain cells in A" in found[0].message


def test_a_class_is_refused_by_every_rule_that_can(a_model: Make) -> None:
    """Only rules with errors are loaded for a class; those left out need several models to find one."""
    several = {"FAM009", "TAB001", "TAB005"}
    refusing = {rule.id for rule in (*refusal.OF_ONE, *refusal.TOGETHER)}
    erring = {rule.id for rule in (*MODEL_RULES, *TOGETHER_RULES) if Level.ERROR in rule.levels}
    assert refusing == erring - several
    for rule in TOGETHER_RULES:
        if rule.id in several:
            assert errors(tuple(rule.check((a_model(),)))) == ()
