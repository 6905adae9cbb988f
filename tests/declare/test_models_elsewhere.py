"""Models that no module holds, as those of scripts, notebooks and functions: cloudpickle takes them to other processes."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import cloudpickle
import pytest

import btmodel as bt
from btmodel.codecs import cell
from btmodel.codecs.cell import CellCodec
from tests.forked_commands import Commands

SCRIPT = '''
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import attrs
import cloudpickle

import btmodel as bt
from btmodel.repository import Repository


@attrs.frozen
class Note:
    """What somebody wrote."""

    text: str
    stars: int = 0


class Shared(bt.Model):
    """What models have in common."""

    d = bt.family("d", gc=bt.max_versions(1))
    at: datetime = bt.timestamp()


def declared():
    class Visit(Shared, table="visits", events="1/s"):
        """A visit of a page."""

        part = bt.salt("page", buckets=4)
        page: str = bt.key(bt.Text(max_length=9))
        day: date = bt.key(bt.DateText())

        title: str = bt.column("t", Shared.d)
        price: Decimal | None = bt.column("p", Shared.d, default=None)
        note: Note | None = bt.column("n", Shared.d, default=None)
        c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
        likes: int | None = bt.counter("l", c)
        h = bt.family("h", gc=bt.keep_all())
        seen: bt.History[str] = bt.history("s", h)
        m = bt.family("m", gc=bt.max_versions(1))
        scores: dict[str, int] = bt.mapping(m, bt.Text(max_length=5))

        of_page = bt.query("page", between="day")

        def shouted(self) -> str:
            return self.title.upper()

    return Visit


class Plain(bt.Model, table="plain", events="1/s"):
    """A row of plain columns, for which everything is compiled."""

    name: str = bt.key(bt.Text(max_length=9))
    d = bt.family("d", gc=bt.max_versions(1))
    size: int = bt.column("s", d)
    price: Decimal | None = bt.column("p", d, default=None)
    text: str | None = bt.column("t", d, default=None)

    every = bt.query(scan="the tests")


class PlainKey(NamedTuple):
    name: str


class PlainRepository(Repository):
    """As it is generated."""

    model = Plain
    key = PlainKey


Visit = declared()
at = datetime(2026, 5, 31, tzinfo=UTC)
visit = Visit(
    page="p", day=at.date(), at=at, title="t", price=Decimal("1.50"), note=Note("n", 3), seen={at: "x"}, scores={"s": 1}
)
plain = Plain(name="a", size=1, text="x")
if sys.argv[2:]:
    # Whatever was made of the classes so far is none of what is sent.
    Visit.read_key(bt.key_of(visit)), Plain.read_key(Plain.row_key(name="a")), bt.mutation_of(visit)
    Visit.of_page.plan(page="p", day=(None, None))
    with bt.connect(sys.argv[2]) as db:
        db.write(bt.mutation_of(visit))
        repository = PlainRepository(db)
        repository.put_many([plain])
        assert list(db.cells("plain"))
rows = (visit, plain, [Visit, Plain], bt.key_of(visit), PlainRepository)
Path(sys.argv[1]).write_bytes(cloudpickle.dumps(rows))
'''

OTHER = """
import pickle
import sys
from decimal import Decimal
from pathlib import Path

import btmodel as bt
from btmodel.declare import codec_of

def work(db, sent):
    visit, plain, (Visit, Plain), key, PlainRepository = pickle.loads(sent)
    assert type(visit) is Visit and type(plain) is Plain
    assert repr(Visit).startswith("<model Visit: table visits") and bt.schema_of(Visit).table == "visits"
    assert visit.shouted() == "T" and visit.price == Decimal("1.50") and visit.note.stars == 3
    assert bt.key_of(visit) == key and Visit.read_key(key) == ("p", visit.day)
    assert str(Visit.of_page.plan(page="p", day=(None, None)))
    again = Visit(
        page="p", day=visit.day, at=visit.at, title="t", price=Decimal("1.50"), note=visit.note, seen=visit.seen,
        scores={"s": 1},
    )
    assert again == visit
    try:
        visit.likes = 3
        raise SystemExit("a counter was set")
    except bt.ValueRefused:
        pass
    try:
        Visit(page="p", likes=3)
        raise SystemExit("a counter was given")
    except bt.ValueRefused:
        pass
    [(raw, cells)] = db.cells("visits")
    assert raw == key
    assert codec_of(Visit).decode(raw, cells) == visit
    db.write(bt.mutation_of(again))
    plains = PlainRepository(db)
    assert [row.size for row in plains.get_many([PlainRepository.key("a")])] == [1]
    assert plains.put_many(Plain(name=f"n{n}", size=n, price=Decimal(n)) for n in range(100)) == 100
    found = plains.get_many([PlainRepository.key("n7"), PlainRepository.key("zz")])
    assert found == [Plain(name="n7", size=7, price=Decimal(7)), None], found


with bt.connect(sys.argv[1]) as db:
    for path in sys.argv[2:]:
        work(db, Path(path).read_bytes())
"""


@pytest.fixture
def run(tmp_path: Path, commands: Commands) -> Callable[..., None]:
    """Runs a script by itself; what it prints is the failure."""
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "other.py").write_text(OTHER)

    def run_(script: str, *arguments: str | Path) -> None:
        done = commands.program(tmp_path / script, list(map(str, arguments)), tmp_path, os.environ, 120)
        assert done.returncode == 0, done.stderr

    return run_


@pytest.fixture
def tables(migrated: Callable[..., str], run: Callable[..., None], tmp_path: Path) -> str:
    """An instance with the tables of the script."""
    run("script.py", tmp_path / "fresh")
    _, _, models, _, _ = pickle.loads((tmp_path / "fresh").read_bytes())
    return migrated(*models)


def test_models_of_a_script_work_in_another_process(
    tables: str, run: Callable[..., None], tmp_path: Path
) -> None:
    """One of the script itself and one of a function, used or not before they were sent: keys, rows, reads and writes."""
    run("script.py", tmp_path / "used", tables)
    run("other.py", tables, tmp_path / "used", tmp_path / "fresh")


def test_a_model_comes_back_as_itself_where_it_was_made() -> None:
    """In the same process the class is the same one, and a class without a table is none of a table."""

    class Base(bt.Model):
        f = bt.family("f", gc=bt.max_versions(1))

    class Made(Base, table="made"):
        name: str = bt.key(bt.Text(max_length=3))
        size: int = bt.column("s", Base.f)

    assert pickle.loads(cloudpickle.dumps(Made)) is Made
    assert pickle.loads(cloudpickle.dumps(Made(name="a", size=1))) == Made(name="a", size=1)


@pytest.mark.parametrize("codec", [cell.Json(dict[str, list[int]]), cell.Compressed(cell.Json(list[int]))])
def test_a_codec_of_json_is_pickled_by_its_type(codec: CellCodec[object]) -> None:
    """By pickle alone."""
    assert pickle.loads(pickle.dumps(codec)) == codec
    assert pickle.loads(pickle.dumps(codec)).meaning == codec.meaning
