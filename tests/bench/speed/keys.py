"""What a row key costs, against the f-string and the split that a person would write."""

from btmodel import key_of
from tests.bench.speed.contest import OURS, Outcome, Way, compete, exhaust
from tests.bench.speed.workload import Workload

BY_HAND = "by hand"


def encoding(work: Workload, rows: int, rounds: int) -> Outcome:
    """The keys of instances of the model, against the keys of records."""
    records = list(work.records(rows))
    models = list(work.models(records))
    ways: dict[str, Way] = {
        OURS: lambda: exhaust(map(key_of, models)),
        BY_HAND: lambda: exhaust(map(work.hand.key, records)),
    }
    return compete(f"row keys of {work.name}, encoded", rows, rounds, ways)


def decoding(work: Workload, rows: int, rounds: int) -> Outcome:
    """The fields of raw keys, from bytes."""
    keys = [work.hand.key(one) for one in work.records(rows)]
    ways: dict[str, Way] = {
        OURS: lambda: exhaust(map(work.model_class.read_key, keys)),
        BY_HAND: lambda: exhaust(map(work.hand.key_fields, keys)),
    }
    return compete(f"row keys of {work.name}, decoded", rows, rounds, ways)
