"""Worker processes on this machine: Beam's own, which print what they log from some level on.

Beam's print each connection that they open, and each error of a step with two tracebacks, which the command reports in one line.
"""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import logging
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO, cast
from unittest.mock import patch

from apache_beam.options.pipeline_options import PipelineOptions, WorkerOptions
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from btmodel.beam.failures import REPORTED, Unmarked
from btmodel.errors import SettingsError

QUIET = "ERROR"
# Beam logs while it is loaded, so levels are set before that. Ctrl-C goes to all processes of a terminal: the command ends the pipeline, and that its workers.
_PROCESS = """
import logging, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
logging.basicConfig()
logging.root.handlers[0].setLevel({level})
from btmodel.beam.worker import main
main()
"""


def level_of(flags: Sequence[str]) -> int:
    """The level that an option of Beam asks for, as a name or a number; raises :class:`SettingsError` for another one."""
    asked = PipelineOptions(list(flags)).view_as(WorkerOptions).default_sdk_harness_log_level
    name = (asked or QUIET).upper()
    level = int(name) if name.isdigit() else logging.getLevelNamesMapping().get(name)
    if level is None:
        raise SettingsError(
            f"{flags[0]}: --default_sdk_harness_log_level: expected a level of logging, such as INFO, got {asked!r}"
        )
    return level


@contextmanager
def our_workers(level: int) -> Iterator[None]:
    """Have runners that start worker processes in this block start those that print what they log from ``level`` on."""
    if sys.platform == "win32":  # whose shell quotes otherwise
        yield
        return
    made = SubprocessSDKEnvironment.from_command_string
    # A shell runs it, which Ctrl-C would end in front of the worker.
    ours = f"exec {shlex.join([sys.executable, '-c', _PROCESS.format(level=level)])}"
    with patch.object(SubprocessSDKEnvironment, "from_command_string", lambda command_string: made(ours)):
        yield


def main() -> None:
    """Work until the runner has no more work."""
    from apache_beam.runners.worker import sdk_worker_main  # which only worker processes need

    logging.root.handlers[0].addFilter(REPORTED)
    sys.stderr = cast("TextIO", Unmarked(sys.stderr))
    sdk_worker_main.main([])
