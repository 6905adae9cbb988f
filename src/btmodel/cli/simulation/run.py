"""The run of ``btmodel simulate``: workloads, simulation, output files."""

import json
import sys
from collections.abc import Sequence

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from btmodel.cli.console import Console
from btmodel.cli.output import check_place, write_output
from btmodel.cli.simulation.options import SimulationOptions
from btmodel.cli.simulation.printing import as_json, print_answer, print_maps, print_sentences
from btmodel.cli.simulation.workload import ChosenWorkloads, chosen
from btmodel.cli.terminal import echo
from btmodel.errors import SimulationRefused
from btmodel.on_demand import library
from btmodel.schema import ModelSchema
from btmodel.simulate.cluster.cluster import Cluster, assumptions_of, usual_nodes
from btmodel.simulate.comparison import Compared, compared
from btmodel.simulate.picture import page, png
from btmodel.simulate.scenarios import Scenario, alternatives, declared
from btmodel.simulate.simulation import Simulated, blurred, simulated, steps_of
from btmodel.simulate.workload import Workload, workload_of
from btmodel.simulate.workload.text import WorkloadFile, read_file
from btmodel.words import one_line


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

        return compared(scenarios, lambda model: _workload(found, model), simulate)


def _scenarios(found: ChosenWorkloads, options: SimulationOptions) -> list[Scenario]:
    scenarios = [declared(found.workloads)]
    if options.compares:
        scenarios += alternatives(
            found.workloads[0],
            found.others,
            options.salt or (),
            options.bucket or (),
            lambda model: _workload(found, model),
        )
    return scenarios


def _workload(found: ChosenWorkloads, model: ModelSchema) -> Workload:
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
