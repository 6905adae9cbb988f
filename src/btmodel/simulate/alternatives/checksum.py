"""What a salt that nobody has declared yet is made by."""

import zlib

from attrs import frozen


@frozen
class Checksum:
    """A number from 0 up to ``buckets``, made from bytes: what ``bt.salt`` makes."""

    buckets: int

    def __call__(self, *parts: bytes) -> int:
        """The number of these parts, in this order."""
        return zlib.crc32(b"\0\1".join(parts)) % self.buckets
