"""The worked systems, each with the code that runs it. To add one: a file, and a line in this table."""

from examples.worked import battery, games, garden, market, meters, metrics, stock
from examples.worked.example import Example

EXAMPLES: dict[str, Example] = {
    "garden": garden.EXAMPLE,
    "stock": stock.EXAMPLE,
    "games": games.EXAMPLE,
    "battery": battery.EXAMPLE,
    "market": market.EXAMPLE,
    "metrics": metrics.EXAMPLE,
    "meters": meters.EXAMPLE,
}
