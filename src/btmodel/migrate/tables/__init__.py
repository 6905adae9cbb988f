"""What a table is declared to be, what it is recorded to be, and what is in the instance, side by side."""
