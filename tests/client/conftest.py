"""What the tests of the client share."""

from bare import bare, target

__all__ = ["bare", "target"]
