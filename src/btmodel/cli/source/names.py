"""What a module calls the names of btmodel."""

import ast
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Self

from attrs import frozen


@frozen
class Names:
    """The imports at the top of a module whose names mean nothing else in it.

    ``package`` is what it calls btmodel itself, None where it does not import it. ``members``
    are its own names of what it takes from btmodel, and ``dates`` the names that it takes, under the
    same name, from ``datetime``.
    """

    package: str | None
    members: Mapping[str, str]
    dates: frozenset[str]

    @classmethod
    def of(cls, tree: ast.Module) -> Self:
        """The names of the module that ``tree`` is."""
        package: str | None = None
        members: dict[str, str] = {}
        dates: set[str] = set()
        for node in tree.body:
            match node:
                case ast.Import(names=aliases):
                    called = [alias.asname or alias.name for alias in aliases if alias.name == "btmodel"]
                    package = called[0] if called else package
                case ast.ImportFrom(module="btmodel", names=aliases):
                    members |= {alias.asname or alias.name: alias.name for alias in aliases}
                case ast.ImportFrom(module="datetime", names=aliases):
                    dates |= {alias.name for alias in aliases if alias.asname in (None, alias.name)}
        times = Counter(bound(tree.body))
        if "*" in times:  # which may bind any of them anew
            return cls(None, {}, frozenset())
        again = {name for name, count in times.items() if count > 1}
        return cls(package, members, frozenset(dates)).without(again)

    def without(self, hidden: Container[str | None]) -> Self:
        """The names where those that are ``hidden`` mean something else."""
        return type(self)(
            None if self.package in hidden else self.package,
            {own: meant for own, meant in self.members.items() if own not in hidden},
            frozenset(name for name in self.dates if name not in hidden),
        )

    def meant(self, node: ast.expr) -> str | None:
        """The name in btmodel of what ``node`` names, or None where it names nothing of it."""
        match node:
            case ast.Attribute(value=ast.Name(id=package), attr=name) if package == self.package:
                return name
            case ast.Name(id=name):
                return self.members.get(name)
        return None

    def known(self, node: ast.expr) -> bool:
        """Whether ``node`` names something of btmodel or of ``datetime``."""
        return self.meant(node) is not None or (isinstance(node, ast.Name) and node.id in self.dates)

    def written(self, text: str) -> str | None:
        """An expression of one line, with the names behind ``bt.`` as this module writes them.

        None where it lacks one of them, or another one that the expression needs.
        """
        tree = ast.parse(text, mode="eval")
        ours: list[tuple[ast.Attribute, ast.Name]] = [
            (node, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "bt"
        ]
        free = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {"bt"}
        if not free <= self.dates:
            return None
        raw = text.encode()  # a syntax tree counts bytes
        for node, _ in sorted(ours, key=lambda pair: -pair[0].col_offset):
            name = self._name(node.attr)
            if name is None:
                return None
            raw = raw[: node.col_offset] + name.encode() + raw[node.end_col_offset :]
        return raw.decode()

    def _name(self, member: str) -> str | None:
        if self.package is not None:
            return f"{self.package}.{member}"
        return next((own for own, meant in self.members.items() if meant == member), None)


def bound(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a body binds, each as often as it does; ``*`` for those that are not known.

    What functions and classes in it bind is theirs, but for what they declare global.
    """
    rest = list(body)
    while rest:
        node = rest.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                for each in ast.walk(node):
                    if isinstance(each, ast.Global):
                        yield from each.names
                continue
            case ast.Lambda():
                continue
            case ast.alias(name=name, asname=own):
                yield own or name.partition(".")[0]
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
        rest += ast.iter_child_nodes(node)
