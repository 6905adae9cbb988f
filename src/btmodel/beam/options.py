"""The options of a runner, checked before anything is applied, by what Apache Beam knows of them."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import io
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import redirect_stderr
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.runners.portability.portable_runner import PortableRunner
from apache_beam.runners.runner import create_runner

from btmodel.errors import SettingsError
from btmodel.words import did_you_mean, near


def checked_flags(runner: str, options: Sequence[str]) -> list[str]:
    """The flags of pipelines for ``runner``. Raises :class:`SettingsError` for a runner that is not there, and for options that Beam refuses."""
    where = f"--runner={runner}"
    flags = [where, *options]
    try:
        wrong = _wrong(create_runner(runner), flags)
    except Exception as error:  # a misspelt name, or one whose libraries are not installed
        raise SettingsError(f"{where}: {error}") from error
    if wrong:
        raise SettingsError(f"{where}: {' '.join(wrong)}")
    return flags


def _wrong(runner: Any, flags: Sequence[str]) -> list[str]:
    """What is wrong with the flags, in sentences."""
    others = [flag for flag in flags[1:] if flag.partition("=")[0] == "--runner"]
    if others:
        return [f"expected one runner, got {others[0]} behind --, too."]
    usage = io.StringIO()
    try:
        with redirect_stderr(usage):
            # A job server has options of its own, and says which when a pipeline runs.
            unknown = [] if isinstance(runner, PortableRunner) else _unknown(flags)
            # Beam looks for buckets, too, which takes time.
            return unknown or PipelineOptionsValidator(PipelineOptions(list(flags)), runner).validate()
    except SystemExit:  # as argparse ends a program, behind a page of usage
        return [usage.getvalue().rstrip().rpartition("error: ")[2] + "."]


def _unknown(flags: Sequence[str]) -> list[str]:
    """What is wrong with flags that no options of Beam have."""
    unknown: list[str] = []

    def collect(parser: ArgumentParser) -> None:
        known = [option for action in parser._actions for option in action.option_strings]
        for flag in parser.parse_known_args(list(flags))[1]:
            name = flag.partition("=")[0]
            unknown.append(f"unknown option {name}{did_you_mean(near(name, known, 0.8)[:1])}.")

    options = PipelineOptions(list(flags))
    options.get_all_options(add_extra_args_fn=collect, retain_unknown_options=True)
    return unknown
