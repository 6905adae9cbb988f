"""How a twin's row is made, in words."""

from btmodel.schema import TwinSchema


def made(twin: TwinSchema) -> str:
    """What the row of a twin is made of, or by; code stands between backticks."""
    if twin.function is None:
        return "of the same attributes"
    name = f"`{twin.function}`" if twin.function.isidentifier() else "a function"
    return f"made by {name}; none where that gives None"
