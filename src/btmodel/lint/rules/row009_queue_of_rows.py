"""ROW009 queue-of-rows: a queue, whose readers begin with what was deleted

What it finds
    A model that is a queue by its name or its docstring ("a queue of print jobs", an outbox, "workers take the first row"), from which rows are deleted when they are done, by its
    docstring, with a time in its key, and of which no query gives where to begin (`between` that time). If the docstring says that the oldest row, or the first or the next one, is
    read or polled for, and nothing of where a reader goes on or of rows that one reader has alone, a query that could give that time is no answer, and neither is a scan.

Why
    Deleting a row writes a mark. A compaction removes the row and its mark, up to a week later. A read of the oldest row first goes over the marks of all rows that were deleted
    before it, so each read takes longer than the last one. And all writers of a queue write to one place of the table, and all readers read from another.

Example
    from datetime import datetime

    import btmodel as bt


    class PrintJob(bt.Model, table="PRINT_JOB", events="900/s"):
        \"\"\"A queue of print jobs: a worker takes the oldest one of its printer and deletes it when it is done.\"\"\"

        printer: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        queued: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(8), cardinality=90_000_000)

        j = bt.family("j", gc=bt.max_age(days=2))
        document: str = bt.column("d", j)

        next_job = bt.query("printer")

Use instead
    from datetime import datetime

    import btmodel as bt


    class PrintJob(bt.Model, table="PRINT_JOB", events="900/s"):
        \"\"\"A queue of print jobs: a worker reads on from the last job that it printed. An age deletes what is done.\"\"\"

        printer: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        queued: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(8), cardinality=90_000_000)

        j = bt.family("j", gc=bt.max_age(days=2))
        document: str = bt.column("d", j)

        next_jobs = bt.query("printer", between="queued")

Allow
    Suppress it if a queue never has more than a few rows of one worker in a week; say how many.

Source
    https://cloud.google.com/bigtable/docs/deletes (deleted data is removed by a compaction, after up to a week). That reads of a queue go over what was deleted is known of
    every store that is built so, such as Cassandra's tombstones.
"""

from collections.abc import Iterator

from btmodel.estimates import timed
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import quoted, words

_QUEUE = pattern(
    r"(?i)\b(queues?|work ?(items?|lists?)|outbox|job board|backlog|waiting|waits|waited|to-?do list|consumers?|workers?"
    r"|(takes?|reads?|pops?|fetch(es)?|claims?|gets?) the (first|oldest|next)|the (first|oldest|next) (row|one|job|task|item)s? (is|are) (claimed|taken|read))\b"
)
_TAKEN = pattern(
    r"(?i)\b(deletes?|deleted|removes?|removed|pops?|popped|dequeue[sd]?|delete in order|takes? (it|them) (off|out)|taken (off|out))\b"
)


# Who reads from the front, and what says that readers go on from where they were, or have rows of their own, so that each knows where it was.
_FRONT = pattern(
    r"(?i)\b(?:polls?|polled|polling|takes?|taken|reads?|pops?|popped|fetch(?:es|ed)?|claims?|claimed|gets?|asks?|looks?|pulls?|picks?|drains?|scans?|serves?|peeks?)\b"
    r"[^.;]{0,60}\b(?:oldest|earliest|first|next|front|head|beginning|top)\b"
)
_GOES_ON = pattern(
    r"(?i)\b(?:(?:reads?|goes|go|carries|carry|continues?|polls?|begins?|starts?|resumes?) (?:on |again )?(?:from|at|after|behind|where)\b|on from|from where|where (?:it|he|she|they|the \w+) (?:stopped|left|ended|was|were)"
    r"|remembers?|cursors?|checkpoints?|offsets?|watermarks?|bookmarks?|since (?:the|its|their) last|last (?:read|position|seen)|how far"
    r"|each (?:worker|consumer|reader|sender|process) has (?:one|its own|an?)|(?:one|a single) (?:worker|consumer|reader|sender|process) (?:for|per|of) (?:each|every|an?))\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a queue that is read from its beginning."""
    times = [part.name for part in timed(model)]
    named = f"{' '.join(words(model.name)).lower()}. {model.doc}"
    if not times or not _QUEUE.search(named) or not _TAKEN.search(model.doc):
        return
    own = words(model.name)[-1].lower()
    given = {*times, "id", own, f"{own}_id"}  # a caller that has the id of a row reads no other
    reading = [query for query in model.queries if not query.newest and given.isdisjoint(query.equal)]
    if not _FRONT.search(model.doc) or _GOES_ON.search(model.doc):
        reading = [query for query in reading if query.scan is None]
        if any(query.between in times for query in reading):
            return
    if not reading:
        return
    reading = [query for query in reading if query.between not in times and query.scan is None] or reading
    yield RULE.finding(
        model,
        f"rows of this queue are deleted when they are done, and {quoted(query.name for query in reading)} begins with the oldest, where they were",
        why="a deleted row is a mark until a compaction, up to a week later, and each read goes over the marks of all rows that were taken before; and two readers may take the same row",
        fix=f'let who takes a row claim it by `put_if`, remember how far each reader came, in a row of its own, and read on from there: `between="{times[0]}"`, with an age that deletes what is done; or hand out '
        "the work by a service for queues, such as Pub/Sub or Cloud Tasks, and keep here what is known of it by its id",
        part=reading[0].name,
        at=reading[0].location,
    )


RULE: Rule[ModelSchema] = Rule(
    "ROW009", "queue-of-rows", check, page=__doc__, rewrites=None, levels=(Level.WARNING,)
)
