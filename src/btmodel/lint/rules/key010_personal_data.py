"""KEY010 personal-data: a row key or a family that identifies a person

What it finds
    A key field declared `pii=True`; and a key field without a declared `pii`, or a name in the id of
    a family that is filled in at run time, which has one of these words: email, mail, phone, cellphone, fax, ssn, surname, firstname
    (first_name), lastname, fullname, birthday, birthdate, address, passport, iban, msisdn,
    imsi, imei, dob; or that ends with national_id, tax_id, nhs_number, card_number, insurance_number, license_number or license_plate, or
    with the name of somebody, as patient_name (but not user_name). A text called like a secret, such as api_key, access_token or password, is found as well. The rule splits names into words: `hostname` has none of them.

    Unless you declare `pii=True`, these are not personal: values of an enum or a bool, and
    hashes; an `email` whose bytes cannot be text with an `@`; names that end with what they are about, such as `phone_type` and `email_domain`;
    addresses of machines, such as `host_address`. The rule finds an IP
    address only if it belongs to a person: `visitor_ip`, but not `ip_address`. An `address`
    without another word may be that of a contract or of a house, so the rule only asks (info), as it does of a `login` or a `contact` that may have more than 32 bytes.

    A text is found by the docstring, too: "a customer is the email address", "the email, which is `user`", or "who signs in with an e-mail address" beside a `login` or a `user`.

Why
    Keys and family ids are visible outside your data. They appear in logs, metrics and the Key
    Visualizer, to people who may not see the rows.

Example
    import btmodel as bt


    class Account(bt.Model, table="ACCOUNT"):
        email: str = bt.key(bt.Text(max_length=60), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        plan: str = bt.column("plan", data)

Use instead
    from uuid import UUID

    import btmodel as bt


    class Account(bt.Model, table="ACCOUNT"):
        person_id: UUID = bt.key(bt.UuidText(), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        email: str = bt.column("email", data)
        plan: str = bt.column("plan", data)

Allow
    Suppress it if the application requires it; say why. If the name only looks personal,
    declare `pii=False` for the field instead.

Source
    https://cloud.google.com/bigtable/docs/schema-design (privacy: no personal information in row keys and
    column family IDs). The words are this project's own.
"""

from collections.abc import Iterator, Sequence, Set

from attrs import evolve

from btmodel.codecs.key import Kind, UuidText
from btmodel.design.hints import (
    described_personal,
    finding_the_id,
    may_tell,
    perhaps_login,
    perhaps_personal,
    personal,
    secret,
    surrogate,
    web_address,
)
from btmodel.design.keys import as_columns, drawn, replaced
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Derived, KeyField, ModelSchema, Query
from btmodel.schema.names import placeholders
from btmodel.words import quoted, words

