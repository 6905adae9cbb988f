"""Values of an enum that change: what the page says is followed, and so is what the plan says."""

import re
import shlex
from pathlib import Path

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel.rows import Cell

PAGE = (Path(__file__).parents[2] / "docs/migrations.md").read_text()
SECTION = PAGE.partition("### Rename a value of an enum\n")[2].partition("\n##")[0]
BLOCKS = re.findall(r"^```(python|sh)\n(.*?)^```", SECTION, re.M | re.S)
BEFORE = BLOCKS[0][1]
IMPORT = "from enum import StrEnum\n\n"


@pytest.fixture
def listings(project: Project, there: Site) -> Project:
    """A project with the models that the page begins with, applied, and a row for each state."""
    project.declare(IMPORT + BEFORE)
    project.done("new", "listings")
    project.done("apply", "--yes")
    rows = {b"A": b"draft", b"B": b"live", b"C": b"sold"}
    there.write("LISTING", {key: [Cell("f", b"status", 1_000, value)] for key, value in rows.items()})
    return project


def states(there: Site) -> list[bytes]:
    return [cell.value for cells in there.cells("LISTING").values() for cell in cells]


def test_the_page_is_followed(listings: Project, there: Site) -> None:
    """Each block in its order, and in the end no cell holds an old value."""
    assert [kind for kind, _ in BLOCKS] == ["python", "python", "sh", "python", "sh"]
    said = ""
    for kind, text in BLOCKS[1:]:
        if kind == "python":
            listings.declare(IMPORT + text)
            continue
        for line in text.splitlines():
            command = shlex.split(line)
            assert command[:2] == ["btmodel", "migrate"]
            said = listings.done(*command[2:])
    assert said == "nothing to write: the models match 0002_sold_out\n"
    assert sorted(states(there)) == [b"live", b"live", b"sold_out"]
    assert "import Status" not in (listings.migrations / "0002_sold_out.py").read_text()


def test_the_plan_says_what_the_page_says(listings: Project) -> None:
    """Which values are gone, and what reads them; none of it is the advice for other codecs, which cannot be followed."""
    listings.declare(IMPORT + BLOCKS[1][1])
    listings.done("new", "sold out", "--rewrite", "Listing")
    said = " ".join(listings.run("plan").output.split())
    assert (
        "Status has no member for the values 'draft' (DRAFT), 'sold' (SOLD): keep a member of that value"
        in said
    )
    assert "`btmodel migrate new MESSAGE --rewrite Listing`" in said
    assert "docs/migrations.md#rename-a-value-of-an-enum" in said
    assert "Either" not in said


def test_a_cell_that_the_enum_does_not_read_ends_the_step(listings: Project, there: Site) -> None:
    """What was promised is not true of a row: it is named, and nothing says that the step is done."""
    listings.declare(IMPORT + BLOCKS[1][1].replace(', "draft": cls.LIVE', ""))
    listings.done("new", "sold out", "--rewrite", "Listing")
    allow = ("--allow", "deployed:0002_sold_out", "--allow", "change-codec:LISTING.f:status")
    failed = listings.run("apply", "--yes", *allow)
    assert failed.exit_code
    assert "b'A'" in str(failed.exception)
    assert b"draft" in states(there)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('LIVE = "live"\n', 'LIVE = "live"\n    HELD = "held"\n'),
        ('DRAFT = "draft"', 'SKETCH = "draft"'),
        ("class Status", "class State"),
    ],
    ids=["one more member", "another name of a member", "another name of the enum"],
)
def test_what_changes_no_value_asks_for_nothing(listings: Project, before: str, after: str) -> None:
    """All cells are read as before."""
    new = BEFORE.replace(before, after)
    listings.declare(IMPORT + (new.replace("Status", "State") if "State" in after else new))
    result = listings.run("new", "more")
    assert "change-codec" not in result.output or "which also reads existing cells" in result.output
    listings.done("apply", "--yes")


def test_an_exchange_of_values_is_another_codec(listings: Project) -> None:
    """Each member still is there, and cells would be read as another one."""
    listings.declare(
        IMPORT + BEFORE.replace('"draft"', '"x"').replace('"live"', '"draft"').replace('"x"', '"live"')
    )
    listings.done("new", "exchanged")
    assert "would be read as other values" in listings.run("plan").output
