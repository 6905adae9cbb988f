"""Pipelines on this machine, and models for them that workers can import."""

import signal
from datetime import date, datetime
from typing import Any
from uuid import UUID

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

import btmodel as bt

IN_MEMORY = ("--runner=FnApiRunner",)
PROCESSES = (
    "--runner=FnApiRunner",
    "--direct_running_mode=multi_processing",
    "--direct_num_workers=2",
)
THREADS = (
    "--runner=FnApiRunner",
    "--direct_running_mode=multi_threading",
    "--direct_num_workers=2",
)
PORTABLE = ("--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK")
RUNNERS = {"in memory": IN_MEMORY, "threads": THREADS, "processes": PROCESSES, "portable": PORTABLE}


def pipeline(flags: tuple[str, ...] = IN_MEMORY) -> beam.Pipeline:
    """A pipeline with these flags."""
    return beam.Pipeline(options=PipelineOptions(list(flags)))


def written(db: bt.Database, table: str) -> list[Any]:
    """Every cell of a table, with its times."""
    return list(db.cells(table))


def counters(result: Any) -> dict[str, int]:
    """The metrics of btmodel that a pipeline counted."""
    found = result.metrics().query()["counters"]
    return {one.key.metric.name: one.committed for one in found if one.key.metric.namespace == "btmodel"}


class Parcel(bt.Model, table="PARCEL"):
    """A parcel, with a value of each kind that Beam's schemas have a type for, and some that they have none for."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=100_000)

    f = bt.family("f", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_versions(10))
    sender: UUID = bt.column("s", f)
    label: bytes = bt.column("l", f)
    weight: float | None = bt.column("w", f, default=None)
    fragile: bool | None = bt.column("x", f, default=None)
    due: date | None = bt.column("d", f, default=None)
    seen: datetime | None = bt.column("t", f, default=None)
    tags: set[str] = bt.members(f, bt.Text(max_length=9), prefix="tag:")
    places: bt.History[str] = bt.history("p", h)


class Failing(beam.runners.runner.PipelineRunner):
    """A runner that fails by itself."""

    def run_pipeline(self, pipeline: Any, options: Any) -> Any:
        """Fail."""
        raise OSError("no room")


class Waiting(beam.runners.runner.PipelineRunner):
    """A runner on other machines: the command is interrupted while it waits for the result, which notes that it is cancelled."""

    cancelled = 0

    def run_pipeline(self, pipeline: Any, options: Any) -> Any:
        """The result of this pipeline."""
        return self

    def wait_until_finish(self) -> None:
        """Be interrupted."""
        signal.raise_signal(signal.SIGINT)

    def cancel(self) -> None:
        """Fail, as the job has ended meanwhile."""
        Waiting.cancelled += 1
        raise OSError("the job has ended")


class DataflowRunner(Failing):
    """A runner whose options Beam checks as those of Dataflow, by its name."""

    def get_default_gcp_region(self) -> None:
        """None, as where gcloud has none."""
