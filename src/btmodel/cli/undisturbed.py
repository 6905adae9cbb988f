"""Running code of the user's while a command keeps its output and its folder."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def undisturbed() -> Iterator[None]:
    """Send to stderr what this block prints, also by its child processes, and come back to the working folder.

    The output of a command is its own: programs read it.
    """
    folder = os.getcwd()
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        with open(os.dup(2), "w", encoding="utf-8", errors="backslashreplace") as theirs:
            with redirect_stdout(theirs):
                yield
            if not theirs.closed:
                theirs.flush()
    finally:
        os.dup2(own, 1)
        os.close(own)
        os.chdir(folder)
