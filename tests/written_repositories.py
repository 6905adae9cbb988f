"""Repositories that tests write and import: all are called ``generated``, whichever folder they are in."""

import importlib
import sys


def forget_repositories() -> None:
    """Let the next import of a repository read its file, though another test imported one of this name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated"]:
        del sys.modules[name]
    importlib.invalidate_caches()
