"""Writes the synchronous twins of the asynchronous sources: ``python codegen/sync_twins.py [--check]``.

Async is the source. Each ``_async`` folder gets a ``_sync`` folder beside it, made by
unasync's renaming of tokens and formatted by ruff; a test runs ``--check``.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

SOURCES = Path(__file__).parents[1] / "src" / "btmodel"
RENAMED = {
    "AsyncAlone": "Alone",
    "AsyncBatches": "Batches",
    "AsyncBulk": "Bulk",
    "AsyncChanges": "Changes",
    "AsyncFollowed": "Followed",
    "AsyncKeeper": "Keeper",
    "AsyncShared": "Shared",
    "_AsyncArrivals": "_Arrivals",
    "AsyncColumnRead": "ColumnRead",
    "AsyncCondition": "Condition",
    "AsyncConnection": "Connection",
    "AsyncDatabase": "Database",
    "AsyncEdit": "Edit",
    "AsyncEdited": "Edited",
    "AsyncEventRepository": "EventRepository",
    "AsyncExitStack": "ExitStack",
    "AsyncFlight": "Flight",
    "AsyncTasks": "Tasks",
    "AsyncGathering": "Gathering",
    "AsyncHome": "SyncHome",
    "AsyncLazy": "Lazy",
    "AsyncMany": "Many",
    "AsyncMixed": "Mixed",
    "AsyncItems": "Items",
    "AsyncManyEdits": "ManyEdits",
    "AsyncPause": "Pause",
    "AsyncOwnedTwinRepository": "OwnedTwinRepository",
    "AsyncRepository": "Repository",
    "AsyncRows": "Rows",
    "AsyncSqlRows": "SqlRows",
    "AsyncStream": "Stream",
    "AsyncText": "Text",
    "AsyncWriter": "Writer",
    "AsyncTwinRepository": "TwinRepository",
    "AsyncViewRepository": "ViewRepository",
    "AsyncViewRows": "ViewRows",
    "BigtableDataClientAsync": "BigtableDataClient",
    "_async": "_sync",
    "aclose": "close",
    "aclosing": "closing",
    "batches_async": "batches",
    "blocking_async": "blocking",
    "each_async": "each",
    "all_made_async": "all_made",
    "lists_async": "lists",
    "refuse_other_many_async": "refuse_other_many",
    "anext": "next",
    "connect_async": "connect",
    "enter_async_context": "enter_context",
    "fast_streams_async": "fast_streams",
    "first_of_each_async": "first_of_each",
    "leave_async": "leave",
    "next_message_async": "next_message",
    "pause_async": "pause",
    "received_async": "received",
    "run_async": "run",
}
PROSE = {
    # Annotations in quotes, of classes that stand further below.
    "Iterable[AsyncEdit[": "Iterable[Edit[",
    "Iterable[Edit[M]] | AsyncIterable[Edit[M]]": "Iterable[Edit[M]]",
    '"SyncEdit[': '"Edit[',
    '"SyncEdited[': '"Edited[',
    '"SyncWriter[': '"Writer[',
    '"_SyncArrivals"': '"_Arrivals"',
    '"SyncStream[': '"Stream[',
    '"SyncChanges[': '"Changes[',
    "``async for change in": "``for change in",
    "``async with repository.writer() as w: await w.put(row)``": "``with repository.writer() as w: w.put(row)``",
    "connect_async": "connect",
    "``async with``": "``with``",
    ", asynchronous: the source of its synchronous twin in ``_sync``.": ", synchronous.",
}
BOTH = re.compile(r"(Iterable\[.+?\]+)\s*\|\s*\1(?![\w\]])")  # was: what ``for`` or ``async for`` goes over
HEADER = "# Written by codegen/sync_twins.py from its twin in _async: edit that one."


def twin(source: Path) -> str:
    """The text of the synchronous twin of one file."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "_async"), Path(folder, "_sync")
        before.mkdir()
        Path(before, source.name).write_text(source.read_text())
        rule = unasync.Rule(f"{before}/", f"{after}/", additional_replacements=RENAMED)
        unasync.unasync_files([str(before / source.name)], [rule])
        text = Path(after, source.name).read_text()
    for asynchronous, synchronous in PROSE.items():
        text = text.replace(asynchronous, synchronous)
    text = BOTH.sub(r"\1", text)
    text = f"{HEADER}\n\n{text}"
    for command in (["check", "--fix-only", "--select", "I"], ["format"]):
        text = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "-q", "--stdin-filename", str(source), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return text


def main(check: bool) -> int:
    """Write the twins, or (``check``) say which are stale; the number of stale ones."""
    stale = 0
    for source in sorted(SOURCES.glob("*/_async/*.py")):
        target = source.parent.with_name("_sync") / source.name
        text = twin(source)
        if target.is_file() and target.read_text() == text:
            continue
        stale += 1
        if check:
            print(f"stale: {target}; run python codegen/sync_twins.py")
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
    return stale


if __name__ == "__main__":
    stale = main("--check" in sys.argv[1:])
    sys.exit(bool(stale) and "--check" in sys.argv[1:])
