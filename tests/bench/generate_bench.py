"""How long a project takes to generate, and how that grows with the number of its models.

    python -m tests.bench.generate_bench

Prints medians of several rounds, for each number of models side by side: the whole command, which starts
Python, imports and reviews the models; into an empty folder, and where nothing differs; with the default
targets, and with all there are.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from btmodel_codegen import TARGETS

from tests.bench.review_bench import declare, median


def main() -> None:
    """Generate 125, 500 and 1,000 models."""
    every = [f"--target={name}" for name in TARGETS]
    for count in (125, 500, 1_000):
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder)
            declare(project, count)
            anew = median(lambda project=project: generate(project, anew=True))  # type: ignore[misc]
            again = median(lambda project=project: generate(project))  # type: ignore[misc]
            whole = median(lambda project=project: generate(project, *every, anew=True))  # type: ignore[misc]
        print(
            f"{count:>5,} models: {anew:.2f} s into an empty folder ({1e3 * anew / count:.1f} ms a model), "
            f"{again:.2f} s where nothing differs; every target: {whole:.2f} s"
        )


def generate(project: Path, *options: str, anew: bool = False) -> None:
    """Run ``btmodel generate``; ``anew``: into an empty folder."""
    if anew:
        shutil.rmtree(project / "generated", ignore_errors=True)
    command = [str(Path(sys.executable).with_name("btmodel")), "generate", *options]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr


if __name__ == "__main__":
    main()
