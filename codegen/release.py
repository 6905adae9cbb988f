"""The end of ``make release``: says how to publish what is in dist, or what is missing before that: ``python codegen/release.py``."""

import sys

from site_versions import DEV, ROOT, address_of, settings_of, version_of

ADDRESSES = ("Documentation", "Source", "Changelog", "Issues")


def missing() -> list[str]:
    """What publishing needs."""
    settings = settings_of(ROOT)
    lacks = [name for name in ADDRESSES if name not in settings.get("urls", {})]
    found = [f"[project.urls] of pyproject.toml has no {', '.join(lacks)}"] if lacks else []
    if version_of() == DEV:
        found.append(f"CHANGELOG.md has no heading `## {settings['version']}`")
    return found


def main() -> int:
    """0 where all is ready."""
    version = settings_of(ROOT)["version"]
    if found := missing():
        print(f"btmodel {version} is in dist, and not ready to be published (CONTRIBUTING.md, Release):")
        print("\n".join(f"  {each}" for each in found))
        return 1
    print(f"btmodel {version} is in dist. To publish it:")
    print("  .venv/bin/twine upload dist/*")
    print(f"  make docs-publish TO=folder    the folder that {address_of()} shows")
    print(f"  git tag {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
