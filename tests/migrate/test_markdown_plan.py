"""Plans as Markdown and as text: the recorded ones, and that no name in them is markup."""

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from settled_tables import DAY, layout
from some_tables import ONE, WEEK, table

from btmodel.cli.migrate.plan_output import as_markdown
from btmodel.migrate import Effect, InstanceFacts, Plan, as_text, make_plan
from btmodel.migrate.planning.text import plan_text
from btmodel.schema import OFF, Family, MaxAge, MaxVersions, Table, TableSettings

FOLDER = Path(__file__).parent / "expected"
I64, TEXT = "value Int64()", "value Utf8()"
LIVE = (
    evolve(
        table("QUOTE", MD=MaxVersions(3), OLD=WEEK, AGE=WEEK, EVER=WEEK),
        settings=TableSettings(True, 7 * DAY, 30 * DAY, OFF, '{"a": 1}'),
        layouts=(layout("Gone", "Bytes()"), layout("Quote", ASK=I64, BID=I64, GONE=I64)),
    ),
    evolve(table("USED", f=None), settings=TableSettings(True, DAY, OFF, OFF, "")),
    evolve(
        table("KEY", f=None), settings=TableSettings(False, 2 * DAY, OFF, OFF, ""), layouts=(layout("Key"),)
    ),
    table("TRADE", MD=ONE),
)
DECLARED = (
    evolve(
        table("QUOTE", MD=ONE, AGE=MaxAge(30 * DAY), EVER=None, NEW=ONE),
        settings=TableSettings(True, DAY, OFF, 30 * DAY, '{"b": 1}'),
        layouts=(layout("Quote", ASK="value Either(new=IntBytes(size=4), old=(Int64()))", BID=TEXT),),
    ),
    evolve(table("NEW", f=ONE), settings=TableSettings(True, DAY, 3 * DAY), layouts=(layout("New"),)),
    evolve(table("KEY", f=None), layouts=(layout("Key", "Text(width=6)"),)),
    table("TRADE", MD=MaxVersions(2)),
)
ALLOW = ("drop-table:USED", "drop-family:QUOTE.OLD", "unprotect:USED", "edit-key-schema:QUOTE")


def plan() -> Plan:
    """A plan with nearly all kinds of change."""
    return make_plan("projects/p/instances/i", DECLARED, LIVE, ALLOW, InstanceFacts(replicated=True))


@pytest.mark.parametrize(
    ("name", "text"), [("plan.txt", as_text(plan()) + "\n"), ("plan.md", as_markdown(plan_text(plan())))]
)
def test_the_recorded_plans(name: str, text: str, request: pytest.FixtureRequest) -> None:
    """The text and the Markdown of one large plan are the recorded ones."""
    if request.config.getoption("--refresh-goldens"):
        (FOLDER / name).write_text(text)
    assert (FOLDER / name).read_text() == text


def test_what_loses_data_cannot_be_overlooked() -> None:
    """In a terminal it stands last, above the question, with its number; in a comment first, and open."""
    many = tuple(table(f"T{number}", f=ONE) for number in range(200))
    large = make_plan("i", many, (table("DROP"),), ["drop-table:DROP"])
    assert as_text(large).splitlines()[-4] == "loses data (1):"
    assert "201 changes, 1 destructive" in as_text(large)
    markdown = as_markdown(plan_text(large))
    assert markdown.index("drop-table:DROP") < markdown.index("create-table:T0")
    assert "<details open>\n<summary><b>loses data (1)</b></summary>" in markdown
    assert "| | and 150 more | | |" in markdown
    assert len(markdown) < 65_536


_ids = st.text(
    alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("`|<>&*_[]()@#!\\\n\r\t ~\"'/:.")),
    min_size=1,
    max_size=12,
)


@given(st.lists(_ids, min_size=1, max_size=3, unique=True), _ids, _ids)
def test_no_name_is_markup(ids: list[str], family: str, codec: str) -> None:
    """Whatever ids hold, the comment has the rows and cells it would have for others, and nothing of theirs is markup."""

    def tables(names: list[str], part: str, text: str) -> tuple[tuple[Table, ...], tuple[Table, ...]]:
        declared = [Table(id, (Family(part, ONE),), layouts=(layout("M", x=text),)) for id in names]
        live = [Table(id, (Family(part, MaxVersions(2)),), layouts=(layout("M", x=I64),)) for id in names]
        return (*declared, Table("zz new", (Family(part, ONE),))), (
            *live,
            Table("zz old", (Family(part, None),)),
        )

    def shape(names: list[str], part: str, text: str) -> list[str]:
        said = plan_text(make_plan(names[0], *tables(names, part, text)))
        parsed = MarkdownIt("gfm-like", {"linkify": False}).parse(as_markdown(said))
        kinds: list[str] = []
        for token in parsed:
            kinds.append(token.type if token.type != "html_block" else f"html {token.content}")
            for child in token.children or ():
                if child.type == "html_inline":
                    kinds.append(child.content.replace("</code>", "").replace("<code>", ""))
                elif child.type not in ("text", "code_inline", "text_special"):
                    kinds.append(child.type)
        return [kind for kind in kinds if kind]

    plain = [f"T{number}" for number in range(len(ids))]
    assert shape(ids, family, codec) == shape(plain, "f", "x")


def test_every_effect_has_a_heading() -> None:
    """The large plan has a group of each effect, in their order, and one of what was refused until it was allowed."""
    groups = plan_text(plan()).groups
    assert [group.effect for group in groups if group.title != "allowed by name (2)"] == list(Effect)
    [allowed] = [group for group in groups if group.title == "allowed by name (2)"]
    assert {line.name for line in allowed.lines} == {"unprotect:USED", "edit-key-schema:QUOTE"}
