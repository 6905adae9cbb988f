"""How the values of the options of ``btmodel simulate`` are read; what is wrong with one is a usage error."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.schema import Bucket, Rate
from btmodel.schema.every import parse_every
from btmodel.simulate.workload.shares import share_of

_Callback = Callable[[click.Context, click.Parameter, Any], Any]


def read_by(reader: Callable[[str], Any]) -> _Callback:
    """What reads the value of an option, or each of its values, with ``reader``; None stays None."""

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
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SimulationRefused(f"wanted a time such as 2026-01-05T08:00, got {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def salts(text: str) -> tuple[int, ...]:
    """Numbers of salts, with commas between them, each once."""
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not part.isdecimal() or int(part) < 1:
            raise SimulationRefused(f"wanted numbers of salts from 1 on, such as 3,10, got {part!r}")
    return tuple(dict.fromkeys(map(int, parts)))


def buckets(text: str) -> tuple[Bucket, ...]:
    """Buckets of time, with commas between them, each once."""
    return tuple(dict.fromkeys(Bucket.parse(part.strip()) for part in text.split(",")))


def rate(text: str) -> tuple[str | None, Rate]:
    """A rate of events: ``5000/s``; of one model where its name stands in front: ``Quote=5000/s``."""
    name, _, told = text.rpartition("=")
    return name.strip() or None, Rate.parse(told)


def named(text: str) -> tuple[str | None, str, str]:
    """What is told of a field or query: ``symbol=zipf``; of one model where it stands in front: ``Quote.symbol=zipf``."""
    name, _, told = text.partition("=")
    if not name.strip() or not told.strip():
        raise SimulationRefused(f"wanted NAME=VALUE, got {text!r}")
    model, _, part = name.strip().rpartition(".")
    return model or None, part, told.strip()
