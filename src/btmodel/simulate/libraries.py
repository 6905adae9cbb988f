"""The optional libraries of a simulation."""

from importlib import import_module

from btmodel.errors import SimulationRefused


def need(library: str, extra: str, what: str) -> None:
    """Raise :class:`SimulationRefused`, with the command that helps, where ``library`` is not installed."""
    try:
        import_module(library)
    except ImportError:
        raise SimulationRefused(f'{what} needs {library}: pip install "btmodel[{extra}]"') from None
