"""What a simulation says: figures, what rests on what, and the one sentence that a person wants."""
