"""Names of what a thing has now and may have another of later: the ward of a patient, the bin of a pallet, the agent of a ticket, the tier of a customer."""

import re
from collections.abc import Iterator

from btmodel.codecs.key import Kind
from btmodel.design.hints import happening, sentences
from btmodel.design.keys import merging
from btmodel.design.time_names import time_word
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

# Things, by the last word of the name of a model, and the last words of names of what each of them has for a while.
# What a thing is found by for its whole life is none, though it may move: the site of a device, the warehouse of a stock item, the category of a product.
_OF_THINGS = (
    (
        "patient inpatient resident admission inmate prisoner guest",
        "ward bed room cell floor attending nurse physician doctor clinician gp consultant therapist caseworker acuity triage team level",
    ),
    (
        "item pallet carton tote tool part asset sku stock",
        "bin shelf aisle rack bay dock zone qty quantity onhand custodian holder",
    ),
    (
        "shipment parcel package container consignment delivery bag luggage baggage wagon trailer letter",
        "depot hub location position yard state stage courier driver van truck vessel leg locker slot bay gate terminal belt carousel",
    ),
    ("order booking reservation", "picker packer courier rider waiter seat room cabin table state stage"),
    ("passenger", "seat gate cabin"),
    (
        "ticket task issue story case lead opportunity deal claim application request incident complaint enquiry inquiry permit referral dispute",
        "assignee agent handler owner queue lane column step sprint severity reviewer adjuster examiner officer caseworker judge rep manager recruiter inspector approver "
        "investigator position probability forecast temperature reserve escalation level state stage phase priority score",
    ),
    (
        "employee worker student pupil applicant candidate teacher officer nurse driver",
        "department manager supervisor grade title office desk center centre band shift position level class tutor house form set gpa recruiter team group vehicle zone stage score availability",
    ),
    (
        "customer subscriber member client account user donor household",
        "tier segment plan tariff package level limit balance manager band points overdraft tower score rank",
    ),
    (
        "loan card policy bond stock security contract",
        "bucket dpd collector servicer rating limit premium broker underwriter price stage level phase",
    ),
    (
        "player character athlete club horse avatar gamer lobby team",
        "level guild clan rating elo mmr league division team xp gold zone map host standing coach points rank ranking score club trainer jockey tier",
    ),
    (
        "device sensor vehicle scooter bike car truck bus taxi machine meter turbine charger robot drone aircraft",
        "firmware version health battery mode mileage odometer charge operator program tariff supplier state",
    ),
    (
        "vehicle scooter bike car truck bus taxi aircraft drone",
        "driver depot zone geohash cell shift station dock gate stand",
    ),
    ("flight train", "gate stand delay platform"),
    ("room apartment flat home", "rate rent price occupant occupancy"),
    (
        "campaign creative ad keyword page video post listing product offer song",
        "budget bid pacing spend approval ctr position views visibility likes moderation price band agent availability discount rating popularity qty rank score",
    ),
    ("document article draft", "reviewer editor approver"),
    ("vm pod job process server", "node host worker attempt retries rack role version state phase priority"),
)
# Who has a thing, looks after it or works on it for a while, where it is kept, and what it costs or counts for: of things of any kind but these, which are fixed, or were once.
_OF_ANY = frozenset(
    words(
        "driver captain pilot borrower occupant assignee handler picker packer courier rider nurse doctor physician clinician tutor instructor pharmacist invigilator reviewer "
        "approver adjuster examiner caseworker judge manager supervisor recruiter inspector operator keeper custodian waiter trainer jockey coach broker underwriter "
        "servicer mechanic technician bidder wrapper freezer drawer pen barn stall cage berth dock ward bed bin shelf rack locker "
        "price rent tier setpoint soc difficulty availability firmware"
    )
)
_FIXED = frozenset(
    words(
        "shelf rack bin aisle room bed ward seat locker drawer cage stall berth dock freezer pen barn building floor apartment house gate lane zone area line stop route branch "
        "tariff plan price quote benefit role vote review lesson chapter song album track episode series currency manager driver coach crew shift team change edge relation "
        "assignment membership permission setting limit rule list feed stock inventory total count statistic figure share score"
    )
)
# A model that is called so is a table for finding things, or of what belongs together for a time.
_BETWEEN = frozenset(words("by of in at per for on to index lookup"))
# What a model is called whose rows are what was once.
_EVENTS = frozenset(
    words(
        "change event transition scan movement tick attempt response log reading measurement trail history update"
    )
)
_FINDING = pattern(r"(?i)\b(?:index(?:es)?|second table|cop(?:y|ies)|look ?ups?|memberships?|rosters?)\b")
_FOR_EVER = pattern(
    r"(?i)\b(?:never|stays?|fixed|for (?:life|good|ever)|forever|permanent(?:ly)?|not change|whole life|at birth|as it was|at the time)\b"
)


