"""How long a project takes to generate, and how that grows with the number of its models.

    python -m tests.bench.generate_bench

Prints medians of several rounds, for each number of models side by side: the whole command, which starts
Python, imports and reviews the models; into an empty folder, and where nothing differs; with the default
targets, with each alone, with both pages of the schema, and with all there are. Once for models of which
nothing is to be found, and once for such that lack figures, whose review takes longer.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from btmodel_codegen import TARGETS

from tests.bench.review_bench import ONE, declare, median

COUNTS = (125, 500, 1_000)
PAGES = ("html", "markdown")


def main() -> None:
    """Generate 125, 500 and 1,000 models."""
    for figures in (True, False):
        print("models that tell their figures:" if figures else "models that do not:")
        columns = [_times(count, figures=figures) for count in COUNTS]
        print(f"{'':<22}" + "".join(f"{f'{count:,} models':>16}" for count in COUNTS))
        for name in columns[0]:
            print(f"{name:<22}" + "".join(f"{times[name]:>14.2f} s" for times in columns))


def _times(count: int, *, figures: bool) -> dict[str, float]:
    """The seconds of each kind of run for so many models."""
    kinds = {"defaults": (), **{name: (name,) for name in TARGETS}, " + ".join(PAGES): PAGES, "all": TARGETS}
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        declare(project, count, ONE if figures else ONE.replace(', events="5000/s"', ""))
        times = {
            name: median(lambda targets=targets: generate(project, *targets, anew=True))  # type: ignore[misc]
            for name, targets in kinds.items()
        }
        generate(project)
        return {**times, "nothing differs": median(lambda: generate(project))}


def generate(project: Path, *targets: str, anew: bool = False) -> None:
    """Run ``btmodel generate`` for these targets, or the default ones; ``anew``: into an empty folder."""
    if anew:
        shutil.rmtree(project / "generated", ignore_errors=True)
    command = [
        str(Path(sys.executable).with_name("btmodel")),
        "generate",
        *(f"--target={name}" for name in targets),
    ]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr


if __name__ == "__main__":
    main()
