"""Tables and families that are named at run time: each live one is declared by its template."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from renamed_models import Site, site
from revised_project import Project
from saving import save
from settled_tables import declared_sets, layout, live_sets
from some_tables import ONE, QUOTE, WEEK, table

import btmodel as bt
from btmodel.cli.group import group
from btmodel.errors import DeclarationError, MigrationError, MigrationFailed
from btmodel.migrate import (
    Done,
    Effect,
    Plan,
    allowable,
    apply,
    data_step,
    make_plan,
    read_facts,
    read_live,
    read_plan,
)
from btmodel.migrate.applying.stages import RunListener, Stage, apply_stages
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.planning.saved import load
from btmodel.migrate.revisions.graph import graph_of
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import standing
from btmodel.migrate.tables.templates import concrete
from btmodel.rows import Cell
from btmodel.schema import CellLayout, Family, MaxVersions, Table

INT, TEXT = "value Int64()", "value Utf8()"
LOG = evolve(table("LOG_{day}", MD=ONE), layouts=(layout("Log", BID=INT),))
DAYS = ("LOG_20260101", "LOG_20260102", "LOG_20260103")
MODEL = """
class Log(bt.Model, table="LOG_{day}", allow={"TAB002": "a test"}):
    "A line of a day."
    at: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, default=None)
