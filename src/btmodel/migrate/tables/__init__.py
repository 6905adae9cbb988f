"""Tables as declared, as recorded, and as in the instance, side by side."""
