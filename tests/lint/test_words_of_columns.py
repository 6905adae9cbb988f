"""Names of columns, counters, key fields and times by themselves: what each is held to by what it is called, and lookalikes that are not."""

from datetime import datetime

from attrs import evolve

import btmodel as bt
from btmodel.codecs.key import Text
from btmodel.lint import Level
from btmodel.schema import KeyField, ModelSchema
from tests.lint.parts import found


def listed(names: str) -> list[str]:
    """The names of a table."""
    return names.split()


class Counted(bt.Model, table="counted", events="900/s"):
    """What is counted of a thing. Clients send a change again if they get no answer."""

    thing: str = bt.key(bt.HexDigest(24), cardinality=3_000_000)

    n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
    counted: int | None = bt.counter("c", n, increments="40/day")

    one = bt.query("thing")


EXACT = listed(
    "balance balance_cents amount_owed remaining_cents paid_cents debit credit payable revenue_cents spent_micros budget_left on_hand stock available reserved "
    "seats_left seats_sold rooms_free credits minutes_left quota_used points miles vacation_days_left prepaid_balance billable_units votes ballots donated_cents "
    "royalty_micros refunded dose_total_mg gold coins vat_due paid_out deductible_used redemptions"
)
ROUGH = listed(
    "views plays likes shares impressions clicks listens requests errors timeouts searches visits visitors openings tries deaths kills hits downloads reads packets uses messages"
)


def named(model: ModelSchema, old: str, new: str) -> ModelSchema:
    """The model with another name of a column or a field of the key."""
    columns = tuple(evolve(one, name=new) if one.name == old else one for one in model.columns)
    return evolve(model, columns=columns)


def test_sums_of_money_and_stock_must_be_right() -> None:
    """An addition that may come twice is a warning for them, and information for others."""
    model = bt.schema_of(Counted)
    levels = {name: [one.level for one in found(named(model, "counted", name), "COL008")] for name in EXACT}
    assert [name for name, found_ in levels.items() if found_ != [Level.WARNING]] == []
    rough = {name: [one.level for one in found(named(model, "counted", name), "COL008")] for name in ROUGH}
    assert [name for name, found_ in rough.items() if found_ != [Level.INFO]] == []


class Listing(bt.Model, table="listing", events="200/s"):
    thing: str = bt.key(bt.HexDigest(24), cardinality=3_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    held: list[str] = bt.column("c", f, size=300)
    state: str = bt.column("s", f, size=8)

    one = bt.query("thing")


GROWING = listed(
    "history status_history events audit_log notes tracking tracking_events comments replies messages thread activity transactions statements logins "
    "movements visits prescriptions observations medication_history readings alarms log telemetry samples orders followers viewed_products searches "
    "notifications impressions matches trips positions route_points timesheets absences filings decisions submissions attendance "
    "correspondence transcript calls"
)
BOUNDED = listed(
    "days_of_week opening_hours sizes colours options attributes tags variants dimensions features settings preferences roles languages permissions flags address "
    "last_ten_orders recent_searches config thresholds coordinates items lines totals ingredients authors genres stops segments skills payload metadata labels headers exclusions"
)


def test_what_gathers_grows_in_one_cell() -> None:
    """A list of all that has happened; a list of what a thing consists of does not grow, and neither does one of the last few."""
    model = bt.schema_of(Listing)
    assert [name for name in GROWING if not found(named(model, "held", name), "ROW003")] == []
    assert [name for name in BOUNDED if found(named(model, "held", name), "ROW003")] == []


class Ranged(bt.Model, table="ranged", events="200/s"):
    thing: str = bt.key(bt.HexDigest(24), cardinality=3_000_000)
    part: str = bt.key(bt.Text(max_length=12), cardinality=400, size=6)

    f = bt.family("f", gc=bt.max_versions(1))
    note: str = bt.column("n", f, size=40)

    in_order = bt.query("thing", between="part")


ORDERED = listed(
    "version release semver app_version firmware build_number revision house_number house_no kilometre mile score points rating elo amount bid price price_cents interest chapter "
    "episode season floor room_number page line_number grade marks priority step sequence_number offset height block_number week_number distance temperature weight age level"
)
UNORDERED = listed("code kind region label slug key_id reference uuid owner status")


def ranged(name: str, *, equal: bool = False) -> list[Level]:
    """How grave the order of a text of that name is, of which a query wants a range, or one value."""
    model = bt.schema_of(Ranged)
    front, part = model.key.fields
    key = evolve(model.key, fields=(front, KeyField(name, Text(max_length=12), part.cardinality)))
    (query,) = model.queries
    asked = evolve(query, between=None, equal=(front.name, name)) if equal else evolve(query, between=name)
    return [one.level for one in found(evolve(model, key=key, queries=(asked,)), "KEY007")]


def test_numbers_as_text_do_not_sort() -> None:
    """Where a query wants a range of them, and nowhere else."""
    assert [name for name in ORDERED if ranged(name) != [Level.WARNING]] == []
    assert [name for name in UNORDERED if ranged(name)] == []
    assert [name for name in ORDERED if ranged(name, equal=True)] == []


class Timed(bt.Model, table="timed", events="200/s"):
    thing: str = bt.key(bt.HexDigest(24), cardinality=3_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)
    at: datetime = bt.timestamp()

    one = bt.query("thing")


HOLDS_FROM = listed(
    "valid_from effective_from price_from cover_from effective_date applies_from in_force_since effective effective_on go_live value_date inception from_day"
)
PLANNED = listed(
    "scheduled_for scheduled_at appointment_at remind_at run_at next_run execute_at fire_at planned_departure scheduled_departure eta expected_arrival promised_for check_in publish_at planned_for next_service"
)
TO_COME = listed(
    "starts_on departs departure_time delivery_slot delivery_date arrival_date starts_at forecast_for renewal_date exam_date begins shift_start execution_date collection_date moving_date maturity"
)
HAPPENED = listed(
    "measured_at read_at recorded_at clicked_at at paid_at booked_at ordered_at placed sent_at received_at logged_in_at scanned_at time observed_at started_at ended_at admitted_at "
    "discharged_at traded_at executed_at departed_at arrived_at raised_at detected occurred_at happened_at timestamp changed_at sampled_at delivered_at uploaded_at taken_at"
)


def stamped(name: str) -> list[Level]:
    """How grave it is that cells have the time of that name."""
    model = bt.schema_of(Timed)
    return [one.level for one in found(evolve(model, stamp=evolve(model.stamp, attribute=name)), "COL009")]


def test_a_time_to_come_is_no_time_of_cells() -> None:
    """What holds from then on hides what holds now, and a plan that is moved earlier is hidden; what has happened is not moved."""
    assert [name for name in PLANNED if stamped(name) != [Level.WARNING]] == []
    # A price may hold from when it is written on: what is written ahead is a warning, by the description.
    assert [name for name in (*HOLDS_FROM, *TO_COME) if stamped(name) != [Level.INFO]] == []
    assert [name for name in HAPPENED if stamped(name)] == []
