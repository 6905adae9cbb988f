"""Writes what type checkers see of the packages that load on demand: ``python codegen/public_names.py [--check]``.

Such a package (``btmodel.on_demand``) lists its names in one table. Its imports under ``TYPE_CHECKING`` are written
from that table, to the end of the file. A test runs ``--check``.
"""

import sys
from importlib import import_module
from pathlib import Path

from btmodel.on_demand import TABLES

SOURCE = Path(__file__).parents[1] / "src"
OPENING = "else:  # written by codegen/public_names.py\n"


def packages() -> dict[str, Path]:
    """The packages that load on demand, each with its file."""
    files = sorted(
        path for path in SOURCE.rglob("__init__.py") if OPENING in path.read_text(encoding="utf-8")
    )
    return {".".join(path.parent.relative_to(SOURCE).parts): path for path in files}


def imports(package: str) -> str:
    """The names of a package as imports, each under its own name: that offers it to users, too."""
    import_module(package)
    homes = sorted(((module, name) for name, module in TABLES[package].items()), key=place)
    return "".join(f"    from {module} import {name} as {name}\n" for module, name in homes)


def place(home: tuple[str, str]) -> tuple[str, int, str]:
    """Where a linter wants an import: by module; constants first, then classes."""
    module, name = home
    return module, 2 - name[0].isupper() - (name.isupper() and len(name) > 1), name


def main() -> None:
    """Write the imports; with ``--check``, fail where they differ from the tables."""
    stale = []
    for package, path in packages().items():
        text = path.read_text(encoding="utf-8")
        wanted = text.partition(OPENING)[0] + OPENING + imports(package)
        if text != wanted:
            stale.append(path)
            if "--check" not in sys.argv[1:]:
                path.write_text(wanted, encoding="utf-8")
    if "--check" in sys.argv[1:]:
        sys.exit(f"not as their tables are: {', '.join(map(str, stale))}" if stale else 0)
    print(f"{len(stale)} packages written, {len(packages())} in all")


if __name__ == "__main__":
    main()
