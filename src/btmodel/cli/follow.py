"""``btmodel follow``: the changes of a table, as they are made."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import click

from btmodel.cli.completion import model_names
from btmodel.cli.group import instance_option, models_option
from btmodel.cli.models import shown_twins
from btmodel.cli.rows import opened_repository, parameters_option
from btmodel.cli.terminal import Terminated, echo
from btmodel.codecs.aware_times import time_of
from btmodel.declare import Model, schema_of
from btmodel.declare.row_forms import forms_of
from btmodel.errors import DeclarationError, ServerError, SettingsError, ValueRefused
from btmodel.repository import TwinRepository
from btmodel.repository.any_repository import AnyRepository
from btmodel.repository.row_texts import json_text
from btmodel.repository.tally import Repair
from btmodel.repository.terms import pairs
from btmodel.rows.changes import Change
from btmodel.schema.rate import parse_every
from btmodel.words import one_line

_UNDECLARED = '{} declares no change stream: state one, as in table=bt.table("ID", change_stream="3d"), and run `btmodel migrate`'
_QUIET = 1.0  # seconds between heartbeats, so that a change at the end is saved soon


@click.command()
@click.argument("model", shell_complete=model_names)
@click.option(
    "--since",
    metavar="TIME",
    help="Begin at 2026-01-05T10:00, or that long ago, such as 2h; the default is now.",
)
@click.option("--until", metavar="TIME", help="End at this time; also `now`. Without it, at Ctrl-C.")
@click.option("--limit", type=click.IntRange(1), help="End after this many changes.")
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Go on where this file says, and keep in it how far it went; --since is for the first time.",
)
@click.option(
    "--repair",
    is_flag=True,
    help="Write the twins that changed rows lack, as a writer that died leaves them, and print each; MODEL is the source of bt.twins.",
)
@click.option("--json", "json_", is_flag=True, help="Print JSON lines, one change each.")
@parameters_option
@instance_option
@models_option
@click.pass_context
def follow(
    context: click.Context,
    model: str,
    since: str | None,
    until: str | None,
    limit: int | None,
    store: Path | None,
    repair: bool,
    json_: bool,
    parameters: tuple[str, ...],
    instance: str | None,
) -> None:
    """Print the changes of the table of MODEL, until Ctrl-C.

    The table must have a change stream: change_stream="3d" of bt.table. A line has the time, who made the change (a user, or
    garbage collection), the row key, and what was set, added to (+=) or deleted (-). Times are in UTC.

    With --repair, each changed row and its twins are read instead, and what the twins lack is written and printed; --limit counts
    these lines. Twins of rows that are deleted already are not found: they stay.

    Exit code 0: ended by Ctrl-C, --until or --limit; 1: an error, or with --repair a row whose twins could not be determined.
    """
    failed = False
    start, end = _time("--since", since), _time("--until", until)
    opened = opened_repository(
        context, model, parameters, instance, only_tables="a view has no change stream"
    )
    with opened as repository:
        changes = repository.changes(since=start, until=end, store=store, heartbeat=_QUIET)
        shown = json_line if json_ else text_line
        with changes:
            try:
                if repair:
                    twins = _twins(context, repository, dict(pairs(parameters, "env=prod")))
                    for repaired in islice(twins.repair(changes), limit):
                        failed = failed or repaired.error is not None
                        echo(_repaired_json(repaired) if json_ else _repaired(repaired))
                else:
                    for change in islice(changes, limit):
                        echo(shown(repository.model, change))
            except Terminated:
                raise
            except KeyboardInterrupt:
                echo("stopped", err=True)
            except ServerError as error:
                if type(error) is ServerError and not schema_of(repository.model).settings.change_stream:
                    raise ServerError(f"{error}: {_UNDECLARED.format(model)}") from None
                raise
    context.exit(int(failed))


def _twins(
    context: click.Context, repository: AnyRepository, parameters: Mapping[str, str]
) -> TwinRepository[Any]:
    """The twins whose source is the model of a repository."""
    model = repository.model
    found = [
        twins
        for twins in shown_twins(context)
        if (twins.source.module, twins.source.name) == (model.__module__, model.__name__)
    ]
    if len(found) != 1:
        several = " and ".join(f"{twins.module}.{twins.name}" for twins in found)
        raise SettingsError(
            f"--repair: expected a model that is the source of bt.twins, and of one alone, got {model.__name__}, "
            f"{f'which is the source of {several}' if found else 'which is the source of none'}"
        )
    [schema] = found
    wanted = {name for model in schema.models for name in model.parameters}
    given = {name: value for name, value in parameters.items() if name in wanted}
    return TwinRepository(repository._db, getattr(import_module(schema.module), schema.name), **given)


def _repaired(one: Repair) -> str:
    """A repair as a line for people."""
    of = _shown(one.source)
    return one_line(f"{of}  {one.error}" if one.error else f"{of}  wrote {one.table}  {_shown(one.key)}")


def _repaired_json(one: Repair) -> str:
    record = {"row_key": _shown(one.source), "table": one.table or None, "twin": _shown(one.key) or None}
    return json.dumps({**record, "error": None if one.error is None else str(one.error)})


def _time(option: str, text: str | None) -> datetime | None:
    """A time that was typed: so long ago, a time in ISO form (in UTC, unless it says otherwise), or ``now``."""
    if text is None:
        return None
    now = datetime.now(UTC)
    if text == "now":
        return now
    try:
        found = time_of(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except ValueRefused as error:
        raise SettingsError(f"{option}: {error}") from None
    except ValueError:
        pass
    try:
        ago: timedelta = parse_every(text, option)
    except DeclarationError as error:
        raise SettingsError(
            f"{option}: expected a time such as 2026-01-05T10:00, or how long ago, such as 2h or 30m, got {text!r}"
        ) from error
    return now - ago


def json_line(model: type[Model], change: Change[Any]) -> str:
    """A change as a line of JSON; bytes that are not decoded are given as text with escapes."""
    key = change.key
    record = {
        "at": change.at.isoformat(),
        "by": change.by,
        "key": None if key is None else _json(model, key._asdict()),
        "row_key": _shown(change.raw_key),
        "set": _json(model, change.set),
        "added": _json(model, change.added),
        "deleted": {name: sorted(map(str, entries)) for name, entries in change.deleted.items()},
        "deletes_row": change.deletes_row,
        "unknown": [str(step) for step in change.unknown],
        "undecoded": [str(error) for error in change.undecoded],
        "cluster": change.cluster,
        "tiebreaker": change.tiebreaker,
        "id": change.id,
    }
    return json.dumps(record)


def text_line(model: type[Model], change: Change[Any]) -> str:
    """A change as a line for people."""
    at = change.at.replace(tzinfo=None).isoformat(" ", "milliseconds")
    return one_line(f"{at}  {change.by:4}  {_shown(change.raw_key)}  {'  '.join(_done(model, change))}")


def _done(model: type[Model], change: Change[Any]) -> Iterator[str]:
    if change.deletes_row:
        yield "deleted the row"
        return
    for name, entries in change.deleted.items():
        yield f"-{name}{[*map(str, sorted(entries, key=str))] if entries else ''}"
    for name, value in _json(model, change.set).items():
        yield f"{name}={json_text(value)}"
    for name, value in _json(model, change.added).items():
        yield f"{name}+={json_text(value)}"
    yield from (f"? {step}" for step in change.unknown)
    yield from (f"! {error}" for error in change.undecoded)


def _json(model: type[Model], values: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as JSON has them; as text what it has no form for, such as an infinite number."""
    forms = forms_of(model)
    names = set(schema_of(model).attributes)
    found = {}
    for name, value in values.items():
        try:
            found[name] = forms[name].form.write(value) if name in names else str(value)
        except (ValueRefused, TypeError, ValueError):
            found[name] = str(value)
    return found


def _shown(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")
