"""The versions of the site, side by side in one folder: ``python codegen/site_versions.py SITE [TO]``.

``make docs`` builds the pages into ``SITE/VERSION``. VERSION is that of pyproject.toml once the changelog has a heading for it, and ``dev`` before.
With TO, the folder that a web server shows, the pages are copied beside those of earlier releases, which stay as they are. In either folder,
``versions.json`` is what the selector of the theme reads, and ``index.html`` leads to the latest release.
"""

import json
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
DEV = "dev"
LEADS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>btmodel</title>
<meta http-equiv="refresh" content="0; url={0}/">
<p><a href="{0}/">btmodel {0}</a></p>
</html>
"""


def version_of(project: Path = ROOT) -> str:
    """The folder of the site that a checkout builds: its version, or ``dev`` until that is released."""
    version: str = settings_of(project)["version"]
    headings = (project / "CHANGELOG.md").read_text().splitlines()
    return version if any(line.split()[:2] == ["##", version] for line in headings) else DEV


def address_of(project: Path = ROOT) -> str | None:
    """Where all versions of the site are published: ``Documentation`` of ``[project.urls]``, or None until there is one."""
    address: str | None = settings_of(project).get("urls", {}).get("Documentation")
    return address and address.rstrip("/")


def settings_of(project: Path) -> dict[str, Any]:
    """``[project]`` of a pyproject.toml."""
    return tomllib.loads((project / "pyproject.toml").read_text())["project"]  # type: ignore[no-any-return]


def listed(site: Path) -> None:
    """Write the list of the versions in a folder, the newest first, and the page that leads to the latest release."""
    releases = {parsed: path.name for path in site.iterdir() if (parsed := release(path))}
    finished = [version for version in releases if not version.is_prerelease]
    newest = releases[max(finished or releases)] if releases else DEV
    names = [releases[version] for version in sorted(releases, reverse=True)]
    names += [DEV] if (site / DEV).is_dir() else []
    versions = [
        {"version": name, "title": name, "aliases": ["latest"] if name == newest else []} for name in names
    ]
    (site / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")
    (site / "index.html").write_text(LEADS.format(newest))


def release(folder: Path) -> Version | None:
    """The release whose pages a folder holds, or None if it is not one."""
    try:
        return Version(folder.name) if (folder / "index.html").is_file() else None
    except InvalidVersion:
        return None


def publish(site: Path, to: Path, version: str) -> None:
    """Copy one version beside the others.

    Raises:
        SystemExit: If that release is there already. The pages of ``dev`` are replaced.
    """
    place = to / version
    if place.exists() and version != DEV:
        raise SystemExit(
            f"{place} exists, and published pages of a release are not changed. Delete it first."
        )
    # Under another name until it is whole, so that a copy that ends early is no version.
    part = to / f".{version}.part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(site / version, part)
    shutil.rmtree(place, ignore_errors=True)
    part.rename(place)
    listed(to)


def main(site: Path, to: Path | None = None) -> None:
    """List the versions of a built site; with ``to``, publish the version of this checkout."""
    listed(site)
    if to is None:
        return
    if address_of() is None:
        raise SystemExit(
            "pyproject.toml has no [project.urls] with Documentation, the address of the folder to publish to. "
            "The pages name it in their canonical links. CONTRIBUTING.md says where else it is used."
        )
    publish(site, to, version_of())
    print(f"{to / version_of()} is published; upload {to} to {address_of()}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
