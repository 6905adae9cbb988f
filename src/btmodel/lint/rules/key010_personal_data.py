"""KEY010 personal-data: a row key or a family that identifies a person

What it finds
    A key field declared `pii=True`; and a key field without a declared `pii`, or a name in the id of
    a family that is filled in at run time, which has one of these words: email, mail, phone, cellphone, fax, ssn, surname, firstname
    (first_name), lastname, fullname, birthday, birthdate, address, passport, iban, msisdn,
    imsi, imei, dob, bsn, nric, vrm, cardholder and others of their kind; or that ends with national_id, tax_id, voter_id, number_plate, or a number such as nhs_number, medicare_number, card_no, insurance_nr or patient_no, or
    with the name of somebody, as patient_name (but not user_name). Some names say it only in a model that is about people, vehicles, cards or calls, by its name: `name`, `mobile`, `ip`, `tin` or `mrn`
    of a Patient, `registration` of a Vehicle, `pan` of a Card, `caller` of a Call. Ids that one person or household mostly has are information: `idfa`, `advertising_id`, `mpan`, an `mrn` in another model.
    A text called like a secret, such as api_key, access_token or password, is found as well. The rule splits names into words: `hostname` has none of them.

    Unless you declare `pii=True`, these are not personal: values of an enum or a bool, and
    hashes; an `email` whose bytes cannot be text with an `@`; names that end with what they are about, such as `phone_type` and `email_domain`;
    addresses of machines, such as `host_address`. The rule finds an IP
    address only if it belongs to a person: `visitor_ip`, but not `ip_address`. An `address`
    without another word may be that of a contract or of a house, so the rule only asks (info), as it does of a `login` or a `contact` that may have more than 32 bytes; of bytes or
    hexadecimal digits in a model that is about a blockchain, by its name or its docstring, it finds nothing.

    Fields that identify one person together, as a surname and a date of birth, are one finding.

    A `plate` is that of a person where the description speaks of vehicles, and asked about (info) where it speaks of roads or gates.

    A field is found by the docstring, too: "`insured` is the number on the patient's health insurance card", and "the sender: a phone number", as by names of these words, or of a key with one text or number, "keyed by the mobile number of the patient" and "one row per phone number". So is a text: "a customer is the email address", "the email, which is `user`", or "who signs in with an e-mail address" beside a `login` or a `user`. So is a text
    that is called like an address of the web (`url`, `referrer`, `landing_page`) and kept "with the query string", or with its parameters.

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

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial

from attrs import evolve

from btmodel.codecs.key import Kind, UuidText
from btmodel.design.hints import (
    chain_address,
    finding_the_id,
    may_tell,
    perhaps_login,
    secret,
    surrogate,
    web_address,
    with_parameters,
)
from btmodel.design.keys import as_columns, drawn, replaced, to_fill_in
from btmodel.design.machines import of_vehicles, perhaps_personal
from btmodel.design.personal_names import personal, personal_of, pseudonym
from btmodel.design.personal_said import described_personal
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Derived, KeyField, ModelSchema, Query
from btmodel.schema.names import placeholders
from btmodel.source_text import declaration, written
from btmodel.words import quoted, words

# Of whom, these names do not say.
_ADDRESS = frozenset(("address", "addresses"))
_WHY = (
    "keys and family ids appear in logs, metrics and the Key Visualizer, for people who may not see the rows"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the key fields, and each family, that identify a person by declaration or by name."""
    told: dict[KeyField, str] = {}
    for part in model.key.fields:
        if part.asked and part.pii is None and part.codec.kind is Kind.TEXT and secret(part.name):
            yield _of_secret(model, part)
        elif (how := _how(model, part)) is not None:
            told[part] = how
        elif part.pii is None and (said := with_parameters(model, part)) is not None:
            yield _of_parameters(model, part, said)
    for parts in _persons([*told]):
        yield _of_person(model, parts, told)
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


def _how(model: ModelSchema, part: KeyField) -> str | None:
    """How a field of the key identifies a person; None where it does not."""
    if part.pii is not None:
        return "is declared as identifying a person" if part.pii else None
    said = described_personal(model, part)
    technical = web_address(model, part) or chain_address(model, part)
    word = None if technical else personal(part.name) or personal_of(model, part.name)
    word = word or (None if technical else perhaps_personal(model, part.name) or pseudonym(part.name))
    if word is None or not may_tell(part, word):
        word = perhaps_login(part)
    if said:
        return f"identifies a person: the description says {said!r}"
    return f"identifies a person, judging by its name (`{word}`)" if word else None


