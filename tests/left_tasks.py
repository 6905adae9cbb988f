"""Tasks of an event loop that somebody left behind."""

import asyncio
from typing import Any


async def none_but(tasks: set[asyncio.Task[Any]]) -> None:
    """Wait until no others are left: gRPC's own take a moment to end a call. Fails after 10 seconds."""
    async with asyncio.timeout(10):
        while not asyncio.all_tasks() <= tasks:
            await asyncio.sleep(0.01)
