"""Apply a plan table by table, under the lock, and record each step."""
