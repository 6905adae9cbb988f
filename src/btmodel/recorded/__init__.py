"""Tables and encodings as they are recorded: plain data in revision files, saved plans and the migration history, and back."""
