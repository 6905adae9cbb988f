"""Finding the twins that a command is about."""

from collections.abc import Sequence

import click

from btmodel.cli.models import named_modules
from btmodel.declare import twins_in
from btmodel.schema import TwinsSchema
from btmodel.settings import Settings, read


def shown_twins(context: click.Context, settings: Settings | None = None) -> Sequence[TwinsSchema]:
    """The twins in the modules of models that are loaded."""
    return twins_in(named_modules(context, settings or read()))
