"""Names that are words of errors: what is missing is told by what the server says, never by what something is called."""

import uuid

import pytest
from click.testing import CliRunner
from google.api_core import exceptions

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.failures import READ_TABLE, naming_right, translate
from btmodel.client.target import Target
from btmodel.emulator import VARIABLE
from btmodel.errors import MissingFamily, MissingTable, ServerError, Unavailable
from examples.generated.quote_repository import QuoteRepository
from examples.market import made_up_quotes

pytestmark = pytest.mark.both_servers

WORDS = (
    "family", "my-family", "unknown-family", "column-family", "table", "not-found", "exists", "view", "backup", "app-profile", "goaway",
    "recvmsg", "sql", "concurrent-modification",
)  # fmt: skip


@pytest.fixture(params=WORDS)
def named(request: pytest.FixtureRequest, server: object, monkeypatch: pytest.MonkeyPatch) -> str:
    """An instance of a project that are both called by a word of errors."""
    monkeypatch.setenv(VARIABLE, server.host)  # type: ignore[attr-defined]
    word = request.param
    return f"projects/{word}/instances/{word}-{uuid.uuid4().hex[:8]}"


def test_an_instance_is_migrated_whatever_it_is_called(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is missing is no missing family: the lock makes its table, and reads say what to do."""
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BTMODEL_INSTANCE", named)
    with bt.connect(named) as db:
        quotes = QuoteRepository(db)
        row = next(iter(made_up_quotes(1)))
        with pytest.raises(MissingTable):
            list(quotes.by_symbol("NYSE", "IBM"))
        with pytest.raises(MissingTable):
            quotes.put(row)
        done = CliRunner().invoke(group, ["migrate", "-m", "examples.market", "--yes", "--emulated"])
        assert done.exit_code == 0, (done.output, done.exception)
        quotes.put(row)
        assert len(list(quotes.by_symbol(row.exchange, row.symbol))) == 1


PATH = "projects/family/instances/unknown-family"
TARGET = Target(PATH, "localhost:1")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (exceptions.NotFound(f"Table not found: {PATH}/tables/column-family"), MissingTable),
        (exceptions.NotFound(f'table "{PATH}/tables/family" not found'), MissingTable),
        (exceptions.NotFound("Table 'family' not found."), MissingTable),
        (
            exceptions.NotFound(f"Error while reading table '{PATH}/tables/T' : Requested column family not found."),
            MissingFamily,
        ),
        (exceptions.Unknown('unknown family "table"'), MissingFamily),
        (exceptions.NotFound(f"App profile not found: {PATH}/appProfiles/family"), ServerError),
        (exceptions.InvalidArgument("Row key b'unknown family' is refused."), ServerError),
        (exceptions.ServiceUnavailable(f"Tablet of {PATH}/tables/goaway is not there now."), Unavailable),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_by_the_words_around_the_names(
    error: Exception, kind: type[ServerError]
) -> None:
    """Of a read or a write."""
    assert type(translate(error, "T", TARGET, "ReadRows")) is kind


def test_a_call_of_the_admin_api_tells_by_the_words_around_the_names() -> None:
    """A table that is not there is missing, a family is not."""
    for words in (f"Table not found: {PATH}/tables/T", f'table "{PATH}/tables/family" not found'):
        with pytest.raises(MissingTable), naming_right(PATH, "the service", READ_TABLE, "T"):
            raise exceptions.NotFound(words)
    with (
        pytest.raises(ServerError, match="refused by") as caught,
        naming_right(PATH, "the service", READ_TABLE, "T"),
    ):
        raise exceptions.NotFound("Column family not found: table")
    assert type(caught.value) is ServerError
