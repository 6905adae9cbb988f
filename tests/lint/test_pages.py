"""The page of every rule, run as its test, and the table of rules itself."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import btmodel as bt
from btmodel.lint import RULES, Finding, Level, Rule, RulePage, review_all, rules
from btmodel.lint.rule import SECTIONS

ROOT = Path(__file__).parents[2]
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


def findings(source: str) -> tuple[Finding, ...]:
    """What is found on the models that ``source`` declares, whether or not rules refuse one.

    Raises :class:`bt.DeclarationError` for a class that has another fault than what rules find.
    """
    scope: dict[str, Any] = {"__name__": "page"}
    try:
        exec(compile(source, "page.py", "exec"), scope)
    except bt.DeclarationError as error:
        found = tuple(each for each in error.findings if isinstance(each, Finding))
        if not found or len(found) < len(error.findings):
            raise
        return found
    models = [value for value in scope.values() if isinstance(value, type) and issubclass(value, bt.Model)]
    assert models
    return review_all([bt.schema_of(model) for model in models])


def findings_of(rule: Rule[Any], section: str) -> tuple[Finding, ...]:
    """What is found on the models of a section; that figures are missing, which it has no room for, is left out."""
    found = findings(RulePage.parse(rule.page).sections[section])
    return tuple(each for each in found if each.rule != "FIG001" or rule.id == "FIG001")


@every_rule
def test_the_example_of_a_page_is_flagged_by_its_rule_alone(rule: Rule[Any]) -> None:
    """What a page shows as wrong is found, once, by that rule and by no other."""
    assert [found.rule for found in findings_of(rule, "Example")] == [rule.id]


@every_rule
def test_the_fixed_example_of_a_page_is_clean(rule: Rule[Any]) -> None:
    """What a page tells to use instead has no finding at all."""
    assert findings_of(rule, "Use instead") == ()


# The rules whose fix no model can say, or not yet, and why; those of all others are proved before they are shown.
IN_WORDS = {
    "ALW001": "why a rule may be broken only the author knows",
    "ALW002": "an id that no rule has is a misprint or a rule that is gone",
    "ALW003": "it is proved by what the model has been found to break",
    "ALW004": "what is a limit of the service is fixed by the fix of the limit",
    "COL007": "what the application asks only the author knows",
    "COL008": "under which id an event is written again only the author knows",
    "FAM009": "which of two rules is meant only the author knows",
    "FIG001": "an estimate only the author knows",
    "FIG002": "which of two estimates is wrong only the author knows",
    "QRY002": "a family is moved with all queries that read it, which is worked out in its sentence",
    "QRY004": "the price of a salt is stated, and there may be no better key",
    "QRY006": "what is written along with a row comes from another table",
    "QRY007": "which model is meant only the author knows",
    "ROW009": "where a reader begins it has to remember, outside of the model",
    "TAB001": "which kinds of rows belong together only the author knows",
}


@every_rule
def test_a_fix_is_proved_or_there_is_a_reason_why_it_is_in_words(rule: Rule[Any]) -> None:
    """The example of a page leads to models that hold, but for the rules that the table lists, and a new rule has to choose."""
    (finding,) = (
        one for one in findings(RulePage.parse(rule.page).sections["Example"]) if one.rule == rule.id
    )
    assert bool(finding.models) is (rule.id not in IN_WORDS)


def test_a_page_whose_class_cannot_be_made_is_not_clean() -> None:
    """A fault of the declaration, which no rule finds, is raised: it is neither nothing nor a finding."""
    wrong = RulePage.parse(RULES[0].page).sections["Use instead"].replace("bt.key(", "bt.key(1, ", 1)
    with pytest.raises(bt.DeclarationError):
        findings(wrong)


def test_pages_are_complete() -> None:
    """A page begins with the id and the name of its rule, and no section of it is empty."""

    def is_complete(rule: Rule[Any]) -> bool:
        page = RulePage.parse(rule.page)
        begins = page.title.startswith(f"{rule.id} {rule.name}: ")
        return begins and all(page.sections[name] for name in SECTIONS)

    wrong = [rule.id for rule in RULES if not is_complete(rule)]
    assert not wrong, "\n".join(wrong)


def test_pages_say_whether_the_rule_can_be_allowed() -> None:
    """The page of a hard limit says that it cannot be suppressed, and only such a page does."""

    def says_never(rule: Rule[Any]) -> bool:
        return "cannot be suppressed" in " ".join(RulePage.parse(rule.page).sections["Allow"].split())

    never = [rule.id for rule in RULES if rule.limit or rule.id.startswith("ALW")]
    assert [rule.id for rule in RULES if says_never(rule)] == never


def test_rules_are_in_the_files_of_their_names() -> None:
    """A rule is found by its id and name: in the file called after both, whose docstring is its page."""

    def file_of(rule: Rule[Any]) -> str:
        return f"{rule.id}_{rule.name}".lower().replace("-", "_")

    for rule in RULES:
        module = sys.modules[rule.check.__module__]
        assert module.__name__ == f"btmodel.lint.rules.{file_of(rule)}"
        assert rule.page == module.__doc__, f"the page of {rule.id} is not the docstring of {module.__name__}"
        assert inspect.getdoc(rule.check), f"{rule.id}: its function has no docstring"
    files = {path.stem for path in Path(rules.__file__).parent.glob("*.py")} - {"__init__"}
    unlisted = files - {file_of(rule) for rule in RULES}
    assert not unlisted, f"in lint/rules, but not in lint/catalogue.py: {sorted(unlisted)}"


def test_ids_and_names_are_unique() -> None:
    """An id stands for one rule, and so does a name."""
    assert len({rule.id for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


@every_rule
def test_the_levels_of_a_rule_are_those_of_its_findings(rule: Rule[Any]) -> None:
    """The usual level of a rule is the one that its example has, and hard limits are errors."""
    found = findings_of(rule, "Example")
    assert [each.rule for each in found] == [rule.id]
    assert found[0].level in rule.levels
    assert not rule.limit or Level.ERROR in rule.levels


def test_the_reference_is_what_the_rules_say() -> None:
    """Every page of docs/rules is what codegen/rule_pages.py makes of the rules, and none is missing or left over."""
    checked = subprocess.run(
        [sys.executable, "codegen/rule_pages.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_page_of_another_form_is_refused() -> None:
    """A page without its sections is an error, not a page with holes."""
    with pytest.raises(ValueError, match="X1: expected the sections"):
        RulePage.parse("X1\n\nWhy\n    because\n")
