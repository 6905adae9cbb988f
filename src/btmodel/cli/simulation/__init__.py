"""``btmodel simulate``: show what a workload does to a cluster."""

from typing import Any

import click

from btmodel.cli.completion import model_names
from btmodel.cli.group import models_option
from btmodel.cli.simulation.options import SimulationOptions, simulation_options
from btmodel.errors import SimulationRefused
from btmodel.on_demand import library


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...", shell_complete=model_names)
@simulation_options
@models_option
@click.pass_context
def simulate(context: click.Context, /, names: tuple[str, ...], **given: Any) -> None:
    """Show where the load of models goes, before there is a table: hotspots, busy nodes, sizes.

    MODEL is the name of a class. Several models share one cluster; without MODEL, all models of the
    project do. Workloads come from the models, and options override them. No instance is contacted,
    unless you give --from.

    Exit code 0: simulated; 1: an error, such as a missing workload estimate; 2: a wrong option.
    """
    library("numpy", "simulate", "a simulation", SimulationRefused)
    # Here, because it loads numpy, which no other command has a use for.
    from btmodel.cli.simulation.run import run

    run(context, names, SimulationOptions(**given))
