"""The command line: ``btmodel``. One file a command, one line here for each."""

from btmodel.cli.group import Command, CommandTable
from btmodel.cli.group import main as _main

COMMANDS: CommandTable = {
    "check": Command("btmodel.cli.check", "Review the models; exit with 1 if one has an error."),
    "completion": Command("btmodel.cli.completion", "Print the shell completion for bash, zsh or fish."),
    "delete": Command("btmodel.cli.rows", "Delete rows of a model, once you confirm it."),
    "explain": Command("btmodel.cli.show", "Decode a raw row key into its model and fields."),
    "follow": Command("btmodel.cli.follow", "Print the changes of a table as they are made."),
    "generate": Command("btmodel.cli.generate", "Write table definitions and typed repositories."),
    "get": Command("btmodel.cli.rows", "Print one row of a model, by its key."),
    "init": Command("btmodel.cli.init", "Write a small starter project."),
    "inspect": Command("btmodel.cli.inspect", "Write model classes for the tables of an instance."),
    "migrate": Command("btmodel.cli.migrate", "Change the tables of an instance to match the models."),
    "put": Command("btmodel.cli.rows", "Write rows of a model from JSON lines or Parquet."),
    "rows": Command("btmodel.cli.rows", "Print rows of a model, or write them to a file."),
    "rule": Command("btmodel.cli.check", "Print the page of a rule, or list the rules."),
    "serve": Command("btmodel.cli.serve", "Run a local Bigtable server on a file."),
    "show": Command("btmodel.cli.show", "Draw models: keys, cells, queries and sizes."),
    "simulate": Command("btmodel.cli.simulation", "Simulate where the load goes, before there is a table."),
    "studio": Command("btmodel.cli.studio", "Serve a local web page over an instance: tables, rows, load."),
    "verify-service": Command(
        "btmodel.cli.verify_service", "Check on an instance what btmodel assumes of the service."
    ),
}


def main() -> None:
    """Run the command line."""
    _main(COMMANDS)
