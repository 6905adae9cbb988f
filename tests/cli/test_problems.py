"""What cannot be read, and what is left out, for programs: of which kind, where, and what came of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from user_project import Run

HEAD = "import btmodel as bt\n\n\n"
REFUSED = 'class Two(bt.Model, table="two", evnts="5/s"):\n    a: int = bt.key(bt.PaddedInt(6))\n'
NO_TABLE = "\n\nclass Three(bt.Model):\n    a: int = bt.key(bt.PaddedInt(6))\n"
GOOD = """\
class One(bt.Model, table="one"):
    a: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)
    f = bt.family("f", gc=bt.max_versions(1))
    x: int = bt.column("x", f)


"""


@pytest.fixture
def written(project: Path) -> Path:
    """A class that cannot be, whose module stops at its use, one without a table, a file that does not parse, and one that raises."""
    folder = project / "shop"
    (folder / "models.py").write_text(f"{HEAD}{GOOD}{REFUSED}\n\nTwo(a=1)\n")
    (folder / "left.py").write_text(HEAD + GOOD.replace("One", "Four").replace("one", "four") + NO_TABLE)
    (folder / "torn.py").write_text(f"{HEAD}class (\n")
    (folder / "raising.py").write_text(f"{HEAD}raise KeyError('C')\n")
    (folder / "empty.py").write_text("")
    return folder


MODULES = ("shop.models", "shop.torn", "shop.raising", "shop.empty", "shop.none", "shop.left")


def told(run: Run, *words: str) -> Any:
    return json.loads(run("check", *words, *MODULES).stdout)


def test_programs_get_the_kind_the_place_and_the_message(run: Run, written: Path) -> None:
    """Each apart, and no place in the message; what came of it is beside it."""
    problems = told(run, "--json")["problems"]
    found = [(one["kind"], one["file"] and Path(one["file"]).name, one["line"]) for one in problems]
    assert found == [
        ("declaration", "models.py", 10),
        ("module", "torn.py", 4),
        ("module", "raising.py", 4),
        ("module", None, None),
        ("module", None, None),
    ]
    assert problems[0]["message"] == "Two: unknown class keyword 'evnts' (did you mean events?)"
    assert problems[0]["notes"] == [
        f"module 'shop.models' stops at {written}/models.py:14 because of it: the rest of the module is not reviewed"
    ]
    assert problems[2]["message"] == "module 'shop.raising' does not import: KeyError: 'C'"
    assert problems[3]["message"] == "no model is declared in shop.empty"
    assert problems[4]["message"].startswith("module 'shop.none' does not exist")


def test_programs_get_what_is_left_out(run: Run, written: Path) -> None:
    """A class without a table is no error, and is not reviewed."""
    (one,) = told(run, "--json")["left_out"]
    assert (one["kind"], one["name"]) == ("no-table", "shop.left.Three")
    assert one["message"].endswith("it is not reviewed")
    assert f"note: {one['message']}\n" in run("check", *MODULES).stderr


def test_sarif_has_them_as_notifications(run: Run, written: Path) -> None:
    """With the kind as their descriptor, and the place where it is known."""
    (invocation,) = told(run, "--format", "sarif")["runs"][0]["invocations"]
    first, *others = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert (first["descriptor"]["id"], first["level"]) == ("declaration", "error")
    (place,) = first["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "shop/models.py"
    assert place["physicalLocation"]["region"] == {"startLine": 10}
    assert [(one["descriptor"]["id"], one["level"], "locations" in one) for one in others] == [
        ("module", "error", True),
        ("module", "error", True),
        ("module", "error", False),
        ("module", "error", False),
        ("no-table", "note", False),
    ]


def test_annotations_stand_at_the_line(run: Run, written: Path) -> None:
    """A code host shows them there."""
    lines = run("check", "--format", "github", *MODULES).stdout.splitlines()
    assert lines[0].startswith(f"::error file={written}/models.py,line=10,title=btmodel check::")
    assert lines[3].startswith("::error title=btmodel check::no model is declared in shop.empty")
