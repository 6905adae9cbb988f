"""The models that are simulated, with their workloads."""

from collections.abc import Callable, Sequence

import click
from attrs import evolve, frozen

from btmodel.cli.explain import raw_key
from btmodel.cli.models import called, load_each
from btmodel.cli.simulation.options import Options
from btmodel.cli.simulation.told import Told
from btmodel.errors import MissingTable, SettingsError, SimulationRefused
from btmodel.schema import ModelSchema
from btmodel.simulate.workload import Workload, workload_of
from btmodel.simulate.workload.defaults import lacking
from btmodel.simulate.workload.file import WorkloadFile
from btmodel.simulate.workload.keys import keys_in
from btmodel.simulate.workload.sampled import sampled_keys


@frozen
class Chosen:
    """The workloads, the models to compare with, what is told of them, and which were left out, with why."""

    workloads: tuple[Workload, ...]
    others: tuple[ModelSchema, ...]
    told: Told
    left_out: tuple[str, ...]


def chosen(
    context: click.Context,
    names: Sequence[str],
    options: Options,
    file: WorkloadFile,
    note: Callable[[str], None],
) -> Chosen:
    """What ``names`` and the options choose: all models of the project without any.

    Raises :class:`SettingsError` for a name that is none, :class:`SimulationRefused` for figures that lack or make no
    sense, and :class:`click.UsageError` for options of one model where there are several.
    """
    models, problems = load_each(context)
    for problem in problems:
        note(str(problem))
    some = [_named(name, models) for name in dict.fromkeys(names)] if names else models
    others = tuple(_named(name, models) for name in options.vs)
    told = Told(
        options.events, options.field, options.count, options.read,
        options.growth, options.daily, options.history, options.start, file,
    )  # fmt: skip
    told.check([*some, *others])
    enough = [one for one in some if names or not lacking(one, told.of(one))]
    left_out = tuple(str(lacking(one, told.of(one))) for one in some if one not in enough)
    if not enough:
        raise SimulationRefused(left_out[0] if left_out else "wanted models to simulate, got none")
    if len(enough) > 1 and (options.compares or options.keys):
        raise click.UsageError("--vs, --salt, --bucket and --keys are about one model: name it", context)
    workloads = tuple(_workload(one, told, options, note, alone=len(enough) == 1) for one in enough)
    return Chosen(workloads, others, told, left_out)


def _workload(
    model: ModelSchema, told: Told, options: Options, note: Callable[[str], None], *, alone: bool
) -> Workload:
    found = workload_of(model, told.of(model))
    if options.keys:
        return evolve(found, keys=keys_in(options.keys, model, raw_key))
    if options.instance is None:
        return found
    try:
        return evolve(found, keys=sampled_keys(options.instance, model, note))
    except (MissingTable, SimulationRefused) as error:
        if alone:
            raise
        note(f"{model.name}: keys are made up: {error}")
        return found


def _named(name: str, models: Sequence[ModelSchema]) -> ModelSchema:
    """The one model that ``name`` is the name of."""
    first, *more = called(name, models)
    if more:
        listed = ", ".join(f"{model.module}.{model.name}" for model in (first, *more))
        raise SettingsError(f"several models are called {name!r}: {listed}")
    return first
