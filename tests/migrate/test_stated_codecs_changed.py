"""A codec whose class has changed inside is another codec, and what older versions recorded is completed."""

from dataclasses import make_dataclass
from typing import Any

import pytest
from attrs import evolve
from settled_tables import layout
from some_tables import QUOTE

import btmodel as bt
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError
from btmodel.migrate import ChangeCodec, Effect, RecordLayouts, apply, diff, make_plan, read_plan
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.tables.layouts import to_record
from btmodel.rows import Cell, Mutation
from btmodel.schema import Table, tables
from btmodel.schema.layout import codec_parts, codec_text


def span(*fields: Any) -> type:
    """A class ``Span`` with these fields."""
    return make_dataclass("Span", [(one, int) if isinstance(one, str) else one for one in fields])


def table(codec: Any) -> Table:
    """A table with a cell of this codec, or of this text."""
    text = codec if isinstance(codec, str) else f"value {codec_text(codec)}"
    return evolve(QUOTE, layouts=(layout("Quote", BID=text),))


def unsaid(codec: Any) -> str:
    """What an older version recorded of a codec."""
    return f"value {codec_parts(codec_text(codec)).bare}"


PACKED = bt.Packed(span("start", "end"), ">II")
TURNED = bt.Packed(span("end", "start"), ">II")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (TURNED, PACKED),
        (bt.Compressed(TURNED), bt.Compressed(PACKED)),
        (bt.Either(bt.Json(TURNED.record), TURNED), bt.Either(bt.Json(PACKED.record), PACKED)),
        (bt.Packed(span("begin", "end"), ">II"), PACKED),
        (bt.Json(dict[str, str]), bt.Json(dict[str, int])),
        (bt.Json(span("start")), bt.Json(span("start", "end"))),
        (bt.Json(span("start", "end")), bt.Json(span("start"))),
        (bt.Json(span(("start", str))), bt.Json(span("start"))),
        (bt.Json(span(("start", int, 2))), bt.Json(span(("start", int, 1)))),
        (bt.Json(span("start")), bt.Json(span(("start", int, 1)))),
        (bt.RawArray(">f8", (None,)), bt.RawArray("<f8", (None,))),
    ],
    ids=lambda one: codec_text(one)[:70],
)
def test_another_inside_is_blocked(new: Any, old: Any) -> None:
    """Fields in another order, of another name or type, or gone: the change is named, with both insides."""
    (change,) = diff((table(new),), (table(old),))
    assert isinstance(change, ChangeCodec)
    assert (change.effect, change.requires) == (Effect.BLOCKED, "change-codec:QUOTE.MD:BID")
    assert f"recorded: value {codec_text(old)}" in change.details
    assert f"declared: value {codec_text(new)}" in change.details


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (bt.Json(span("start", ("end", int, 0))), bt.Json(span("start"))),
        (bt.Json(span(("start", int, 0))), bt.Json(span("start"))),
        (bt.Json(span(("start", int | None))), bt.Json(span("start"))),
        (bt.Json(span("end", "start")), bt.Json(span("start", "end"))),
    ],
    ids=lambda one: codec_text(one)[:70],
)
def test_documents_may_gain_fields(new: Any, old: Any) -> None:
    """What every old document is read by as it was is safe."""
    (change,) = diff((table(new),), (table(old),))
    assert change.effect is Effect.SAFE


@pytest.mark.parametrize(
    "codec", [PACKED, bt.Either(bt.Json(PACKED.record), PACKED), bt.RawArray("<f8", (2,))]
)
def test_what_older_versions_recorded_is_completed(codec: Any) -> None:
    """It is no change, is recorded in full without asking, and is not made less by an older revision."""
    old, full = table(unsaid(codec)), table(codec)
    assert diff((full,), (old,)) == diff((old,), (full,)) == ()
    (record,) = make_plan("i", (full,), (old,)).changes
    assert isinstance(record, RecordLayouts)
    assert record.layouts[0].cells[0].codec == f"value {codec_text(codec)}"
    assert to_record(old.layouts, full.layouts)[0].cells[0].codec == f"value {codec_text(codec)}"
    assert make_plan("i", (old,), (full,)).changes == ()


def model(codec: bt.CellCodec[Any]) -> Any:
    """A model with one column of this codec."""

    class Ride(bt.Model, table="RIDE"):
        id: str = bt.key(bt.Text(width=2))
        md = bt.family("MD", gc=bt.max_versions(1))
        span: Any = bt.column("S", md, codec=codec)

    return Ride


def test_a_reordered_record_in_an_instance() -> None:
    """Cells that were packed are not read as other values in silence: migrate refuses, with the name that allows it."""
    name = "projects/test/instances/packed"
    old, new = (tables([bt.schema_of(model(one))]) for one in (PACKED, TURNED))
    with (
        local_server.start() as running,
        Admin(Target(name, running.host)) as admin,
        bt.Database(Target(name, running.host, lambda: None)) as db,
    ):
        history = MigrationHistory(admin, db)
        apply(read_plan(admin, old, history=history), admin, run_record=RunRecord(history, "me"))
        db.write(Mutation("RIDE", b"ab", [Cell("MD", b"S", 1000, PACKED.encode(PACKED.record(1, 2)))]))
        with pytest.raises(MigrationError, match=r"change-codec:RIDE\.MD:S"):
            apply(read_plan(admin, new, history=history), admin, run_record=RunRecord(history, "me"))
        assert read_plan(admin, old, history=history).changes == ()
