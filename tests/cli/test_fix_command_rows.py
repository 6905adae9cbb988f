"""Second tables that ``btmodel check --fix`` writes, or that a fix says: rows are put, added to and read through them."""

import importlib
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve
from user_project import Run

import btmodel as bt
from btmodel.lint import review_all
from btmodel.repository import TwinRepository
from btmodel.schema import ModelSchema, Query
from tests.written_repositories import generated

Open = Callable[..., bt.Database]
HEAD = "from datetime import datetime\n\nimport btmodel as bt\n\n\n"
CUSTOMER = '''\
class Upload(bt.Model, table="UPLOAD", events="5/s"):
    """An upload, whose bytes are added up as they come."""

    upload: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
    customer: str = bt.column("customer", data, max_size=20, cardinality=40_000)
{columns}
    one = bt.query("upload")
    by_customer = bt.query("customer")
'''
COUNTER = '    bytes_in: int | None = bt.counter("bytes", sums)\n'
RATED = '    bytes_in: int | None = bt.column("bytes", data, increments="3/h", default=None)\n'
NAME = '    name: str = bt.column("name", data)\n'
NOTE = '    note: str | None = bt.column("note", data, default=None)\n'
ROW = "ab" * 8
numbers = count()


@pytest.fixture
def fixed(
    project: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], ModuleType]:
    """Writes models, has their fixes written, and loads the result."""

    def load(text: str) -> ModuleType:
        path = project / "shop" / "models.py"
        path.write_text(HEAD + text)
        run("check", "--fix")
        assert path.read_text() != HEAD + text, run("check").stdout
        name = f"fixed_models_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(path.read_text())
        monkeypatch.syspath_prepend(tmp_path)
        return importlib.import_module(name)

    return load


def repository(db: bt.Database, model: type[bt.Model]) -> Any:
    return getattr(generated(model), f"{model.__name__}Repository")(db)


@pytest.mark.parametrize("counter", [COUNTER, RATED], ids=["counter", "increments"])
@pytest.mark.parametrize("others", ["", NOTE, NAME], ids=["alone", "beside an optional", "beside a required"])
def test_a_counter_stays_in_its_table(
    fixed: Callable[[str], ModuleType], database: Open, counter: str, others: str
) -> None:
    """No addition reaches a second table, so it does not hold the counter; each of its rows has a cell, whatever the first one lacks."""
    models = fixed(CUSTOMER.format(columns=others + counter))
    db = database(models.Upload, models.UploadByCustomer)
    row = models.Upload(upload=ROW, customer="ann", **({"name": "x"} if others == NAME else {}))
    TwinRepository(db, models.UPLOAD).put(row)
    uploads = repository(db, models.Upload)
    if counter == RATED:
        uploads.increment(uploads.key(ROW), "bytes_in", 7)
    else:
        uploads.edit(ROW).add(bytes_in=7).apply()
    assert uploads.get(ROW).bytes_in == 7
    (found,) = repository(db, models.UploadByCustomer).by_customer("ann")
    assert (found.upload, found.customer) == (ROW, "ann")
    assert not hasattr(found, "bytes_in")


def test_a_row_without_optional_values_is_in_the_second_table(
    fixed: Callable[[str], ModuleType], database: Open
) -> None:
    """Its only required column is in the key there; a row without cells would be refused."""
    models = fixed(CUSTOMER.format(columns=NOTE))
    db = database(models.Upload, models.UploadByCustomer)
    twins = TwinRepository(db, models.UPLOAD)
    twins.put(models.Upload(upload=ROW, customer="ann"))
    twins.put(models.Upload(upload="cd" * 8, customer="ann", note="late"))
    found = list(repository(db, models.UploadByCustomer).by_customer("ann"))
    assert [(one.upload, one.note) for one in found] == [(ROW, None), ("cd" * 8, "late")]


VISIT = '''\
class Visit(bt.Model, table="VISIT", events="5/s"):
    """Visits of a page by a visitor."""

    page: str = bt.key(bt.Text(max_length=20), cardinality=400_000)
    visitor: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    visits: int = bt.column("visits", data, increments="3/h", default=0)
    note: str | None = bt.column("note", data, default=None)

    of_page = bt.query("page")
    of_visitor = bt.query("visitor")
'''


def test_a_cell_of_a_key_field_keeps_a_row_whose_number_stays(
    fixed: Callable[[str], ModuleType], database: Open
) -> None:
    """No column becomes a key field here, and what each row has is added to."""
    models = fixed(VISIT)
    db = database(models.Visit, models.VisitOfVisitor)
    TwinRepository(db, models.VISIT).put(models.Visit(page="home", visitor=ROW))
    (found,) = repository(db, models.VisitOfVisitor).of_visitor(ROW)
    assert (found.page, found.note) == ("home", None)
    assert not hasattr(found, "visits")


