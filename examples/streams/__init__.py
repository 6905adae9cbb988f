"""A departure board that follows a table of flights by its change stream.

The repository is in ``generated``, which this wrote::

    btmodel generate -m examples.streams.board --out examples/streams/generated
"""
