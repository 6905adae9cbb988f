"""A scenario: the models that are simulated together."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import evolve, frozen

from btmodel.schema import Bucket, ModelSchema
from btmodel.simulate.alternatives import bucketed, rekeyed, salted
from btmodel.simulate.workload import Workload


@frozen
class Scenario:
    """Workloads that share a cluster, and the name of the scenario in a comparison."""

    name: str
    workloads: tuple[Workload, ...]


def declared(workloads: Iterable[Workload]) -> Scenario:
    """The models as they are declared."""
    found = tuple(workloads)
    return Scenario(found[0].model.name if len(found) == 1 else "as declared", found)


def alternatives(
    workload: Workload,
    others: Sequence[ModelSchema],
    salts: Sequence[int],
    buckets: Sequence[Bucket],
    workload_of: Callable[[ModelSchema], Workload],
) -> Iterator[Scenario]:
    """Each of ``others`` instead of the model, then the model with salts, then with buckets.

    ``workload_of`` makes the workloads of the others. Raises :class:`SimulationRefused` for an impossible
    alternative.
    """
    for other in others:
        alternative = evolve(workload_of(other), keys=_keys(workload, other))
        yield Scenario(other.name, (alternative,))
    for count in salts:
        made = salted(workload.model, count)
        yield Scenario(f"salt of {count:,}", (_with(workload, made),))
    for bucket in buckets:
        made = bucketed(workload.model, bucket)
        article = "an" if bucket is Bucket.HOUR else "a"
        yield Scenario(f"a row {article} {bucket.value}", (_with(workload, made),))


def _with(workload: Workload, model: ModelSchema) -> Workload:
    return evolve(workload, model=model, keys=_keys(workload, model), declared=None)


def _keys(workload: Workload, model: ModelSchema) -> tuple[bytes, ...] | None:
    return None if workload.keys is None else rekeyed(workload.keys, workload.model, model)
