"""Names of what identifies a person: numbers of states, insurers and banks, ways to reach somebody, and what is so of some things only.

All such words stand here: a word that says it wherever it stands, two at the end of a name, and what only says it of people, vehicles, cards or calls.
"""

from itertools import pairwise

from btmodel.schema import ModelSchema
from btmodel.words import words

PERSONAL = frozenset(
    words(
        "email mail phone phones telephone cellphone msisdn imsi fax ssn surname forename lastname firstname fullname "
        "birthday birthdate birthplace birth dob address addresses emails passport mrz iban imei nino pesel aadhaar personnummer cpf curp "
        "bsn nric hkid cedula codice itin kvnr hicn vrm lpn rego nie oib egn cnic uan bban landline cardholder policyholder whatsapp"
    )
)
_PAIRS = frozenset(
    tuple(each.split())
    for each in [
        "first name",
        "last name",
        "full name",
        "maiden name",
        "middle name",
        "given name",
        "real name",
        "social security",
        "social insurance",
        "bank account",
        "credit card",
        "debit card",
        "driving licence",
        "driving license",
        "driver license",
        "driver licence",
        "drivers license",
        "drivers licence",
        "number plate",
        "account holder",
        "home location",
    ]
)
# Numbers that states, insurers and banks give to people and to what is theirs: where a name ends with one of these, it is one.
_NUMBERS = frozenset(
    tuple(each.split())
    for each in [
        "national id",
        "tax id",
        "steuer id",
        "citizen id",
        "taxpayer id",
        "voter id",
        "emirates id",
        "insurance id",
        "insured id",
        "health id",
        "medicare id",
        "medicaid id",
        "license plate",
        "licence plate",
        "reg plate",
        "registration plate",
        "fiscal code",
        *(
            f"{whose} number"
            for whose in words(
                "national tax nhs ni identity personal passport visa card cc insurance insured security license licence dl plate medicare medicaid health "
                "healthcare patient chart hospital citizen taxpayer voter mobile cell tel calling called caller callee dialled dialed sender msisdn epic pan reg"
            )
        ),
    ]
)
SHORT_NUMBERS = frozenset(("no", "nr", "num", "nbr"))
# Numbers of people and of their accounts, whatever word stands behind, but for a kind of them.
_ALWAYS = frozenset(("ssn", "passport", "iban", "msisdn", "imsi", "imei"))
_KINDS = frozenset(words("type kind class category status"))
# What is written with an @, and with nothing else that is about a person.
MAIL = frozenset(("email", "emails", "mail"))
# What a name is about, where it ends with one of these: the type of a phone is no phone.
_ABOUT = frozenset(
    words(
        "type kind class category model brand maker os version domain provider format status state count "
        "size id hash digest template campaign server host queue app prefix family block range"
    )
)
_CODES = frozenset((("country", "code"), ("area", "code")))
# Whose addresses say nothing of people: of machines, and of places in them.
_MACHINES = frozenset(
    words(
        "mac host server memory web bus node register page device machine network peer port gateway "
        "contract block program instruction url wallet token plc modbus can coil"
    )
)
PEOPLE = frozenset(words("user client customer visitor member patient person employee guest player"))
_IP = frozenset(("ip", "ipv"))

# Whose names are those of people; users and players may have invented ones, and owners and tenants may be companies.
_NAMED = frozenset(
    words(
        "client customer visitor member patient person employee guest driver passenger student pupil applicant citizen resident donor "
        "recipient sender contact holder suspect defendant candidate cardholder policyholder claimant insured beneficiary borrower "
        "debtor payee payer witness inmate prisoner offender victim nurse doctor physician teacher tutor parent guardian child spouse voter taxpayer "
        "worker signatory deceased heir occupant payroll attendee traveller traveler pax learner subscriber refugee"
    )
)


def personal(name: str) -> str | None:
    """The words of ``name`` that say so, as ``email`` of ``user_email``; None where none does.

    An IP address is taken for that of a machine, unless a word such as ``visitor`` stands beside it.
    """
    parts = [word.lower() for word in words(name)]
    if _ends(parts) in _NUMBERS or (parts[-1:] == ["name"] and parts[-2:][0] in _NAMED):
        return " ".join(parts[-2:])
    suspects = [word for word in parts if word in PERSONAL]
    if "year" in parts:  # of birth: many people have the same
        suspects = [word for word in suspects if not word.startswith("birth")]
    suspects = suspects or [" ".join(pair) for pair in pairwise(parts) if pair in _PAIRS]
    if _IP.intersection(parts):
        suspects = [word for word in parts if word in PEOPLE | _IP] if PEOPLE.intersection(parts) else []
    if not suspects or (_ALWAYS.intersection(suspects) and parts[-1] not in _KINDS):
        return suspects[0] if suspects else None
    technical = parts[-1] in _ABOUT or tuple(parts[-2:]) in _CODES
    technical = technical or (suspects[0].startswith("address") and bool(_MACHINES.intersection(parts)))
    return None if technical else " ".join(suspects)


def _ends(parts: list[str]) -> tuple[str, ...]:
    """The last two words of a name, of which the last is ``number`` however that is shortened."""
    short = parts[-1:] and parts[-1] in SHORT_NUMBERS
    return (*parts[-2:-1], "number" if short else "".join(parts[-1:]))


# What identifies a person only where the model is about one of these, by its name.
_OF = (
    (
        _NAMED | PEOPLE | frozenset(words("subscriber cookie")),
        words("name mobile tel ip sin tin nid nin abn utr pan rut nif dni cnp upn mrn"),
        ("family name", "remote addr", "ip address", "ni no"),
    ),
    (
        frozenset(words("vehicle car truck lorry van motorcycle taxi parking toll fine driver")),
        words("registration reg"),
        ("registration number", "reg number"),
    ),
    (frozenset(words("card cardholder payment wallet")), ["pan", "holder"], ()),
    (
        frozenset(words("call cdr sms mms subscriber")),
        words("caller callee sender recipient ani"),
        ("a number", "b number", "subscriber number", "from number", "to number", "dest number"),
    ),
)
# Users and players may have names that they have invented, and any person a short one.
_INVENTED = frozenset(words("user player person"))


def personal_of(model: ModelSchema, name: str) -> str | None:
    """The words of ``name`` that identify a person in a model that is about people, vehicles, cards or calls, by its name; None where none does."""
    parts = [word.lower() for word in words(name)]
    about = {word.lower() for word in words(model.name)}
    if name.lower() == "name" and not about.isdisjoint(_INVENTED):
        return None
    for things, single, pairs in _OF:
        if things.isdisjoint(about):
            continue
        if " ".join(_ends(parts)) in pairs:
            return " ".join(parts[-2:])
        # With a word in front, it may be that of something else, as `server_ip` is.
        if len(parts) == 1 and parts[0] in single:
            return parts[0]
    return None


# Ids of what one person mostly has, or one household: a telephone that shows advertisements, a browser, a meter, a face.
_PSEUDONYMS = frozenset(words("idfa idfv gaid adid aaid maid ifa mpan mprn mrn"))
_PSEUDONYM_PAIRS = frozenset((("advertising", "id"), ("cookie", "id"), ("face", "id"), ("iris", "code")))


def pseudonym(name: str) -> str | None:
    """The words of ``name`` that are those of an id which one person, or one household, mostly has; None of others."""
    parts = [word.lower() for word in words(name)]
    if tuple(parts[-2:]) in _PSEUDONYM_PAIRS:
        return " ".join(parts[-2:])
    return next((word for word in parts[-1:] if word in _PSEUDONYMS), None)
