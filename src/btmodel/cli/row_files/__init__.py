"""Files of rows, which ``btmodel rows --out`` writes and ``btmodel put`` reads: ``formats.py`` has a line for each ending."""
