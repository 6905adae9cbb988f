"""Rows that arrive one by one; closing a stream early ends its request."""

from collections.abc import AsyncGenerator, Generator
from typing import TypeVar

T = TypeVar("T")

AsyncStream = AsyncGenerator[T, None]
Stream = Generator[T, None, None]