"""
OTHER = MODEL.replace("LOG_{day}", "OTHER").replace("Log", "Other")
MORE = '    more = bt.family("MORE", gc=bt.max_age(days=7))\n    ask: int | None = bt.column("A", more, default=None)\n'


def days(*ids: str, **families: object) -> tuple[Table, ...]:
    """Live tables of these families, or of that of LOG."""
    return tuple(table(id, **(families or {"MD": ONE})) for id in ids)  # type: ignore[arg-type]


def names(plan: Plan) -> list[str]:
    """What is to be done, with what is drift, but for the bookkeeping."""
    return [one.name for one in (*plan.pending, *plan.drift)]


def applied(
    instance: MemoryInstance, history: MemoryHistory, *declared: Table, allow: tuple[str, ...] = ()
) -> None:
    """Migrate to ``declared``, after which nothing is left, and nothing drifts."""
    apply(read_plan(instance, declared, allow, history), instance, run_record=RunRecord(history, "me"))
    plan = read_plan(instance, declared, history=history)
    assert (plan.changes, plan.drift) == ((), ())


@pytest.fixture
def there(server: bt.emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


def test_the_commands(project: Project, there: Site, tmp_path: Path) -> None:
    """A revision has the template; live tables of it are no drift, and what changes reaches all of them."""
    project.declare(MODEL)
    assert project.done("new", "logs") == (
        "wrote migrations/0001_logs.toml\n"
        "  + create-table:LOG_{day}  MD keeps newest 3 versions; each is made by a program that needs it\n"
    )
    assert project.done("new", "again").startswith("nothing to write")
    project.done("--yes")
    assert [one.id for one in there.admin.read_tables()] == []
    for id in DAYS:
        there.admin.create_table(table(id, MD=MaxVersions(3)))
        there.write(id, {b"10:00": [Cell("MD", b"BID", 1_000, bytes(8))]})
    for arguments in (("verify",), ("plan",), ("status",), ("history",), ("--yes",)):
        assert project.run(*arguments).exit_code == 0, arguments
    project.declare(MODEL.replace("max_versions(3)", "max_versions(2)") + MORE)
    told = project.done("new", "more")
    assert "+ add-family:LOG_{day}.MORE  keeps younger than 7d\n" in told
    assert "~ tighten-gc:LOG_{day}.MD" in told
    plan = json.loads(project.run("plan", "--json").stdout)["revisions"][-1]
    assert [one["name"] for one in plan["changes"] if not one["quiet"]] == [
        name for id in DAYS for name in (f"add-family:{id}.MORE", f"tighten-gc:{id}.MD")
    ]
    assert plan["drift"] == []
    project.done("--yes", *(part for id in DAYS for part in ("--allow", f"tighten-gc:{id}.MD")))
    there.admin.create_table(table("LOG_20260104", MD=MaxVersions(2), MORE=WEEK))
    assert project.run("verify").exit_code == 0
    # by hand
    there.admin.modify_families("LOG_20260104", create=[Family("HAND", ONE)])
    verified = project.run("verify")
    assert verified.exit_code == 2
    assert "undeclared-family:LOG_20260104.HAND" in verified.output
    there.admin.modify_families("LOG_20260104", drop=["HAND"])
    # back
    refused = project.refused("rollback", "--yes")
    assert all(f"--allow drop-family:{id}.MORE" in refused for id in (*DAYS, "LOG_20260104"))
    names = [f"drop-family:{id}.MORE" for id in (*DAYS, "LOG_20260104")]
    project.done("rollback", "--yes", *(part for name in names for part in ("--allow", name)))
    assert project.run("verify").exit_code == 0
    assert {one.families for one in there.admin.read_tables()} == {(Family("MD", MaxVersions(3)),)}
    assert "LOG_20260101 would be dropped" in project.refused("rollback", "--yes")
    # without the model they are drift again
    project.declare(OTHER)
    told = project.done("new", "no logs")
    assert "? undeclared-table:LOG_{day}" in told
    assert told.endswith("; no longer declared, and kept until each is allowed to go\n")
    plan = json.loads(project.run("plan", "--json").stdout)["revisions"][-1]
    assert [one["name"] for one in plan["drift"]] == [
        f"undeclared-table:{id}" for id in (*DAYS, "LOG_20260104")
    ]


def test_an_instance_that_was_there_before(project: Project, there: Site) -> None:
    """Its tables are taken for those of the template, where they are as it says."""
    project.declare(MODEL)
    project.done("new", "logs")
    there.admin.create_table(table("LOG_1", MD=MaxVersions(2)))
    assert "LOG_1.MD keeps newest 3 versions" in project.refused("baseline")
    there.admin.modify_families("LOG_1", update=[Family("MD", MaxVersions(3))])
    assert project.done("baseline") == "recorded 0001_logs\n"
    assert project.run("verify").exit_code == 0
    assert set(there.history.layouts()) == {"LOG_{day}"}


def test_what_is_inspected(project: Project, there: Site) -> None:
    """A class is written for each table, as the template was recorded; declared, nothing is left to do."""
    project.declare(MODEL)
    project.done("--yes")
    for id in DAYS:
        there.admin.create_table(table(id, MD=MaxVersions(3)))
    written = CliRunner().invoke(group, ["inspect", project.instance]).stdout
    assert written.count("recorded when the table was migrated; no row was read") == 3
    project.declare(written)
    plan = json.loads(project.done("plan", "--json"))
    assert (plan["changes"], plan["drift"]) == ([], [])


def test_two_schemas_are_compared(project: Project, there: Site, tmp_path: Path) -> None:
    """Templates with templates, and with live tables; where none is live, nothing is to be done."""
    project.declare(MODEL)
    project.done("new", "logs")
    assert project.run("diff", "models", "revision:0001").exit_code == 0
    for names in (("models", project.instance), (project.instance, "models")):
        assert project.run("diff", *names).exit_code == 0
    project.done("--yes")
    there.admin.create_table(table("LOG_1", MD=MaxVersions(3)))
    for names in (("models", project.instance), (project.instance, "models")):
        assert project.run("diff", *names).exit_code == 0
    there.admin.modify_families("LOG_1", update=[Family("MD", MaxVersions(2))])
    there.admin.create_table(table("OTHER", MD=ONE))
    assert "relax-gc:LOG_1.MD" in project.run("diff", project.instance, "models").output
    project.done("schema", "--out", "models.json")
    project.done("schema", project.instance, "--out", "live.json")
    assert project.run("diff", "models", "models.json").exit_code == 0
    found = json.loads(project.run("diff", "live.json", "models", "--json").stdout)
    assert [one["name"] for one in found["changes"]] == ["relax-gc:LOG_1.MD"]
    assert [one["name"] for one in found["drift"]] == ["undeclared-table:OTHER"]
    project.declare(OTHER)
    project.done("new", "nothing")
    told = project.run("diff", "revision:0002", "revision:0001").output
    assert "create-table:LOG_{day}" in told


@given(declared_sets, live_sets, st.sampled_from(["LOG_{day}", "{x}{y}", "A{x}", "{x}.{x}"]))
def test_a_template_is_what_each_of_its_tables_declares(
    declared: tuple[Table, ...], live: tuple[Table, ...], id: str
) -> None:
    """The plan for a template is that for a declaration of each of its tables, whatever they are."""
    template = evolve(next(iter(declared), QUOTE), id=id, layouts=())
    ids = ["LOG_1", "AB", "A.A", "X"]
    tables = [evolve(one, id=id) for one, id in zip(live, ids, strict=False)]
    fit = {"LOG_{day}": {"LOG_1"}, "{x}{y}": {*ids} - {"X"}, "A{x}": {"AB", "A.A"}, "{x}.{x}": {"A.A"}}[id]
    instance = MemoryInstance(tables)
    each = [evolve(template, id=one.id) for one in tables if one.id in fit]
    plan, wanted = read_plan(instance, [template]), read_plan(instance, each)
    assert (plan.changes, plan.drift) == (wanted.changes, wanted.drift)


def test_a_template_without_tables_needs_nothing() -> None:
    """A program makes its tables; how their rows lie is recorded all the same."""
    instance, history = MemoryInstance(), MemoryHistory()
    plan = read_plan(instance, [LOG], history=history)
    assert names(plan) == []
    applied(instance, history, LOG)
    assert (instance.tables, history.layouts()) == ({}, {"LOG_{day}": LOG.layouts})


def test_a_declared_table_is_none_of_a_templates() -> None:
    """A table that is declared by its own id is as that says, and so is one that was renamed."""
    own = table("LOG_old", MD=WEEK)
    instance = MemoryInstance(days("LOG_old", "LOG_1"))
    plan = read_plan(instance, [LOG, own])
    assert [one.subject for one in plan.pending] == ["LOG_old.MD"]
    renamed = evolve(table("NEW", MD=ONE), renamed_from="LOG_old")
    plan = read_plan(instance, [LOG, renamed])
    assert names(plan) == ["create-table:NEW", "copy-table:NEW", "renamed-table:LOG_old"]


def test_a_table_of_two_templates() -> None:
    """Nobody can say what is declared of it: both are named, and what to do."""
    other = evolve(table("{tenant}_1", MD=WEEK))
    instance = MemoryInstance(days("LOG_1", "LOG_2", "A_1"))
    with pytest.raises(
        MigrationError, match=r"'LOG_1' can be one of 'LOG_\{day\}' and one of '\{tenant\}_1'"
    ):
        read_plan(instance, [LOG, other])
    plan = read_plan(instance, [LOG, other, table("LOG_1", MD=ONE)])
    assert [one.subject for one in plan.changes] == ["A_1.MD"]


def test_the_history_is_none_of_a_templates() -> None:
    """A template that its id would fit does not take the table in which btmodel keeps its run_record."""
    instance = MemoryInstance(days("btmodel_migrations"))
    assert names(read_plan(instance, [evolve(LOG, id="btmodel_{what}")])) == []


def test_families_that_are_named_at_run_time() -> None:
    """Each live one is declared by the braces that it fits; none is added, as nobody knows which."""
    wanted = table("T", META=ONE, **{"of_{tenant}": WEEK})
    instance = MemoryInstance([table("T", of_a=WEEK, of_b=ONE, other=ONE)])
    plan = read_plan(instance, [wanted])
    assert [one.name.partition(":")[2] for one in (*plan.pending, *plan.drift)] == [
        "T.META",
        "T.of_b",
        "T.other",
    ]
    assert names(read_plan(MemoryInstance(), [wanted])) == ["create-table:T"]
    assert [one.id for one in read_plan(MemoryInstance(), [wanted]).declared[0].families] == ["META"]


def test_a_family_that_follows_from_the_table() -> None:
    """A name that stands in the id of the table, too, has one value there: the family is known, and added."""
    wanted = table("LOG_{day}", MD=ONE, **{"D{day}": ONE})
    instance = MemoryInstance([*days("LOG_1"), table("LOG_2", MD=ONE, D2=ONE, D1=ONE)])
    assert names(read_plan(instance, [wanted])) == ["add-family:LOG_1.D1", "undeclared-family:LOG_2.D1"]
    # Where the id can be read in several ways, those that are there are found.
    wanted = table("{app}_{day}", **{"D{day}": ONE})
    instance = MemoryInstance([table("a_b_1", D1=ONE), table("a_b_2", Db_2=ONE), table("a_b_3", D4=ONE)])
    assert names(read_plan(instance, [wanted])) == ["undeclared-family:a_b_3.D4"]


def test_a_family_of_two_names_in_braces() -> None:
    """Refused where they differ; two that say the same are one."""
    instance = MemoryInstance([table("T", ab=ONE)])
    assert names(read_plan(instance, [table("T", **{"a{x}": ONE, "{x}b": ONE, "ab": ONE})])) == []
    with pytest.raises(MigrationError, match=r"family 'ab' can be one of two with names in braces"):
        read_plan(instance, [table("T", **{"a{x}": ONE, "{x}b": WEEK})])


def text(*, codec: str = TEXT) -> Table:
    """LOG, where the column BID has another codec."""
    return evolve(LOG, layouts=(layout("Log", BID=codec),))


def test_how_rows_lie_is_recorded_once() -> None:
    """A codec that changes is one change for all tables, those included that a program has made since."""
    instance, history = MemoryInstance(days(*DAYS[:2])), MemoryHistory()
    applied(instance, history, LOG)
    assert history.layouts() == {"LOG_{day}": LOG.layouts}
    instance.create_table(*days(DAYS[2]))
    instance.filled.add(DAYS[2])
    plan = read_plan(instance, [text()], history=history)
    assert [(one.name, one.effect) for one in plan.pending] == [
        ("change-codec:LOG_{day}.MD:BID", Effect.BLOCKED)
    ]
    assert [one.layouts for one in read_live(instance, history)] == [LOG.layouts] * 3
    applied(instance, history, text(), allow=("change-codec:LOG_{day}.MD:BID",))
    assert history.layouts() == {"LOG_{day}": text().layouts}
    gone = evolve(LOG, layouts=(layout("Log", ASK=TEXT),))
    apply(read_plan(instance, [gone], history=history), instance, run_record=RunRecord(history, "me"))
    assert names(read_plan(instance, [gone], history=history)) == ["undeclared:LOG_{day}/Log.MD:BID"]
    applied(instance, history, gone, allow=("forget:LOG_{day}/Log.MD:BID",))


def test_what_nobody_recorded_is_told_of_tables_that_are_live() -> None:
    """The note names the tables of a template; without one, no row lies anywhere, and nothing is to be told."""
    own = evolve(LOG, id="LOG_own")
    for live in ((), days("OTHER"), days("LOG_own")):
        plan = read_plan(MemoryInstance(live), [LOG, own], history=MemoryHistory())
        assert [note.partition(" ")[0] for note in plan.notes] == [
            one.id for one in live if one.id == "LOG_own"
        ]
    plan = read_plan(MemoryInstance(days(*DAYS)), [LOG], history=MemoryHistory())
    (note,) = plan.notes
    assert note.startswith(
        f"{', '.join(DAYS)} are in the instance, but it has no record of how their rows are written"
    )


def test_a_name_in_braces_is_no_part_of_how_rows_lie() -> None:
    """A template that calls its parameter otherwise has the record that it had."""
    instance, history = MemoryInstance(days(*DAYS), filled=DAYS), MemoryHistory()
    applied(instance, history, LOG)
    assert read_plan(instance, [evolve(LOG, id="LOG_{date}")], history=history).changes == ()
    plan = read_plan(instance, [evolve(text(), id="LOG_{date}")], history=history)
    assert names(plan) == ["change-codec:LOG_{date}.MD:BID"]


def test_the_text_around_the_braces_is_no_part_of_how_rows_lie() -> None:
    """A template whose text changes is compared with what its live tables were, and recorded in the place of that."""
    instance, history = MemoryInstance(days("LOG_2020_1"), filled=["LOG_2020_1"]), MemoryHistory()
    applied(instance, history, LOG)
    plan = read_plan(instance, [evolve(text(), id="LOG_{year}_{day}")], history=history)
    assert (names(plan), plan.notes) == (["change-codec:LOG_{year}_{day}.MD:BID"], ())
    assert plan.refused
    same = evolve(LOG, id="LOG_{year}_{day}")
    assert read_plan(instance, [same], history=history).notes == ()
    applied(instance, history, same)
    assert history.layouts() == {"LOG_{year}_{day}": LOG.layouts}
    applied(instance, history, evolve(text(), id="L{what}"), allow=("change-codec:L{what}.MD:BID",))
    assert history.layouts() == {"L{what}": text().layouts}
    # What is still of the old template keeps its record.
    instance.create_table(*days("LA"))
    applied(instance, history, evolve(text(), id="LOG_{day}"), table("LA", MD=ONE))
    assert history.layouts().keys() == {"L{what}", "LOG_{day}"}


def test_a_template_of_tables_of_two() -> None:
    """Each is compared with how it was recorded; and a table that can have been of both is refused, with what to do."""
    instance, history = MemoryInstance(days("LOG_1", "A_1"), filled=["LOG_1", "A_1"]), MemoryHistory()
    applied(instance, history, LOG, evolve(text(), id="A_{n}"))
    both = evolve(text(), id="{what}_{n}")
    assert names(read_plan(instance, [both], history=history)) == ["change-codec:LOG_1.MD:BID"]
    applied(instance, history, both, allow=("change-codec:LOG_1.MD:BID",))
    assert history.layouts()["{what}_{n}"] == both.layouts
    history.record_layouts("LOG_1", ())
    history.record_layouts("LOG_{day}", LOG.layouts)
    own = evolve(LOG, id="LOG_1")
    with pytest.raises(
        MigrationError, match=r"'LOG_1' can have been one of .* declare a model in table='LOG_1'"
    ):
        read_plan(instance, [own], history=history)
    assert names(read_plan(instance, [own, LOG], history=history)) == ["undeclared-table:A_1"]
    assert [one.layouts for one in read_live(instance, history) if one.id == "LOG_1"] == [()]


def test_a_saved_plan_of_a_text_around_braces(tmp_path: Path) -> None:
    """What was compared with the record of another template is when it is read again."""
    path = tmp_path / "plan.json"
    instance, history = MemoryInstance(days("LOG_2020_1"), filled=["LOG_2020_1"]), MemoryHistory()
    applied(instance, history, LOG)
    wanted = evolve(text(), id="LOG_{year}_{day}")
    save(read_plan(instance, [wanted], ["change-codec:LOG_{year}_{day}.MD:BID"], history), path)
    apply(load(path).read_again(instance, history), instance, run_record=RunRecord(history, "me"))
    assert history.layouts() == {"LOG_{year}_{day}": text().layouts}


def test_a_table_of_a_template_is_renamed() -> None:
    """Its cells are not copied where the codec is another one than that of the template."""
    instance, history = MemoryInstance(days("LOG_1"), filled=["LOG_1"]), MemoryHistory()
    applied(instance, history, LOG)
    new = evolve(text(), id="NEW", renamed_from="LOG_1")
    for declared in ((LOG, new), (new,)):
        (copy,) = (one for one in read_plan(instance, declared, history=history).changes if one.moves)
        assert copy.effect is Effect.IMPOSSIBLE
    (copy,) = (
        one
        for one in read_plan(instance, [evolve(new, layouts=LOG.layouts)], history=history).changes
        if one.moves
    )
    assert copy.effect is Effect.SLOW


def test_a_family_of_a_template_is_renamed() -> None:
    """In each of its tables, and in none where the codec is another one than that of the template."""
    instance, history = MemoryInstance(days("LOG_1"), filled=["LOG_1"]), MemoryHistory()
    applied(instance, history, LOG)
    for codec, effect in ((INT, Effect.SLOW), (TEXT, Effect.IMPOSSIBLE)):
        lie = evolve(LOG.layouts[0], cells=(CellLayout("market:BID", codec),))
        new = evolve(LOG, families=(Family("market", ONE, renamed_from="MD"),), layouts=(lie,))
        (copy,) = (one for one in read_plan(instance, [new], history=history).changes if one.moves)
        assert (copy.name, copy.effect) == ("copy-family:LOG_1.market", effect)


def test_a_table_that_becomes_one_of_a_template_and_back() -> None:
    """Its own record stays the one that is compared; and without one, that of the template is."""
    own = evolve(LOG, id="LOG_1")
    instance, history = MemoryInstance(days("LOG_1"), filled=["LOG_1"]), MemoryHistory()
    applied(instance, history, own)
    assert names(read_plan(instance, [text()], history=history)) == ["change-codec:LOG_1.MD:BID"]
    applied(instance, history, LOG)
    assert names(read_plan(instance, [text()], history=history)) == [
        "change-codec:LOG_1.MD:BID",
        "change-codec:LOG_{day}.MD:BID",
    ]
    instance.create_table(*days("LOG_2"))
    instance.filled.add("LOG_2")
    now = evolve(text(), id="LOG_2")
    assert names(read_plan(instance, [LOG, now], history=history)) == ["change-codec:LOG_2.MD:BID"]


def test_tables_without_rows_take_any_codec() -> None:
    """It is looked at in all tables of the template, and once more before it is recorded."""
    instance, history = MemoryInstance(days(*DAYS)), MemoryHistory()
    applied(instance, history, LOG)
    plan = read_plan(instance, [text()], history=history)
    assert [one.effect for one in plan.pending] == [Effect.SAFE]
    instance.create_table(*days("LOG_new"))
    instance.filled.add("LOG_new")
    with pytest.raises(MigrationFailed, match=r"held no row when the plan was made") as caught:
        apply(plan, instance, run_record=RunRecord(history, "me"))
    assert caught.value.undone == ("change-codec:LOG_{day}.MD:BID",)
    assert history.layouts() == {"LOG_{day}": LOG.layouts}
    instance.filled = {DAYS[2]}
    assert read_plan(instance, [text()], history=history).pending[0].effect is Effect.BLOCKED


def test_nothing_is_read_under_a_name_in_braces() -> None:
    """No call names a template; a plan costs one list, and applying it one get for each table that changes."""
    instance, history = MemoryInstance(days(*DAYS, MD=WEEK), filled=DAYS), MemoryHistory()
    applied(MemoryInstance(), history, LOG)
    allow = ["change-codec:LOG_{day}.MD:BID", *(f"tighten-gc:{id}.MD" for id in DAYS)]
    both = text()
    names_ = {one.requires for one in read_plan(instance, [both], history=history).refused}
    instance.calls.clear()
    plan = read_plan(instance, [both], [name for name in allow if name in names_], history)
    assert instance.calls.count(("read_tables", "")) == 1
    assert ("table", DAYS[0]) not in instance.calls
    done: list[Done] = []
    apply_stages([Stage(plan)], instance, history, "me", RunListener(change=done.append))
    assert not [called for called in instance.calls if "{" in called[1]]
    assert [one.change for one in done] == list(plan.changes)


def test_a_saved_plan(tmp_path: Path) -> None:
    """It is applied to the tables for which it was made, exactly so; those that were made since are left."""
    path = tmp_path / "plan.json"
    instance, history = MemoryInstance(days(*DAYS, MD=MaxVersions(2)), filled=DAYS), MemoryHistory()
    applied(MemoryInstance(), history, LOG)
    wanted = evolve(text(), families=(Family("MD", MaxVersions(5)),))
    save(read_plan(instance, [wanted], ["change-codec:LOG_{day}.MD:BID"], history), path)
    instance.create_table(*days("LOG_new"))
    apply(load(path).read_again(instance, history), instance, run_record=RunRecord(history, "me"))
    assert history.layouts() == {"LOG_{day}": text().layouts}
    assert names(read_plan(instance, [wanted], history=history)) == ["relax-gc:LOG_new.MD"]
    save(
        read_plan(
            instance,
            [LOG],
            ["change-codec:LOG_{day}.MD:BID", *(f"tighten-gc:{id}.MD" for id in DAYS)],
            history,
        ),
        path,
    )
    history.record_layouts("LOG_{day}", LOG.layouts)
    with pytest.raises(MigrationError, match=r"how the rows of LOG_\{day\} are written was recorded anew"):
        load(path).read_again(instance, history)


def test_a_saved_plan_of_how_rows_lie(tmp_path: Path) -> None:
    """Rows in any table of the template are looked for when it was made, and when it is applied."""
    path = tmp_path / "plan.json"
    instance, history = MemoryInstance(days(*DAYS), filled=DAYS[1:]), MemoryHistory()
    applied(instance, history, LOG)
    save(read_plan(instance, [text()], ["change-codec:LOG_{day}.MD:BID"], history), path)
    assert [one.name for one in load(path).read_again(instance, history).pending] == [
        "change-codec:LOG_{day}.MD:BID"
    ]
    instance.filled.clear()
    save(read_plan(instance, [text()], history=history), path)
    instance.filled.add(DAYS[2])
    with pytest.raises(MigrationError, match="make the plan again"):
        load(path).read_again(instance, history)


def test_revisions_one_behind_the_other() -> None:
    """The second is planned with what the first will have recorded of the template."""
    instance, history = MemoryInstance(days(*DAYS), filled=DAYS), MemoryHistory()
    first = Revision("0001_a", "a", (), (LOG,))
    second = Revision("0002_b", "b", (first.link,), (text(),))
    third = Revision("0003_c", "c", (second.link,), ())
    graph = graph_of(Path("migrations"), [first, second, third])
    found = revision_stages(standing(graph, ()), instance, history)
    assert [[one.name for one in each.plan.pending] for each in found] == [
        [],
        ["change-codec:LOG_{day}.MD:BID"],
        [],
    ]
    assert [one.name for one in found[2].plan.drift] == [f"undeclared-table:{id}" for id in DAYS]


def test_every_name_can_be_allowed() -> None:
    """What plans offer of templates is what allows it."""
    instance, history = MemoryInstance(days(*DAYS, MD=WEEK, OLD=ONE), filled=DAYS), MemoryHistory()
    applied(MemoryInstance(), history, LOG)
    known = (*read_live(instance), Table("LOG_{day}", (), layouts=LOG.layouts))
    wanted, live = concrete([text()], known)
    facts = read_facts(instance, wanted, live)
    every = allowable(wanted, live, facts)
    assert {"change-codec:LOG_{day}.MD:BID", *(f"drop-family:{id}.OLD" for id in DAYS)} <= every
    assert make_plan("", wanted, live, every, facts).refused == ()


def test_no_data_step_of_a_template() -> None:
    """A data step walks one table, so it has to name it."""
    with pytest.raises(DeclarationError, match=r"data_step: .* 'LOG_\{day\}' is named at run time"):
        data_step("LOG_{day}")
