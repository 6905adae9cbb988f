"""Names by themselves: what is used once and kept for ever, and what a thing is for good that an age deletes; with lookalikes that are neither."""

from datetime import date
from typing import Any

from attrs import evolve

import btmodel as bt
from btmodel.codecs.cell import default_codec
from btmodel.lint import Level
from btmodel.schema import ModelSchema
from btmodel.words import words
from tests.lint.parts import found


def listed(names: str) -> list[str]:
    """The names of a table."""
    return names.split()


class Thing(bt.Model, table="thing", events="200/s"):
    thing: str = bt.key(bt.HexDigest(24), cardinality=2_000_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    region: str = bt.column("rg", f, size=8)
    detail: str = bt.column("d", f, size=60)

    one = bt.query("thing")


USED_ONCE = listed(
    "OneTimeCode LoginOtp ShoppingCart Basket Nonce PasswordReset ResetLink DraftOrder FormDraft Presence TypingIndicator EmailVerification IdempotencyKey "
    "SeatHold StockReservation MagicLink OauthState AuthorizationCode CsrfToken DeviceCode PairingCode CaptchaChallenge UploadUrl CheckoutSession "
    "PaymentIntent FareQuote BidRequest MatchmakingTicket Heartbeat DedupMarker WebsocketConnection LoginAttempt SearchCursor PickupPin DistributedLock"
)
REMAINS = listed(
    "SessionAudit TrainingSession ParliamentSession VehicleLease CanalLock SmartLock DraftPick BeerDraft GolfCart CodeReview DiagnosisCode PostalCode CountryCode "
    "InvitationCard VerificationReport CartPurchase LimitOrder SpeedLimit CreditLimit BasketballPlayer TicketSale SupportTicket ParkingSpace AccountHolder HardwareToken "
    "ChallengeCup WebhookEndpoint ApiKey PowerSocket TrainConnection HotelLobby"
)


def called(name: str, doc: str = "") -> ModelSchema:
    return evolve(bt.schema_of(Thing), name=name, table="_".join(words(name)).lower(), doc=doc)


def test_what_is_used_once_needs_an_age() -> None:
    """No sentence has to say it, and no column."""
    silent = [name for name in USED_ONCE if not _warned(called(name))]
    assert silent == []
    (one,) = found(called("ShoppingCart"), "FAM010")
    assert "bt.max_age(days=30)" in one.fix


def test_what_remains_may_be_kept() -> None:
    """What only sounds so, and what is wanted later, by the description."""
    assert [name for name in REMAINS if found(called(name), "FAM010")] == []
    kept = "Kept for the auditors.", "The job deletes them each night.", "Evidence in disputes."
    assert [doc for doc in kept if found(called("OneTimeCode", doc), "FAM010")] == []


def test_what_is_overwritten_is_no_new_row() -> None:
    """Where there are fewer rows than writes of a month, the next one takes the place of the one before."""
    model = called("OneTimeCode")
    (part,) = model.key.fields
    few = evolve(model, key=evolve(model.key, fields=(evolve(part, cardinality=1_000_000),)))
    assert found(few, "FAM010") == []


class State(bt.Model, table="state", events="9000/s"):
    thing: str = bt.key(bt.HexDigest(24), cardinality=3_000_000)

    f = bt.family("f", gc=bt.max_age(days=30))
    speed: int | None = bt.column("s", f, default=None)
    level: float | None = bt.column("l", f, default=None)
    known: str | None = bt.column("k", f, default=None, size=12)

    one = bt.query("thing")


FOR_GOOD = listed(
    "country language nationality gender blood_type allergies email iban imsi vin plate ean brand manufacturer owner contract contract_number tariff "
    "serial_number licence_number licence_class display_name holder_name installation_address time_zone consent marketing_opt_in meter_point credit_limit"
)
BEGAN = listed(
    "signed_up birth_date registered_at installed_on opened_on activated_on hired_on launched_on enrolled_on calibration_date warranty_until commissioned"
)
OF_NOW = listed(
    "last_country current_owner last_campaign zone weapon error_code on_trip rank gear firmware track"
)
REWRITTEN = (
    "A job writes every column each night.",
    "A cache of the catalogue.",
    "A copy for the map, rebuilt from the register.",
    "Every message carries all columns.",
    "The whole row is written anew.",
    "Inactive ones are forgotten.",
    "Kept for 30 days.",
)


def state(known: str, kind: Any = str, name: str = "DeviceState", doc: str = "") -> ModelSchema:
    model = bt.schema_of(State)
    columns = tuple(
        evolve(one, name=known, codec=default_codec(kind)) if one.name == "known" else one
        for one in model.columns
    )
    return evolve(model, name=name, columns=columns, doc=doc)


def test_what_holds_for_good_is_not_to_age_beside_what_is_measured() -> None:
    """It is not written again before the age that is counted from its writing."""
    assert [name for name in FOR_GOOD if not _warned(state(name))] == []
    assert [name for name in BEGAN if not _warned(state(name, date))] == []
    (one,) = found(state("country"), "FAM010")
    assert "give `country` a family of its own" in one.fix
    assert one.models


def test_what_is_of_now_or_is_written_again_may_age() -> None:
    """What follows the measurements, and what is written as a whole, or with each message."""
    assert [name for name in OF_NOW if found(state(name), "FAM010")] == []
    assert [doc for doc in REWRITTEN if found(state("country", doc=doc), "FAM010")] == []
    assert found(state("country", name="VisitorSession"), "FAM010") == []


def _warned(model: ModelSchema) -> bool:
    return [one.level for one in found(model, "FAM010")] == [Level.WARNING]
