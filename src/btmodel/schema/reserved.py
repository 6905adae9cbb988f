"""The table that btmodel makes for itself."""

# In it an instance remembers its migrations. It is nobody's to declare, and never drift.
JOURNAL_TABLE = "btmodel_migrations"
