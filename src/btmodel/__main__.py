"""`python -m btmodel`."""

from btmodel.cli import main

main()
