"""The options of a runner, and what it needs to start, checked before anything is applied, by what Apache Beam knows of them."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import io
import os
import shutil
import socket
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from typing import Any
from unittest.mock import patch

from apache_beam.options.pipeline_options import (
    GoogleCloudOptions,
    JobServerOptions,
    PipelineOptions,
    PortableOptions,
)
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.runners.portability.job_server import JavaJarJobServer, SubprocessJobServer
from apache_beam.runners.portability.portable_runner import PortableRunner
from apache_beam.runners.runner import create_runner

from btmodel.errors import SettingsError, reason
from btmodel.words import did_you_mean, near

_ANSWERS = 5.0  # seconds in which a job server has to take a connection
# The name of an option that a job server alone may know is taken to be misspelt from so much likeness on.
_LIKE = 0.85


def checked_flags(runner: str, options: Sequence[str]) -> list[str]:
    """The flags of pipelines for ``runner``.

    Raises :class:`SettingsError` for a runner that is not there or could not start, and for options that Beam refuses.
    """
    where = f"--runner={runner}"
    flags = [where, *options]
    try:
        made = create_runner(runner)
        wrong = _wrong(made, flags) or list(_lacking(made, PipelineOptions(flags)))
    except Exception as error:  # a misspelt name, or one whose libraries are not installed
        raise SettingsError(f"{where}: {reason(error)}") from error
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
        with redirect_stderr(usage), _offline():
            unknown = _unknown(flags, own=isinstance(runner, PortableRunner))
            return unknown or PipelineOptionsValidator(PipelineOptions(list(flags)), runner).validate()
    except SystemExit:  # as argparse ends a program, behind a page of usage
        return [usage.getvalue().rstrip().rpartition("error: ")[2] + "."]


@contextmanager
def _offline() -> Iterator[None]:
    """Have Beam's checks of the options of Dataflow ask Google for nothing.

    They would make a bucket in the project where no ``temp_location`` is given, and look into the one that is; where Google does not answer,
    that takes minutes. A pipeline that runs does so.
    """
    with (
        patch.object(GoogleCloudOptions, "_create_default_gcs_bucket", lambda self: None),
        patch.object(GoogleCloudOptions, "_warn_if_soft_delete_policy_enabled", lambda self, arg_name: None),
    ):
        yield


def _unknown(flags: Sequence[str], *, own: bool) -> list[str]:
    """What is wrong with flags that no options of Beam have.

    With ``own``, a job server has options of its own, and reports them only while a pipeline runs: then only flags that resemble one of Beam's are wrong.
    """
    unknown: list[str] = []

    def collect(parser: ArgumentParser) -> None:
        known = [option for action in parser._actions for option in action.option_strings]
        before = ""
        for flag in parser.parse_known_args(list(flags))[1]:
            name = flag.partition("=")[0]
            meant = near(name, known, _LIKE if own else 0.8)[:1]
            is_value = not flag.startswith("-") and before.startswith("-") and "=" not in before
            if not own or meant or not (flag.startswith("-") or is_value):
                unknown.append(f"unknown option {name}{did_you_mean(meant)}.")
            before = flag

    options = PipelineOptions(list(flags))
    options.get_all_options(add_extra_args_fn=collect, retain_unknown_options=True)
    return unknown


def _lacking(runner: Any, options: PipelineOptions) -> Iterator[str]:
    """What a runner would not find when a pipeline starts, in sentences; raises what Beam raises for that."""
    if isinstance(runner, PortableRunner):
        yield from _wrong_environment(options.view_as(PortableOptions).environment_type)
        endpoint = options.view_as(PortableOptions).job_endpoint
        yield from _silent(endpoint) if endpoint else _no_server(runner, options)
    if type(runner).__module__.startswith("apache_beam.runners.dataflow."):
        try:
            import_module("apache_beam.runners.dataflow.internal.apiclient")
        except ImportError as error:
            yield f'its libraries are not installed ({error}): pip install "apache-beam[gcp]".'


def _wrong_environment(given: str | None) -> Iterator[str]:
    """That the environment of workers is none of those that Beam knows."""
    known = PipelineOptionsValidator.REQUIRED_ENVIRONMENT_OPTIONS
    if given and not given.startswith("beam:env:") and given.upper() not in known:
        yield f"--environment_type: expected {', '.join(known)}, got {given!r}."


def _silent(endpoint: str) -> Iterator[str]:
    """That a job server takes no connection; nothing where this cannot be found out."""
    host, _, port = endpoint.rpartition(":")
    proxies = ("grpc_proxy", "https_proxy", "http_proxy")
    if not host or not port.isdigit() or any(map(os.environ.get, proxies)):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWERS).close()
    except OSError as error:
        yield f"no answer from --job_endpoint={endpoint}: {error}."


def _no_server(runner: PortableRunner, options: PipelineOptions) -> Iterator[str]:
    """Why the job server that a runner starts by itself could not start; what it needs is downloaded once."""
    started = runner.default_job_server(options)
    server = getattr(started, "_job_server", started)
    if isinstance(server, JavaJarJobServer):
        java = options.view_as(JobServerOptions).job_server_java_launcher
        if shutil.which(java) is None:
            yield f"its job server needs Java, and {java!r} is not there: install it, or name one with --job_server_java_launcher."
            return
        server.local_jar(server.path_to_jar(), options.view_as(JobServerOptions).jar_cache_dir)
    elif isinstance(server, SubprocessJobServer):
        server.subprocess_cmd_and_endpoint()