# What stands beside the names of parts of one person.
_PARTS_OF_ONE = frozenset(words("first last full given family middle home mobile private date of"))


def _persons(parts: Sequence[KeyField]) -> list[list[KeyField]]:
    """The fields that identify one person together, such as a surname and a date of birth: each says something else, and none says of whom else."""
    found: list[list[KeyField]] = []
    for part in parts:
        beside = next((group for group in found if all(_of_one(part, other) for other in group)), None)
        if beside is None:
            found.append([part])
        else:
            beside.append(part)
    return found


def _of_one(one: KeyField, other: KeyField) -> bool:
    """Whether two fields may be of one person: two telephone numbers are of two, and so are the names of a sender and of a driver."""
    first, second = ([word.lower() for word in words(part.name)] for part in (one, other))
    owners = [{*name[:-1]} - _PARTS_OF_ONE for name in (first, second)]
    apart = first[-1] != second[-1] or (first[-1] == "name" and first != second)
    return apart and owners[0] == owners[1]


def _of_person(model: ModelSchema, parts: Sequence[KeyField], told: Mapping[KeyField, str]) -> Finding:
    """The finding on the fields that identify one person."""
    names = quoted(part.name for part in parts)
    same = {told[part] for part in parts} == {"is declared as identifying a person"}
    if len(parts) == 1:
        what = told[parts[0]]
    elif same:
        what = "are declared as identifying a person"
    else:
        what = "identify a person: " + ", and ".join(f"`{part.name}` {told[part]}" for part in parts)
    sure = any(
        part.pii
        or not _unsure(model, part.name)
        or of_vehicles(model, part.name)
        or "the description" in told[part]
        for part in parts
    )
    return RULE.finding(
        model,
        f"{names} of the key `{model.key.shape}` {what}",
        why=_WHY,
        fix=_fix(model, parts),
        part=parts[0].name,
        at=parts[0].location,
        level=Level.WARNING if sure else Level.INFO,
    )


def _of_secret(model: ModelSchema, part: KeyField) -> Finding:
    """The finding on a field that holds a secret, which can be used by all who see the key."""
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
            f'keep its hash alone, `{part.name}_hash = bt.digest("{part.name}")` in its place, and behind it `{_unstored(part)}`, which queries then '
            f"give and no row holds{to_fill_in(part.codec)}",
            (evolve(made, key=evolve(made.key, unstored=unstored)),),
            otherwise="; if it opens nothing, declare `pii=False`",
        ),
        part=part.name,
        at=part.location,
        level=Level.WARNING,
    )


