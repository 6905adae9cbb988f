"""Writes the reference of the rules: ``python codegen/rule_pages.py [--check]``.

A page for each rule in docs/rules, and their table in its README.md: made of the docstring of
the rule's file, and of what the rule says of the page's own example. A test runs ``--check``.
"""

import sys
from pathlib import Path
from typing import Any

import btmodel as bt
from btmodel.lint import RULES, Finding, Level, Rule, RulePage, review_all
from btmodel.lint.rule import EXAMPLES

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
NOTE = "<!-- Written by codegen/rule_pages.py from the rules: edit the docstring of the rule's file. -->"
GROUPS = {
    "KEY": "Row keys",
    "QRY": "Queries",
    "FAM": "Column families",
    "COL": "Columns and cells",
    "ROW": "Rows",
    "TAB": "Tables",
    "FIG": "Workload estimates",
    "ALW": "Suppressions",
}
INTRODUCTION = """\
Rules look only at schemas: those that model classes compile to, or those that were read from an instance.

- An **error** refuses the class when Python creates it, together with all other errors of the class.
- `btmodel check` shows each **warning** and **info**. It fails on an error, and with `--strict` also on a warning.
- A class can suppress a rule with a reason: `allow={"KEY001": "one writer, 3 rows/s"}`. A *limit* of the service
  cannot be suppressed.
- If a class says that its [rows exist already](../models.md#rows-that-exist-already), `existing=True`, a finding whose fix would write them
  again is information, with its cost.

btmodel proves a fix before it shows it: it builds the models that the fix leads to, second tables included, and reviews them. A fix
is shown if the declaration accepts them, the finding is gone, no other error or warning has come, and no query and no field is
lost. A fix that brings another fault is shown with the fix of that fault. If none holds, the finding says so, and which fault the nearest one would bring. What no model says, such as what a value means, is
left to you, and the fix says that.

The fixes of one model can be followed one after the other. Where one changes what another is made from, that one is worked out and proved again on what the
first leaves, and says so: "after the fix of KEY017, ...". "The fix of KEY021 settles it, too" means that nothing is left to do behind that one; what follows "or, in its
place" is for those who do not follow it. Fixes that give columns another family come first, then those of the key, then second tables. What is information need not be followed.

If no key serves all queries, the fix is another key or as few second tables as serve the rest, whichever writes less, and it says what the second
writes and their storage cost. `btmodel check --diff` shows the classes of such tables with their own key, shard and queries, and the
[dual writes](../models.md#several-tables-several-models) that fill them; `--fix` writes them into your source, and reviews the result.

`btmodel rule KEY001` prints a page in the terminal."""


def findings(example: str) -> tuple[Finding, ...]:
    """What is found on the models that the example of a page declares."""
    scope: dict[str, Any] = {"__name__": "models"}
    try:
        exec(compile(example, "models.py", "exec"), scope)
    except bt.DeclarationError as error:
        return tuple(each for each in error.findings if isinstance(each, Finding))
    models = [value for value in scope.values() if isinstance(value, type) and issubclass(value, bt.Model)]
    return review_all([bt.schema_of(model) for model in models])


def page(rule: Rule[Any]) -> str:
    """The page of one rule."""
    sections = RulePage.parse(rule.page)
    lines = [NOTE, "", f"# {sections.title}", "", f"*{levels(rule)}*"]
    for heading, body in sections.sections.items():
        code = heading in EXAMPLES
        lines += ["", f"## {heading}", "", *(["```python", body, "```"] if code else [body])]
        if heading == EXAMPLES[0]:
            lines += ["", *said(rule, body)]
    return "\n".join(lines) + "\n"


def levels(rule: Rule[Any]) -> str:
    """The levels that the rule's findings have; of errors, whether they are limits of the service."""
    limit = {Level.ERROR: " (limit)"} if rule.limit else {}
    return " or ".join(level.value + limit.get(level, "") for level in rule.levels)


def said(rule: Rule[Any], example: str) -> list[str]:
    """What the rule says of its example, quoted."""
    quoted = []
    for found in findings(example):
        if found.rule != rule.id:
            continue
        part = found.model if found.field is None else f"{found.model}.{found.field}"
        quoted += [
            f"> **{part}**: {found.level.value} {found.rule}: {found.message}",
            ">",
            f"> *why*: {found.why}",
            ">",
            f"> *fix*: {found.fix}",
        ]
    return quoted


def index() -> str:
    """The table of all rules, in groups."""
    lines = [NOTE, "", "# The rules", "", INTRODUCTION]
    assert {rule.id[:3] for rule in RULES} <= GROUPS.keys()
    for prefix, heading in GROUPS.items():
        group = sorted((rule for rule in RULES if rule.id.startswith(prefix)), key=lambda rule: rule.id)
        if group:
            lines += ["", f"## {heading}", "", "| rule | level | finds |", "| --- | --- | --- |"]
        for rule in group:
            finds = RulePage.parse(rule.page).title.partition(": ")[2]
            lines.append(f"| [{rule.id} {rule.name}]({rule.id}.md) | {levels(rule)} | {finds} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the pages; with ``--check``, fail where one is missing, stale or left over."""
    wanted = {"README.md": index()} | {f"{rule.id}.md": page(rule) for rule in RULES}
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    differing = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if "--check" in sys.argv[1:]:
        sys.exit(f"not as the rules are: {', '.join(differing)} in {FOLDER}" if differing else 0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in differing:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    print(f"{len(differing)} pages written or removed, {len(wanted)} in all")


if __name__ == "__main__":
    main()
