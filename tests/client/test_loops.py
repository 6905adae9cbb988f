"""An asynchronous connection belongs to one event loop, and says so in another."""

import asyncio
import warnings

import pytest
from bare import Bare

from btmodel import AsyncDatabase
from btmodel.errors import ServerError
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.schema import Family, KeepAll


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_second_event_loop(bare: Bare) -> None:
    """Reading, writing and closing in another loop are an error that names the fix, without warnings."""
    db = AsyncDatabase(bare(Family("f", KeepAll())).target)
    mutation = Mutation("T", b"k", [Cell("f", b"q", 1000, b"v")])

    async def read() -> int:
        return len([row async for row in db.read(ReadPlan("T", (RowRange(b"", b""),), None))])

    asyncio.run(db.write(mutation))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for again in (read(), db.write(mutation), db.write_many("T", [mutation]), db.close()):
            with pytest.raises(ServerError, match=r"belongs to another event loop.*open one with"):
                asyncio.run(again)  # type: ignore[arg-type]
    asyncio.run(db.close())
