"""The local server keeps limits of its own, as it may import nothing of the client's side: they are the same numbers."""

from btmodel.schema import limits as ours
from btmodel.server import limits as servers
from btmodel.server import views


def test_the_limits_of_the_local_server_are_those_of_models() -> None:
    """What a model or a writer refuses is what the local server refuses, and nothing below."""
    pairs = {
        "mutations of a request": (servers.MUTATIONS, ours.MUTATIONS_A_REQUEST),
        "views of a table": (views.VIEWS_OF_A_TABLE, ours.VIEWS_OF_A_TABLE),
        "row key": (servers.ROW_KEY_SIZE, ours.KEY_BYTES),
        "qualifier": (servers.QUALIFIER_SIZE, ours.QUALIFIER_BYTES),
        "cell": (servers.CELL_SIZE, ours.CELL_BYTES),
        "row": (servers.ROW_SIZE, ours.ROW_BYTES),
        "GC rule": (servers.GC_RULE_SIZE, ours.GC_RULE_BYTES),
        "tables": (servers.TABLES, ours.INSTANCE_TABLES),
        "id of a table": (servers.TABLE_ID_LENGTH, ours.TABLE_ID_LENGTH),
        "id of a family": (servers.FAMILY_ID_LENGTH, ours.FAMILY_ID_LENGTH),
        "change streams": (servers.STREAM_RETENTION, ours.STREAM_KEPT),
        "backups": (servers.BACKUP_RETENTION, ours.BACKUPS_KEPT),
        "infrequent access": (servers.INFREQUENT_AFTER, ours.COLD_AFTER[0]),
    }
    assert {name: pair for name, pair in pairs.items() if pair[0] != pair[1]} == {}
