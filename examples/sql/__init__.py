"""Questions in SQL about a table of flights, declared in its model.

The repository is in ``generated``, which this wrote::

    btmodel generate -m examples.sql.delays --out examples/sql/generated
"""
