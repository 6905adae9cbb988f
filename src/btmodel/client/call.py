"""The service's methods on serialized messages, and one call while it is made: its clock, its errors, and who watches it.

What Google's data client makes of a message costs more than the message itself. Its channel is used, so
credentials, their renewal and the exchange of channels that have grown old stay with it.
"""

import base64
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from threading import Lock
from time import monotonic, perf_counter
from types import TracebackType
from typing import Any, Self

import grpc
from attrs import define, field, frozen
from google.api_core.exceptions import GoogleAPIError, RetryError
from google.api_core.gapic_v1.routing_header import to_grpc_metadata
from google.api_core.retry import exponential_sleep_generator
from google.auth.exceptions import GoogleAuthError
from google.cloud.bigtable_v2.types import FeatureFlags

from btmodel.client.failures import answered, google_error, repeatable, retry_after, translate
from btmodel.client.options import Call, Kind, Options, Policy
from btmodel.client.target import Target
from btmodel.errors import SettingsError
from btmodel.rows.filters import Filter
from btmodel.schema.names import AUTHORIZED
from btmodel.schema.view import VIEWS
from btmodel.words import counted

READ_ROWS = "/google.bigtable.v2.Bigtable/ReadRows"
SAMPLE_ROW_KEYS = "/google.bigtable.v2.Bigtable/SampleRowKeys"
MUTATE_ROW = "/google.bigtable.v2.Bigtable/MutateRow"
MUTATE_ROWS = "/google.bigtable.v2.Bigtable/MutateRows"
CHECK_AND_MUTATE_ROW = "/google.bigtable.v2.Bigtable/CheckAndMutateRow"
READ_MODIFY_WRITE_ROW = "/google.bigtable.v2.Bigtable/ReadModifyWriteRow"
INITIAL_PARTITIONS = "/google.bigtable.v2.Bigtable/GenerateInitialChangeStreamPartitions"
READ_CHANGE_STREAM = "/google.bigtable.v2.Bigtable/ReadChangeStream"
PREPARE_QUERY = "/google.bigtable.v2.Bigtable/PrepareQuery"
EXECUTE_QUERY = "/google.bigtable.v2.Bigtable/ExecuteQuery"

#: What stands for a table in the calls of SQL, which ask an instance.
SQL = ":sql"


def _features(**more: bool) -> tuple[str, str]:
    """What a client must say that it knows, as servers give such answers to no other: reads backwards, and when to come again."""
    flags = FeatureFlags.serialize(FeatureFlags(reverse_scans=True, retry_info=True, **more))
    return "bigtable-features", base64.urlsafe_b64encode(flags).decode()


_FEATURES = _features()
_PACED = _features(mutate_rows_rate_limit=True, mutate_rows_rate_limit2=True)

Metadata = tuple[tuple[str, str], ...] | grpc.aio.Metadata


_FACTORS = (0.7, 1.3)  # the least and the most by which Google's clients change their load at once
_LEAST, _MOST = 100.0, 1_000_000.0  # rows/s: below, no batch would ever be sent; above, nothing is limited
_MEASURED = 10.0  # seconds over which the load is measured
_FORGOTTEN = 300.0  # seconds after which what a server asked for does not hold any more


@define
class Pace:
    """How many rows a second bulk writes send, as the service asks with its answers: as many as there are, until it does.

    A server that is busy answers with a factor by which the load should change, and the time to wait before it changes again.
    """

    rate: float | None = field(init=False, default=None)
    _next: float = field(init=False, default=0.0)  # when the next request may be made
    _kept_until: float = field(init=False, default=0.0)
    _heard: float = field(init=False, default=0.0)
    _sent: int = field(init=False, default=0)  # rows, since when
    _since: float = field(init=False, factory=lambda: monotonic())
    _lock: Lock = field(init=False, factory=Lock)

    def wait(self, rows: int) -> float:
        """The seconds to wait before a request with so many rows, which is counted as sent then."""
        with self._lock:
            now = monotonic()
            if now - self._since > _MEASURED:
                self._sent, self._since = 0, now
            self._sent += rows
            if self.rate is None or now - self._heard > _FORGOTTEN:
                self.rate = None
                return 0.0
            start = max(now, self._next)
            self._next = start + rows / self.rate
            return start - now

    def adjust(self, factor: float, period: float) -> None:
        """Change the load by a ``factor``, unless the ``period`` of the last change is not over."""
        with self._lock:
            self._heard = now = monotonic()
            if now < self._kept_until or (self.rate is None and factor >= 1):
                return
            load = self._sent / max(now - self._since, 0.001) if self.rate is None else self.rate
            rate = max(load * min(max(factor, _FACTORS[0]), _FACTORS[1]), _LEAST)
            self.rate = None if rate > _MOST else rate
            self._kept_until = now + period


