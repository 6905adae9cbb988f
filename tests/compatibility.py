"""Runs the tests of declarations, codecs, rows, the client and the studio's command on wheels, with the oldest and the newest libraries that pyproject.toml allows.

    python tests/compatibility.py [PYTHON ...]

For each version of Python that is here (pyenv's, too), of 3.11 to 3.14 or those that are named, and for both ends of the range, a fresh
environment gets the built wheel and nothing of this checkout but its tests. A PYTHON is a version, or the path of an
interpreter that uv does not find. Needs uv, which resolves the lowest versions. Prints a line for each, and exits with 1 where tests fail.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
ENDS = {"lowest": "lowest-direct", "newest": "highest"}
# GoogleSQL's front end wants a newer protobuf than the lowest, with which tests of SQL are skipped.
EXTRAS = {"lowest": ["studio"], "newest": ["studio", "sql"]}
# gRPC's own rest is bound to its version, so without this the lowest grpcio would never be tried.
BOUND = "grpcio-status>=1.66.2"
TOOLS = "pytest pytest-xdist hypothesis numpy pyarrow pandas polars opentelemetry-sdk cloudpickle cryptography hatchling zstandard pydantic fastapi httpx2"
TESTS = (
    "tests/codecs",
    "tests/declare",
    "tests/rows",
    "tests/client",
    "tests/repository",
    "tests/migrate/test_command.py",
    "tests/server/test_server_replaced.py",
    "tests/studio/test_gate.py",
    "tests/studio/test_studio_command.py",
)
UV = str(Path(sys.executable).with_name("uv"))


def uv(*arguments: str, **environment: str) -> str:
    """What uv prints."""
    done = subprocess.run(
        [UV, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"uv {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def interpreter(python: str) -> str | None:
    """The path of a Python on this machine, of those of pyenv, too; None where there is none of that version."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for name in (python, *map(str, sorted(root.glob(f"versions/{python}.*")))):
        find = [UV, "python", "find", "--no-python-downloads", name]
        done = subprocess.run(find, capture_output=True, text=True, check=False)
        if not done.returncode:
            return done.stdout.strip()
    return None


def environment(folder: Path, python: str, end: str, wheel: Path) -> tuple[Path, str]:
    """A Python with the wheel and with libraries of that end of the range, and the versions that tell it apart."""
    name = f"{python.strip('/').replace('/', '-')}-{end}"
    place, pins, more = folder / name, folder / f"{name}.txt", folder / "more.in"
    more.write_text(BOUND)
    resolved = [
        "--resolution",
        ENDS[end],
        "--only-binary",
        ":all:",
        "--python",
        python,
        "--no-header",
        "--no-annotate",
    ]
    extras = [word for extra in EXTRAS[end] for word in ("--extra", extra)]
    pins.write_text(uv("pip", "compile", "--quiet", *extras, "pyproject.toml", str(more), *resolved))
    uv("venv", "--quiet", "--python", python, str(place))
    within = {"VIRTUAL_ENV": str(place)}
    uv("pip", "install", "--only-binary", ":all:", "--requirement", str(pins), **within)
    uv("pip", "install", "--no-deps", str(wheel), **within)
    uv("pip", "install", "--only-binary", ":all:", "--constraint", str(pins), *TOOLS.split(), **within)
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {one.partition(">")[0] for one in told}
    chosen = [line for line in pins.read_text().splitlines() if line.partition("==")[0] in names]
    return place / "bin" / "python", " ".join(sorted(chosen))


def main(pythons: list[str]) -> int:
    """Try all; 0 where the tests pass."""
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        uv("build", "--wheel", "--quiet", "--out-dir", temporary, str(ROOT))
        [wheel] = folder.glob("*.whl")
        for python in pythons:
            path = interpreter(python)
            if path is None:
                print(f"{python}: not on this machine", flush=True)
                continue
            for end in ENDS:
                program, versions = environment(folder, path, end, wheel)
                print(f"{python} {end}: {versions}", flush=True)
                # Libraries warn of each other's old versions, and of what will be old.
                command = [str(program), "-m", "pytest", "-q", "-n", "3", "-p", "no:cacheprovider"]
                command += ["-o", "filterwarnings=default", *TESTS]
                quiet = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1"}
                done = subprocess.run(
                    command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False
                )
                lines = done.stdout.splitlines()
                print("\n".join(line for line in lines if line.startswith(("FAILED", "ERROR"))), end="")
                print(f"{python} {end}: {lines[-1] if lines else done.stderr}", flush=True)
                failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(PYTHONS)))
