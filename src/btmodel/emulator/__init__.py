"""Google's own Bigtable emulator: found, started for as long as it is needed, and stopped."""

from btmodel.emulator.host import VARIABLE, named, silence
from btmodel.emulator.process import Emulator, find, running, start

__all__ = ["VARIABLE", "Emulator", "find", "named", "running", "silence", "start"]
