# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""The runtime of repositories, synchronous."""
