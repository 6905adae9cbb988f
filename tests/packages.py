"""Uses what `make package` has built as its users will: installed alone, far from this checkout.

    python tests/packages.py dist [PYTHON ...]

For the wheel and for the sdist, and each version of Python that is here, a fresh environment gets the package from that file. A new project
is then taken through the commands of its README, and its tests; with the wheel, one of each template. Needs uv. Prints a line for each, and exits with 1 where something fails.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

from compatibility import PYTHONS, interpreter, uv

# Every part that a wheel could lack: the command, the templates of init, those of generate, the local server, migrations, the fixtures.
STEPS = (
    ("python", "-m", "btmodel", "--version"),
    ("btmodel", "rule", "KEY001"),
    ("btmodel", "init", "--name", "shop"),
    ("btmodel", "check", "--strict"),
    ("btmodel", "generate"),
    ("btmodel", "generate", "--check"),
    ("btmodel", "migrate", "new", "first"),
    ("btmodel", "migrate", "--yes"),
    ("btmodel", "rows", "Reading"),
    ("python", "-m", "pytest", "-q"),
)


# What a project of another template is taken through, once its packages are installed.
TEMPLATES = ("fastapi", "worker")
OF_A_TEMPLATE = (
    ("btmodel", "check", "--strict"),
    ("btmodel", "generate"),
    ("btmodel", "migrate", "new", "first"),
    ("btmodel", "migrate", "--yes"),
    ("python", "-m", "pytest", "-q"),
)


def studio_of(btmodel: str, project: Path, environment: dict[str, str]) -> str:
    """Start ``btmodel studio`` and fetch a page of a model. Returns what failed, and nothing where all is well."""
    command = [btmodel, "studio", "--no-open", "--port", "0"]
    process = subprocess.Popen(
        command,
        cwd=project,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or "token=" not in lines[-1]:
            lines.append(process.stdout.readline())
            if not lines[-1]:
                return f"btmodel studio: ended\n{''.join(lines)}"
        address = lines[-1].strip()
        opener = build_opener(HTTPCookieProcessor(CookieJar()))
        opener.open(address, timeout=30).read()
        page = opener.open(f"{address.partition('?')[0]}models/Reading", timeout=30).read().decode()
        return "" if "<h1>Reading" in page else f"btmodel studio: {page}"
    except OSError as error:
        return f"btmodel studio: {error}"
    finally:
        process.terminate()
        process.communicate()


def used(package: Path, python: str, folder: Path) -> str:
    """Install a package into a new environment, and use it there. Returns what failed, and nothing where all is well."""
    place, project = folder / "environment", folder / "project"
    project.mkdir(parents=True)
    uv("venv", "--quiet", "--python", python, str(place))
    uv("pip", "install", "--quiet", f"{package}[studio,testing]", "pytest", VIRTUAL_ENV=str(place))
    alone = {"PATH": f"{place / 'bin'}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    problem = taken(STEPS, place, project, alone) or studio_of(str(place / "bin" / "btmodel"), project, alone)
    for template in TEMPLATES if package.suffix == ".whl" else ():
        problem = problem or of_a_template(template, package, place, folder / template, alone)
    return problem


def of_a_template(
    template: str, package: Path, place: Path, project: Path, environment: dict[str, str]
) -> str:
    """Make a project of a template, install what it needs, and use it. Returns what failed, and nothing where all is well."""
    project.mkdir()
    init = ("btmodel", "init", "--name", f"{template}_shop", "--template", template)
    if problem := taken([init], place, project, environment):
        return problem
    needed = ["--find-links", str(package.parent), f"{project}[test]"]
    uv("pip", "install", "--quiet", *needed, VIRTUAL_ENV=str(place))
    return taken(OF_A_TEMPLATE, place, project, environment)


def taken(steps: Iterable[tuple[str, ...]], place: Path, project: Path, environment: dict[str, str]) -> str:
    """Run commands of an environment in a project. Returns what failed, and nothing where all is well."""
    for step in steps:
        command = [str(place / "bin" / step[0]), *step[1:]]
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return (
                f"{project.name}: {' '.join(step)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
            )
    return ""


def main(dist: Path, pythons: list[str]) -> int:
    """Try each package with each Python; 0 where all work."""
    packages = sorted([*dist.glob("*.whl"), *dist.glob("*.tar.gz")])
    if len(packages) != 2:
        raise SystemExit(f"{dist}: expected a wheel and an sdist, got {[path.name for path in packages]}")
    failed = 0
    for python in pythons:
        path = interpreter(python)
        if path is None:
            print(f"{python}: not on this machine", flush=True)
            continue
        for package in packages:
            with tempfile.TemporaryDirectory() as folder:
                problem = used(package.resolve(), path, Path(folder))
            failed += bool(problem)
            print(f"{python} {package.name}: {problem or 'works'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:] or list(PYTHONS)))
