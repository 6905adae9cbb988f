"""Google's own Bigtable emulator: found, started for as long as it is needed, and stopped."""

from btmodel.emulator.process import VARIABLE, Emulator, find, named, running, silence, start

__all__ = ["VARIABLE", "Emulator", "find", "named", "running", "silence", "start"]
