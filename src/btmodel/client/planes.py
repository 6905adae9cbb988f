"""Data planes: what reads the messages of the service."""

from typing import Literal, get_args

from btmodel.errors import SettingsError

DataPlane = Literal["btmodel", "client"]


def checked_plane(name: DataPlane) -> DataPlane:
    """``name``, if it is one; raises :class:`SettingsError`."""
    if name not in get_args(DataPlane):
        raise SettingsError(f"data_plane: wanted 'btmodel' or 'client', got {name!r}")
    return name
