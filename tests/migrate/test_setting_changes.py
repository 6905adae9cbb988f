"""Changes of the settings of tables: what each is, and what a live server makes of it."""

from datetime import timedelta

import pytest
from attrs import evolve
from settled_tables import DAY
from some_tables import ALL_OFF, ONE, QUOTE, table

from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError
from btmodel.migrate import (
    AddFamily,
    ChangeStream,
    CreateTable,
    EditKeySchema,
    Effect,
    InstanceChange,
    Protect,
    SetKeySchema,
    UndeclaredSetting,
    UndeclaredValueType,
    Unprotect,
    apply,
    diff,
    make_plan,
    read_plan,
)
from btmodel.schema import OFF, Family, Table, TableSettings

SCHEMA = '{"encoding": {"singleton": {}}, "fields": [{"fieldName": "a", "type": {"stringType": {}}}]}'


def quote(settings: TableSettings) -> Table:
    """The table QUOTE with these settings."""
    return evolve(QUOTE, settings=settings)


def only(declared: TableSettings, live: TableSettings) -> InstanceChange:
    """The one change from ``live`` to ``declared``."""
    (change,) = diff((quote(declared),), (quote(live),))
    return change


@pytest.mark.parametrize(
    ("declared", "live", "name", "effect"),
    [
        ({"deletion_protection": True}, {}, "protect", Effect.SAFE),
        ({"deletion_protection": False}, {"deletion_protection": True}, "unprotect", Effect.BLOCKED),
        ({"change_stream": DAY}, {}, "enable-change-stream", Effect.SAFE),
        ({"change_stream": 2 * DAY}, {"change_stream": DAY}, "lengthen-change-stream", Effect.SAFE),
        ({"change_stream": DAY}, {"change_stream": 2 * DAY}, "shorten-change-stream", Effect.DESTRUCTIVE),
        ({"change_stream": OFF}, {"change_stream": DAY}, "disable-change-stream", Effect.DESTRUCTIVE),
        ({"automated_backups": 3 * DAY}, {}, "enable-automated-backups", Effect.SAFE),
        ({"automated_backups": 4 * DAY}, {"automated_backups": 3 * DAY}, "lengthen-automated-backups", Effect.SAFE),
        ({"automated_backups": 3 * DAY}, {"automated_backups": 4 * DAY}, "shorten-automated-backups", Effect.DESTRUCTIVE),
        ({"automated_backups": OFF}, {"automated_backups": 4 * DAY}, "disable-automated-backups", Effect.DESTRUCTIVE),
        ({"tiered_storage": 30 * DAY}, {}, "enable-tiered-storage", Effect.SLOW),
        ({"tiered_storage": 60 * DAY}, {"tiered_storage": 30 * DAY}, "lengthen-tiered-storage", Effect.SLOW),
        ({"tiered_storage": 30 * DAY}, {"tiered_storage": 60 * DAY}, "shorten-tiered-storage", Effect.SLOW),
        ({"tiered_storage": OFF}, {"tiered_storage": 60 * DAY}, "disable-tiered-storage", Effect.SLOW),
        ({"row_key_schema": "{}"}, {}, "set-key-schema", Effect.SAFE),
        ({"row_key_schema": ""}, {"row_key_schema": "{}"}, "remove-key-schema", Effect.BLOCKED),
        ({"row_key_schema": "{}"}, {"row_key_schema": "[]"}, "edit-key-schema", Effect.BLOCKED),
    ],
)  # fmt: skip
def test_each_change(
    declared: dict[str, bool | timedelta | str],
    live: dict[str, bool | timedelta | str],
    name: str,
    effect: Effect,
) -> None:
    """Each turn of each setting has a name and an effect of its own."""
    change = only(evolve(ALL_OFF, **declared), evolve(ALL_OFF, **live))
    assert (change.name, change.effect) == (f"{name}:QUOTE", effect)
    assert (change.lost is None) is (effect is not Effect.DESTRUCTIVE)
    assert change.summary


def test_what_nobody_states_is_drift() -> None:
    """A live setting that no model states stays, and is told where it is not the default."""
    live = TableSettings(True, DAY, OFF, OFF, "{}")
    found = diff((QUOTE,), (quote(live),))
    assert found == tuple(
        UndeclaredSetting("QUOTE", name, getattr(live, name))
        for name in ("deletion_protection", "change_stream", "row_key_schema")
    )
    assert [change.requires for change in found] == [None] * 3
    assert diff((QUOTE,), (quote(ALL_OFF),)) == ()
    assert diff((quote(ALL_OFF),), (QUOTE,)) == ()


