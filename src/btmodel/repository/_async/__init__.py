"""The runtime of repositories, asynchronous: the source of its synchronous twin in ``_sync``."""