# Of whom, these names do not say.
_ADDRESS = frozenset(("address", "addresses"))
_WHY = (
    "keys and family ids appear in logs, metrics and the Key Visualizer, for people who may not see the rows"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each key field and family that identifies a person by declaration or by name."""
    for part in model.key.fields:
        if part.asked and part.pii is None and part.codec.kind is Kind.TEXT and secret(part.name):
            yield _of_secret(model, part)
            continue
        said = described_personal(model, part) if part.pii is None else None
        word = None if web_address(model, part) else personal(part.name) or perhaps_personal(model, part.name)
        if word is None or not may_tell(part, word):
            word = perhaps_login(part)
        if part.pii or (part.pii is None and (said or word)):
            how = (
                "is declared as identifying a person"
                if part.pii
                else f"identifies a person: the description says {said!r}"
                if said
                else f"identifies a person, judging by its name (`{word}`)"
            )
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` {how}",
                why=_WHY,
                fix=_fix(model, part),
                part=part.name,
                at=part.location,
                level=Level.INFO if not (part.pii or said) and _unsure(part.name) else Level.WARNING,
            )
    taken = {family.id for family in model.families}
    for family in model.families:
        # A family that is called `phone` says what its cells are about, and nothing of a person.
        word = next(filter(None, map(personal, placeholders(family.id))), None)
        if word is not None:
            name = _free(taken)
            taken.add(name)
            yield RULE.finding(
                model,
                f"the family id `{family.id}` identifies a person, judging by its name (`{word}`)",
                why=_WHY,
                fix=f'call it `bt.family("{name}")`, after what all of its columns have in common, and no person',
                part=family.id,
                at=family.location,
            )


def _of_secret(model: ModelSchema, part: KeyField) -> Finding:
    """The finding on a field that holds a secret, which everybody can use who sees the key."""
    from btmodel.codecs.key import HexDigest  # here: this rule is loaded with every model

    mark = KeyField(
        f"{part.name}_hash", HexDigest(32), ends=part.ends, derived=Derived((part.name,), hash, of_bytes=True)
    )
    made = replaced(model, part, mark)
    unstored = (*made.key.unstored, evolve(part, ends=None))
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` is a secret, judging by its name",
        why="keys appear in logs, metrics and the Key Visualizer, and anybody who reads a secret there can use it",
        fix=Fix(
            f'keep its hash alone, `{part.name}_hash = bt.digest("{part.name}")` in its place, and `{part.name}` with `stored=False`, which queries then '
            "give and no row holds",
            (evolve(made, key=evolve(made.key, unstored=unstored)),),
            otherwise="; if it opens nothing, declare `pii=False`",
        ),
        part=part.name,
        at=part.location,
        level=Level.WARNING,
    )


def _unsure(name: str) -> bool:
    """Whether a name does not say of whom."""
    return personal(name) is None or _ADDRESS.issuperset(words(name))


def _fix(model: ModelSchema, part: KeyField) -> Fix:
    """The key with a surrogate id in the place of ``part``, by which queries then ask."""
    name = surrogate(part.name)
    known = next((other for other in model.key.fields if other.name == name), None)
    id = known or KeyField(name, UuidText(), part.cardinality, ends=part.ends, optional=part.optional)
    places = [id if other == part else other for other in model.key.fields if known is None or other != part]
    asking = [query for query in model.queries if part.name in query.equal]
    alone = not model.queries and known is None and [*model.key.asked] == [part]
    what = f"use only `{name}`" if known else f"use a surrogate id, `{name}: UUID = bt.key(bt.UuidText())`"
    text = f"{what}, and keep `{part.name}` in a column: `{drawn(model.key, places)}`"
    if asking:
        text += f", and ask {quoted(query.name for query in asking)} by `{name}`"
    if asking or alone:  # rows are found by it, even if no query says so
        text += finding_the_id(_identifying(model, part, asking))
    columns = as_columns(model, [part])
    made = () if columns is None else (_with_surrogate(model, part, places, columns, name),)
    return Fix(text, made, otherwise="" if part.pii else "; if it identifies nobody, declare `pii=False`")


def _identifying(model: ModelSchema, part: KeyField, asking: Sequence[Query]) -> list[str]:
    """The fields in front of ``part`` that all of its queries give, and it: a number may be one of many with the same, such as one for each country."""
    front = model.key.fields[: model.key.fields.index(part)]
    together = (field for field in front if field.asked and field.codec.kind is not Kind.TIME)
    return [
        *(field.name for field in together if all(field.name in query.equal for query in asking)),
        part.name,
    ]


def _with_surrogate(
    model: ModelSchema, part: KeyField, fields: Sequence[KeyField], columns: tuple[Column, ...], id: str
) -> ModelSchema:
    """The model with these fields and columns, which is asked by the surrogate id instead of ``part``."""
    return evolve(
        model,
        key=evolve(model.key, fields=tuple(fields)),
        columns=(*model.columns, *columns),
        queries=tuple(
            evolve(
                query,
                equal=tuple(dict.fromkeys(id if name == part.name else name for name in query.equal)),
            )
            for query in model.queries
        ),
    )


def _free(taken: Set[str]) -> str:
    """A family id that is not ``taken``."""
    names = ("data", *(f"data{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


RULE: Rule[ModelSchema] = Rule(
    "KEY010",
    "personal-data",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
