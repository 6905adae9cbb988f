"""Where a scooter is, and where it was: uvicorn scooters.api:app."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated

import btmodel as bt
from fastapi import Depends, FastAPI, HTTPException, Query, Request
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel, ConfigDict

from scooters.generated.position_repository import AsyncPositionRepository
from scooters.models import Position


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
    async with bt.connect_async(deadline={"read": 1, "write": 1, "scan": 3}) as db:
        app.state.positions = AsyncPositionRepository(db)
        yield


app = FastAPI(lifespan=lifespan)


def positions_of(request: Request) -> AsyncPositionRepository:
    repository: AsyncPositionRepository = request.app.state.positions
    return repository


Positions = Annotated[AsyncPositionRepository, Depends(positions_of)]


class PositionBody(BaseModel):
    """A position as the API shows and takes it."""

    model_config = ConfigDict(from_attributes=True)

    scooter: str
    at: AwareDatetime
    latitude: float
    longitude: float
    battery: int


class PositionPage(BaseModel):
    """Some positions, and the cursor of the next page; none on the last one."""

    rows: list[PositionBody]
    next: str | None


@app.get("/scooters/{scooter}")
async def newest(scooter: str, positions: Positions) -> PositionBody:
    async for position in positions.newest(1, scooter):
        return PositionBody.model_validate(position)
    raise HTTPException(404, "nobody has seen this scooter")


@app.get("/scooters/{scooter}/positions")
async def page(
    scooter: str,
    positions: Positions,
    start: datetime | None = None,
    end: datetime | None = None,
    size: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: str | None = None,
) -> PositionPage:
    found = await positions.of_scooter(scooter, start, end).page(size, cursor)
    return PositionPage(
        rows=[PositionBody.model_validate(row) for row in found.rows], next=found.next
    )


@app.post("/positions", status_code=201)
async def put(body: PositionBody, positions: Positions) -> PositionBody:
    await positions.put(Position(**body.model_dump()))
    return body


@app.exception_handler(bt.BtmodelError)
def failed(request: Request, error: bt.BtmodelError) -> JSONResponse:
    match error:
        case bt.ValueRefused() | bt.QueryRefused():
            return JSONResponse({"detail": str(error)}, 422)
        case bt.Unavailable():
            return JSONResponse({"detail": "try again"}, 503, {"Retry-After": "1"})
        case bt.Unanswered():
            return JSONResponse({"detail": "Bigtable did not answer in time"}, 504)
        case _:
            raise error
