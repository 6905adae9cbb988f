"""Plans: what applying would do, read from an instance, saved, and shown."""
