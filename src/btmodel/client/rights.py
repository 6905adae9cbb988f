"""What calls of the admin API need: the permission, and the predefined role that has it."""

from attrs import frozen

_ADMIN = "roles/bigtable.admin"
_VIEWER = "roles/bigtable.viewer"


@frozen
class Right:
    """A permission, and the least of Google's predefined roles that has it.

    ``changes`` is true where it lets a call change something, which may then have been done
    though no answer came.
    """

    permission: str
    role: str
    changes: bool = True

    def __str__(self) -> str:
        return f"{self.permission} (role {self.role})"


LIST_TABLES = Right("bigtable.tables.list", _VIEWER, changes=False)
READ_TABLE = Right("bigtable.tables.get", _VIEWER, changes=False)
MAKE_TOKEN = Right("bigtable.tables.generateConsistencyToken", "roles/bigtable.reader", changes=False)
CHECK_TOKEN = Right("bigtable.tables.checkConsistency", "roles/bigtable.reader", changes=False)
LIST_CLUSTERS = Right("bigtable.clusters.list", _VIEWER, changes=False)
LIST_PROFILES = Right("bigtable.appProfiles.list", _VIEWER, changes=False)
CREATE_TABLE = Right("bigtable.tables.create", _ADMIN)
UPDATE_TABLE = Right("bigtable.tables.update", _ADMIN)
DELETE_TABLE = Right("bigtable.tables.delete", _ADMIN)
DELETE_ROWS = Right("bigtable.tables.mutateRows", "roles/bigtable.user")
