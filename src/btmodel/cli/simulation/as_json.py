"""The answer of a simulation as JSON. Its keys are a contract: they are only ever added to."""

from typing import Any

from attrs import asdict, fields_dict, has

from btmodel.simulate.answer.answer import Answer, TableAnswer
from btmodel.simulate.answer.over_time import over_time
from btmodel.simulate.answer.scans import ranges_of, unserved
from btmodel.simulate.cluster.assumptions import described
from btmodel.simulate.comparing import Compared
from btmodel.simulate.simulated import Simulated


def as_json(result: Compared) -> dict[str, Any]:
    """All of it, as values of JSON: the models as they are, and each alternative."""
    first = result.sides[0]
    cluster = first.outcome.cluster
    return {
        "cluster": {"nodes": cluster.nodes, "storage": cluster.storage},
        "seconds": first.answer.seconds,
        "step_seconds": first.outcome.step_seconds,
        "said": [asdict(one) for one in result.said],
        "alternatives": [_side(one) for one in result.all],
        "firm": [
            {**asdict(one), "bound": one.bound.name.lower(), "why": one.bound.value}
            for one in first.outcome.firm
        ],
        "assumptions": [asdict(one) for one in described(cluster.assumptions)],
    }


def _side(one: Simulated) -> dict[str, Any]:
    answer = one.answer
    # Those of the tables follow, and the time is that of all.
    names = [name for name in fields_dict(Answer) if name not in ("tables", "seconds")]
    figures = {name: _plain(getattr(answer, name)) for name in names}
    return {
        **figures,
        "tables": [_table(table) for table in answer.tables],
        "over_time": over_time(one.outcome),
    }


def _table(table: TableAnswer) -> dict[str, Any]:
    model = table.workload.model
    return {
        "model": model.name,
        "module": model.module,
        "table": model.table,
        "key": model.key.shape,
        "events": table.workload.writes,
        "fields": {name: str(found) for name, found in table.workload.fields.items()},
        "counts": dict(table.workload.counts),
        "ranges_of_a_read": ranges_of(model),
        "unserved": list(unserved(model)),
        "writes": table.writes and asdict(table.writes),
        "reads": table.reads and asdict(table.reads),
        "rows": table.rows,
        "bytes": table.bytes,
        "hottest": {
            "seconds": table.hottest.seconds,
            "load": table.hottest.load,
            "share": table.hottest.share,
            "start": _text(table.hottest.low),
            "end": None if table.hottest.high is None else _text(table.hottest.high),
        },
        "growth": asdict(table.growth),
    }


def _plain(value: Any) -> Any:
    return asdict(value) if has(type(value)) else value


def _text(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")