HITS = '''\
class Hits(bt.Model, table="HITS", events="5/s"):
    """How often a visitor came to a page."""

    page: str = bt.key(bt.Text(max_length=20), cardinality=400_000)
    visitor: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
    hits: int | None = bt.counter("hits", sums)

    of_page = bt.query("page")
    of_visitor = bt.query("visitor")
'''
RANKED = '''\
class Player(bt.Model, table="PLAYER", events="5/s"):
    """A player."""

    player: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    wins: int = bt.column("wins", data, increments="3/h", cardinality=4_000)
    name: str = bt.column("name", data)

    one = bt.query("player")
    of_wins = bt.query("wins")
'''


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HITS, "add to `hits` in both tables, as dual writes copy what is put, and no additions"),
        (RANKED, "additions to `wins` reach no second table, so let a batch job write it"),
    ],
    ids=["nothing is put", "the key"],
)
def test_no_dual_writes_are_written_of_what_is_only_added_to(
    project: Path, run: Run, text: str, said: str
) -> None:
    """The fix says what to do instead."""
    path = project / "shop" / "models.py"
    path.write_text(HEAD + text)
    assert said in " ".join(run("check", COLUMNS="10000").stdout.split())
    run("check", "--fix")
    assert "bt.twins" not in path.read_text()


class Subscriber(bt.Model, table="SUBSCRIBER", events="5/s"):
    """A subscriber, who may have a phone."""

    subscriber: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    phone: str | None = bt.column("phone", data, max_size=20, default=None)
    note: str | None = bt.column("note", data, default=None)
    plan: str = bt.column("plan", data)
    calls: int | None = bt.column("calls", data, increments="3/h", default=None)

    one = bt.query("subscriber")


class SubscriberByPhone(bt.Model, table="SUBSCRIBER_BY_PHONE", events="5/s"):
    """A subscriber, who may have a phone."""

    phone_hash = bt.digest("phone")
    subscriber: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)
    phone: str | None = bt.key(bt.Text(max_length=20), stored=False)

    data = bt.family("data", gc=bt.max_versions(1))
    note: str | None = bt.column("note", data, default=None)
    plan: str = bt.column("plan", data)

    by_phone = bt.query("phone")


class Caller(bt.Model, table="CALLER", events="5/s"):
    """A caller, of whom there is a phone and maybe a note."""

    caller: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    phone: str = bt.column("phone", data, max_size=20)
    note: str | None = bt.column("note", data, default=None)

    one = bt.query("caller")


class CallerByPhone(bt.Model, table="CALLER_BY_PHONE", events="5/s"):
    """A caller, of whom there is a phone and maybe a note."""

    phone_hash = bt.digest("phone")
    caller: str = bt.key(bt.HexDigest(16), cardinality=4_000_000, mirror="data:caller")
    phone: str | None = bt.key(bt.Text(max_length=20), stored=False)

    data = bt.family("data", gc=bt.max_versions(1))
    note: str | None = bt.column("note", data, default=None)

    by_phone = bt.query("phone")


def subscriber_by_phone(row: Subscriber) -> SubscriberByPhone | None:
    if row.phone is None:
        return None
    return SubscriberByPhone(subscriber=row.subscriber, phone=row.phone, note=row.note, plan=row.plan)


def said_for(model: type[bt.Model]) -> tuple[str, ModelSchema]:
    """The fix of a query by phone, which is not served, and its second table."""
    schema = bt.schema_of(model)
    asking = evolve(schema, queries=(*schema.queries, Query("by_phone", ("phone",))))
    (finding,) = (one for one in review_all([asking]) if one.rule == "QRY001")
    return finding.fix, finding.models[1]


def comparable(schema: ModelSchema) -> object:
    """What of a schema the words of a fix say."""
    fields = [evolve(part, derived=None) for part in (*schema.key.fields, *schema.key.unstored)]
    return schema.name, schema.table, fields, schema.columns, schema.queries


def test_a_row_without_a_phone_has_no_row_under_its_digest(database: Open) -> None:
    """As of any other column that rows may lack, a function that gives None leaves it out."""
    said, made = said_for(Subscriber)
    assert comparable(made) == comparable(bt.schema_of(SubscriberByPhone))
    assert "; a row without `phone` has no row there" in said
    twins = "bt.twins(Subscriber, (SubscriberByPhone, subscriber_by_phone), owned=True)"
    assert f"`{twins}`" in said
    assert "`calls`, which is added to, stays in `Subscriber`, as dual writes copy no additions" in said
    db = database(Subscriber, SubscriberByPhone)
    both = TwinRepository(db, eval(twins))
    both.put(Subscriber(subscriber=ROW, plan="basic"))
    both.put(Subscriber(subscriber="cd" * 8, plan="basic", phone="+4930", note="vip"))
    (found,) = repository(db, SubscriberByPhone).by_phone("+4930")
    assert (found.subscriber, found.note) == ("cd" * 8, "vip")
    assert repository(db, Subscriber).get(ROW).plan == "basic"


def test_a_row_under_a_digest_has_a_cell(database: Open) -> None:
    """It has none of the column that identifies a person, so a field of its key is written again."""
    said, made = said_for(Caller)
    assert comparable(made) == comparable(bt.schema_of(CallerByPhone))
    assert 'with a cell for `caller`, `mirror="data:caller"`, as a row needs one' in said
    assert "bt.twins(Caller, CallerByPhone, owned=True)" in said
    db = database(Caller, CallerByPhone)
    TwinRepository(db, bt.twins(Caller, CallerByPhone, owned=True)).put(Caller(caller=ROW, phone="+4930"))
    (found,) = repository(db, CallerByPhone).by_phone("+4930")
    assert (found.caller, found.note) == (ROW, None)
