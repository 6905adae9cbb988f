"""The service's refusals, naming_right in one sentence each: those that no emulator can show."""

import pytest
from google.api_core import exceptions

from btmodel.client.failures import CREATE_TABLE, READ_TABLE, naming_right
from btmodel.errors import MissingTable, NotAllowed, SchemaConflict, ServerError, Unanswered

PATH = "projects/p/instances/i"


def refusal(kind: type[exceptions.GoogleAPICallError], said: str) -> Exception:
    return kind(said)


@pytest.mark.parametrize(
    ("error", "table", "kind", "message"),
    [
        (
            refusal(exceptions.NotFound, "Instance not found."),
            None,
            ServerError,
            f"{PATH} does not exist, or you may not see it (the service says: Instance not found.)",
        ),
        (
            refusal(exceptions.NotFound, "Table not found."),
            "T",
            MissingTable,
            f"table 'T' is not in {PATH}: create it with `btmodel migrate`, or check the name of the instance "
            "(a table that is named at run time: with bt.create_tables)",
        ),
        (
            refusal(exceptions.PermissionDenied, "Permission\n denied."),
            None,
            NotAllowed,
            f"{PATH}: not permitted to these credentials, which need bigtable.tables.get "
            "(role roles/bigtable.viewer) (the service says: Permission denied.)",
        ),
        (
            refusal(
                exceptions.FailedPrecondition, "Could not modify schema of T due to concurrent modifications."
            ),
            "T",
            SchemaConflict,
            f"table 'T' of {PATH}: changed by another at the same time "
            "(the service says: Could not modify schema of T due to concurrent modifications.)",
        ),
        (
            refusal(
                exceptions.FailedPrecondition, "Cannot relax pure age-based GC for a replicated family (f)."
            ),
            "T",
            ServerError,
            f"table 'T' of {PATH}: refused by the service, which says: "
            "Cannot relax pure age-based GC for a replicated family (f).",
        ),
        (
            refusal(exceptions.DeadlineExceeded, "504"),
            "T",
            Unanswered,
            f"table 'T' of {PATH}: no answer from the service (504)",
        ),
    ],
)
def test_told(error: Exception, table: str | None, kind: type[ServerError], message: str) -> None:
    """Each refusal names the table or the instance, and holds what the server said."""
    with pytest.raises(ServerError) as caught, naming_right(PATH, "the service", READ_TABLE, table):
        raise error
    assert type(caught.value) is kind
    assert str(caught.value) == message


def test_a_new_table_cannot_be_what_is_missing() -> None:
    """Where a table is being created, what was not found is the instance."""
    with (
        pytest.raises(ServerError, match="projects/p/instances/i does not exist"),
        naming_right(PATH, "S", CREATE_TABLE, "T"),
    ):
        raise refusal(exceptions.NotFound, "not found")
