"""Authorized views and schema bundles in migrations: created after families, changed in place, dropped before families and tables."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve
from google.protobuf.api_pb2 import Api, Method
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import DeclarationError, MigrationError, ServerError
from btmodel.migrate import Plan, as_text, read_plan
from btmodel.migrate.applying.run import apply
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import AuthorizedView, FamilySubset, SchemaBundle, Table, tables
from btmodel.schema.view import bundle_of
from btmodel.server import RunningServer, start


class Order(
    bt.Model,
    table=bt.table(
        "ORDER",
        authorized_views=[
            bt.authorized_view("ACME", where={"tenant": "acme"}, only=["status"]),
            bt.authorized_view("EVERYONE", deletion_protection=True),
        ],
        schema_bundle="MESSAGES",
    ),
    events="1/s",
):
    tenant: str = bt.key(bt.Text(max_length=20), cardinality=100)
    id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    status: str = bt.column("s", f)
    api: Api = bt.column("a", f, codec=bt.Protobuf(Api))


CREATED = [
    "create-table:ORDER",
    "create-authorized-view:ORDER.ACME",
    "create-authorized-view:ORDER.EVERYONE",
    "create-schema-bundle:ORDER.MESSAGES",
]
ACME = AuthorizedView("ACME", (b"acme#",), (FamilySubset("f", (b"s",)),))


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with start() as running:
        yield running


@pytest.fixture
def admin(server: RunningServer, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as opened:
        yield opened


def declared(**changed: Any) -> Table:
    [table] = tables([bt.schema_of(Order)])
    return evolve(table, layouts=(), **changed)


def applied(admin: Admin, *wanted: Table, allow: tuple[str, ...] = ()) -> list[str]:
    plan = read_plan(admin, wanted, allow)
    apply(plan, admin)
    return [change.name for change in plan.changes]


def refused(plan: Plan) -> list[str]:
    return [change.name for change in plan.refused]


def test_parts_are_made_after_their_table_and_read_back(admin: Admin) -> None:
    """What is read back is what was declared, so that nothing is left to do; and what is given is what the declaration says."""
    assert applied(admin, declared()) == CREATED
    assert read_plan(admin, [declared()]).changes == ()
    live = admin.table("ORDER")
    assert live is not None
    everyone = AuthorizedView("EVERYONE", (b"",), (FamilySubset("f", (), (b"",)),), True)
    assert live.authorized == (evolve(ACME, deletion_protection=False), everyone)
    [bundle] = live.bundles
    assert bundle == bundle_of("MESSAGES", [Api])
    assert "google.protobuf.Api.version = 4 (string)" in bundle.entries()
    assert "google.protobuf.SourceContext.file_name = 1 (string)" in bundle.entries()  # imported


def test_a_view_that_shows_more_is_changed_and_one_that_shows_less_needs_its_name(admin: Admin) -> None:
    """More is safe; less, and something else, may break programs, and is done where it is allowed."""
    applied(admin, declared())
    wider = evolve(ACME, row_prefixes=(b"acme#", b"beta#"), subsets=(FamilySubset("f", (b"a", b"s")),))
    assert applied(admin, declared(authorized=(wider, *declared().authorized[1:]))) == [
        "widen-authorized-view:ORDER.ACME"
    ]
    plan = read_plan(admin, [declared()])
    assert refused(plan) == ["narrow-authorized-view:ORDER.ACME"]
    assert "programs that read or write the rest through it will fail" in as_text(plan)
    with pytest.raises(MigrationError, match=r"--allow narrow-authorized-view:ORDER\.ACME"):
        apply(plan, admin)
    applied(admin, declared(), allow=("narrow-authorized-view:ORDER.ACME",))
    assert read_plan(admin, [declared()]).changes == ()


def test_a_family_goes_after_the_view_that_showed_it_and_comes_before_the_one_that_will(admin: Admin) -> None:
    """The service drops no family that a view shows, and shows none that is not there: so the view is narrowed, and widened later."""
    applied(admin, declared())
    g = evolve(declared().families[0], id="g")
    views = (AuthorizedView("ACME", (b"acme#",), (FamilySubset("g", (), (b"",)),)),)
    other = declared(families=(g,), authorized=views)
    allow = (
        "narrow-authorized-view:ORDER.ACME",
        "drop-authorized-view:ORDER.EVERYONE",
        "drop-family:ORDER.f",
    )
    assert sorted(applied(admin, other, allow=allow)) == sorted(
        [*allow, "add-family:ORDER.g", "widen-authorized-view:ORDER.ACME"]
    )
    assert read_plan(admin, [other]).changes == ()


def test_protection_is_switched_as_declared(admin: Admin) -> None:
    """A protected view keeps its table; protection goes off where that is allowed by name."""
    applied(admin, declared())
    on = declared(authorized=(evolve(ACME, deletion_protection=True), declared().authorized[1]))
    assert applied(admin, on) == ["protect-authorized-view:ORDER.ACME"]
    with pytest.raises(ServerError, match="deletion protection"):
        admin.delete_part("ORDER", ACME)
    with pytest.raises(ServerError, match="has deletion protection"):
        admin.delete_table("ORDER")
    off = declared(authorized=(evolve(ACME, deletion_protection=False), declared().authorized[1]))
    assert refused(read_plan(admin, [off])) == ["unprotect-authorized-view:ORDER.ACME"]
    applied(admin, off, allow=("unprotect-authorized-view:ORDER.ACME",))
    admin.delete_part("ORDER", ACME)


def test_undeclared_parts_stay_until_their_drops_are_allowed(admin: Admin) -> None:
    """What nothing declares is drift; with its name it is dropped, after its protection is switched off."""
    applied(admin, declared())
    plain = declared(authorized=(), bundles=())
    plan = read_plan(admin, [plain])
    assert plan.changes == ()
    assert [one.name for one in plan.drift] == [
        "undeclared-authorized-view:ORDER.ACME",
        "undeclared-authorized-view:ORDER.EVERYONE",
        "undeclared-schema-bundle:ORDER.MESSAGES",
    ]
    allow = ("drop-authorized-view:ORDER.EVERYONE", "drop-schema-bundle:ORDER.MESSAGES")
    assert applied(admin, plain, allow=allow) == list(allow)
    live = admin.table("ORDER")
    assert live is not None
    assert ([view.id for view in live.authorized], live.bundles) == (["ACME"], ())


def test_parts_are_dropped_before_their_table(admin: Admin) -> None:
    """The drop of a table needs that of its parts, each by its name, and comes after them."""
    applied(admin, declared())
    with pytest.raises(MigrationError, match=r"--allow drop-authorized-view:ORDER\.ACME"):
        applied(admin, allow=("drop-table:ORDER",))
    names = [
        "drop-authorized-view:ORDER.ACME",
        "drop-authorized-view:ORDER.EVERYONE",
        "drop-schema-bundle:ORDER.MESSAGES",
        "drop-table:ORDER",
    ]
    assert applied(admin, allow=tuple(names)) == names
    assert admin.read_tables() == ()


def test_a_bundle_that_loses_fields_needs_its_name(admin: Admin) -> None:
    """Files in another order are the same bundle; new messages are safe; what queries may name goes by name alone."""
    small = declared(bundles=(bundle_of("MESSAGES", [Timestamp]),))
    applied(admin, small)
    more = declared(bundles=(bundle_of("MESSAGES", [Api, Timestamp]),))
    turned = declared(bundles=(SchemaBundle("MESSAGES", _turned(more.bundles[0].descriptors)),))
    assert applied(admin, more) == ["change-schema-bundle:ORDER.MESSAGES"]
    assert read_plan(admin, [turned]).changes == ()
    plan = read_plan(admin, [small])
    assert refused(plan) == ["change-schema-bundle:ORDER.MESSAGES"]
    assert "lacks google.protobuf.Any.type_url = 1 (string)" in as_text(plan)
    applied(admin, small, allow=("change-schema-bundle:ORDER.MESSAGES",))
    assert read_plan(admin, [small]).changes == ()


def _turned(descriptors: bytes) -> bytes:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    files = FileDescriptorSet.FromString(descriptors).file
    return FileDescriptorSet(file=reversed(files)).SerializeToString()


def test_what_another_run_has_made_is_no_error(admin: Admin) -> None:
    """A plan that was made before another run has nothing left to do."""
    plan = read_plan(admin, [declared()])
    applied(admin, declared())
    apply(plan, admin)


def test_records_keep_parts() -> None:
    """Revisions and schema files hold the parts of a table, readable for people, and give them back."""
    table = declared()
    data: Any = as_data([table])
    assert data["ORDER"]["authorized_views"]["ACME"] == {
        "rows": ["acme#"],
        "columns": {"f": {"qualifiers": ["s"], "prefixes": []}},
    }
    assert "google.protobuf.Api" in data["ORDER"]["schema_bundles"]["MESSAGES"]["messages"]
    assert from_data(data, "here") == (table,)
    data["ORDER"]["schema_bundles"]["MESSAGES"]["descriptors"] = "AA=="
    with pytest.raises(
        DeclarationError,
        match="here: table 'ORDER', schema_bundles, 'MESSAGES': expected a FileDescriptorSet",
    ):
        from_data(data, "here")


_raw = st.binary(max_size=5)


@given(
    st.lists(_raw, max_size=3),
    st.lists(_raw, max_size=3),
    st.lists(_raw, max_size=3),
    st.none() | st.booleans(),
)
def test_any_bytes_are_recorded(
    rows: list[bytes], exact: list[bytes], prefixes: list[bytes], protected: bool | None
) -> None:
    """Prefixes and qualifiers of any bytes are given back as they were."""
    view = AuthorizedView("V", tuple(rows), (FamilySubset("f", tuple(exact), tuple(prefixes)),), protected)
    table = Table("T", (), authorized=(view,))
    assert from_data(as_data([table]), "here") == (table,)


def test_two_models_of_a_table_declare_its_parts_together() -> None:
    """The bundle has the messages of all models of the table; two views of one id that differ are refused."""

    class Other(bt.Model, table="ORDER", events="1/s"):
        kind = bt.constant("other")
        id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
        f = bt.family("f", gc=bt.max_versions(1))
        method: Method = bt.column("m", f, codec=bt.Protobuf(Method))
        stamp: Timestamp = bt.column("w", f, codec=bt.Protobuf(Timestamp))

    [table] = tables([bt.schema_of(Order), bt.schema_of(Other)])
    assert table.bundles == (bundle_of("MESSAGES", [Api, Method, Timestamp]),)
    twice = evolve(bt.schema_of(Other), authorized=(evolve(ACME, row_prefixes=(b"beta#",)),))
    with pytest.raises(DeclarationError, match="Order declares the authorized view 'ACME' as rows acme#"):
        tables([bt.schema_of(Order), twice])
