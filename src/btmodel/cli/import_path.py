"""The import path of commands: the project's own modules go before installed ones."""

import sys

from btmodel.settings import Settings, read


def project() -> Settings:
    """The settings that hold in this folder; modules are imported from the folder of the project first.

    All commands that import models, or the code of data steps, read the settings here: an installed copy of the project
    may be older than its files. Raises :class:`btmodel.errors.SettingsError`.
    """
    settings = read()
    own = [str(settings.root), str(settings.root / "src")]
    sys.path[:] = [*own, *(path for path in sys.path if path not in own)]
    return settings
