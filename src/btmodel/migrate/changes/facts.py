"""What is known of an instance beside its tables, where that decides what a change does."""

from attrs import frozen


@frozen
class Facts:
    """What is known of an instance.

    ``replicated`` is whether it has more than one cluster, None where that could not be read. ``empty`` holds
    the ids of tables that were looked at because of their layouts, and hold no row.
    """

    replicated: bool | None = None
    empty: frozenset[str] = frozenset()


# What is known where nobody asked.
UNKNOWN = Facts()