def moving(model: ModelSchema, part: KeyField) -> bool:
    """Whether a model is about a thing, by its name, and ``part`` is called like what such a thing has for a while: nothing in the key is a time, and its own id stands behind."""
    parts, called = [word.lower() for word in words(model.name)], [word.lower() for word in words(part.name)]
    if not parts or not called or not part.asked or not _BETWEEN.isdisjoint(parts):
        return False
    thing = parts[-1].removesuffix("s")
    of_any = called[-1] in _OF_ANY and not happening(thing) and thing not in _FIXED | _EVENTS
    if not of_any and called[-1] not in _had_by(thing):
        return False
    at = model.key.fields.index(part)
    own = [field for field in model.key.fields[at + 1 :] if _own(parts, field)]
    if not own or merging(own, [part]) is not None:  # 90,000 beds are in 300 hospitals: a row is a bed
        return False
    timed = any(
        field.codec.kind is Kind.TIME or time_word(field.name, model.name) for field in model.key.fields
    )
    said = any(
        called[-1] in sentence.lower() and _FOR_EVER.search(sentence) for sentence in sentences(model.doc)
    )
    return not timed and not said and not _FINDING.search(model.doc) and not _row_of(model, called[-1])


def _row_of(model: ModelSchema, own: str) -> bool:
    """Whether the first words of the description say that a row is what ``own`` names, as "a bed of a hospital" does of a Hospital."""
    thing = words(model.name)[-1].lower().removesuffix("s")
    one, several = (
        rf"(?:an?|one|each|every) (?:\w+ )?{re.escape(own)}",
        rf"(?:(?:all|the) )?(?:\w+ )?{_several(own)}",
    )
    of = rf"(?:of|in|at|on) (?:(?:an?|one|each|every|the|our|all) )?(?:\w+ )?(?:{re.escape(thing)}|{_several(thing)})"
    return bool(re.match(rf"(?i)\s*(?:{one}|{several}) {of}\b", model.doc))


def _several(word: str) -> str:
    """The pattern of the plural of a word."""
    return rf"(?:{re.escape(word)}e?s|{re.escape(word.removesuffix('y'))}ies|{re.escape(word.removesuffix('f'))}ves)"


def _had_by(thing: str) -> Iterator[str]:
    """What a thing has for a while."""
    return (field for things, fields in _OF_THINGS if thing in things.split() for field in fields.split())


def _own(parts: list[str], field: KeyField) -> bool:
    """Whether a field is the id of what a row is, by its name, and no number that counts within something, as the laps of a rider."""
    if ordinal(field):
        return False
    called = [word.lower() for word in words(field.name)]
    return field.asked and (
        called[0] == "id" or "".join(parts) == called[0] or not {*parts}.isdisjoint(called)
    )


# Digits of a number that is no id of its own (this project's own figure).
_ORDINAL = 4
_PLACES = frozenset(
    words(
        "shelf rack bin drawer slot row box bay position bed locker aisle seat pen cage stall berth level floor tray"
    )
)


def ordinal(field: KeyField) -> bool:
    """Whether a field is a short number, which counts within what stands in front of it."""
    most = field.codec.length.most
    return field.codec.kind is Kind.NUMBER and most is not None and most <= _ORDINAL and field.asked


def place_within(field: KeyField) -> bool:
    """Whether a field is a place in what stands in front of it, such as the shelf of a freezer: what moves to another one has another place there."""
    return any(word.lower() in _PLACES for word in words(field.name))


def of_event(model: ModelSchema) -> bool:
    """Whether a model is called like what was once, and its key has the time of that."""
    last = [word.lower() for word in words(model.name)][-1:]
    timed = any(field.codec.kind is Kind.TIME for field in model.key.fields)
    return timed and not _EVENTS.isdisjoint(last)
