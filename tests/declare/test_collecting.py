"""Collecting models: no class with an error hides what stands behind it."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

import btmodel as bt
from btmodel.declare import Declared, FollowUp, StandIn, collecting
from btmodel.errors import DeclarationError
from btmodel.lint import RULES, Finding, Rule, RulePage, errors, review, review_all

F = bt.family("f", gc=bt.max_versions(1))


def climbing() -> type[bt.Model]:
    """A class that a rule refuses."""

    class Climbing(bt.Model, table="climbing"):
        number: int = bt.key(bt.PaddedInt(4), sequential=True)
        f = F
        value: int = bt.column("v", f)
        by_number = bt.query("number")

    return Climbing


def hopeless() -> Any:
    """A class that no schema can be built of, with a method that needs its class."""

    class Hopeless(bt.Model, table="hopeless", evnts="5/s", delimiter=3):
        KINDS = ("a", "b")
        number: int = bt.key(bt.PaddedInt(4))
        f = F
        value: int = bt.column("v", f)
        by_number = bt.query("number")

        def twice(self) -> str:
            return super().__repr__() * 2

    return Hopeless


def good() -> type[bt.Model]:
    class Good(bt.Model, table="good"):
        number: int = bt.key(bt.PaddedInt(4))
        f = F
        value: int = bt.column("v", f)

    return Good


@pytest.mark.parametrize("declare", [climbing, hopeless])
def test_a_class_with_an_error_is_refused_outside(declare: Callable[[], object]) -> None:
    """Before, behind and beside a block that collects, a class with an error is refused as it is made."""
    beside: list[str] = []

    def elsewhere() -> None:
        try:
            declare()
        except DeclarationError as error:
            beside.append(str(error))

    with pytest.raises(DeclarationError) as before:
        declare()
    with collecting():
        declare()
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    with pytest.raises(DeclarationError) as behind:
        declare()
    assert [str(before.value), str(behind.value)] == beside * 2


def test_a_class_that_rules_refuse_is_made_all_the_same() -> None:
    """It has its schema with its queries, its rows and its codec; the findings are those of the refusal."""
    with pytest.raises(DeclarationError) as refused:
        climbing()
    with collecting() as declared:
        model: Any = climbing()
    assert declared.schemas == [bt.schema_of(model)]
    assert declared.problems == []
    assert [query.name for query in declared.schemas[0].queries] == ["by_number"]
    assert model(number=7, value=1).number == 7
    assert model.by_number.explain(number=7)
    mine = [each for each in refused.value.findings if isinstance(each, Finding)]
    assert [each.rule for each in review(declared.schemas[0])] == [each.rule for each in mine] == ["KEY002"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_example_of_every_rule_is_made(rule: Rule[Any]) -> None:
    """Whatever a rule finds, the class can be made, and the review of all finds it again."""
    with collecting() as declared:
        exec(compile(RulePage.parse(rule.page).sections["Example"], "page.py", "exec"), {"__name__": "page"})
    assert declared.problems == []
    found = [each.rule for each in review_all(declared.schemas)]
    assert [id for id in found if id != "FIG001" or rule.id == "FIG001"] == [rule.id]


def test_a_class_that_cannot_be_has_a_stand_in() -> None:
    """All that is wrong with it is one problem, with the place of the class, and what stands behind is made."""
    with collecting() as declared:
        stand_in = hopeless()
        model = good()
    assert declared.schemas == [bt.schema_of(model)]
    (problem,) = declared.problems
    line = hopeless.__code__.co_firstlineno + 3
    assert str(problem).splitlines() == [
        f"{__file__}:{line}: Hopeless: unknown class keyword 'evnts' (did you mean events?)",
        f"{__file__}:{line}: Hopeless: delimiter: expected text or bytes, got 3",
    ]
    assert issubclass(stand_in, bt.Model)
    assert repr(stand_in) == "<class 'test_collecting.hopeless.<locals>.Hopeless'>"


def test_a_stand_in_shows_what_its_body_assigned() -> None:
    """Families, constants and methods can be used by what stands behind it."""
    with collecting() as declared:
        stand_in = hopeless()

        class Behind(bt.Model, table="behind"):
            number: int = bt.key(bt.PaddedInt(4))
            f = stand_in.f
            value: int = bt.column("v", f)

    assert [schema.name for schema in declared.schemas] == ["Behind"]
    assert stand_in.KINDS == ("a", "b")
    assert callable(stand_in.twice)


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model(number=1, value=2),
        lambda model: model.by_number,
        lambda model: model.row_key(number=1),
        lambda model: bt.schema_of(model),
        lambda model: model.__schema__,
    ],
)
def test_another_use_of_a_stand_in_leads_to_its_problem(use: Callable[[Any], object]) -> None:
    """What only a model has raises an error that knows why there is none; who asks by ``hasattr`` is told no."""
    with collecting() as declared:
        stand_in = hopeless()
    with pytest.raises(FollowUp, match="Hopeless only stands in") as raised:
        use(stand_in)
    assert raised.value.problem is declared.problems[0]
    assert not hasattr(stand_in, "by_number")


def test_twins_take_stand_ins() -> None:
    """Twins of which one stands in for a model are declared; a wrong pair of models is refused as ever."""
    with collecting():
        stand_in, model = hopeless(), good()
        bt.twins(stand_in, model)
        bt.twins(model, stand_in, (stand_in, lambda row: None))
        with pytest.raises(DeclarationError, match="expected models of tables"):
            bt.twins(model, int)  # type: ignore[arg-type]


def test_what_inherits_from_a_stand_in_is_one() -> None:
    """A model of a wrong mixin cannot be judged: that is told with the problem of the mixin, and is none itself."""
    with collecting() as declared:

        class Wrong(bt.Model):
            f = F
            value = bt.column("v", f)

        class Heir(Wrong, table="heir"):
            number: int = bt.key(bt.PaddedInt(4))

    assert isinstance(Heir, StandIn)
    assert declared.schemas == []
    (problem,) = declared.problems
    assert "Wrong.value has no annotation" in str(problem)
    (noted,) = problem.__notes__
    assert noted.startswith(f"Heir ({__file__}:")


def test_a_problem_is_kept_once() -> None:
    """A class that is declared twice, as when its module runs twice, has one problem."""
    with collecting() as declared:
        assert hopeless().__problem__ is hopeless().__problem__
    assert len(declared.problems) == 1


def test_blocks_nest() -> None:
    """A block within a block gathers its own classes, and the outer one goes on behind it."""

    def names(declared: Declared) -> list[str]:
        return [schema.name for schema in declared.schemas]

    with collecting() as outer:
        climbing()
        with collecting() as inner:
            good()
        climbing()
    assert (names(outer), names(inner)) == (["Climbing", "Climbing"], ["Good"])
    assert all(errors(review(schema)) for schema in outer.schemas)


def test_a_block_that_raises_ends_the_collecting() -> None:
    """An exception goes through, and a class behind it is refused as ever."""
    with pytest.raises(ZeroDivisionError), collecting():
        raise ZeroDivisionError
    with pytest.raises(DeclarationError):
        climbing()
