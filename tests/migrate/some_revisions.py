"""Revisions to migrate by, and folders of them."""

from collections.abc import Iterable
from pathlib import Path

from hypothesis import strategies as st
from some_tables import QUOTE, TRADE, table
from whole_tables import whole_tables

from btmodel.errors import DeclarationError
from btmodel.migrate.revisions.folder import write
from btmodel.migrate.revisions.new import id_on
from btmodel.migrate.revisions.revision import Link, Revision
from btmodel.schema import Table
from btmodel.schema.table import refuse_renamings

USER = table("USER")


def on(
    *parents: Revision, message: str, tables: Iterable[Table] = (), steps: tuple[str, ...] = ()
) -> Revision:
    """A revision on top of ``parents``, with these tables."""
    code = "".join(f"def {step}():\n    ...\n" for step in steps)
    links = tuple(one.parent_link for one in parents)
    return Revision(id_on(parents, message), message, links, tuple(tables), steps, code)


FIRST = on(message="quotes", tables=[QUOTE])
SECOND = on(FIRST, message="trades", tables=[QUOTE, TRADE])
# What another branch wrote at the same time as SECOND.
OTHER = on(FIRST, message="users", tables=[QUOTE, USER])
BOTH = on(SECOND, OTHER, message="merge", tables=[QUOTE, TRADE, USER])


def folder_of(path: Path, *revisions: Revision) -> Path:
    """The folder ``path``, with files of these revisions."""
    for one in revisions:
        write(path, one)
        if one.code:
            (path / f"{one.id}.py").write_text(one.code)
    return path


_words = st.text("abcxyz_ä 0\"'\\", min_size=1, max_size=12).filter(str.strip)
_sums = st.text("0123456789abcdef", min_size=32, max_size=32)
_links = st.dictionaries(st.from_regex(r"\A\d{4}_[a-z]{1,5}\Z", fullmatch=True), _sums, max_size=2).map(
    lambda found: tuple(Link(*one) for one in found.items())
)


def _can_be(tables: tuple[Table, ...]) -> bool:
    try:
        refuse_renamings(tables)
    except DeclarationError:
        return False
    return True


_tables = (
    st.lists(whole_tables(), max_size=2, unique_by=lambda one: one.id)
    .map(lambda found: tuple(sorted(found, key=lambda one: one.id)))
    .filter(_can_be)
)
# Any revision that can be written; its parents need not be there.
any_revisions = st.builds(
    Revision, st.just("0001_any"), _words, _links, _tables, replaces=_links, squashed=st.just("") | _sums
)
