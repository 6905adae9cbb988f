"""A user's project with revisions, and models to declare in it."""

import uuid
from pathlib import Path

from click.testing import CliRunner, Result

from btmodel.cli.group import group
from btmodel.errors import MigrationError

QUOTE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""
ASK = '    ask: int | None = bt.column("ASK", md, default=None)\n'
TRADE = QUOTE.replace("Quote", "Trade").replace("QUOTE", "TRADE").replace("quote", "trade")
USER = QUOTE.replace("Quote", "User").replace("QUOTE", "USER").replace("quote", "user")


class Project:
    """A user's project, whose models are written anew, and in which commands are run."""

    def __init__(self, folder: Path, instance: str) -> None:
        self.folder = folder
        self.instance = instance
        self.migrations = folder / "migrations"

    def declare(self, *models: str) -> None:
        """Write the models, in a module that was never imported."""
        module = f"models_{uuid.uuid4().hex}"
        (self.folder / f"{module}.py").write_text("import btmodel as bt\n" + "".join(models))
        (self.folder / "pyproject.toml").write_text(
            f'[tool.btmodel]\nmodels = ["{module}"]\ninstance = "{self.instance}"\n'
            'emulated = ["projects/*"]\n'
        )

    def run(self, *arguments: str) -> Result:
        """Run ``btmodel migrate`` with these arguments."""
        return CliRunner().invoke(group, ["migrate", *arguments])

    def done(self, *arguments: str) -> str:
        """Run a command that goes through; what it printed, but for which server it is."""
        result = self.run(*arguments)
        assert result.exit_code == 0, (result.output, result.exception)
        lines = (result.stdout if "--json" in arguments else result.output).splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("server: "))

    def refused(self, *arguments: str) -> str:
        """Run a command that ends with an error; its message."""
        error = self.run(*arguments).exception
        assert isinstance(error, MigrationError), error
        return str(error)

    def ids(self) -> list[str]:
        """The revisions in the folder."""
        return sorted(path.stem for path in self.migrations.glob("*.toml"))
