"""Names and limits of the service, and their checks.

Sizes are in bytes, counts are plain numbers. The wording of the messages follows what the service is
known to answer; docs/local-server.md cites the source of each.
"""

from __future__ import annotations

import re
from datetime import timedelta

from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, invalid
from btmodel.words import duration_text

TABLE_ID = re.compile(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]*")
FAMILY_ID = re.compile(r"[-_.a-zA-Z0-9]+")
INSTANCE_NAME = re.compile(r"projects/[^/]+/instances/[^/]+")
TABLE_NAME = re.compile(r"(projects/[^/]+/instances/[^/]+)/tables/([^/]+)")

TABLE_ID_LENGTH = 50
FAMILY_ID_LENGTH = 64
TABLES = 1_000
SPLITS = 100
GC_RULE_SIZE = 500
ROW_KEY_SIZE = 4 << 10
QUALIFIER_SIZE = 16 << 10
CELL_SIZE = 100 << 20
ROW_SIZE = 256 << 20
MUTATIONS = 100_000
FILTER_SIZE = 20_480
FILTER_DEPTH = 20
READ_REQUEST_SIZE = 512 << 10
LABEL = re.compile(r"[a-z0-9\-]{1,15}")

NO_KEY = "Row keys must be non-empty"

MAX_TIMESTAMP = (1 << 63) - 1
DURATION_SECONDS = 315_576_000_000  # what a google.protobuf.Duration may hold: 10,000 years
STREAM_RETENTION = (timedelta(days=1), timedelta(days=7))
BACKUP_RETENTION = (timedelta(days=3), timedelta(days=90))
BACKUP_FREQUENCY = timedelta(hours=24)
BACKUP_HOT = (timedelta(hours=24), timedelta(days=10))
INFREQUENT_AFTER = timedelta(days=30)
RELAX_AT_MOST = timedelta(days=90)


def check_instance(name: str) -> str:
    """Return the name of an instance, or refuse one that is not of the form projects/P/instances/I."""
    if not INSTANCE_NAME.fullmatch(name):
        raise invalid(
            f"Invalid name of an instance: expected projects/<project>/instances/<instance>, got '{name}'"
        )
    return name


def check_table_name(name: str) -> tuple[str, str]:
    """Return the instance and the id in a table's full name, or refuse the name."""
    match = TABLE_NAME.fullmatch(name)
    if not match:
        raise invalid(
            "Invalid name of a table: expected projects/<project>/instances/<instance>/tables/<table>, "
            f"got '{name}'"
        )
    check_id("tables", match[2], TABLE_ID, TABLE_ID_LENGTH)
    return match[1], match[2]


def check_id(collection: str, value: str, pattern: re.Pattern[str], longest: int) -> None:
    """Refuse an id that is empty, too long or has a character that its collection does not allow."""
    if not 1 <= len(value) <= longest:
        raise invalid(
            f"Invalid id for collection {collection} : Length should be between [1,{longest}], "
            f"but found {len(value)} '{value}'"
        )
    if not pattern.fullmatch(value):
        raise invalid(
            f"Invalid id for collection {collection} : Should match {pattern.pattern} but found '{value}'"
        )


def check_family_id(value: str) -> None:
    """Refuse an id that no column family can have."""
    check_id("columnFamilies", value, FAMILY_ID, FAMILY_ID_LENGTH)


def none_of(fields: str, one: str) -> str:
    """The message for required fields that are empty."""
    return f"{fields} must have at least one {one}, but got none"


def check_any(count: int, fields: str, one: str) -> None:
    """Refuse fields that hold nothing."""
    if not count:
        raise invalid(none_of(fields, one))


def check_row_key(key: bytes) -> None:
    """Refuse a row key that is empty or longer than 4 KiB."""
    if not key:
        raise invalid(NO_KEY)
    if len(key) > ROW_KEY_SIZE:
        raise invalid(f"Row key is {len(key):,} bytes long, which is more than the limit of 4 KiB")


def check_qualifier(qualifier: bytes) -> None:
    """Refuse a column qualifier longer than 16 KiB."""
    if len(qualifier) > QUALIFIER_SIZE:
        raise invalid(
            f"Column qualifier is {len(qualifier):,} bytes long, which is more than the limit of 16 KiB"
        )


def check_value(value: bytes) -> None:
    """Refuse a cell's value of more than 100 MiB."""
    if len(value) > CELL_SIZE:
        raise invalid(f"Cell value is {len(value):,} bytes long, which is more than the limit of 100 MiB")


def check_timestamp(micros: int, granule: int, name: str = "Timestamp") -> int:
    """Return a timestamp in microseconds, or refuse one that the table's granularity cannot hold."""
    if micros < 0:
        raise invalid(f"{name} must not be negative, but got {micros}")
    if micros % granule:
        raise granularity(micros)
    return micros


def granularity(micros: int) -> RequestError:
    """The refusal of a timestamp that is no multiple of a millisecond."""
    return invalid(
        "Timestamp granularity mismatch. "
        f"Expected a multiple of 1000 (millisecond granularity), but got {micros}."
    )


def duration(message: Message, where: str) -> timedelta:
    """The time that a Duration holds, cut to microseconds; refuses one out of the type's own range."""
    seconds, nanos = message.seconds, message.nanos
    if abs(seconds) > DURATION_SECONDS or abs(nanos) > 999_999_999 or seconds * nanos < 0:
        raise invalid(f"{where} is no valid duration: got seconds={seconds} nanos={nanos}")
    return timedelta(seconds=seconds, microseconds=int(nanos / 1000))


def check_between(value: timedelta, least: timedelta, most: timedelta, where: str) -> None:
    """Refuse a duration outside of a closed range."""
    if not least <= value <= most:
        raise invalid(
            f"{where} must be from {duration_text(least)} to {duration_text(most)}, but got {duration_text(value)}"
        )
