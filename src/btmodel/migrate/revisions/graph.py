"""The graph of revisions: which one follows which."""

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from pathlib import Path

from attrs import frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.revisions.revision import Link, Revision
from btmodel.words import did_you_mean, near

_SHOWN = 5  # revisions that one message names


@frozen
class Graph:
    """Revisions by id, each after its parents.

    ``parents`` has the ids of the parents of each revision: if its file names one that was squashed, that is the
    revision which replaces it.
    """

    folder: Path
    revisions: Mapping[str, Revision]
    parents: Mapping[str, tuple[str, ...]]

    @property
    def heads(self) -> tuple[Revision, ...]:
        """The revisions without children."""
        below = {id for parents in self.parents.values() for id in parents}
        return tuple(revision for id, revision in self.revisions.items() if id not in below)

    @property
    def head(self) -> Revision | None:
        """The last revision; None if there is none. Raises :class:`MigrationError` if there are several."""
        if self.parted:
            raise MigrationError(self.parted)
        heads = self.heads
        return heads[0] if heads else None

    @property
    def parted(self) -> str | None:
        """A sentence that names the last revisions if there are several, and says what to do; otherwise None."""
        heads = self.heads
        if len(heads) < 2:
            return None
        return (
            f"{self.folder}: {' and '.join(revision.id for revision in heads)} both come last, as two branches wrote "
            "them: join them with `btmodel migrate merge`"
        )

    def up_to(self, id: str) -> tuple[Revision, ...]:
        """The revision ``id``, after all its ancestors, in order."""
        found, open_ = {id}, [id]
        while open_:
            for parent in self.parents[open_.pop()]:
                if parent not in found:
                    found.add(parent)
                    open_.append(parent)
        return tuple(revision for name, revision in self.revisions.items() if name in found)

    def named(self, name: str) -> Revision:
        """The revision that a user calls ``name``: its id, or a prefix of only one id.

        Raises :class:`MigrationError`.
        """
        if name in self.revisions:
            return self.revisions[name]
        begun = [id for id in self.revisions if name and id.startswith(name)]
        if len(begun) == 1:
            return self.revisions[begun[0]]
        if begun:
            raise MigrationError(f"{name!r} is how {' and '.join(begun)} begin: give more of it")
        last = ", ".join(list(self.revisions)[-3:])
        alike = did_you_mean(near(name, self.revisions))
        hint = alike or (f" (the last ones: {last})" if last else ", which has none")
        raise MigrationError(f"no revision is called {name!r} in {self.folder}{hint}")


def graph_of(folder: Path, revisions: Iterable[Revision]) -> Graph:
    """Build the graph of the revisions in ``folder``.

    Raises :class:`MigrationError` if a parent is missing or was edited since its child was written, if revisions are
    ancestors of each other, and if a revision exists beside the one that replaces it.
    """
    known = {revision.id: revision for revision in revisions}
    replaced = _replaced(folder, known)
    parents = {
        revision.id: tuple(_parent(folder, revision, link, known, replaced) for link in revision.parents)
        for revision in known.values()
    }
    order = _order(folder, parents)
    _refuse_edited_parents(folder, known)
    return Graph(folder, {id: known[id] for id in order}, {id: parents[id] for id in order})


def _replaced(folder: Path, known: Mapping[str, Revision]) -> dict[str, Revision]:
    replaced: dict[str, Revision] = {}
    for revision in known.values():
        for link in revision.replaces:
            if link.id in known:
                raise MigrationError(
                    f"{_file(folder, link.id)}: {revision.id} replaces it, so delete this file"
                    if link.id != revision.id
                    else f"{_file(folder, revision.id)}: it says that it replaces itself"
                )
            other = replaced.setdefault(link.id, revision)
            if other is not revision:
                raise MigrationError(
                    f"{_file(folder, revision.id)}: it replaces {link.id}, and so does {other.id}: keep one of the two files"
                )
    return replaced


def _parent(
    folder: Path, one: Revision, link: Link, known: Mapping[str, Revision], replaced: Mapping[str, Revision]
) -> str:
    if link.id in known:
        return link.id
    if link.id not in replaced:
        if other := next((each.id for each in known.values() if each.is_as(link.checksum)), None):
            raise MigrationError(
                f"{_file(folder, other)}: {one.id} stands on it as {link.id}: give the file that name again"
            )
        raise MigrationError(
            f"{_file(folder, one.id)}: its parent {link.id} is not in {folder}: get the file from the branch that has it"
        )
    squashed = replaced[link.id]
    last = squashed.replaces[-1]
    if link.id != last.id or not last.fits(link.checksum):
        raise MigrationError(
            f"{_file(folder, one.id)}: its parent {link.id} was squashed into {squashed.id} together with later "
            "revisions: delete this file and write it anew with `btmodel migrate new`"
        )
    return squashed.id


def _order(folder: Path, parents: Mapping[str, tuple[str, ...]]) -> list[str]:
    """All ids, parents first; ordered by number and name where the graph leaves a choice."""
    waits = {id: len(set(below)) for id, below in parents.items()}
    children: dict[str, list[str]] = {id: [] for id in parents}
    for id, below in parents.items():
        for parent in set(below):
            children[parent].append(id)
    ready = [_place(id) for id, count in waits.items() if not count]
    heapify(ready)
    order: list[str] = []
    while ready:
        _, id = heappop(ready)
        order.append(id)
        for child in children[id]:
            waits[child] -= 1
            if not waits[child]:
                heappush(ready, _place(child))
    if ring := sorted(parents.keys() - set(order)):
        itself = [id for id in ring if id in parents[id]]
        why = (
            f"{itself[0]} stands on itself" if itself else f"{', '.join(ring)} stand on one another in a ring"
        )
        raise MigrationError(f"{folder}: {why}: put `parents` back as it was written")
    return order


def _place(id: str) -> tuple[int, str]:
    return int(id.partition("_")[0]), id


def _refuse_edited_parents(folder: Path, known: Mapping[str, Revision]) -> None:
    """Raise :class:`MigrationError` for the first parent that was edited, with all revisions above it."""
    above: dict[str, list[tuple[str, str]]] = {}
    for revision in known.values():
        for link in revision.parents:
            if link.id in known and not known[link.id].is_as(link.checksum):
                above.setdefault(link.id, []).append((revision.id, link.checksum))
    if not above:
        return
    first, *others = sorted(above, key=_place)
    children = some(sorted((id for id, _ in above[first]), key=_place), _SHOWN)
    alone = len(above[first]) == 1
    wanted = " or ".join(sorted({checksum for _, checksum in above[first]}))
    moves = any("@move(" in known[id].code for id, _ in above[first])
    whole = ", of a move to another key all its revisions," if moves else ""
    others_too = f"; so were {some(others, _SHOWN)}, on which others stand" if others else ""
    raise MigrationError(
        f"{_file(folder, first)}: it was edited after {children} {'was' if alone else 'were'} written on it (checksum "
        f"{known[first].parent_link.checksum}, not {wanted}){others_too}: restore it, or, where no instance has applied "
        f"{'the revision' if alone else 'the revisions'} on it, delete {'that' if alone else 'those'}{whole} and write "
        f"{'it' if alone else 'them'} anew with `btmodel migrate new`"
    )


def _file(folder: Path, id: str) -> Path:
    return folder / f"{id}.toml"
