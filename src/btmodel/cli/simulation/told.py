"""What the command line and the file say of each model's workload."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from attrs import field, frozen

from btmodel.errors import SimulationRefused
from btmodel.near import meant
from btmodel.schema import ModelSchema, Rate
from btmodel.simulate.workload import Stated
from btmodel.simulate.workload.asked import asked_of
from btmodel.simulate.workload.file import WorkloadFile

Named = tuple[str | None, str, str]


@frozen
class Told:
    """What flags say, each of one model by its name, or of all that it fits; and the file beneath them."""

    events: Sequence[tuple[str | None, Rate]] = ()
    fields: Sequence[Named] = ()
    counts: Sequence[Named] = ()
    reads: Sequence[Named] = ()
    growth: float | None = None
    daily: float | None = None
    history: timedelta | None = None
    start: datetime | None = None
    file: WorkloadFile = field(factory=WorkloadFile)

    def of(self, model: ModelSchema) -> Stated:
        """What is said of ``model``; flags count more than the file."""
        fields = {asked.name for asked in asked_of(model)}
        queries = {query.name for query in model.queries}
        flags = Stated(
            next((rate for name, rate in reversed(self.events) if name in (None, model.name)), None),
            self.growth,
            self.daily,
            self.history,
            self.start,
            dict(_fitting(self.fields, model, fields)),
            {name: _count(name, told) for name, told in _fitting(self.counts, model, fields)},
            dict(_fitting(self.reads, model, queries)),
        )
        return flags.over(self.file.models.get(model.name, Stated()))

    def check(self, models: Iterable[ModelSchema]) -> None:
        """Refuse what fits none of the models. Raises :class:`SimulationRefused`, with the nearest names."""
        models = tuple(models)
        names = [model.name for model in models]
        for name in (*self.file.models, *(name for name, _ in self.events if name)):
            _check(name, names, "no model {!r} is simulated", "models")
        for told, of, what in (
            (self.fields, _field_names, "field"),
            (self.counts, _field_names, "field"),
            (self.reads, _query_names, "query"),
        ):
            for owner, name, _ in told:
                if owner is not None:
                    _check(owner, names, "no model {!r} is simulated", "models")
                among = [model for model in models if owner in (None, model.name)]
                known = list(dict.fromkeys(name for model in among for name in of(model)))
                places = ", ".join(model.name for model in among[:3])
                _check(name, known, f"no {what} {{!r}} in {places}", "there are")


def _fitting(told: Sequence[Named], model: ModelSchema, known: set[str]) -> Iterable[tuple[str, str]]:
    """Those for all models where they fit this one, then those that name it."""
    yield from ((name, text) for owner, name, text in told if owner is None and name in known)
    yield from ((name, text) for owner, name, text in told if owner == model.name)


def _count(name: str, told: str) -> int:
    try:
        number = float(told.replace("_", "").replace(",", ""))
        count = int(number)
    except (ValueError, OverflowError):
        number = count = 0
    if count < 1 or count != number:
        raise SimulationRefused(f"--count {name}: wanted a whole number from 1 on, got {told!r}")
    return count


def _check(name: str, known: Sequence[str], what: str, all_: str) -> None:
    if name not in known:
        raise SimulationRefused(f"{what.format(name)}; {meant(name, known, all_)}")


def _field_names(model: ModelSchema) -> list[str]:
    return [asked.name for asked in asked_of(model)]


def _query_names(model: ModelSchema) -> list[str]:
    return [query.name for query in model.queries]
