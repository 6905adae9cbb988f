"""The options of ``btmodel simulate``."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
from attrs import frozen

from btmodel.cli.completion import (
    assumption_names,
    bucket_names,
    field_names,
    instance_names,
    model_names,
    query_names,
    storage_names,
)
from btmodel.cli.output import force_option
from btmodel.codecs.aware_times import time_of
from btmodel.errors import DeclarationError, SimulationRefused, ValueRefused
from btmodel.schema import Bucket, Rate
from btmodel.schema.rate import parse_every
from btmodel.simulate.workload import MOST_NODES, share_of

_Callback = Callable[[click.Context, click.Parameter, Any], Any]


def read_by(reader: Callable[[str], Any]) -> _Callback:
    """A click callback that reads the value of an option, or each of its values, with ``reader``; None stays None."""

    def read(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
        if given is None:
            return None
        try:
            return tuple(map(reader, given)) if isinstance(given, tuple) else reader(given)
        except (DeclarationError, SimulationRefused, ValueError, OverflowError) as error:
            raise click.BadParameter(str(error), context, parameter) from None

    return read


def length(text: str) -> timedelta:
    """A length of time: ``24h``, ``30d``."""
    return parse_every(text, "length")


def length_or_none(text: str) -> timedelta:
    """A length of time; ``0`` is none."""
    return timedelta(0) if text.strip() == "0" else length(text)


def share(text: str) -> float:
    """A share of a whole: ``5%`` or ``0.05``."""
    return share_of("share", text)


def time(text: str) -> datetime:
    """A time such as ``2026-01-05T08:00``, in UTC unless it says otherwise."""
    try:
        found = time_of(text)
    except ValueRefused as error:
        raise SimulationRefused(str(error)) from None
    except ValueError:
        raise SimulationRefused(f"expected a time such as 2026-01-05T08:00, got {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def salts(text: str) -> tuple[int, ...]:
    """Numbers of salts, with commas between them, each once."""
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not part.isdecimal() or int(part) < 1:
            raise SimulationRefused(f"expected numbers of salts from 1 on, such as 3,10, got {part!r}")
    return tuple(dict.fromkeys(map(int, parts)))


def buckets(text: str) -> tuple[Bucket, ...]:
    """Buckets of time, with commas between them, each once."""
    try:
        return tuple(dict.fromkeys(Bucket(part.strip()) for part in text.split(",")))
    except ValueError:
        names = ", ".join(bucket.value for bucket in Bucket)
        raise SimulationRefused(
            f"expected one of {names}, or several with commas between them, got {text!r}"
        ) from None


def rate(text: str) -> tuple[str | None, Rate]:
    """A rate of events: ``5000/s``; of one model where its name stands in front: ``Quote=5000/s``."""
    name, _, value = text.rpartition("=")
    return name.strip() or None, Rate.parse(value)


def named(text: str) -> tuple[str | None, str, str]:
    """A statement about a field or query, ``symbol=zipf``; with a model in front, ``Quote.symbol=zipf``, about one model."""
    name, _, value = text.partition("=")
    if not name.strip() or not value.strip():
        raise SimulationRefused(f"expected NAME=VALUE, got {text!r}")
    model, _, part = name.strip().rpartition(".")
    return model or None, part, value.strip()


F = TypeVar("F", bound=Callable[..., Any])
Named = tuple[str | None, str, str]
_FILE = click.Path(path_type=Path, dir_okay=False)


@frozen(kw_only=True)
class SimulationOptions:
    """The options of a command, parsed."""

    nodes: int | None
    storage: str | None
    span: timedelta
    step: timedelta | None
    events: tuple[tuple[str | None, Rate], ...]
    field: tuple[Named, ...]
    count: tuple[Named, ...]
    read: tuple[Named, ...]
    growth: float | None
    daily: float | None
    history: timedelta | None
    start: datetime | None
    file: Path | None
    keys: Path | None
    instance: str | None
    vs: tuple[str, ...]
    salt: tuple[int, ...] | None
    bucket: tuple[Bucket, ...] | None
    assume: tuple[str, ...]
    html: Path | None
    png: Path | None
    colours: Literal["even", "rate"]
    force: bool
    brief: bool
    maps: bool
    json: bool

    @property
    def against_even(self) -> bool:
        """Whether colours show times an even share."""
        return self.colours == "even"

    @property
    def compares(self) -> bool:
        """Whether alternatives of one model are asked for."""
        return bool(self.vs or self.salt or self.bucket)


def simulation_options(command: F) -> F:
    """All of them, in the order in which the help lists them."""
    for option in reversed((*_CLUSTER, *_WORKLOAD, *_SAMPLES, *_ALTERNATIVES, *_OUTPUT)):
        command = option(command)
    return command


_CLUSTER = (
    click.option(
        "--nodes",
        type=click.IntRange(1, MOST_NODES),
        metavar="N",
        help="Set the number of nodes; by default as many as the models declare or need, at least 3.",
    ),
    click.option(
        "--storage",
        shell_complete=storage_names,
        metavar="KIND",
        help="Set the storage of the nodes: ssd (default) or hdd.",
    ),
    click.option(
        "--for",
        "span",
        default="24h",
        show_default=True,
        metavar="LENGTH",
        callback=read_by(length),
        help="Set the simulated time: 24h, 7d.",
    ),
    click.option(
        "--step",
        metavar="LENGTH",
        callback=read_by(length),
        help="Set the time step; by default one minute for hours, up to ten for days.",
    ),
)
_WORKLOAD = (
    click.option(
        "--events",
        multiple=True,
        metavar="[MODEL=]RATE",
        callback=read_by(rate),
        help="Set the event rate: 5000/s. Repeatable, like all options with a [MODEL].",
    ),
    click.option(
        "--field",
        multiple=True,
        shell_complete=field_names,
        metavar="[MODEL.]FIELD=HOW",
        callback=read_by(named),
        help="Set the distribution of the values of a field: uniform, zipf:0.99, 90%:200 (90 % of the events on 200 values), sequential, or A:6,B:4.",
    ),
    click.option(
        "--count",
        multiple=True,
        shell_complete=field_names,
        metavar="[MODEL.]FIELD=N",
        callback=read_by(named),
        help="Set the number of values of a field.",
    ),
    click.option(
        "--read",
        multiple=True,
        shell_complete=query_names,
        metavar="[MODEL.]QUERY=RATE[:ROWS]",
        callback=read_by(named),
        help="Add reads of a declared query, with this many rows each.",
    ),
    click.option(
        "--growth",
        metavar="SHARE",
        callback=read_by(share),
        help="Set the daily growth of the event rate: 1%.",
    ),
    click.option(
        "--daily",
        metavar="SHARE",
        callback=read_by(share),
        help="Set the daily swing of the event rate: 50%.",
    ),
    click.option(
        "--history",
        metavar="LENGTH",
        callback=read_by(length_or_none),
        help="Set for how long the table has had this workload: 30d. By default, the table is new.",
    ),
    click.option(
        "--start", metavar="TIME", callback=read_by(time), help="Set the start time: 2026-01-05T08:00."
    ),
    click.option("--file", type=_FILE, help="Read the workload from a TOML file."),
)
_SAMPLES = (
    click.option(
        "--keys", type=_FILE, help="Use the row keys of this file, one per line, instead of made-up ones."
    ),
    click.option(
        "--from",
        "instance",
        metavar="INSTANCE",
        shell_complete=instance_names,
        help="Use row keys sampled from the tables of an instance (a name from the settings, or a path).",
    ),
)
_ALTERNATIVES = (
    click.option(
        "--vs",
        multiple=True,
        metavar="MODEL",
        shell_complete=model_names,
        help="Compare with another model. Repeatable.",
    ),
    click.option(
        "--salt",
        metavar="N[,N]",
        callback=read_by(salts),
        help="Compare with salts in front: 3,10,100.",
    ),
    click.option(
        "--bucket",
        shell_complete=bucket_names,
        metavar="UNIT[,UNIT]",
        callback=read_by(buckets),
        help="Compare with one row per unit of time: hour,day,week.",
    ),
)
_OUTPUT = (
    click.option(
        "--assume",
        multiple=True,
        shell_complete=assumption_names,
        metavar="NAME=VALUE",
        help="Change an assumption: split-bytes=200MiB. Repeatable; every answer lists them all.",
    ),
    click.option("--html", type=_FILE, help="Write the heat maps as a page, which opens in any browser."),
    click.option("--png", type=_FILE, help="Write the heat maps as a PNG image; needs btmodel[plot]."),
    click.option(
        "--colours",
        type=click.Choice(["even", "rate"]),
        default="even",
        show_default=True,
        help="Colour heat maps by how many times its even share a range of keys takes, or by rows a second.",
    ),
    force_option,
    click.option("--brief", is_flag=True, help="Print only the sentences."),
    click.option("--maps", is_flag=True, help="Print only the sentences, the heat maps and the nodes."),
    click.option("--json", is_flag=True, help="Print JSON."),
)
