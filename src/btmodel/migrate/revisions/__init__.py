"""Revisions: recorded steps of a schema, their branches, and the way of an instance through them."""
