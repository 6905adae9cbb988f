"""Ids that are completed at run time, and which ids they can become."""

from itertools import combinations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.errors import DeclarationError
from btmodel.schema import tables, tables_and_templates
from btmodel.schema.names import are_alike, filled, fits, placeholders, values_in

_parts = st.lists(st.sampled_from(["A", "_", ".", "{x}", "{y}", "{zone}"]), min_size=1, max_size=5)
templates = _parts.map("".join).filter(placeholders)
ids = st.text("A_.b", min_size=1, max_size=7)


def fillings(template: str, id: str) -> list[dict[str, str]]:
    """Every way to make ``id`` of ``template``, found by trying them all."""
    names = list(dict.fromkeys(placeholders(template)))
    pieces = {id[start:end] for start, end in combinations(range(len(id) + 1), 2)}
    found: list[dict[str, str]] = [{}]
    for name in names:
        found = [{**one, name: piece} for one in found for piece in sorted(pieces)]
    return [one for one in found if filled(template, one) == id]


@given(templates, ids)
@example("{x}_{x}", "A_A")
@example("{x}_{x}", "A_b")
@example("A{x}_{y}", "AA_b_b")
def test_what_fits(template: str, id: str) -> None:
    """An id fits where some values make it of the template; they are known where no others do."""
    found = fillings(template, id)
    assert fits(template, id) is bool(found)
    assert values_in(template, id) == (found[0] if len(found) == 1 else None)


@given(templates, st.lists(ids, min_size=3, max_size=3))
def test_what_is_filled_in_fits(template: str, values: list[str]) -> None:
    """Whatever is filled in, the id fits."""
    named = dict(zip(("x", "y", "zone"), values, strict=True))
    id = filled(template, named)
    assert fits(template, id)
    assert values_in(template, id) in (None, {name: named[name] for name in placeholders(template)})


@given(templates, templates)
def test_templates_that_are_alike(one: str, other: str) -> None:
    """Templates are alike where new names make one the other."""
    assume(len(set(placeholders(one))) == len(set(placeholders(other))))
    new = dict(zip(dict.fromkeys(placeholders(one)), dict.fromkeys(placeholders(other)), strict=True))
    renamed = filled(one, {name: f"{{{new[name]}}}" for name in new})
    assert are_alike(one, other) is (renamed == other)


def test_nothing_is_filled_in_with_nothing() -> None:
    """No text is no value, and nothing stands around what was filled in."""
    assert not fits("LOG_{day}", "LOG_")
    assert not fits("LOG_{day}", "OLD_LOG_1")
    assert not fits("LOG_{day}.x", "LOG_1_x")
    assert not fits("LOG_{day}", "LOG_1\n")


class Log(bt.Model, table="LOG_{day}", allow={"TAB002": "a test"}):
    """A line of a day."""

    at: str = bt.key(bt.Text(width=5))
    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("text", f)


class Later(bt.Model, table="LOG_{date}", allow={"TAB002": "a test"}):
    """A line of a day, whose tables have the same ids."""

    at: str = bt.key(bt.Text(width=5))
    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("text", f)


def test_templates_are_tables_only_where_they_are_asked_for() -> None:
    """What is generated has no template; what is migrated has them, with their braces."""
    assert tables([bt.schema_of(Log)]) == ()
    [table] = tables_and_templates([bt.schema_of(Log)])
    assert (table.id, [one.id for one in table.families], table.layouts[0].model) == (
        "LOG_{day}",
        ["f"],
        "Log",
    )


def test_two_names_for_the_same_tables() -> None:
    """Templates that differ in the name of what is open alone are refused, with both models."""
    with pytest.raises(
        DeclarationError, match=r"Later is in the tables 'LOG_\{date\}', Log in 'LOG_\{day\}'"
    ):
        tables_and_templates([bt.schema_of(Log), bt.schema_of(Later)])
