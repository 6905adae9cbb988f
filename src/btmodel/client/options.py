"""Options of a connection: who asks, over which channels, for how long, how often, and who watches."""

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, get_args

from attrs import evolve, field, frozen

from btmodel.errors import SettingsError, shown
from btmodel.words import counted, meant, size_text

if TYPE_CHECKING:
    # Not at run time: importing btmodel should not load Google's libraries.
    from google.auth.credentials import Credentials

DataPlane = Literal["btmodel", "client"]
Kind = Literal["read", "scan", "write", "bulk", "admin"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Deadlines(TypedDict, total=False):
    """Seconds that a call of each kind may take, retries included."""

    read: float  #: a row, or rows by their keys
    scan: float  #: a range of rows: the wait for the next row, as the clock starts again with each
    write: float  #: one row
    bulk: float  #: one batch of a bulk write
    admin: float  #: one look at the schema of a table


# What the service is given. A web request cannot wait for minutes, a batch job may.
_DEADLINES: Mapping[Kind, float] = {"read": 10.0, "scan": 60.0, "write": 10.0, "bulk": 300.0, "admin": 20.0}
# A server on this machine answers soon or never.
_LOCAL_DEADLINES: Mapping[Kind, float] = {**_DEADLINES, "scan": 30.0, "bulk": 30.0}

DEFAULT_RETRY_ON = ("ABORTED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "UNAVAILABLE")
_CODES = frozenset(
    [
        "ABORTED",
        "CANCELLED",
        "DATA_LOSS",
        "DEADLINE_EXCEEDED",
        "FAILED_PRECONDITION",
        "INTERNAL",
        "NOT_FOUND",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "UNAUTHENTICATED",
        "UNAVAILABLE",
        "UNKNOWN",
    ]
)
_DOMAIN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
_LONGEST = 86_400.0  # seconds: gRPC takes no deadline of years
_SECONDS = f"seconds, more than 0 and at most {_LONGEST:,.0f}"
BATCH_BYTES = 4 * 1024 * 1024  # of the rows of one request of a bulk write


class Call:
    """One call to the service, with all of its attempts: what ``on_call`` is given once it has ended.

    ``kind`` is that of its deadline, ``method`` the name of the service's method, ``table`` the table's id (``:sql`` of a query in SQL) and
    ``instance`` the path of its instance; ``server`` is the ``host:port`` of a server on this machine, None for the
    service. ``ranges`` are the key ranges asked for, ``batch`` the rows of a bulk request, ``rows`` those that were
    written, or that came: where a read is left early, its last message may hold rows that were not used.
    ``bytes`` is the size of the messages that hold them, ``attempts`` the requests that were made. ``seconds`` is the time
    until the call ended, that in which a reader used the rows of a scan included, and ``decode_seconds`` the part of it
    that making rows of bytes took. ``error`` is what it raised, or None. It holds no keys and no values.
    """

    __slots__ = (
        "attempts",
        "batch",
        "bytes",
        "decode_seconds",
        "error",
        "instance",
        "kind",
        "method",
        "ranges",
        "rows",
        "seconds",
        "server",
        "table",
    )

    def __init__(
        self, kind: Kind, method: str, table: str, instance: str, server: str | None, ranges: int
    ) -> None:
        self.kind, self.method, self.table = kind, method, table
        self.instance, self.server, self.ranges = instance, server, ranges
        self.batch = self.rows = self.bytes = self.attempts = 0
        self.seconds = self.decode_seconds = 0.0
        self.error: BaseException | None = None

    def __repr__(self) -> str:
        error = "" if self.error is None else f", {type(self.error).__name__}"
        counts = ", ".join(
            (counted(self.ranges, "range"), counted(self.rows, "row"), counted(self.attempts, "attempt"))
        )
        size, time = size_text(self.bytes), f"{self.seconds * 1000:.1f} ms"
        return f"{self.kind} {self.method} of {self.table}: {counts}, {size}, {time}{error}"


class CallOptions(TypedDict, total=False):
    """Options that may differ from call to call: what ``with_options`` takes. docs/production.md has the table."""

    app_profile: str | None
    deadline: "float | Deadlines"
    attempt_timeout: float | None
    retry_on: Collection[str]
    attempts: int | None
    backoff: tuple[float, float]
    requests_in_flight: int
    bytes_in_flight: int
    flow_control: bool
    on_call: Callable[[Call], object] | None
    data_plane: DataPlane


class ConnectOptions(CallOptions, total=False):
    """Options of a connection: those of calls, and those that hold as long as it is open."""

    credentials: "Credentials | str | Path | None"
    impersonate: str | None
    quota_project: str | None
    endpoint: str | None
    admin_endpoint: str | None
    universe_domain: str | None
    user_agent: str | None
    pool_size: int
    keepalive: float | None


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _seconds(value: object) -> bool:
    return _number(value) and 0 < value <= _LONGEST  # type: ignore[operator]


def _within(low: int, high: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _words(value: object) -> bool:
    # Sent as metadata, which takes no control characters.
    return isinstance(value, str) and bool(value) and value.isascii() and value.isprintable()


def _deadline(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(kind in KINDS and _seconds(seconds) for kind, seconds in value.items())
    return _seconds(value)


def _credentials(value: object) -> bool:
    return (
        (isinstance(value, str) and bool(value))
        or isinstance(value, Path)
        or hasattr(value, "before_request")
    )


def _domain(value: object) -> bool:
    return (
        isinstance(value, str) and bool(value) and set(value) <= _DOMAIN_CHARACTERS and value[0] not in ".-"
    )


def _host(value: object) -> bool:
    host, colon, port = value.partition(":") if isinstance(value, str) else ("", "", "")
    return _domain(host) and (not colon or (port.isdecimal() and 1 <= int(port) <= 65_535))


def _address(value: object) -> bool:
    return _words(value) and str(value).strip("@").count("@") == 1


def _codes(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(code, str) and code in _CODES for code in value)


def _pauses(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(map(_seconds, value)):
        return False
    return bool(value[0] <= value[1])


def _option(default: Any, wanted: str, holds: Callable[[Any], bool], converter: Any = None) -> Any:
    """A field that refuses what does not hold; None is taken where that is its default."""

    def check(self: object, attribute: Any, value: Any) -> None:
        if not (holds(value) or (value is None and default is None)):
            raise SettingsError(f"{attribute.name}: expected {wanted}, got {shown(value)}")

    return field(default=default, validator=check, converter=converter, metadata={"expected": wanted})


def _by_kind(deadline: Any) -> Any:
    """One number as that of every kind of call; raises :class:`SettingsError` for a kind that is none."""
    if isinstance(deadline, Mapping):
        for kind in deadline:
            if kind not in KINDS:
                raise SettingsError(f"deadline: there is no kind of call {kind!r}{meant(str(kind), KINDS)}")
        return deadline
    return dict.fromkeys(KINDS, float(deadline)) if _seconds(deadline) else deadline


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | set | frozenset) else value


def _code_names(codes: Any) -> Any:
    """The codes as a tuple; raises :class:`SettingsError` for a name that is none of theirs."""
    codes = _hashable(codes)
    for code in codes if isinstance(codes, tuple) else ():
        if isinstance(code, str) and code not in _CODES:
            known = sorted(_CODES)
            raise SettingsError(f"retry_on: unknown status {code!r}{meant(code, known)}")
    return codes


def _refuse_idle_limit(options: "Options") -> None:
    """Refuse an ``attempt_timeout`` that no attempt reaches, because every deadline is over before it."""
    longest = max(options.deadline.get(kind, _DEADLINES[kind]) for kind in KINDS)
    if options.attempt_timeout is not None and options.attempt_timeout > longest:
        raise SettingsError(
            f"attempt_timeout: expected at most the deadline, {longest:g} seconds at the longest, got "
            f"{options.attempt_timeout:g}: lower it, or raise the deadline"
        )


_PROFILE = "the id of an app profile, or None for the instance's default"
_HOST = "a host, or host:port"


@frozen(kw_only=True)
class Options:
    """The options of a connection, checked; see :class:`ConnectOptions`."""

    app_profile: str | None = _option(None, _PROFILE, _words)
    deadline: Deadlines = _option(
        {}, f"{_SECONDS}, or such seconds by kind of call ({', '.join(KINDS)})", _deadline, _by_kind
    )
    attempt_timeout: float | None = _option(None, _SECONDS, _seconds)
    retry_on: tuple[str, ...] = _option(
        DEFAULT_RETRY_ON, "a list of names of gRPC status codes, such as ['UNAVAILABLE']", _codes, _code_names
    )
    attempts: int | None = _option(None, "a number of attempts, at least 1", _within(1, math.inf))
    backoff: tuple[float, float] = _option(
        (0.01, 60.0),
        f"the first and the longest pause between attempts, each in {_SECONDS}, the longest last",
        _pauses,
        _hashable,
    )
    requests_in_flight: int = _option(8, "a number of requests, from 1 to 256", _within(1, 256))
    # Of fewer, a single batch may already be more.
    bytes_in_flight: int = _option(
        32 * 2**20, f"a number of bytes, at least {BATCH_BYTES:,} (one batch)", _within(BATCH_BYTES, math.inf)
    )
    flow_control: bool = _option(False, "True or False", lambda value: isinstance(value, bool))
    on_call: Callable[[Call], object] | None = _option(None, "a function of a Call", callable)
    data_plane: DataPlane = _option(
        "btmodel", "'btmodel' or 'client'", lambda value: value in get_args(DataPlane)
    )
    credentials: "Credentials | str | Path | None" = _option(
        None, "credentials of google.auth, or the path of a file of them", _credentials
    )
    impersonate: str | None = _option(None, "the e-mail address of a service account", _address)
    quota_project: str | None = _option(None, "the id of a project", _words)
    endpoint: str | None = _option(None, _HOST, _host)
    admin_endpoint: str | None = _option(None, _HOST, _host)
    universe_domain: str | None = _option(None, "a domain", _domain)
    user_agent: str | None = _option(None, "a name such as shop/1.4, in ASCII", _words)
    pool_size: int = _option(1, "a number of channels, from 1 to 256", _within(1, 256))
    keepalive: float | None = _option(
        None, f"seconds, from 1 to {_LONGEST:,.0f}", lambda value: _seconds(value) and value >= 1
    )
    _policies: dict[tuple[Kind, bool], "Policy"] = field(init=False, factory=dict, eq=False, repr=False)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The options that are ``given``; raises :class:`SettingsError` for one that is unknown or wrong."""
        return cls().with_changes(given)

    def with_changes(self, given: Mapping[str, Any]) -> Self:
        """The same but for what is ``given``; deadlines of kinds that are not among those given stay."""
        known = ConnectOptions.__annotations__
        for name in given:
            if name not in known:
                raise SettingsError(f"a connection has no option {name!r}{meant(name, known)}")
        changed = evolve(self, **given)
        if "deadline" in given:
            changed = evolve(changed, deadline={**self.deadline, **changed.deadline})
        if "attempt_timeout" in given:  # not where a deadline is shortened for one call
            _refuse_idle_limit(changed)
        return changed

    def for_calls(self, given: Mapping[str, Any]) -> Self:
        """The same but for options of calls; raises :class:`SettingsError` for one of the connection, too."""
        for name in given.keys() - CallOptions.__annotations__.keys():
            if name in ConnectOptions.__annotations__:
                raise SettingsError(
                    f"{name}: belongs to the connection: give it to connect, not to with_options"
                )
        return self.with_changes(given)

    def policy(self, kind: Kind, *, local: bool) -> "Policy":
        """How a call of that kind is made; ``local`` where the server is on this machine."""
        known = self._policies.get((kind, local))
        if known is None:
            defaults = _LOCAL_DEADLINES if local else _DEADLINES
            deadline = self.deadline.get(kind, defaults[kind])
            # Half of the time by default, so that an attempt that hangs leaves time for another, where there may be one.
            single = self.attempts == 1 or "DEADLINE_EXCEEDED" not in self.retry_on
            attempt = min(self.attempt_timeout or (deadline if single else deadline / 2), deadline)
            known = Policy(deadline, attempt, frozenset(self.retry_on), self.attempts, *self.backoff)
            self._policies[kind, local] = known
        return known


@frozen
class Policy:
    """How long a call may take, and when it is made again: all times in seconds.

    ``deadline`` is for all attempts together, ``attempt`` for the first one, ``codes`` are the names of the gRPC
    statuses after which a call that changes nothing the second time is repeated, ``attempts`` the most that are
    made, and ``first`` and ``longest`` bound the pauses between them.
    """

    deadline: float
    attempt: float
    codes: frozenset[str]
    attempts: int | None
    first: float
    longest: float
