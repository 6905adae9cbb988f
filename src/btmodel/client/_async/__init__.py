"""The data client, asynchronous: the source of its synchronous twin in ``_sync``."""
