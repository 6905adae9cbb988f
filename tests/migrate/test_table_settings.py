"""Settings of tables through the admin client: on our own server, and on Google's emulator as far as that has them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from attrs import evolve
from google.api_core.exceptions import GoogleAPICallError
from google.cloud.bigtable_admin_v2 import types
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from some_tables import ALL_OFF, ONE, WEEK, as_live, table

from btmodel import emulator
from btmodel import server as local_server
from btmodel.client import admin_messages
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import DeclarationError, MissingTable, ServerError
from btmodel.schema import Family, MaxAge, Table, TableSettings
from btmodel.schema.model import OFF, UNSTATED

pytestmark = pytest.mark.both_servers

DAY = timedelta(days=1)
KEY = (
    '{"encoding": {"delimitedBytes": {"delimiter": "Iw=="}}, "fields": [{"fieldName": "exchange", "type": '
    '{"stringType": {"encoding": {"utf8Bytes": {}}}}}, {"fieldName": "at", "type": {"int64Type": {"encoding": '
    '{"orderedCodeBytes": {}}}}}]}'
)
SETTINGS = st.builds(
    TableSettings,
    deletion_protection=st.none() | st.booleans(),
    change_stream=st.none() | st.just(OFF) | st.timedeltas(DAY, 7 * DAY),
    automated_backups=st.none() | st.just(OFF) | st.timedeltas(3 * DAY, 90 * DAY),
    tiered_storage=st.none() | st.just(OFF) | st.timedeltas(30 * DAY, 10_000 * DAY),
    row_key_schema=st.sampled_from([None, "", KEY]),
)
some = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def local() -> Iterator[local_server.RunningServer]:
    running = local_server.start()
    yield running
    running.stop()


@pytest.fixture
def admin(local: local_server.RunningServer, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, local.host)) as connected:
        yield connected


@pytest.fixture
def anywhere(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


def drop(admin: Admin, id: str) -> None:
    admin.update_settings(id, TableSettings(deletion_protection=False, change_stream=OFF))
    admin.delete_table(id)


@some
@given(SETTINGS)
def test_a_table_is_made_with_its_settings(admin: Admin, stated: TableSettings) -> None:
    """One call makes families and settings, and what is read back is what was stated, and off for the rest."""
    made = Table("T", (Family("f", ONE),), stated)
    admin.create_table(made)
    assert admin.table("T") == as_live(made)[0]
    drop(admin, "T")


@some
@given(SETTINGS, SETTINGS)
def test_what_is_stated_is_changed_and_nothing_else(
    admin: Admin, before: TableSettings, stated: TableSettings
) -> None:
    """After an update each stated setting is live, and each other is as it was; the families stay."""
    made = Table("T", (Family("f", ONE),), before)
    admin.create_table(made)
    admin.update_settings("T", stated, ignore_warnings=True)
    assert admin.table("T") == evolve(made, settings=stated.over(before.over(ALL_OFF)))
    drop(admin, "T")


@given(SETTINGS)
def test_there_and_back(stated: TableSettings) -> None:
    """Settings that went through a message are the same, with what was not stated off."""
    assert admin_messages.settings_of(admin_messages.settings_message(stated)) == stated.over(ALL_OFF)


def test_protection_goes_first_and_comes_last() -> None:
    """What switches it off is sent before all others, what switches it on after them; every call carries it."""
    others = TableSettings(None, DAY, OFF, 30 * DAY, KEY)
    off = list(admin_messages.updates(evolve(others, deletion_protection=False), types.Table()))
    on = list(admin_messages.updates(evolve(others, deletion_protection=True), types.Table()))
    kept = list(admin_messages.updates(others, types.Table(deletion_protection=True)))
    assert [paths[0].partition(".")[0] for _, paths in on] == [
        "change_stream_config",
        "automated_backup_policy",
        "tiered_storage_config",
        "row_key_schema",
        "deletion_protection",
    ]
    assert off[0][1] == on[-1][1] == ("deletion_protection",)
    assert [paths for _, paths in kept] == [paths for _, paths in on[:-1]] == [paths for _, paths in off[1:]]
    assert not any(message.deletion_protection for message, _ in off)
    assert all(message.deletion_protection for message, _ in [*on, *kept])
    assert list(admin_messages.updates(UNSTATED, types.Table())) == []


def test_a_policy_of_backups_keeps_what_is_not_ours(admin: Admin) -> None:
    """Another retention leaves alone how long backups are hot; switched off, there is no policy at all."""
    policy = types.Table.AutomatedBackupPolicy(retention_period=9 * DAY, keep_hot_duration=2 * DAY)
    admin.create_table(table("T", f=ONE))
    name = f"{admin.instance}/tables/T"
    admin._client.update_table(
        request={
            "table": types.Table(name=name, automated_backup_policy=policy),
            "update_mask": {"paths": ["automated_backup_policy"]},
        }
    ).result()
    admin.update_settings("T", TableSettings(automated_backups=30 * DAY))
    live = admin._client.get_table(name=name).automated_backup_policy
    assert (live.retention_period, live.frequency, live.keep_hot_duration) == (30 * DAY, DAY, 2 * DAY)
    admin.update_settings("T", TableSettings(automated_backups=OFF))
    assert "automated_backup_policy" not in admin._client.get_table(name=name)


def test_backups_that_are_disabled_are_none() -> None:
    """A table that opted out of automated backups has none, whatever its policy says besides; others have theirs."""
    policy = types.Table.AutomatedBackupPolicy(retention_period=9 * DAY, disabled=True)
    live = types.Table(automated_backup_policy=policy)
    assert admin_messages.settings_of(live) == ALL_OFF
    ((sent, paths),) = admin_messages.updates(TableSettings(automated_backups=9 * DAY), live)
    assert paths == ("automated_backup_policy",)
    assert not sent.automated_backup_policy.disabled


@pytest.mark.parametrize(
    ("before", "stated", "message"),
    [
        (
            TableSettings(row_key_schema=KEY),
            TableSettings(row_key_schema=""),
            r"'T'.*set ignore_warnings to do so",
        ),
        (
            TableSettings(row_key_schema=KEY),
            TableSettings(row_key_schema=KEY.replace("exchange", "market")),
            r"'T'.*Row key schema in-place modification is not allowed",
        ),
        (UNSTATED, TableSettings(change_stream=8 * DAY), r"'T'.*change_stream_config.retention_period"),
    ],
)
def test_what_the_service_refuses(
    admin: Admin, before: TableSettings, stated: TableSettings, message: str
) -> None:
    """A setting that cannot be changed like that is an error with the server's words, and stays as it was."""
    made = Table("T", (Family("f", ONE),), before)
    admin.create_table(made)
    with pytest.raises(ServerError, match=message):
        admin.update_settings("T", stated)
    assert admin.table("T") == as_live(made)[0]


