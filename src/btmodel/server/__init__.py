"""A Bigtable in a file: a server of the Bigtable API on SQLite, stricter than Google's emulator.

`python -m btmodel.server --file dev.db` serves a file; `start("dev.db")` does so from Python, in a child
process that ends when its parent does. `join("dev.db")` uses the server that the file has, or starts one for all who use it.
"""

from btmodel.server.running import RunningServer, Use, join, start

__all__ = ["RunningServer", "Use", "join", "start"]
