"""Enums in revisions: a revision declares those of its models itself, and the name of a class alone is no change."""

import sys
from enum import CONFORM, Enum, Flag, IntEnum, IntFlag, StrEnum
from typing import Any

import pytest
from btmodel_codegen.enum_code import enum_code
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel.rows import Cell
from btmodel.schema.layout import codec_parts, codec_text


class Plain(Enum):
    ONE = 1
    TEXT = "t"
    RAW = b"\xff"
    SAME = 1


class Mixed(str, Enum):  # noqa: UP042
    A = "a"


class Number(IntEnum):
    LOW = 10_000


class Right(IntFlag):
    READ = 1
    WRITE = 2
    BOTH = 3


class Sold(StrEnum):
    SOLD = "sold_out"
    DRAFT = "draft"

    @property
    def label(self) -> str:
        return self.value.title()

    @classmethod
    def _missing_(cls, value: object) -> "Sold | None":
        """Rows before the rename."""
        known = {"sold": cls.SOLD}
        return known.get(str(value))


OLD = {"sold": "sold_out"}


class Elsewhere(StrEnum):
    SOLD = "sold_out"

    @classmethod
    def _missing_(cls, value: object) -> "Elsewhere | None":
        return cls(OLD[str(value)]) if value in OLD else None


class Strict(Flag, boundary=CONFORM):
    ONE = 1


class Made(Enum):
    ONE = 1

    def __new__(cls, value: int) -> "Made":
        made = object.__new__(cls)
        made._value_ = value * 2
        return made


class Base(StrEnum):
    pass


class OfBase(Base):
    ONE = "1"


class Pair(Enum):
    ONE = (1, 2)


@pytest.mark.parametrize("enum", [Plain, Mixed, Number, Right, Sold])
def test_an_enum_is_declared_as_it_is(enum: Any) -> None:
    """With its members, aliases, flags, and what it reads of other values."""
    code = enum_code(enum, enum.__name__)
    assert code is not None
    names: dict[str, Any] = {**vars(sys.modules["enum"]), "__name__": "copied"}
    exec(code, names)
    copy = names[enum.__name__]
    assert copy.__bases__ == enum.__bases__
    assert {name: one.value for name, one in copy.__members__.items()} == {
        name: one.value for name, one in enum.__members__.items()
    }
    if enum is Sold:
        assert copy("sold") is copy.SOLD
        with pytest.raises(ValueError, match="other"):
            copy("other")


@pytest.mark.parametrize("enum", [Elsewhere, Strict, Made, OfBase, Pair, Base])
def test_an_enum_that_is_more_than_its_members_is_imported(enum: Any) -> None:
    """What it needs of its module would be missing: a name beside it, its own way to make values, a base."""
    assert enum_code(enum, enum.__name__) is None


def test_a_copy_of_another_name_needs_no_name_of_its_own() -> None:
    """A ``_missing_`` that names its enum is copied under that name alone."""
    assert enum_code(Sold, "_Sold") is not None

    assert enum_code(Elsewhere, "_Elsewhere") is None


STATES = """
from enum import StrEnum

class State(StrEnum):
    NEW = "new"

class Parcel(bt.Model, table="p"):
    "A parcel."
    state: State = bt.key(bt.EnumText(State))
    id: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    also: State = bt.column("s", f)
    many: dict[State, int] = bt.column("m", f)
"""
MOVED = STATES.replace('"s", f', '"t", f, renamed_from="s"')


def test_a_renamed_enum_changes_no_revision(project: Project, there: Site) -> None:
    """No stored byte is another one: nothing is to be written, what is applied stays what it is, and an instance gets all of them."""
    project.declare(STATES)
    project.done("new", "one")
    project.done("apply", "--yes")
    there.write("p", {b"new#a": [Cell("f", b"s", 1_000, b"new"), Cell("f", b"m", 1_000, b'{"new":1}')]})
    project.declare(MOVED)
    project.done("new", "two")
    step = (project.migrations / "0002_two.py").read_text()
    assert "import State" not in step
    assert (
        'class State(StrEnum):\n    """State as it was when this was written."""\n\n    NEW = "new"' in step
    )
    project.declare(MOVED.replace("State", "Status"))
    assert "change-codec" not in project.run("new", "--check").output
    project.done("apply", "--yes", "--allow", "deployed:0002_two")
    assert "change-codec" not in project.done("plan")
    project.done("verify")
    assert Cell("f", b"t", 1_000, b"new") in there.cells("p")[b"new#a"]


class Renamed:
    """Classes of the same insides under other names."""

    class Plain(Enum):
        """The same members."""

        ONE = 1
        TEXT = "t"
        RAW = b"\xff"

    class Other(Enum):
        """Another value."""

        ONE = 1
        TEXT = "T"
        RAW = b"\xff"


def test_the_name_of_a_class_is_no_part_of_what_it_writes() -> None:
    """An enum of the same members is the same codec, and one of other members is not."""
    one, same, other = (
        codec_parts(codec_text(bt.EnumValue(enum, bt.Utf8())))
        for enum in (Plain, Renamed.Plain, Renamed.Other)
    )
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
