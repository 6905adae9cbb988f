"""A web service of quotes: FastAPI, asyncio, one connection for each worker.

    uvicorn examples.services.api:app --workers 2

The instance is that of the settings, or ``BTMODEL_INSTANCE``.
"""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

import btmodel as bt
from examples.generated.quote_repository import AsyncQuoteRepository
from examples.market import Quote


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
    """Connect once for each worker, in its own process and event loop, and close when it ends."""
    # A web request cannot wait for long; what is retried has to fit in these seconds, too.
    async with bt.connect_async(
        deadline={"read": 1, "write": 1, "scan": 3}, user_agent="quotes-api/1.0"
    ) as db:
        app.state.quotes = AsyncQuoteRepository(db)
        yield


app = FastAPI(lifespan=lifespan)


def quotes_of(request: Request) -> AsyncQuoteRepository:
    """The repository of this worker."""
    quotes: AsyncQuoteRepository = request.app.state.quotes
    return quotes


Quotes = Annotated[AsyncQuoteRepository, Depends(quotes_of)]


class QuoteBody(BaseModel):
    """A quote as the API shows and takes it."""

    model_config = ConfigDict(from_attributes=True)

    exchange: str
    symbol: str
    quote_time: datetime
    bid: Decimal | None = None
    ask: Decimal | None = None
    bid_size: int | None = None
    ask_size: int | None = None


class QuotePage(BaseModel):
    """Some quotes, and the cursor of the next page; None on the last one."""

    rows: list[QuoteBody]
    next: str | None


@app.get("/quotes/{exchange}/{symbol}")
async def page(
    exchange: str,
    symbol: str,
    quotes: Quotes,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: str | None = None,
) -> QuotePage:
    """The quotes of a symbol, oldest first."""
    # A scan's deadline starts again with each row: this is for the page as a whole.
    async with asyncio.timeout(5):
        found = await quotes.by_symbol(exchange, symbol).page(size, cursor)
    return QuotePage(rows=[QuoteBody.model_validate(row) for row in found.rows], next=found.next)


@app.get("/quotes/{exchange}/{symbol}/{quote_time}", response_model=QuoteBody)
async def one(exchange: str, symbol: str, quote_time: datetime, quotes: Quotes) -> Quote:
    """One quote."""
    row = await quotes.get(exchange, symbol, quote_time)
    if row is None:
        raise HTTPException(404, "there is no such quote")
    return row


@app.post("/quotes", status_code=201)
async def put(body: QuoteBody, quotes: Quotes) -> QuoteBody:
    """Write a quote, or write it again: putting the same row twice is safe."""
    await quotes.put(Quote(**body.model_dump()))
    return body


@app.get("/healthz")
def healthz() -> dict[str, str]:
    """The process is up. It asks no server: a slow Bigtable is no reason to restart the process."""
    return {"status": "up"}


@app.get("/readyz")
async def readyz(quotes: Quotes) -> dict[str, str]:
    """The table can be read, quickly: or else other workers should get the requests."""
    hurried = quotes.with_options(deadline=0.5, attempts=1)
    await hurried.by_symbol("NONE", "NONE").first()
    return {"status": "ready"}


@app.exception_handler(TimeoutError)
def late(request: Request, error: Exception) -> Response:
    """A page took too long."""
    return JSONResponse({"detail": "Bigtable did not answer in time"}, 504)


@app.exception_handler(bt.BtmodelError)
def failed(request: Request, error: Exception) -> Response:
    """What went wrong, as a status: the caller's values, the server's absence, or a fault of this program."""
    headers: dict[str, str] = {}
    match error:
        case bt.ValueRefused() | bt.QueryRefused():
            status, detail = 422, str(error)
        case bt.Unavailable():
            status, detail = 503, "Bigtable does not take this now: try again"
            headers["Retry-After"] = str(max(1, math.ceil(error.retry_after or 1)))
        case bt.Unanswered():
            status, detail = 504, "Bigtable did not answer in time"
        case _:
            raise error  # logged, and answered with 500, without its words
    return JSONResponse({"detail": detail}, status, headers)
