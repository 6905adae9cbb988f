"""The parts of ``btmodel simulate``: its options, and what it prints."""
