"""Plans: what a run would do, read from an instance, saved, and shown."""
