"""Second tables for what identifies a person: their keys begin with its digest, which whoever has the value can compute, and nobody can read back."""

from attrs import evolve

from btmodel.codecs.key import HexDigest
from btmodel.design.copied_rows import copied, kept_cell, rows_left_out
from btmodel.design.keys import fresh, replaced, to_fill_in
from btmodel.design.second_tables import followed, second_model, written_again
from btmodel.schema import Derived, KeyField, ModelSchema, Query
from btmodel.source_text import written

# Hexadecimal digits of what `bt.digest` writes.
_DIGITS = 32


def by_digest(model: ModelSchema, query: Query, secret: str) -> tuple[str, ModelSchema] | None:
    """A second table for a query that gives a column which identifies a person, in words and as a model; None where it wants a part or a range of it, or it is no text."""
    if secret not in query.equal or secret in (query.between, query.starting):
        return None
    made = second_model(model, query)
    part = next((one for one in made.key.asked if one.name == secret), None)
    if part is None or part.codec.python_type is not str:
        return None
    name = fresh(made, f"{secret}_hash", f"{secret}_digest")
    mark = KeyField(name, HexDigest(_DIGITS), derived=Derived((secret,), hash, of_bytes=True))
    hashed = replaced(made, part, mark)
    given = evolve(part, ends=None, mirror=None)  # no cell there holds it, so a row may need another one
    key = evolve(hashed.key, unstored=(*hashed.key.unstored, given))
    hashed = copied(model, evolve(hashed, key=key))
    values = "" if given.cardinality is None else f", cardinality={given.cardinality:_}"
    text = (
        f"begin the key of a second table with the digest of `{secret}`, which identifies a person and belongs in no key: `{key.shape}`, with "
        f'`{name} = bt.digest("{secret}")` and behind it `{secret}: str | None = bt.key({written(given.codec)}{values}, stored=False)`, which '
        f"queries give and no row holds{to_fill_in(given.codec)}{kept_cell(model, hashed)}; where all values can be tried, as those of phone numbers can, keep an HMAC with a secret instead{written_again(model, (hashed,))}"
        f"{followed(model, hashed, ())}{rows_left_out(model, hashed)}"
    )
    return text, hashed
