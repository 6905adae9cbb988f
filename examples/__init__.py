"""Worked examples: models that run, with real data."""
