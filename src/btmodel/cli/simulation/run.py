"""The run of ``btmodel simulate``: models and their workloads, the real row keys that stand for made-up ones, simulation, output files."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import click
from attrs import evolve, field, frozen
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from btmodel.cli.console import Console
from btmodel.cli.models import called, load_each
from btmodel.cli.output import check_place, write_output
from btmodel.cli.simulation.options import SimulationOptions
from btmodel.cli.simulation.printing import as_json, print_answer, print_maps, print_sentences
from btmodel.cli.terminal import echo
from btmodel.errors import MissingTable, SettingsError, SimulationRefused, UndecodableKey
from btmodel.on_demand import library
from btmodel.rows import RowKeyCodec
from btmodel.schema import ModelSchema, Rate
from btmodel.simulate.alternatives import Scenario, alternatives, declared
from btmodel.simulate.cluster.cluster import Cluster, assumptions_of, usual_nodes
from btmodel.simulate.declared_workload import lacking, workload_of
from btmodel.simulate.picture import page, png
from btmodel.simulate.simulation import Compared, Simulated, blurred, compared, simulated, steps_of
from btmodel.simulate.workload import Stated, Workload, WorkloadFile, asked_of, read_file
from btmodel.words import meant, one_line, raw_key

Named = tuple[str | None, str, str]
# Read at the most, of one table.
MOST_KEYS = 10_000


@frozen
class GivenValues:
    """The values of options, each for one model by its name or for all models that it fits, and the file below them."""

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
        """The statements about ``model``; options take precedence over the file."""
        fields = {asked.name for asked in asked_of(model)}
        queries = {query.name for query in model.queries}
        flags = Stated(
            next((rate for name, rate in reversed(self.events) if name in (None, model.name)), None),
            self.growth,
            self.daily,
            self.history,
            self.start,
            dict(_fitting(self.fields, model, fields)),
            {name: _count(name, text) for name, text in _fitting(self.counts, model, fields)},
            dict(_fitting(self.reads, model, queries)),
        )
        return flags.over(self.file.models.get(model.name, Stated()))

    def check(self, models: Iterable[ModelSchema]) -> None:
        """Refuse what fits none of the models. Raises :class:`SimulationRefused`, with the nearest names."""
        models = tuple(models)
        names = [model.name for model in models]
        for name in (*self.file.models, *(name for name, _ in self.events if name)):
            _check(name, names, "no model {!r} is simulated", "models")
        for given, of, what in (
            (self.fields, _field_names, "field"),
            (self.counts, _field_names, "field"),
            (self.reads, _query_names, "query"),
        ):
            for owner, name, _ in given:
                if owner is not None:
                    _check(owner, names, "no model {!r} is simulated", "models")
                among = [model for model in models if owner in (None, model.name)]
                known = list(dict.fromkeys(name for model in among for name in of(model)))
                places = ", ".join(model.name for model in among[:3])
                _check(name, known, f"no {what} {{!r}} in {places}", "there are")


def _fitting(given: Sequence[Named], model: ModelSchema, known: set[str]) -> Iterable[tuple[str, str]]:
    """The statements for all models that fit this one, then those that name it."""
    yield from ((name, text) for owner, name, text in given if owner is None and name in known)
    yield from ((name, text) for owner, name, text in given if owner == model.name)


def _count(name: str, text: str) -> int:
    try:
        number = float(text.replace("_", "").replace(",", ""))
        count = int(number)
    except (ValueError, OverflowError):
        number = count = 0
    if count < 1 or count != number:
        raise SimulationRefused(f"--count {name}: expected a whole number from 1 on, got {text!r}")
    return count


def _check(name: str, known: Sequence[str], what: str, all_: str) -> None:
    if name not in known:
        raise SimulationRefused(f"{what.format(name)}{meant(name, known, all_)}")


def _field_names(model: ModelSchema) -> list[str]:
    return [asked.name for asked in asked_of(model)]


def _query_names(model: ModelSchema) -> list[str]:
    return [query.name for query in model.queries]


@frozen
class ChosenWorkloads:
    """The workloads, the models to compare with, the notes on them, and which models were left out, with the reason."""

    workloads: tuple[Workload, ...]
    others: tuple[ModelSchema, ...]
    given: GivenValues
    left_out: tuple[str, ...]


def chosen(
    context: click.Context,
    names: Sequence[str],
    options: SimulationOptions,
    file: WorkloadFile,
    note: Callable[[str], None],
) -> ChosenWorkloads:
    """The models that ``names`` and the options choose; without names, all models of the project.

    Raises :class:`SettingsError` for a name that is none, :class:`SimulationRefused` for figures that lack or make no
    sense, and :class:`click.UsageError` for options of one model where there are several.
    """
    models, problems = load_each(context)
    for problem in problems:
        note(str(problem))
    some = [_named(name, models) for name in dict.fromkeys(names)] if names else models
    others = tuple(_named(name, models) for name in options.vs)
    given = GivenValues(
        options.events, options.field, options.count, options.read,
        options.growth, options.daily, options.history, options.start, file,
    )  # fmt: skip
    given.check([*some, *others])
    enough = [model for model in some if names or not lacking(model, given.of(model))]
    left_out = tuple(str(lacking(model, given.of(model))) for model in some if model not in enough)
    if not enough:
        raise SimulationRefused(left_out[0] if left_out else "expected models to simulate, got none")
    if len(enough) > 1 and (options.compares or options.keys):
        raise click.UsageError("--vs, --salt, --bucket and --keys are about one model: name it", context)
    workloads = tuple(_workload(model, given, options, note, alone=len(enough) == 1) for model in enough)
    return ChosenWorkloads(workloads, others, given, left_out)


def _workload(
    model: ModelSchema,
    given: GivenValues,
    options: SimulationOptions,
    note: Callable[[str], None],
    *,
    alone: bool,
) -> Workload:
    found = workload_of(model, given.of(model))
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


def sampled_keys(
    instance: str, model: ModelSchema, note: Callable[[str], None], most: int = MOST_KEYS
) -> tuple[bytes, ...]:
    """Row keys of the table of ``model`` in ``instance``; ``note`` receives a message about those that are not keys of the model.

    A local file that is not there is not made. Raises what :func:`btmodel.client.connect` does, :class:`MissingTable`, and :class:`SimulationRefused` for
    a table without a row of the model.
    """
    # Here, because they load grpc, which nothing else of a simulation has a use for.
    from btmodel.client._sync.database import Database
    from btmodel.client.sampling import Bounds, sample
    from btmodel.client.target import resolve

    families = [family.id for family in model.families]
    with Database(resolve(instance, makes_file=False)) as database:
        found = sample(database, model.table, families, Bounds(rows=most))
    codec = RowKeyCodec(model)
    keys = [key for key, _ in found.rows if codec.fits(key)]
    if not keys:
        raise SimulationRefused(f"table {model.table} in {instance}: expected rows of {model.name}, got none")
    if strange := len(found.rows) - len(keys):
        note(f"{strange:,} of {len(found.rows):,} sampled rows do not fit {model.name} and were left out")
    return tuple(keys)


def keys_in(path: Path, model: ModelSchema, parse: Callable[[str], bytes]) -> tuple[bytes, ...]:
    r"""The keys in a file, one a line, which ``parse`` takes for bytes; empty lines are left out.

    Raises :class:`SimulationRefused`, with the line of a key that is none of ``model``.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise SimulationRefused(f"{path}: {error.strerror or error}") from None
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip("\r"))
    found = tuple(_checked(model, path, ((number, parse(line.rstrip("\r"))) for number, line in lines)))
    if not found:
        raise SimulationRefused(f"{path}: expected row keys of {model.name}, one a line, got none")
    return found


