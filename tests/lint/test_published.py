"""Published designs: the bad ones have the findings that their sources lead to, the good ones neither an error nor a warning."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve
from designs import MODULES
from documented import findings, reviewed
from fixes_together import AFTER, contradictions
from published import DESIGNS, Design, Models
from told_tables import unsaid

import btmodel as bt
from btmodel.cli.source.fixes import may_be_written
from btmodel.codecs.key import Kind
from btmodel.design.keys import UNKNOWN_TEXT, written_with_ease
from btmodel.design.series import unit
from btmodel.design.spread import by_its_order, leading_time, nodes_judged
from btmodel.errors import SimulationRefused, ValueRefused
from btmodel.lint import Finding, Level
from btmodel.lint.catalogue import MODEL_RULES
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema, Skew
from btmodel.simulate.alternatives import declared
from btmodel.simulate.citing import until_large
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.outcome import Outcome
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.sentence import verdict
from btmodel.simulate.simulation import Steps, simulated
from btmodel.source_text import written
from tests.points_tried import points

# What a fix begins with that says that there is none.
# And with what a codec is missing that only the author knows, of values of any type.
_NONE = (
    "no other schema",
    "no order of",
    "the only change that was found",
    "each of the",
    "write a cell for each item of ",
    "keep what is changed or read alone, ",
)
# Missing and contradicting estimates are corrected by the author, a salt has its price, a view its table, a queue its readers,
# and an event its id: all other fixes lead to models that hold.
_BY_THE_AUTHOR = {"FIG001", "FIG002", "QRY004", "QRY006", "ROW009", "COL008"}


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.declare.__name__)
def test_a_design_is_reviewed_as_its_source_says(design: Design) -> None:
    """Its faults are found, as grave as they are, and nothing else is; the fixes are those of the source, and are proved."""
    assert {what: wrong for what, wrong in otherwise_than_its_source(design) if wrong} == {}


def otherwise_than_its_source(design: Design) -> Iterator[tuple[str, list[str]]]:
    """What the source of a design says otherwise than the review: all of it, as one review is looked at, which takes most of the time."""
    done = reviewed(design.declare)
    yield from faults_otherwise(design, done.findings)
    yield from fixes_otherwise(design, done.findings)
    # A class is refused for what must not ship, and for nothing else.
    levels = {each.level.value for each in done.findings}
    if design.verdict:
        as_grave = ("error" in levels) is (design.verdict == "error") and design.verdict in levels
        yield (
            f"not as grave as {design.verdict}",
            [] if as_grave else [f"found {', '.join(levels) or 'nothing'}"],
        )
    # Nothing refuses a good design, so that its silence is that of the rules.
    if design.good:
        yield "a good design that is refused", [] if done.refusal is None else [done.refusal]
    if design.refused:
        said = done.refusal is not None and re.search(design.refused, done.refusal)
        yield f"its declaration does not say {design.refused!r}", [] if said else [str(done.refusal)]


def faults_otherwise(design: Design, found: Sequence[Finding]) -> Iterator[tuple[str, list[str]]]:
    """Each fault is found, gravely enough, and nothing else is an error or a warning; each question is asked."""
    grave = {each.rule for each in found if each.level is not Level.INFO}
    yield "faults not found", [fault for fault in design.faults if not grave & {*fault.split("|")}]
    rules = {each.rule for each in found}
    yield "questions not asked", [fault for fault in design.asked if not rules & {*fault.split("|")}]
    expected = {rule for fault in (*design.faults, *design.asked) for rule in fault.split("|")}
    expected.add("TAB009")  # which values a column may have, and so an index leaves out, no source says
    yield "found without a source", [str(each) for each in found if each.rule in grave - expected]


def fixes_otherwise(design: Design, found: Sequence[Finding]) -> Iterator[tuple[str, list[str]]]:
    """Fixes say what the source does, and nothing that brings the fault back; they are proved, or say that there is none."""
    rules = {rule for fault in (*design.faults, *design.asked) for rule in fault.split("|")}
    fixes = "\n".join(each.fix for each in found if each.rule in rules)
    yield "not said by the fixes", [text for text in design.says if text not in fixes]
    yield "said by the fixes", [text for text in design.never if text in fixes]
    yield "written and not said", list(written_otherwise(design, found))
    yield "no fix to follow first", [str(each) for each in found if not _follows(each, found)]
    yield "contradict each other", [*contradictions(design.declare, found)]
    yield "a width that only the user knows", [each.fix for each in found if _guessed(each.fix)]
    told = (each for each in found if each.rule not in _BY_THE_AUTHOR)
    yield "not proved", [str(each) for each in told if not (each.models or each.fix.startswith(_NONE))]


def written_otherwise(design: Design, found: Sequence[Finding]) -> Iterator[str]:
    """What `btmodel check --diff` would write for the design, and the texts of its fixes do not say."""
    if any(map(may_be_written, found)):
        with pytest.MonkeyPatch.context() as patch:
            models = schemas(design.declare, patch)
        yield from (text for model in models for each in found for text in unsaid(model, each))


def _guessed(fix: str) -> bool:
    """Whether a fix writes out a codec whose width nothing declares, and does not say what to put there."""
    return fix.count(written(UNKNOWN_TEXT)) != fix.count(f"in the place of {UNKNOWN_TEXT.length.most}")


def _follows(finding: Finding, found: Sequence[Finding]) -> bool:
    """Whether the findings that a fix follows on are there, on the same model, and follow on none of its kind themselves."""
    behind = AFTER.match(finding.fix)
    if behind is None:
        return True
    alike = [each for each in found if (each.module, each.model) == (finding.module, finding.model)]
    for rule in re.findall(r"[A-Z]{3}\d{3}", behind[1]):
        own = [AFTER.match(each.fix) for each in alike if each.rule == rule and each.models]
        if not any(one is None or finding.rule not in one[1] for one in own):
            return False
    return True


# The rules on where writes go.
SPREAD = {"KEY001", "KEY002", "KEY003"}
# That on rows that are too hot by themselves.
SINGLE = {"KEY013"}


def grave(rule: Rule[ModelSchema], model: ModelSchema) -> bool:
    """Whether the rule finds more than information, before fixes are looked for, which takes most of the time of a review.

    What asks for something that the model does not say is not meant: the simulator takes it as even.
    """
    found = (each for each in rule.check(model) if "the model does not say" not in each.message)
    return any(each.level is not Level.INFO for each in found)


def schemas(declare: Models, patch: pytest.MonkeyPatch) -> list[ModelSchema]:
    """The models of a design, also those that the review refuses."""
    patch.setattr("btmodel.declare.metaclass.refuse", lambda _: None)
    made = declare()
    return [bt.schema_of(model) for model in (made if isinstance(made, tuple) else (made,))]


def evenly(model: ModelSchema) -> ModelSchema:
    """The model as it is simulated: of what declares no skew, the values come evenly; the review takes them for uneven."""
    fields = (
        evolve(part, skew=Skew.parse("uniform"))
        if part.asked and part.skew is None and part.cardinality
        else part
        for part in model.key.fields
    )
    return evolve(model, key=evolve(model.key, fields=tuple(fields)))


def divided(model: ModelSchema) -> bool:
    """Whether what is in front lasts so long that the rows of one value are divided among nodes before the next begins."""
    time = leading_time(model)
    span = None if time is None else unit(by_its_order(model, time))
    return (
        time is not None and time.codec.kind is not Kind.TIME and (span is None or span > timedelta(days=1))
    )


# A day from noon on, and the step in which the next date begins.
STEPS, MIDNIGHT = Steps(144, 600.0), 72


def surges(outcome: Outcome) -> bool:
    """Whether, as a date begins, a node gets more than it can take, and twice what the busiest one usually has.

    A date in front of users has few places then, which are divided within minutes: the verdict is about what is usual.
    """
    busiest = outcome.load.max(axis=1)
    return float(busiest[MIDNIGHT]) > max(1.0, 2 * float(np.median(busiest)))


def leans(model: ModelSchema, outcome: Outcome) -> bool:
    """Whether one value of a field has most of the events by its declared skew, and a node of several usually has most of the load."""
    skews = [part.skew for part in model.key.asked if part.skew is not None and part.skew.values]
    declared = any(skew.share / skew.values > _MOST for skew in skews)
    busiest, all_nodes = outcome.load.max(axis=1), outcome.load.sum(axis=1)
    return declared and float(np.median(busiest / np.maximum(all_nodes, 1e-9))) > _MOST


_MOST = 0.5


def kind(design: Design) -> tuple[object, ...]:
    """What matters for the agreement: how grave it is, and which of its faults and questions are about keys."""
    about = {rule for fault in (*design.faults, *design.asked) for rule in fault.split("|")}
    return design.verdict, *sorted(about & (SPREAD | SINGLE))


@pytest.mark.parametrize(
    "design",
    [DESIGNS[at] for at in points(list(map(kind, DESIGNS)), spread=60)],
    ids=lambda design: design.declare.__name__,
)
def test_the_review_and_the_simulator_agree_on_spread(
    design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that the review calls hot are hot when a large table is simulated, and no others, unless one tablet takes all with ease.

    It takes some designs of each kind, and with ``--thorough`` all.
    """
    if design.refused:
        return
    monkeypatch.setattr("btmodel.simulate.simulation.RESOLUTION", 4_096)  # most time goes to these intervals
    for model in map(evenly, schemas(design.declare, monkeypatch)):
        found = {rule.id for rule in MODEL_RULES if rule.id in SPREAD | SINGLE and grave(rule, model)}
        if written_with_ease(model) or divided(model) or found & SINGLE:
            continue  # not hot however it is keyed, or hot in single rows, which no key divides
        try:
            workload = workload_of(model)
            cluster = Cluster(nodes_judged(model))
            large = evolve(workload, history=until_large(workload, cluster))
            done = simulated(declared([large]), cluster, STEPS)
        except (SimulationRefused, ValueRefused):
            continue  # an estimate is missing, or a function takes no value that is drawn
        answer = done.answer
        hot = verdict(answer, answer.tables[0], cluster.assumptions.small_table).hot or surges(done.outcome)
        hot = hot or leans(model, done.outcome)
        assert hot is bool(found & SPREAD), (model.key.shape, found)


def test_information_on_good_designs_is_rare() -> None:
    """Most good designs have nothing at all, and none more than one rule to tell it of, besides those of estimates, of a salt's reads, of raw ids, of what a column may hold and of the order of a reversed time."""
    told = {
        one.declare.__name__: {each.rule for each in findings(one.declare)} for one in DESIGNS if one.good
    }
    questions = {"FIG001", "QRY004", "KEY006", "TAB009", "KEY014"}
    assert [name for name, rules in told.items() if len(rules - questions) > 1] == []
    assert sum(map(bool, told.values())) <= len(told) / 3


def test_the_table_is_large_and_of_both_kinds() -> None:
    """At least 60 designs, about half of them good, with a source each, in all modules."""
    assert len(DESIGNS) >= 60
    assert 0.4 <= sum(one.good for one in DESIGNS) / len(DESIGNS) <= 0.6
    assert all(one.source for one in DESIGNS)
    names = Counter(one.declare.__name__ for one in DESIGNS)
    assert max(names.values()) == 1
    modules = {one.declare.__module__ for one in DESIGNS}
    assert modules == {module.__name__ for module in MODULES}
