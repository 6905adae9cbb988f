"""Each fix on its own: it fixes its finding, and changes the model that it is for, and no other one."""

from datetime import timedelta
from pathlib import Path

import pytest
from test_sarif import FIXED, MISTAKES

from btmodel.cli.source import Edit, Sources
from btmodel.declare import collecting
from btmodel.lint import Finding, review_all
from btmodel.schema import ModelSchema, TableSettings

# Findings on what several models have a part in, or on what is not certain from the source.
SHARED = r"""
import btmodel as b
from btmodel import PaddedInt

ENV = "dev one"
A_ID = "a"
CODEC = b.Int(6)
LONG = b.family("measurements_of_the_year", gc=b.max_versions(1))
OLD = b.family("old", gc=b.max_versions(5))


class Numbered(b.Model):
    number: int = b.key(b.Int(6))  # KEY007
    d = b.family("everything_about_numbers", gc=b.max_versions(1))  # FAM003


class A(b.Model, table="a"):
    key: str = b.key(b.Text(width=4), cardinality=500)
    long = LONG  # FAM003
    u: int = b.column("u", long)


class D(b.Model, table="d"):
    key: str = b.key(b.Text(width=4), cardinality=500, mirror="measurements_of_the_year:u")
    long = LONG


class One(Numbered, table="one"):
    x: int = b.column("x", Numbered.d)


class Two(Numbered, table="two"):
    y: int = b.column("THE_NUMBER_OF_Y", Numbered.d)  # COL001


class Lender(b.Model, table="lender"):
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("lent_to_another_model", gc=b.max_versions(1))  # FAM003
    x: int = b.column("x", d)


class Borrower(b.Model, table="borrower"):
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = Lender.d
    y: int = b.column("y", d)


class Spaced(b.Model, table="a b"):  # TAB006
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    q: int = b.column("q", d)


class Joined(b.Model, table="a_b"):
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    r: int = b.column("r", d)


class Comma(b.Model, table="c,d"):  # TAB006
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    s: int = b.column("s", d)


class Slash(b.Model, table="c/d"):  # TAB006
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    t: int = b.column("t", d)


class Dashed(b.Model, table="day {x}".format(x=1)):  # TAB006
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    v: int = b.column("v", d)


class Named(b.Model, table=f"orders-{ENV}"):  # TAB006
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    w: int = b.column("w", d)


def make(name):
    class Made(b.Model, table=name):  # TAB006
        number: int = b.key(b.Int(6))  # KEY007
        d = b.family("d", gc=b.max_versions(1))
        z: int = b.column("z", d)


make("bad table")


class Shadowed(b.Model, table="shadowed"):
    b = __import__("btmodel")
    PaddedInt = b.Int
    number: int = b.key(b.Int(6))  # KEY007
    d = b.family("d", gc=b.max_versions(1))
    k: int = b.column("k", d)


class Variable(b.Model, table="variable"):
    number: int = b.key(CODEC)  # KEY007
    a = b.family("b_of_this_long_name", gc=b.keep_all()); c = b.family(A_ID, gc=b.max_versions(1))  # FAM003
    l: int = b.column("l", a)
    m: int = b.column("m", c)


class First(b.Model, table="both"):
    kind: str = b.constant("F")
    number: int = b.key(b.Int(6))  # KEY007
    d = b.family("d", gc=b.max_versions(1))
    n: int = b.column("THE_NUMBER_OF_N", d)  # COL001


class Second(b.Model, table="both"):
    kind: str = b.constant("S")
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    o: int = b.column("o", d)
"""


def declared(path: Path, text: str) -> dict[str, ModelSchema]:
    """The models that a file declares with that text."""
    path.write_text(text, encoding="utf-8")
    with collecting() as found:
        exec(compile(text, str(path), "exec"), {"__name__": "models"})
    assert not found.problems
    return {model.name: model for model in found.schemas}


def fixes(models: dict[str, ModelSchema]) -> list[tuple[Finding, Edit]]:
    """The findings whose fixes are offered, with what these change."""
    sources = Sources()
    found = ((finding, sources.edit(finding)) for finding in review_all(models.values()))
    return [(finding, edit) for finding, edit in found if edit]


def applied(text: str, edit: Edit) -> str:
    """The text with the change made."""
    lines, region = text.split("\n"), edit.region
    before, behind = lines[region.line - 1][: region.column], lines[region.end_line - 1][region.end_column :]
    lines[region.line - 1 : region.end_line] = [before + edit.text + behind]
    return "\n".join(lines)


def same(finding: Finding) -> tuple[str, str, str | None, str]:
    """What tells a finding from another one."""
    return finding.rule, finding.model, finding.field, finding.message


@pytest.mark.parametrize("more", ["", SHARED.replace("import btmodel as b\n", "")])
def test_a_fix_fixes_its_finding_and_changes_one_model(tmp_path: Path, more: str) -> None:
    """Whatever else the module declares, all other models are as they were, and the model's attributes are."""
    path, text = tmp_path / "models.py", MISTAKES + more
    before = declared(path, text)
    offered = fixes(before)
    assert {finding.rule for finding, _ in offered} == FIXED
    for finding, edit in offered:
        after = declared(path, applied(text, edit))
        left = {same(each) for each in review_all(after.values())}
        assert same(finding) not in left, edit
        assert list(after) == list(before)
        assert {name for name in after if after[name] != before[name]} == {finding.model}, edit
        old, new = before[finding.model], after[finding.model]
        assert [part.name for part in new.key.fields] == [part.name for part in old.key.fields]
        assert [column.name for column in new.columns] == [column.name for column in old.columns]
        declared(path, text)


def test_what_others_have_a_part_in_is_not_fixed(tmp_path: Path) -> None:
    """Findings on shared, computed and hidden declarations, and on tables of several models, are there without a fix."""
    models = declared(tmp_path / "models.py", SHARED)
    found = {(finding.model, finding.rule) for finding in review_all(models.values())}
    assert found >= {
        ("A", "FAM003"), ("One", "KEY007"), ("One", "FAM003"), ("Two", "KEY007"), ("Lender", "FAM003"),
        ("Borrower", "FAM003"), ("Spaced", "TAB006"), ("Comma", "TAB006"), ("Slash", "TAB006"),
        ("Dashed", "TAB006"), ("Named", "TAB006"), ("Made", "TAB006"), ("Made", "KEY007"), ("Shadowed", "KEY007"),
        ("Variable", "KEY007"), ("Variable", "FAM003"), ("First", "KEY007"), ("First", "COL001"),
    }  # fmt: skip
    offered = {(finding.model, finding.rule) for finding, _ in fixes(models)}
    # Of these models alone, and declared in their own bodies.
    assert offered == {("Two", "COL001"), ("Variable", "FAM003")}


@pytest.mark.parametrize("given", ['"my bills", change_stream="3d"', 'change_stream="3d", id="my bills"'])
def test_a_table_keeps_its_settings(tmp_path: Path, given: str) -> None:
    """The fix of a table's id changes that alone, where the table states more."""
    text = f"""
import btmodel as b


class Bill(b.Model, table=b.table({given})):
    key: str = b.key(b.Text(width=4), cardinality=500)
    d = b.family("d", gc=b.max_versions(1))
    total: int = b.column("total", d)
"""
    path = tmp_path / "models.py"
    ((finding, edit),) = fixes(declared(path, text))
    assert finding.rule == "TAB006"
    model = declared(path, applied(text, edit))["Bill"]
    assert (model.table, model.settings) == ("my_bills", TableSettings(change_stream=timedelta(days=3)))
