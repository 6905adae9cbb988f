"""Table DDL as a shell script of ``gcloud bigtable instances tables create``.

gcloud knows no aggregate families and no GC rule of more than two parts, and rounds times finer than a
millisecond; tiered storage it knows in its beta commands alone: a table that needs one is left out, with a comment that says why, and the script ends with an error.
"""

import json
import shlex
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import timedelta

from attrs import frozen

from btmodel.schema import (
    AuthorizedView,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    SchemaBundle,
    Table,
    TableSettings,
    TableView,
    Union,
    tables,
)
from btmodel.schema.gc import age_text, simplified
from btmodel_codegen import cbt
from btmodel_codegen.create_requests import authorized_json
from btmodel_codegen.render import render

FILE = "tables.gcloud.sh"

_PERIODS = {
    "change-stream-retention-period": "change_stream",
    "automated-backup-retention-period": "automated_backups",
    "tiered-storage-infrequent-access-older-than": "tiered_storage",
}
_FINEST = timedelta(milliseconds=1)


@frozen
class _Created:
    """What the script says of a table: the arguments that make it, or why gcloud cannot."""

    id: str
    table: str
    beta: bool
    flags: tuple[str, ...]
    key_schema: str | None
    reasons: tuple[str, ...]
    views: tuple[str, ...]
    authorized: tuple[tuple[str, str], ...]
    bundles: tuple[tuple[str, str], ...]


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The script that creates those tables of ``models`` that gcloud can create."""
    created = [_created(table) for table in tables(models)]
    left_out = [table.id for table in created if table.reasons]
    text = render(
        "tables.gcloud.sh.jinja",
        file=FILE,
        other=cbt.FILE,
        tables=created,
        left_out=shlex.quote(f"left out: {', '.join(left_out)}; the comments say why") if left_out else None,
    )
    return {FILE: text}


def _created(table: Table) -> _Created:
    families = ",".join(map(_family, table.families))
    return _Created(
        table.id,
        shlex.quote(table.id),
        bool(table.settings.tiered_storage),
        (shlex.quote(f"--column-families={families}"), *_flags(table.settings)),
        table.settings.row_key_schema or None,
        tuple(_reasons(table)),
        tuple(map(_view, table.views)),
        tuple((_part(table, view), json.dumps(authorized_json(view))) for view in table.authorized),
        tuple((_part(table, bundle), b64encode(bundle.descriptors).decode()) for bundle in table.bundles),
    )


def _part(table: Table, part: AuthorizedView | SchemaBundle) -> str:
    """What names an authorized view or a schema bundle."""
    place = f'--project="$PROJECT" --instance="$INSTANCE" --table={shlex.quote(table.id)}'
    return f"{shlex.quote(part.id)} {place}"


def _view(view: TableView) -> str:
    """What makes a view: its id, and flags."""
    protection = {None: [], True: ["--deletion-protection"], False: ["--no-deletion-protection"]}[
        view.deletion_protection
    ]
    return " ".join(
        [
            shlex.quote(view.id),
            '--project="$PROJECT"',
            '--instance="$INSTANCE"',
            *protection,
            f"--query={shlex.quote(view.query)}",
        ]
    )


def _flags(settings: TableSettings) -> Iterator[str]:
    """The flags of what is stated; a new table has nothing that is not asked for."""
    if settings.deletion_protection is not None:
        yield "--deletion-protection" if settings.deletion_protection else "--no-deletion-protection"
    for flag, name in _PERIODS.items():
        if period := getattr(settings, name):
            yield f"--{flag}={_seconds(period)}"


def _reasons(table: Table) -> Iterator[str]:
    """What gcloud cannot say of the table."""
    for name in _PERIODS.values():
        if (period := getattr(table.settings, name)) and period % _FINEST:
            yield f"{name} is {age_text(period)}: gcloud rounds what is finer than a millisecond"
    for family in table.families:
        if family.aggregate is not None:
            yield f"family {family.id} aggregates ({family.aggregate.value})"
        rule = _rule(family)
        if isinstance(rule, Union | Intersection) and not _two_plain_parts(rule):
            yield (
                f"family {family.id} keeps {rule}: gcloud takes two limits with || or && between them, no more"
            )
        for part in rule.thresholds():
            if isinstance(part, MaxAge) and part.age % _FINEST:
                yield f"family {family.id} keeps {part}: gcloud rounds what is finer than a millisecond"


def _two_plain_parts(rule: Union | Intersection) -> bool:
    return len(rule.rules) == 2 and all(isinstance(part, MaxAge | MaxVersions) for part in rule.rules)


def _family(family: Family) -> str:
    policy = _policy(_rule(family))
    return f"{family.id}:{policy}" if policy else family.id


def _rule(family: Family) -> GcRule:
    return simplified(family.gc or KeepAll())


def _policy(rule: GcRule) -> str:
    """A GC rule in gcloud's words, which has no parentheses; empty where everything is kept."""
    match rule:
        case MaxVersions(versions):
            return f"maxversions={versions}"
        case MaxAge(age):
            return f"maxage={_seconds(age)}"
        case Union(rules):
            return "||".join(map(_policy, rules))
        case Intersection(rules):
            return "&&".join(map(_policy, rules))
        case KeepAll():
            return ""
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def _seconds(age: timedelta) -> str:
    """An age in seconds, to the millisecond: days are those of a calendar to gcloud, and ``ms`` is no unit."""
    seconds, millis = divmod(age // _FINEST, 1000)
    return f"{seconds}.{millis:03d}s" if millis else f"{seconds}s"
