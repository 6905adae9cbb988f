"""Whether git has the files of a revision, so that they can be deleted and be had again."""

import subprocess
from pathlib import Path


def is_committed(folder: Path, id: str) -> bool:
    """Whether every file of the revision is in the last commit as it is now; false where there is no git."""
    paths = [path.name for path in sorted(folder.glob(f"{id}.*"))]
    try:
        told = subprocess.run(
            ["git", "status", "--porcelain", "--ignored", "--", *paths],
            cwd=folder,
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return told.returncode == 0 and not told.stdout
