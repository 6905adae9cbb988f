"""Where the emulator is on this machine."""

import shutil
from pathlib import Path

from btmodel.errors import ServerError

_NAME = "cbtemulator"


def find() -> Path:
    """The emulator's program: on PATH, or in the Cloud SDK that ``gcloud`` belongs to.

    Raises :class:`ServerError` that says what to install where there is none.
    """
    found = shutil.which(_NAME) or _in_cloud_sdk()
    if found is None:
        raise ServerError(
            f"no Bigtable emulator: {_NAME} is neither on PATH nor in a Cloud SDK; install it with "
            "`gcloud components install bigtable`, or set BIGTABLE_EMULATOR_HOST to one that runs"
        )
    return Path(found)


def _in_cloud_sdk() -> str | None:
    """The component ``bigtable`` of the Cloud SDK, which is not on PATH when it is installed."""
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return None
    sdk = Path(gcloud).resolve().parent.parent
    return shutil.which(_NAME, path=str(sdk / "platform" / "bigtable-emulator"))
