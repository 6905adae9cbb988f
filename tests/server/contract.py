"""The contract that both servers are held to, and where they differ.

A case does one thing and answers a short text: OK, a status code, or what was read. The local server must
answer `local`; Google's emulator the same, or what `emulator` says. Each difference is a line in
docs/local-server.md, with the source that supports the local server. `python
tests/server/contract.py` prints them.
"""

from __future__ import annotations

from contract_admin import ADMIN
from contract_case import Case
from contract_reads import READS
from contract_writes import WRITES

CASES = [*ADMIN, *WRITES, *READS]


def difference(case: Case) -> str:
    """A line of the table of differences."""
    answers = [text.replace("|", "\\|") or "nothing" for text in (case.local, case.emulator or "")]
    return f"| {case.name} | {answers[0]} | {answers[1]} | {case.source} |"


if __name__ == "__main__":
    for each in CASES:
        if each.emulator is not None:
            print(difference(each))
