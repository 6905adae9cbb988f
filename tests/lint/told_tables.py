"""What `btmodel check --diff` writes of a fix, and its text does not say."""

from collections.abc import Iterator

from btmodel.cli.source.fixes import may_be_written
from btmodel.design.copied_rows import lacking
from btmodel.design.keys import UNKNOWN_TEXT, salt_declaration
from btmodel.design.second_tables import by_batch
from btmodel.lint import Finding
from btmodel.lint.fix_order import added
from btmodel.schema import KeyField, ModelSchema
from btmodel.source_text import written


def unsaid(model: ModelSchema, finding: Finding) -> list[str]:
    """The codecs and arguments that the fix of a finding on ``model`` writes, and that its text does not have."""
    if not may_be_written(finding) or finding.model != model.name:
        return []
    if finding.edit is not None:
        return [finding.edit.text] if finding.edit.text not in finding.fix else []
    tables = [made for made in added(model, finding) if made.view is None]
    return [text for made in tables for text in _of_table(model, made) if text not in finding.fix]


def _of_table(model: ModelSchema, made: ModelSchema) -> Iterator[str]:
    known = {part.name: part for part in model.key.fields}
    for part in made.key.fields:
        yield from _of_field(part, known.get(part.name))
    yield from (why for id, why in made.allow.items() if id not in model.allow)
    if (made.owned or lacking(model, made)) and not by_batch(model, made):
        yield "owned=True" if made.owned else "has no row there"


def _of_field(part: KeyField, old: KeyField | None) -> Iterator[str]:
    if part.derived is not None:
        if part.derived.values is not None and part != old:
            yield salt_declaration(part)
        return
    if part.asked and (old is None or old.codec != part.codec) and part.codec is not UNKNOWN_TEXT:
        yield written(part.codec)
    if part.ends is not None and (old is None or old.ends != part.ends):
        yield "ends="
    if part.mirror is not None and (old is None or old.mirror != part.mirror):
        yield f'mirror="{part.mirror.family}:{part.mirror.qualifier.decode()}"'
