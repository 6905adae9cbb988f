"""What a connection may be told: the data plane, which reads the messages of the service, and the app profile."""

from typing import Literal, get_args

from btmodel.errors import SettingsError

DataPlane = Literal["btmodel", "client"]


def checked_plane(name: DataPlane) -> DataPlane:
    """``name``, if it is one; raises :class:`SettingsError`."""
    if name not in get_args(DataPlane):
        raise SettingsError(f"data_plane: wanted 'btmodel' or 'client', got {name!r}")
    return name


def checked_profile(id: str | None) -> str | None:
    """``id``, if it can be that of an app profile; raises :class:`SettingsError`."""
    if id is None or (isinstance(id, str) and id):
        return id
    raise SettingsError(
        f"app_profile: wanted the id of an app profile, or None for the instance's default, got {id!r}"
    )
