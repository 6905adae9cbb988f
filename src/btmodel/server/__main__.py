"""``python -m btmodel.server``."""

import sys

from btmodel.server.process import main

sys.exit(main())