def opened(client: Any, instance_id: str, id: str, profile: str | None) -> Any:
    """The table of Google's data client called ``id``; its view for ``materializedViews/ID``, and ``TABLE/authorizedViews/ID``.

    Raises :class:`SettingsError`.
    """
    table, through, view = id.partition(AUTHORIZED)
    if through:
        return client.get_authorized_view(instance_id, table, view, app_profile_id=profile)
    if not id.startswith(VIEWS):
        return client.get_table(instance_id, id, app_profile_id=profile)
    if not hasattr(client, "get_materialized_view"):
        raise SettingsError(
            f"google-cloud-bigtable {version('google-cloud-bigtable')} cannot read the view {id.removeprefix(VIEWS)!r}: expected 2.41 or newer, "
            "which knows materialized views: install it with `pip install --upgrade google-cloud-bigtable`"
        )
    return client.get_materialized_view(instance_id, id.removeprefix(VIEWS), app_profile_id=profile)


@frozen
class Calls:
    """The methods of the service, asked about one table; ``table`` is the data client's own.

    ``metadata`` is what every request must be sent with: where it is routed to, and who asks. Errors
    are those of gRPC: see :func:`btmodel.client.failures.google_error`.
    """

    table: Any
    name: str
    app_profile: str
    metadata: Metadata
    pace: Pace | None = None

    @classmethod
    def of(cls, table: Any, pace: Pace | None) -> Self:
        """The calls for a table of the data client; with a ``pace``, the request says that bulk writes keep the pace that the service asks for."""
        profile = table.app_profile_id or ""
        names = (
            getattr(table, f"{kind}_name", None) for kind in ("materialized_view", "authorized_view", "table")
        )
        name = next(filter(None, names)).removesuffix(f"/tables/{SQL}")
        # SQL and a read of a view are routed by their instance: the service knows no table of that name. Calls through an
        # authorized view are by the table.
        instance, view, _ = name.partition(f"/{VIEWS}")
        whole = view or "/tables/" not in instance
        routed = {
            "name" if whole else "table_name": instance.partition(AUTHORIZED)[0],
            "app_profile_id": profile,
        }
        routing = to_grpc_metadata(routed)  # type: ignore[no-untyped-call]
        asks = table.client.client_info.to_grpc_metadata()
        sent: Metadata = (_FEATURES if pace is None else _PACED, routing, asks)
        if isinstance(table.client.transport.grpc_channel, grpc.aio.Channel):
            sent = grpc.aio.Metadata(*sent)  # as such a channel would make of them for each call
        return cls(table, name, profile, sent, pace)

    @property
    def authorized(self) -> bool:
        """Whether the calls are made through an authorized view of the table."""
        return AUTHORIZED in self.name

    @property
    def address(self) -> dict[str, str]:
        """The field of a read that says what is read, and its value."""
        if self.authorized:
            return {"authorized_view_name": self.name}
        return {"materialized_view_name" if f"/{VIEWS}" in self.name else "table_name": self.name}

    def unary(self, method: str) -> Any:
        """A method that gives one answer, for one operation: ``(request, timeout=..., metadata=...)``."""
        # Not to be kept: the client exchanges its channel now and then, and closes the old one.
        return self.table.client.transport.grpc_channel.unary_unary(method)

    def stream(self, method: str) -> Any:
        """The same of a method that gives many."""
        return self.table.client.transport.grpc_channel.unary_stream(method)


@frozen
class InstanceAccess:
    """How the tables of an instance are reached: ``open`` gives the calls for one, ``options`` say how they are made."""

    open: Callable[[str], Calls]
    target: Target
    options: Options