def _checked(model: ModelSchema, path: Path, keys: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    codec = RowKeyCodec(model)
    for number, key in keys:
        try:
            codec.decode(key)
        except UndecodableKey as error:
            raise SimulationRefused(f"{path}:{number}: not a row key of {model.name}: {error.why}") from None
        yield key


def run(context: click.Context, names: Sequence[str], options: SimulationOptions) -> None:
    """Simulate, print, and write the files.

    Raises what :func:`chosen` does, :class:`SimulationRefused` where matplotlib is needed and not installed, and :class:`GenerationError`
    where a file cannot be written.
    """
    if options.png:
        library("matplotlib", "plot", "a picture", SimulationRefused)
    for path in (options.html, options.png):
        if path:
            check_place(path, force=options.force)
    file = read_file(options.file) if options.file else WorkloadFile()
    found = chosen(context, names, options, file, _note)
    for one in found.left_out:
        _note(f"left out: {one}")
    result = _compared(found, options, _cluster(found, options, file))
    _print(result, options)
    _write(result, options, found)


def _compared(found: ChosenWorkloads, options: SimulationOptions, cluster: Cluster) -> Compared:
    steps = steps_of(options.span, options.step)
    for workload in found.workloads:
        if note := blurred(workload.model, steps):
            _note(note)
    scenarios = _scenarios(found, options)
    columns = (TextColumn("simulating {task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    quiet = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bars:

        def simulate(scenario: Scenario) -> Simulated:
            task = bars.add_task(one_line(scenario.name), total=1.0)
            done = simulated(scenario, cluster, steps, lambda share: bars.update(task, completed=share))
            bars.remove_task(task)
            return done

        return compared(scenarios, lambda model: _workload_of(found, model), simulate)


def _scenarios(found: ChosenWorkloads, options: SimulationOptions) -> list[Scenario]:
    scenarios = [declared(found.workloads)]
    if options.compares:
        scenarios += alternatives(
            found.workloads[0],
            found.others,
            options.salt or (),
            options.bucket or (),
            lambda model: _workload_of(found, model),
        )
    return scenarios


def _workload_of(found: ChosenWorkloads, model: ModelSchema) -> Workload:
    """The workload of another model: the options given for the first one apply as far as they fit."""
    return workload_of(model, found.given.of(model))


def _cluster(found: ChosenWorkloads, options: SimulationOptions, file: WorkloadFile) -> Cluster:
    assumed = dict(file.assume)
    for text in options.assume:
        name, equals, value = text.partition("=")
        if not equals:
            raise SimulationRefused(
                f"--assume: expected NAME=VALUE, such as split-bytes=200MiB, got {text!r}"
            )
        assumed[name] = value
    said = {"nodes": options.nodes, "storage": options.storage}
    cluster = {**file.cluster, **{name: value for name, value in said.items() if value is not None}}
    nodes = cluster["nodes"] if "nodes" in cluster else usual_nodes(found.workloads)
    return Cluster(nodes, cluster.get("storage", "ssd").lower(), assumptions_of(assumed))


def _print(result: Compared, options: SimulationOptions) -> None:
    console = Console(highlight=False)
    if options.json:
        echo(json.dumps(as_json(result), indent=2))
    elif options.brief:
        print_sentences(console, result.said)
    elif options.maps:
        print_sentences(console, result.said)
        print_maps(console, result, against_even=options.against_even)
    else:
        print_answer(console, result, against_even=options.against_even)


def _write(result: Compared, options: SimulationOptions, found: ChosenWorkloads) -> None:
    sides = [run.side for run in result.all]
    title = ", ".join(workload.model.name for workload in found.workloads[:3])
    title += f" and {len(found.workloads) - 3} more" if len(found.workloads) > 3 else ""
    if options.html:
        notes = [one.sentence for one in result.said]
        drawn = page(sides, title=title, notes=notes, against_even=options.against_even)
        write_output(options.html, drawn.encode(), force=options.force)
        _note(f"wrote {options.html}")
    if options.png:
        picture = png(sides, title=title, against_even=options.against_even)
        write_output(options.png, picture, force=options.force)
        _note(f"wrote {options.png}")


def _note(text: str) -> None:
    echo(text, err=True)
