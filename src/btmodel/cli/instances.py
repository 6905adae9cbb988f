"""The instance that a command works on."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from btmodel.cli.migrate import Scope
from btmodel.cli.models import settings_and_models
from btmodel.client.target import resolve
from btmodel.errors import SettingsError


@contextmanager
def opened(context: click.Context, name: str | None) -> Iterator[Scope]:
    """The models and the instance called ``name``, or the settings' own; a server that it starts ends with it."""
    settings, models = settings_and_models(context)
    chosen = name or settings.instance
    if not chosen:
        raise SettingsError(
            'no instance: name one with --instance, or as instance = "..." under [tool.btmodel] in '
            f"{settings.root / 'pyproject.toml'}"
        )
    target = resolve(chosen)
    try:
        yield Scope(models, target.instance, target.host)
    finally:
        target.release()
