"""``python -m btmodel.server``."""

import os
import sys


def _run() -> int:
    # A server that programs share outlives the one that starts it, which therefore is not its parent: none is left as a
    # zombie. It parts from its parent before anything is loaded that a fork could harm.
    if "--shared" in sys.argv and os.fork():
        return 0
    from btmodel.server.process import main

    return main()


sys.exit(_run())
