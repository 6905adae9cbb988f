"""Documented limits of the service, each with its source."""

from datetime import timedelta

from btmodel.on_demand import pattern

# https://cloud.google.com/bigtable/docs/performance: up to 14,000 rows/s written by an
# SSD node, 1 KB each, under optimal conditions.
NODE_ROW_WRITES = 14_000
# The same page: bytes that such a node scans in a second.
NODE_SCAN_BYTES = 220 * 10**6

# https://cloud.google.com/bigtable/docs/monitoring-instance: the CPU that a cluster should use at most. A node that
# needs more than this share of its writes has none to spare for reads and compactions.
ADVISED_NODE_USE = 0.7

# https://cloud.google.com/bigtable/quotas, and the comment on Mutation in google/bigtable/v2/data.proto.
KEY_BYTES = 4096
QUALIFIER_BYTES = 16 * 1024

# Sizes are in binary megabytes: https://cloud.google.com/bigtable/quotas.
MB = 2**20

# The comments on Cell.value and Row in google/bigtable/v2/data.proto: the largest value, and the
# largest row that can be read in full.
CELL_BYTES = 100 * MB
ROW_BYTES = 256 * MB

# https://cloud.google.com/bigtable/docs/schema-design: what a cell and a row should stay below.
ADVISED_CELL_BYTES = 10 * MB
ADVISED_ROW_BYTES = 100 * MB

# Cell.timestamp_micros, an int64 in google/bigtable/v2/data.proto. A cell also has its family, its
# qualifier and its value, all of which
# https://cloud.google.com/bigtable/docs/schema-design-time-series counts as stored and sent with it.
TIMESTAMP_BYTES = 8

# The comment on MutateRowsRequest.entries in google/bigtable/v2/bigtable.proto.
MUTATIONS_A_REQUEST = 100_000

# What the service answers to a longer one: `Row filter exceeds maximum size of 20480 bytes`
# (googleapis/java-bigtable-hbase#2192).
FILTER_BYTES = 20_480

# https://cloud.google.com/bigtable/docs/schema-design: about 100 families in a table (advice, not a
# limit), and keys and names as short as they can be.
TABLE_FAMILIES = 100

# google/bigtable/v2/data.proto, Family.name.
FAMILY_ID_LENGTH = 64
FAMILY_ID = pattern(rf"[-_.a-zA-Z0-9]{{1,{FAMILY_ID_LENGTH}}}")
FAMILY_ID_MEANING = f"1 to {FAMILY_ID_LENGTH} letters, digits, `-`, `_` and `.`"

# google/bigtable/admin/v2/table.proto, the comment on ColumnFamily.gc_rule.
GC_RULE_BYTES = 500

# google/bigtable/admin/v2/table.proto, Table.name, and CreateTableRequest.table_id.
TABLE_ID_LENGTH = 50
TABLE_ID = pattern(rf"[_a-zA-Z0-9][-_.a-zA-Z0-9]{{0,{TABLE_ID_LENGTH - 1}}}")
TABLE_ID_MEANING = (
    f"1 to {TABLE_ID_LENGTH} letters, digits, `-`, `_` and `.`, of which `-` and `.` are not the first"
)

# google/bigtable/admin/v2/table.proto, the comments on ChangeStreamConfig.retention_period,
# AutomatedBackupPolicy.retention_period and TieredStorageRule.include_if_older_than: the least and the
# most. The last has no most of its own, but google.protobuf.Duration has: some 10,000 years.
STREAM_KEPT = (timedelta(days=1), timedelta(days=7))
BACKUPS_KEPT = (timedelta(days=3), timedelta(days=90))
COLD_AFTER = (timedelta(days=30), timedelta(seconds=315_576_000_000))
# The settings of a table that are lengths of time, by their names in TableSettings.
PERIODS = {"change_stream": STREAM_KEPT, "automated_backups": BACKUPS_KEPT, "tiered_storage": COLD_AFTER}

# https://cloud.google.com/bigtable/quotas: tables an instance.
INSTANCE_TABLES = 1_000

# https://cloud.google.com/bigtable/docs/continuous-materialized-views: views of one table.
VIEWS_OF_A_TABLE = 5
# The same page: what a view selects of a row, or puts into one; the service drops rows beyond.
VIEW_ROW_BYTES = 2**20


# In it an instance remembers its migrations. No model declares it, and it is never drift.
HISTORY_TABLE = "btmodel_migrations"
# In it the readers of change streams keep how far they have come (`bt.ChangeReaders`).
CHANGES_TABLE = "btmodel_changes"
