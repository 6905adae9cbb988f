"""The worked systems, each with the code that runs it. To add one: a file, and a line in this table."""

from examples.worked import games
from examples.worked.example import Example

EXAMPLES: dict[str, Example] = {
    "games": games.EXAMPLE,
}