def test_a_table_that_is_not_there(admin: Admin) -> None:
    """Settings of a missing table are a missing table."""
    for stated in (TableSettings(deletion_protection=True), TableSettings(change_stream=DAY)):
        with pytest.raises(MissingTable, match="'T'"):
            admin.update_settings("T", stated)


def test_a_row_key_schema_that_is_no_json(admin: Admin) -> None:
    """A text that is no row key schema, as of an edited file, is refused before anything is sent."""
    with pytest.raises(
        DeclarationError, match=r"row_key_schema: expected the JSON of a row key schema, got '\{'"
    ):
        admin.create_table(Table("T", (), TableSettings(row_key_schema="{")))
    assert admin.table("T") is None


def test_protection_stays_while_others_change(anywhere: Admin) -> None:
    """A protected table is protected after each change of another setting, on every server."""
    anywhere.create_table(Table("T", (Family("f", ONE),), TableSettings(deletion_protection=True)))
    anywhere.update_settings("T", TableSettings(change_stream=3 * DAY, automated_backups=30 * DAY))
    found = anywhere.table("T")
    assert found is not None
    assert found.settings.deletion_protection is True
    with pytest.raises(ServerError, match=r"deletion protection|is protected from deletion"):
        anywhere.delete_table("T")
    anywhere.update_settings("T", TableSettings(deletion_protection=False, change_stream=OFF))
    anywhere.delete_table("T")


def test_the_clusters_and_profiles_of_one_cluster(admin: Admin) -> None:
    """An instance of one cluster is not replicated, and its profile allows transactions."""
    assert admin.replicated() is False
    assert admin.transactional_profiles() == ("default",)


def test_a_replicated_instance(instance: str) -> None:
    """It is told as such, has no profile for transactions, and takes a longer age when warnings are ignored."""
    running = local_server.start(replicated=True)
    try:
        with Admin(Target(instance, running.host)) as admin:
            assert admin.replicated() is True
            assert admin.transactional_profiles() == ()
            admin.create_table(table("T", f=WEEK))
            longer = Family("f", MaxAge(30 * DAY))
            with pytest.raises(ServerError, match="Cannot relax"):
                admin.modify_families("T", update=[longer])
            admin.modify_families("T", update=[longer], ignore_warnings=True)
            assert admin.table("T") == as_live(Table("T", (longer,)))[0]
    finally:
        running.stop()


@pytest.mark.usefixtures("startable")
def test_google_s_emulator_knows_no_instances(instance: str) -> None:
    """What it cannot tell is None, and no error."""
    with emulator.running() as running, Admin(Target(instance, running.host)) as admin:
        assert admin.replicated() is None
        assert admin.transactional_profiles() is None


def test_types_of_values_that_nobody_declares(admin: Admin) -> None:
    """They are read back in full, so that a family made of what was read is the same again."""
    number = types.Type(int64_type={"encoding": {"big_endian_bytes": {}}})
    kinds = {
        "unique": types.Type(aggregate_type={"input_type": number, "hllpp_unique_count": {}}),
        "text": types.Type(string_type={"encoding": {"utf8_bytes": {}}}),
        "number": number,
        "plain": types.Type(bytes_type={"encoding": {"raw": {}}}),
    }
    made = types.Table(
        column_families={id: types.ColumnFamily(value_type=kind) for id, kind in kinds.items()}
    )
    admin._client.create_table(parent=admin.instance, table_id="T", table=made)
    found = admin.table("T")
    assert found is not None
    assert {family.id: family.value_type for family in found.families} == {
        "plain": None,
        "text": '{"stringType": {"encoding": {"utf8Bytes": {}}}}',
        "number": '{"int64Type": {"encoding": {"bigEndianBytes": {}}}}',
        "unique": '{"aggregateType": {"hllppUniqueCount": {}, "inputType": '
        '{"int64Type": {"encoding": {"bigEndianBytes": {}}}}}}',
    }
    assert [family.id for family in found.families if family.aggregate is not None] == ["unique"]
    admin.create_table(evolve(found, id="AGAIN"))
    assert admin.table("AGAIN") == evolve(found, id="AGAIN")


def test_google_s_error_is_the_cause(admin: Admin) -> None:
    """What Google's client raised is kept as the cause, for those who want all of it."""
    with pytest.raises(MissingTable) as caught:
        admin.delete_table("T")
    assert isinstance(caught.value.__cause__, GoogleAPICallError)