def test_a_value_type_is_drift() -> None:
    """A family whose values somebody gave a type stays as it is, and is told."""
    live = Table("QUOTE", (Family("MD", ONE, value_type='{"stringType": {}}'),))
    (found,) = diff((QUOTE,), (live,))
    assert isinstance(found, UndeclaredValueType)
    assert found.details == ('live: {"stringType": {}}',)


def test_a_drop_in_a_protected_table_needs_two_names() -> None:
    """The drop has its own name, and so has the protection that goes off for it, and on again."""
    live = evolve(table("QUOTE", MD=ONE, OLD=ONE), settings=evolve(ALL_OFF, deletion_protection=True))
    stated = quote(TableSettings(deletion_protection=True))
    plan = make_plan("i", (stated,), (live,), ["drop-family:QUOTE.OLD"])
    assert [change.name for change in plan.changes] == [
        "unprotect:QUOTE",
        "drop-family:QUOTE.OLD",
        "protect:QUOTE",
    ]
    assert [change.name for change in plan.refused] == ["unprotect:QUOTE"]
    allowed = make_plan("i", (stated,), (live,), ["drop-family:QUOTE.OLD", "unprotect:QUOTE"])
    assert allowed.refused == ()
    off = quote(TableSettings(deletion_protection=False))
    plan = make_plan("i", (off,), (live,), ["drop-family:QUOTE.OLD", "unprotect:QUOTE"])
    assert plan.changes[0] == Unprotect("QUOTE")
    assert Protect("QUOTE") not in plan.changes


def test_a_drop_where_no_model_states_the_protection() -> None:
    """Nobody could tell, after a run that was killed, that it was on: so it is to be stated first."""
    live = evolve(table("QUOTE", MD=ONE, OLD=ONE), settings=evolve(ALL_OFF, deletion_protection=True))
    plan = make_plan("i", (QUOTE,), (live,), ["drop-family:QUOTE.OLD"])
    with pytest.raises(MigrationError, match=r"deletion_protection=True in one"):
        apply(plan, None)  # type: ignore[arg-type]


def test_a_stream_ends_before_its_table() -> None:
    """A table with a change stream cannot be deleted, so that has a name, too."""
    live = quote(evolve(ALL_OFF, change_stream=DAY, deletion_protection=True))
    plan = make_plan("i", (), (live,), ["drop-table:QUOTE"])
    assert [change.name for change in plan.changes] == [
        "unprotect:QUOTE",
        "disable-change-stream:QUOTE",
        "drop-table:QUOTE",
    ]
    assert len(plan.refused) == 2


def test_half_an_edit_is_known() -> None:
    """Who agreed to another key schema agreed to set it once the old one is gone; who creates, to what is left."""
    assert EditKeySchema("Q", "{}", "[]").covers(SetKeySchema("Q", "{}", ""))
    assert not EditKeySchema("Q", "{}", "[]").covers(SetKeySchema("Q", "[]", ""))
    created = CreateTable(QUOTE)
    assert created.covers(AddFamily("QUOTE", QUOTE.families[0]))
    assert created.covers(Protect("QUOTE"))
    assert not created.covers(Protect("OTHER"))
    assert not created.covers(ChangeStream("QUOTE", OFF, DAY))


def test_on_a_server(instance: str) -> None:
    """The local server, which refuses what the service refuses, takes every step of every turn."""
    first = TableSettings(True, 2 * DAY, 4 * DAY, 30 * DAY, SCHEMA)
    second = TableSettings(True, DAY, 3 * DAY, 60 * DAY, SCHEMA.replace('"a"', '"b"'))
    last = evolve(ALL_OFF, change_stream=3 * DAY, deletion_protection=True)
    old = table("QUOTE", MD=ONE, OLD=ONE)
    with local_server.start() as running, Admin(Target(instance, running.host)) as admin:
        admin.create_table(old)
        for declared, allow in (
            (evolve(old, settings=first), ()),
            (quote(second), ("drop-family:QUOTE.OLD", "unprotect:QUOTE", "shorten-change-stream:QUOTE",
                             "shorten-automated-backups:QUOTE", "edit-key-schema:QUOTE")),
            (quote(last), ("disable-automated-backups:QUOTE", "remove-key-schema:QUOTE")),
        ):  # fmt: skip
            apply(read_plan(admin, (declared,), allow), admin)
            plan = read_plan(admin, (declared,))
            assert (plan.changes, plan.drift) == ((), ())
        allow = ("drop-table:QUOTE", "unprotect:QUOTE", "disable-change-stream:QUOTE")
        apply(read_plan(admin, (), allow), admin)
        assert admin.read_tables() == ()
