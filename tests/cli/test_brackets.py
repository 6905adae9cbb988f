"""What commands print in tables are words, in which brackets and colons are neither styles nor pictures."""

from io import StringIO

from rich.table import Table

from btmodel.cli.console import Console


def test_brackets_and_colons_stay_in_words() -> None:
    """In a line, and in a cell of a table."""
    words = "install it with `pip install 'btmodel[sql]'` [bold]:smile:[/bold]"
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row(words)
    for printed in (words, table):
        out = StringIO()
        Console(file=out, width=200).print(printed)
        assert out.getvalue().rstrip() == words
