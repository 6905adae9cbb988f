"""Applying a plan: table by table, with the lock, each step recorded."""