@define
class CallTime:
    """The time of one call: that of all its attempts, and of the pauses between them.

    The clock of a read starts again whenever it has come further, so it runs only while a server is waited for,
    however long the reader of the rows takes for them. Attempts that follow each other without success may take
    twice as long each: what is slow to find must be found at last.
    """

    policy: Policy
    attempts: int = field(init=False, default=0)
    _mark: object = field(init=False, default=None)
    _since: float = field(init=False, factory=monotonic)
    _limit: float = field(init=False)
    _made: int = field(init=False, default=0)  # attempts since the last progress
    _pauses: Iterator[float] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._limit = self.policy.attempt

    def reached(self, mark: object) -> None:
        """The read has come to ``mark``, and waits from now on for what follows it."""
        if mark != self._mark:
            self._mark, self._since, self._limit = mark, monotonic(), self.policy.attempt
            self._made, self._pauses = 0, None

    def begin(self, *, once: bool = False) -> float:
        """Begin an attempt: the seconds that it may take, all that are left for one that is made just ``once``."""
        self.attempts += 1
        self._made += 1
        left = self._left()
        return max(0.0, left if once else min(self._limit, left))

    def pause(self, error: Exception, *, once: bool = False) -> float | None:
        """The seconds to wait before an attempt that failed with ``error`` is made again; None where it is not to be.

        ``once`` where another attempt would change something else.
        """
        policy = self.policy
        if not repeatable(error, policy.codes, once=once) or self._made == policy.attempts:
            return None
        if self._pauses is None:
            # A tenth, so that the last attempt is made close to the end of the time.
            longest = max(policy.first, min(policy.longest, policy.deadline / 10))
            self._pauses = exponential_sleep_generator(policy.first, longest)
        pause = max(next(self._pauses), retry_after(error) or 0.0)
        self._limit = min(2 * self._limit, policy.deadline)
        return pause if pause < self._left() else None

    def read_again(self, error: Exception) -> float:
        """The seconds to wait before a read that failed with ``error`` goes on; raises what ends it."""
        known = google_error(error)
        pause = self.pause(known)
        if pause is not None:
            return pause
        last = self.last(known)
        if last is error:
            raise error
        raise last from error

    def last(self, error: Exception, *, once: bool = False) -> Exception:
        """What to raise where ``error`` is not followed by another attempt: how long was tried, where that was done."""
        if not repeatable(error, self.policy.codes, once=once):
            return error
        seconds = f"{self.policy.deadline - self._left():.1f} s"
        if answered(error):
            why = f"gave up after {seconds}, {counted(self._made, 'attempt')}"
        else:
            why = f"nothing came for {seconds}{f', in {self._made} attempts' if self._made > 1 else ''}"
        return RetryError(why, error)  # type: ignore[no-untyped-call]

    def _left(self) -> float:
        return self._since + self.policy.deadline - monotonic()


LOG = logging.getLogger("btmodel.client")


# Called when a call begins, and gives the function that is called with it at its end.
Observer = Callable[[Call], Callable[[Call], object]]

# Those who watch all calls of this process. Replaced as a whole, as other threads may be calling.
observers: tuple[Observer, ...] = ()


class ActiveCall(Call):
    """A call while it is made, as a context: it holds its clock, and raises what Google's clients raise as an error of ours.

    ``once`` where it changes something and must not be repeated, ``filter`` is what a read asks by.
    """

    __slots__ = ("_access", "_began", "_filter", "_watching", "clock", "once")

    def __init__(
        self,
        access: InstanceAccess,
        kind: Kind,
        method: str,
        table: str,
        *,
        once: bool = False,
        filter: Filter | None = None,
        ranges: int = 0,
    ) -> None:
        target = access.target
        super().__init__(kind, method.rpartition("/")[2], table, target.instance, target.host, ranges)
        self.once = once
        self.clock = CallTime(access.options.policy(kind, local=target.host is not None))
        self._access, self._filter = access, filter

    def __enter__(self) -> Self:
        self._watching = tuple(observer(self) for observer in observers) if observers else ()
        self._began = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds, self.attempts = perf_counter() - self._began, self.clock.attempts
        failed: BaseException | None = self.error if error is None else error
        if isinstance(failed, GoogleAPIError | GoogleAuthError):
            target = self._access.target
            known = translate(failed, self.table, target, self.method, once=self.once, filter=self._filter)
            known.__cause__, failed = failed, known
        # A read that is left early has not failed.
        self.error = None if isinstance(failed, GeneratorExit) else failed
        if self._watching or self._access.options.on_call is not None or LOG.isEnabledFor(logging.DEBUG):
            self._report()
        if error is not None and failed is not error and failed is not None:
            raise failed

    def _report(self) -> None:
        LOG.debug("%r", self)
        hook = self._access.options.on_call
        for watch in self._watching if hook is None else (*self._watching, hook):
            try:
                watch(self)
            except Exception as error:  # who watches a call must not make it fail
                _note_failure(watch, error)


# How often each of those who watch has failed, by its name: functions may be made anew for each call.
_failures: Counter[str] = Counter()


def _note_failure(watch: Callable[[Call], object], error: Exception) -> None:
    """Warn of one who watches calls and fails, once."""
    name = f"{getattr(watch, '__module__', None)}.{getattr(watch, '__qualname__', type(watch).__qualname__)}"
    _failures[name] += 1
    if _failures[name] > 1:
        LOG.debug("%s has failed for %d calls", name, _failures[name])
        return
    LOG.warning(
        "%s, which watches calls, failed (%s: %s): the call is as it was. Further failures of it are counted at level DEBUG",
        name,
        type(error).__name__,
        error,
        exc_info=error,
    )
