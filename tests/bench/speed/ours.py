"""btmodel, through the repositories that it generates: the code that the others are compared with."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

import btmodel as bt
from tests.bench.speed.reached import Place
from tests.bench.speed.workload import Workload


@frozen
class Ours:
    """A repository and its connection."""

    work: Workload
    db: bt.Database
    rows: Any = field(repr=False)

    @classmethod
    def of(cls, work: Workload, place: Place) -> "Ours":
        """Connect."""
        with place.named():
            db = bt.connect(place.instance)
        return cls(work, db, work.repository(db))

    def close(self) -> None:
        """End the connection."""
        self.db.close()

    def scan(self, count: int) -> Iterable[Any]:
        """Read the first rows."""
        found: Iterable[Any] = self.work.hand.scan(self.rows, count)
        return found

    def columns(self, count: int) -> Any:
        """Read the first rows as a table of Arrow."""
        return self.work.hand.scan(self.rows, count).to_arrow()

    def multiget(self, keys: Sequence[Any]) -> list[Any]:
        """Read the rows of some keys."""
        found: list[Any] = self.rows.get_many(keys)
        return found

    def point_get(self, key: Any) -> Any:
        """Read one row."""
        return self.rows.get(*key)

    def bulk(self, models: Iterable[Any]) -> None:
        """Write instances of the model."""
        self.rows.put_many(models)

    def point_put(self, model: Any) -> None:
        """Write one."""
        self.rows.put(model)


@frozen
class OursAsync:
    """The same with asyncio."""

    work: Workload
    db: bt.AsyncDatabase
    rows: Any = field(repr=False)

    @classmethod
    async def of(cls, work: Workload, place: Place) -> "OursAsync":
        """Connect, in the event loop that it will be used in."""
        with place.named():
            db = bt.connect_async(place.instance)
        return cls(work, db, work.async_repository(db))

    async def close(self) -> None:
        """End the connection."""
        await self.db.close()

    async def scan(self, count: int) -> list[Any]:
        """Read the first rows."""
        return [one async for one in self.work.hand.scan(self.rows, count)]

    async def point_get(self, key: Any) -> Any:
        """Read one row."""
        return await self.rows.get(*key)

    async def bulk(self, models: Iterable[Any]) -> None:
        """Write instances of the model."""
        await self.rows.put_many(models)

    async def point_put(self, model: Any) -> None:
        """Write one."""
        await self.rows.put(model)
