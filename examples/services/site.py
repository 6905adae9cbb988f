"""The same quotes from a blocking framework: Flask, and a connection that all threads of a worker share.

    gunicorn --preload --workers 2 --threads 8 examples.services.site:app

With ``--preload`` workers are forked from a process that has imported this. A connection does not cross a
fork, so it is opened by the first request of each worker.
"""

import math
from functools import cache

from flask import Flask, Response, jsonify, request

import btmodel as bt
from examples.generated.quote_repository import QuoteRepository

app = Flask(__name__)


@cache
def quotes() -> QuoteRepository:
    """The repository of this process: opened when it is first asked for, which is after the fork."""
    db = bt.connect(deadline={"read": 1, "scan": 3}, user_agent="quotes-site/1.0")
    return QuoteRepository(db)


@app.get("/quotes/<exchange>/<symbol>")
def page(exchange: str, symbol: str) -> Response:
    """The quotes of a symbol, oldest first."""
    size = min(max(request.args.get("size", 50, int), 1), 200)
    found = quotes().by_symbol(exchange, symbol).page(size, request.args.get("cursor"))
    rows = [{"quote_time": row.quote_time.isoformat(), "bid": row.bid, "ask": row.ask} for row in found.rows]
    return jsonify(rows=rows, next=found.next)


@app.get("/healthz")
def healthz() -> dict[str, str]:
    """The process is up."""
    return {"status": "up"}


@app.errorhandler(bt.BtmodelError)
def failed(error: bt.BtmodelError) -> tuple[Response, int, dict[str, str]]:
    """What went wrong, as a status."""
    if isinstance(error, bt.ValueRefused | bt.QueryRefused):
        return jsonify(detail=str(error)), 422, {}
    if isinstance(error, bt.Unavailable | bt.Unanswered):
        later = {"Retry-After": str(max(1, math.ceil(error.retry_after or 1)))}
        return jsonify(detail="Bigtable does not answer: try again"), 503, later
    raise error