def _of_parameters(model: ModelSchema, part: KeyField, said: str) -> Finding:
    """The finding on an address of the web with all that a browser sends behind it."""
    from btmodel.design.keys import hashed  # here: few models have such an address

    text = (
        f'keep a hash in the key, `{part.name}_hash = bt.digest("{part.name}")`, and `{part.name}` itself in a column; '
        "or leave out its parameters before it is written"
    )
    ways = [
        Fix(text, (made,), otherwise="; if they say nothing of a person, declare `pii=False`")
        for made in hashed(model, part, f"{part.name} may hold personal data")
    ]
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` may identify a person: the description says {said!r}",
        why="e-mail addresses, names and tokens stand in the parameters of addresses; "
        + _WHY
        + ", and each click has parameters of its own, so that rows of one page are many",
        fix=partial(iter, ways) if ways else text,
        part=part.name,
        at=part.location,
        level=Level.WARNING,
    )


def _unstored(part: KeyField) -> str:
    """The declaration of a field that stands in no row: it is None in rows that were read."""
    return f"{part.name}: {part.codec.python_type.__name__} | None = bt.key({written(part.codec)}{_values(part.cardinality)}, stored=False)"


def _values(cardinality: int | None) -> str:
    """The argument that declares how many values a field has, behind its codec."""
    return "" if cardinality is None else f", cardinality={cardinality:_}"


def _unsure(model: ModelSchema, name: str) -> bool:
    """Whether a name does not say of whom."""
    said = personal(name) or personal_of(model, name)
    return said is None or _ADDRESS.issuperset(words(name))


def _fix(model: ModelSchema, parts: Sequence[KeyField]) -> Fix:
    """The key with a surrogate id in the place of ``parts``, by which queries then ask."""
    first, names = parts[0], [part.name for part in parts]
    name = surrogate(first.name)
    known = next((other for other in model.key.fields if other.name == name), None)
    persons = max((part.cardinality for part in parts if part.cardinality), default=None)
    changes = _changes_with(model, parts)
    id = known or KeyField(
        name, UuidText(), persons, ends=first.ends, optional=first.optional, changes=changes
    )
    asking = [query for query in model.queries if not {*query.equal}.isdisjoint(names)]
    if changes and not asking:
        return _out_of_key(model, parts)
    gone = [*parts, *((known,) if known else ())]
    places = [
        id if other == (known or first) else other
        for other in model.key.fields
        if other not in gone or other == (known or first)
    ]
    alone = not model.queries and known is None and [*model.key.asked] == [*parts]
    arguments = f"bt.UuidText(){_values(persons)}{', changes=True' if changes else ''}"
    what = f"use only `{name}`" if known else f"use a surrogate id, `{name}: UUID = bt.key({arguments})`"
    text = f"{what}, and keep {quoted(names)} in {'a column' if len(names) == 1 else 'columns'}: `{drawn(model.key, places)}`"
    if asking:
        asked = ", ".join(f"`{query.name} = {declaration(_by_id(query, names, name))}`" for query in asking)
        text += f", and ask by `{name}`: {asked}"
    elsewhere = known is None and bool(asking or alone)  # rows are found by it, even if no query says so
    if elsewhere:
        text += finding_the_id(_identifying(model, parts, asking))
    columns = as_columns(model, parts)
    made = () if columns is None else (_with_surrogate(model, names, places, columns, name),)
    return Fix(
        text,
        made,
        otherwise=_nobody(parts),
        instead=tuple((one, name) for one in names) if elsewhere else (),
    )


def _nobody(parts: Sequence[KeyField]) -> str:
    """What to declare of ``parts`` that only seem to identify a person, as the end of a sentence."""
    who = "it identifies" if len(parts) == 1 else "they identify"
    return "" if all(part.pii for part in parts) else f"; if {who} nobody, declare `pii=False`"


def _out_of_key(model: ModelSchema, parts: Sequence[KeyField]) -> Fix:
    """The key without ``parts``, by which no query asks, and in whose place another person may come."""
    key = evolve(model.key, fields=tuple(part for part in model.key.fields if part not in parts))
    columns = as_columns(model, parts)
    made = () if columns is None else (evolve(model, key=key, columns=(*model.columns, *columns)),)
    kept = f"keep {quoted(part.name for part in parts)} in {'a column' if len(parts) == 1 else 'columns'}"
    return Fix(f"{kept}: `{key.shape}`", made, otherwise=_nobody(parts))


def _changes_with(model: ModelSchema, parts: Sequence[KeyField]) -> bool | None:
    """Whether another person may come in the place of ``parts``, as the assignee of a ticket: what they are of is found by what stands behind them."""
    if not any(part.changes for part in parts):
        return None
    behind = model.key.fields[model.key.fields.index(parts[-1]) + 1 :]
    return any(part.asked and part.codec.kind is not Kind.TIME for part in behind) or None


def _identifying(model: ModelSchema, parts: Sequence[KeyField], asking: Sequence[Query]) -> list[str]:
    """The fields in front of ``parts`` that all of their queries give and that stay, and these: a number may be one of many with the same, such as one for each country."""
    front = model.key.fields[: model.key.fields.index(parts[0])]
    together = (
        field for field in front if field.asked and not field.changes and field.codec.kind is not Kind.TIME
    )
    return [
        *(field.name for field in together if all(field.name in query.equal for query in asking)),
        *(part.name for part in parts),
    ]


def _by_id(query: Query, names: Sequence[str], id: str) -> Query:
    """The query that gives the surrogate id instead of ``names``."""
    return evolve(query, equal=tuple(dict.fromkeys(id if name in names else name for name in query.equal)))


def _with_surrogate(
    model: ModelSchema,
    names: Sequence[str],
    fields: Sequence[KeyField],
    columns: tuple[Column, ...],
    id: str,
) -> ModelSchema:
    """The model with these fields and columns, which is asked by the surrogate id instead of ``names``."""
    return evolve(
        model,
        key=evolve(model.key, fields=tuple(fields)),
        columns=(*model.columns, *columns),
        queries=tuple(_by_id(query, names, id) for query in model.queries),
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
