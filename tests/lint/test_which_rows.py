"""Whether a description speaks of all rows or of some alone, in words that no list names: an age of some must never become that of all."""

from datetime import datetime

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.lint import review_all


class Row(bt.Model, table="ROW", events="20/s"):
    """A row."""

    owner: str = bt.key(bt.Text(width=8), cardinality=200_000)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f, max_size=300)
    state: str = bt.column("s", f, max_size=10)

    of_owner = bt.query("owner", between="at")


def ages(thing: str, sentence: str) -> list[str]:
    """What is found of how long the rows of such a thing are kept."""
    name = "".join(map(str.capitalize, thing.split()))
    article = "An" if thing[0] in "aeiou" else "A"
    table = thing.upper().replace(" ", "_")
    schema = evolve(
        bt.schema_of(Row), name=name, table=table, doc=f"{article} {thing} of an owner. {sentence}"
    )
    return [one.fix for one in review_all([schema]) if one.rule == "FAM010"]


EXCEPTIONS = [
    ("mail", "Mails are deleted after 30 days, except those on legal hold."),
    ("mail", "Mails are deleted after 30 days unless the owner has starred them."),
    ("order", "Orders other than subscriptions are kept for 90 days."),
    ("order", "Apart from disputes, orders are kept for 90 days."),
    ("parcel", "Parcels are removed after 30 days, with the exception of lost ones."),
    ("parcel", "All parcels but the insured ones are removed after 30 days."),
    ("job", "Jobs are purged after a week, save for those that somebody pinned."),
    ("job", "Jobs are purged after a week, excluding nightly builds."),
    ("photo", "Every photo is deleted after 60 days, but not those in an album."),
    ("photo", "Photos are deleted after 60 days. Those in an album stay."),
    ("claim", "Claims are erased after five years. The exception are claims before a court."),
    ("claim", "Claims are erased after five years. Claims before a court are never deleted."),
    ("note", "Barring a lawsuit, notes are deleted after 30 days."),
    ("note", "Notes are deleted after 30 days, though pinned ones stay for ever."),
    ("visit", "Aside from visits of staff, visits are deleted after 14 days."),
    ("visit", "Visits are usually deleted after 14 days."),
    ("alarm", "As a rule, alarms are kept for 30 days."),
    ("alarm", "Alarms are kept for 30 days in most cases."),
    ("loan", "Loans for 10 years, drafts for 90 days."),
    ("loan", "Loans are kept for ten years and drafts for 90 days."),
    ("trade", "Trades are kept for seven years, quotes for a month, and orders for ten."),
    ("trade", "Trades are deleted after 30 days in Asia and after a year in Europe."),
]
NO_EXCEPTIONS = [
    ("mail", "Mails are deleted after 30 days, without exception."),
    ("mail", "All mails are deleted after 30 days, whoever sent them."),
    ("order", "Orders are kept for 90 days, and nothing else is."),
    ("order", "Orders are kept for 90 days, even those on hold."),
    ("parcel", "Parcels are removed after 30 days, including lost ones."),
    ("parcel", "All parcels, insured or not, are removed after 30 days."),
    ("job", "Jobs are purged after a week, no matter who pinned them."),
    ("job", "Jobs are purged after a week, whether or not they failed."),
    ("photo", "Every photo is deleted after 60 days, also those of last year."),
    ("photo", "Photos are deleted after 60 days. They are shown in an album."),
    ("claim", "Claims are deleted after 90 days; there are no exceptions."),
    ("claim", "Each and every claim is deleted after 90 days."),
    ("note", "Notes are deleted after 30 days, but their owner is told before."),
    ("note", "Notes are deleted after 30 days, though nobody likes it."),
    ("visit", "Visits are always deleted after 14 days."),
    ("visit", "Visits are deleted after 14 days, as the board ordered."),
    ("alarm", "Alarms are kept for 30 days, and their state is kept for a week."),
    ("alarm", "Alarms are kept for 30 days and shown at once."),
    ("loan", "Loans are kept for 10 years, read by branches for 90 days."),
    ("loan", "Loans are kept for 10 years and read every day."),
    ("trade", "Trades are kept for seven years, as auditors ask for them."),
    ("trade", "Trades are deleted after 30 days in all regions."),
]
CONDITIONS = [
    ("order", "If the customer leaves, orders are deleted after 30 days."),
    ("order", "When a customer leaves, orders are deleted after 30 days."),
    ("ticket", "Once a ticket is closed it is kept for a year."),
    ("ticket", "As soon as the agent has answered, a ticket is kept for 30 days."),
    ("ticket", "Tickets, when closed, are kept for a year."),
    ("ticket", "A ticket is kept for a year once closed."),
    ("coupon", "A coupon is deleted after 14 days if it has been redeemed."),
    ("coupon", "Coupons are deleted after 14 days when nobody wants them."),
    ("job", "Jobs are purged after a week as soon as they have succeeded."),
    ("job", "Where a build breaks, its jobs are purged after a week."),
    ("trip", "Provided that the driver agrees, trips are kept for 90 days."),
    ("trip", "Trips are kept for 90 days provided that the driver agrees."),
    ("trip", "In case of an accident a trip is kept for five years."),
    ("visit", "For guests, visits are deleted after 14 days."),
    ("visit", "On request, visits are deleted after 14 days."),
    ("alarm", "Assuming nobody objects, alarms are deleted after 30 days."),
    ("alarm", "Alarms are deleted after 30 days, assuming nobody objects."),
    ("claim", "Should a lawyer call, claims are kept for ten years."),
    ("claim", "Claims are kept for ten years only if a lawyer called."),
    ("note", "Whenever an employee resigns, the notes are erased after a month."),
    ("note", "After a resignation, notes are erased within a month."),
    ("photo", "In Germany, photos are deleted after 60 days."),
    ("photo", "Upon a complaint, a photo is deleted after 7 days."),
]
NO_CONDITIONS = [
    ("order", "Once written, an order is kept for 90 days."),
    ("order", "Orders are deleted after 30 days, even if the customer stays."),
    ("ticket", "Once a ticket has been created it is kept for a year."),
    ("ticket", "As soon as it has been stored, a ticket is kept for 30 days."),
    ("ticket", "Tickets are kept for a year, so that agents can look when a customer calls."),
    ("ticket", "Tickets are kept for a year, in case somebody asks."),
    ("coupon", "Coupons that are 14 days old are deleted."),
    ("coupon", "Coupons are deleted when they are older than 14 days."),
    ("job", "Jobs are purged after a week, and if a build breaks, somebody is told."),
    ("job", "If a build breaks, somebody is told; jobs are purged after a week."),
    ("trip", "Trips are kept for 90 days, whether the driver agrees or not."),
    ("trip", "By law, trips are kept for 90 days."),
    ("trip", "For the tax office, trips are kept for 90 days."),
    ("visit", "In this table, visits are deleted after 14 days."),
    ("visit", "To save money, visits are deleted after 14 days."),
    ("alarm", "Alarms are deleted after 30 days because nobody objects."),
    ("alarm", "Alarms are deleted after 30 days, when nobody looks at them any more."),
    ("claim", "Claims are kept for ten years, since a lawyer may call."),
    ("claim", "Regardless of their amount, claims are kept for ten years."),
    ("note", "At present, notes are erased after a month."),
    ("note", "After a month, notes are erased."),
    ("photo", "In Bigtable, photos are deleted after 60 days."),
    ("photo", "Because storage costs money, photos are deleted after 60 days."),
]
STATES = [
    ("mail", "Archived mails are deleted after 30 days."),
    ("mail", "Suspicious mails are kept for 90 days."),
    ("ticket", "Closed tickets are kept for a year."),
    ("ticket", "Resolved or withdrawn tickets are kept for a year."),
    ("coupon", "Expired coupons go after a week."),
    ("login", "Suspicious logins are kept for a year."),
    ("login", "Successful logins are deleted after 7 days."),
    ("order", "Fraudulent orders are deleted after 30 days."),
    ("order", "We delete test orders after 2 days."),
    ("parcel", "Undeliverable parcels are removed after 30 days."),
    ("photo", "Blurry photos are deleted after 60 days."),
    ("photo", "An unlisted photo is deleted after 60 days."),
    ("job", "Nightly jobs are purged after a week."),
    ("job", "The failing jobs are purged after a week."),
    ("claim", "Petty claims are erased after five years."),
    ("claim", "Foreign claims must be kept for ten years."),
    ("alarm", "False alarms are kept for 30 days."),
    ("alarm", "A silent alarm is kept for 30 days."),
    ("mail", "Mails in the trash are deleted after 30 days."),
    ("mail", "Mails nobody opened are deleted after 30 days."),
    ("ticket", "Tickets that are closed are kept for a year."),
    ("ticket", "Tickets which nobody owns are kept for a year."),
    ("job", "Jobs marked failed are purged after a week."),
    ("job", "Jobs waiting for a worker are purged after a week."),
    ("account", "Accounts without a login are deleted after 90 days."),
    ("account", "Accounts never used are deleted after 90 days."),
    ("order", "Orders below ten euros are kept for 90 days."),
    ("order", "Orders paid by card are kept for 90 days."),
    ("visit", "Visits from bots are deleted after 14 days."),
    ("visit", "Visits by guests are deleted after 14 days."),
    ("photo", "Photos of closed albums are deleted after 60 days."),
    ("photo", "Photos of a closed album are deleted after 60 days."),
    ("parcel", "Parcels at the customs are removed after 30 days."),
    ("parcel", "Parcels to Norway are removed after 30 days."),
    ("claim", "Claims whose amount is small are kept for five years."),
    ("claim", "Half of the claims are kept for five years."),
    ("note", "Notes too short to read are erased after a month."),
    ("note", "Only the newest note is kept for a year."),
    ("alarm", "Alarms, if acknowledged, are kept for 30 days."),
    ("alarm", "Alarms about water are kept for 30 days."),
]
ALL = [
    ("reading", "Readings of a meter are kept for two years."),
    ("reading", "Every reading is kept for two years."),
    ("reading", "Old readings are deleted after a year."),
    ("raw reading", "Raw readings are kept for 90 days."),
    ("meter reading", "Meter readings are kept for 90 days."),
    ("reading", "Each single reading is kept for 90 days."),
    ("reading", "The readings of an owner are kept for 90 days."),
    ("reading", "Readings of owners are kept for 90 days."),
    ("reading", "We keep our readings for 90 days."),
    ("reading", "The individual readings are kept for 90 days."),
    ("mail", "Mails older than 30 days are deleted."),
    ("mail", "A mail that is older than 30 days is deleted."),
    ("mail", "Mails in this table are deleted after 30 days."),
    ("mail", "Mails to an owner are deleted after 30 days."),
    ("ticket", "Tickets are closed quickly, and are kept for a year."),
    ("ticket", "A ticket may be closed; all tickets are kept for a year."),
    ("coupon", "Any coupon goes after a week."),
    ("coupon", "These coupons are kept for 14 days."),
    ("login", "Logins, which are many, are kept for a year."),
    ("login", "The whole login is deleted after 7 days."),
    ("order", "Open or closed, orders are kept for 90 days."),
    ("order", "Orders of all owners are kept for 90 days."),
    ("parcel", "Parcels (large and small) are removed after 30 days."),
    ("parcel", "Parcels from every owner are removed after 30 days."),
    ("photo", "Photos, as an owner took them, are deleted after 60 days."),
    ("photo", "Past photos are deleted after 60 days."),
    ("job", "Here jobs are purged after a week."),
    ("job", "Our jobs are purged after a week."),
    ("claim", "Both new and old claims are kept for ten years."),
    ("claim", "The claims are kept for ten years."),
    ("alarm", "No alarm is kept for more than 30 days."),
    ("alarm", "Currently alarms are kept for 30 days."),
    ("account event", "Account events are deleted after 90 days."),
    ("account event", "Events of an account are deleted after 90 days."),
    ("visit", "Visits by each owner are deleted after 14 days."),
    ("visit", "The rows of visits are deleted after 14 days."),
    ("note", "Entire notes are erased after a month."),
    ("note", "Stored notes are erased after a month."),
    ("note", "Earlier notes are erased after a month."),
    ("note", "Every written note is erased after a month."),
]

# Written when the grammar was done, in words that it had not met.
SOME_UNHEARD = [
    ("song", "Disliked songs are removed after 30 days."),
    ("song", "Songs that nobody played are removed after 30 days."),
    ("song", "Songs shorter than ten seconds are removed after a day."),
    ("song", "Songs uploaded by minors are removed after 30 days."),
    ("song", "A song with swear words is removed after 30 days."),
    ("song", "Songs are removed after 30 days, bar those of subscribers."),
    ("booking", "Unconfirmed bookings are deleted after 2 days."),
    ("booking", "Bookings left unpaid are deleted after 2 days."),
    ("booking", "A booking is deleted after 2 days if it stays unpaid."),
    ("booking", "Provisional bookings lapse and are deleted after 2 days."),
    ("booking", "No-show bookings are kept for a year."),
    ("booking", "The bookings of blocked guests are kept for 5 years."),
    ("invoice", "Overdue invoices are kept for ten years."),
    ("invoice", "Invoices in dispute are kept for ten years."),
    ("invoice", "Invoices must be deleted after ten years unless a court asks otherwise."),
    ("invoice", "Where tax is due, an invoice is kept for ten years."),
    ("invoice", "Pro-forma invoices are deleted after 90 days."),
    ("session", "Idle sessions are dropped after 30 minutes."),
    ("session", "Anonymous sessions are dropped after a day."),
    ("session", "Sessions on mobile phones are dropped after 90 days."),
    ("lead", "Leads gone cold are erased after 6 months."),
    ("lead", "Leads nobody has called back are erased after 6 months."),
    ("lead", "Unqualified leads are erased after 6 months."),
    ("lead", "If the lead says no, it is erased after 30 days."),
    ("crash", "Symbolicated crashes are kept for 90 days."),
    ("crash", "Fatal crashes are kept for a year."),
    ("crash", "Crashes from beta builds are deleted after a week."),
    ("crash", "Crashes get deleted after a week, but not fatal ones."),
    ("crash", "Crashes are deleted after 90 days. Fatal ones are kept for ever."),
    ("upload", "Incomplete uploads are cleaned up after 24 hours."),
    ("upload", "We drop partial uploads after 24 hours."),
    ("upload", "Uploads flagged by the scanner are kept for a year."),
    ("post", "Shadow-banned posts are deleted after 30 days."),
    ("post", "Once removed by a moderator, a post is deleted after 30 days."),
    ("post", "Every hidden post is deleted after 30 days."),
    ("scan", "Only failed scans are kept for 90 days."),
    ("scan", "Clean scans are deleted after a day, infected ones after a year."),
    ("scan", "Nine out of ten scans are deleted after a day."),
    ("call", "Recorded calls are kept for 6 months."),
    ("call", "Missed calls are kept for 6 months."),
    ("call", "Calls over an hour are kept for 6 months."),
]
ALL_UNHEARD = [
    ("song", "Songs are removed after 30 days."),
    ("song", "A song is removed after 30 days, played or not."),
    ("song", "Nobody needs a song for long: songs are removed after 30 days."),
    ("song", "The songs of an owner are removed after 30 days."),
    ("song", "We remove songs after 30 days to save space."),
    ("booking", "Bookings are deleted after 90 days, as guests rarely ask later."),
    ("booking", "Every booking is deleted after 90 days, paid or unpaid."),
    ("booking", "The table is small, as bookings are deleted after 90 days."),
    ("booking", "A booking is written once and deleted after 90 days."),
    ("invoice", "Each invoice is kept for ten years for the auditors."),
    ("invoice", "An invoice is paid within a month and kept for ten years."),
    ("invoice", "The law wants it: invoices are kept for ten years."),
    ("session", "All sessions are dropped after a day, even active ones."),
    ("session", "A session is dropped after a day whatever happens."),
    ("session", "It is kept for 30 days and shown to the owner."),
    ("lead", "Leads are erased after 6 months. If one calls back, it is written again."),
    ("lead", "Leads come from fairs and are erased after 6 months."),
    ("upload", "Uploads are cleaned up after 24 hours."),
    ("upload", "We drop uploads after 24 hours."),
    ("upload", "Rows are deleted 24 hours after the upload."),
    ("post", "Posts are deleted after 30 days since they get stale."),
    ("post", "Anything older than 30 days is deleted."),
    ("post", "Nothing is kept for more than 30 days."),
    ("scan", "Retention is 90 days."),
    ("scan", "Kept for 90 days."),
    ("scan", "Data older than 90 days is deleted."),
    ("call", "Calls are kept for 6 months, then deleted."),
    ("call", "After 6 months a call is deleted."),
    ("call", "Call records are kept for 6 months."),
    ("call", "Records of calls are kept for 6 months."),
    ("call", "Support reads it for a week, but a call is kept for 6 months."),
]


@pytest.mark.parametrize(("thing", "sentence"), [*EXCEPTIONS, *CONDITIONS, *STATES, *SOME_UNHEARD])
def test_an_age_of_some_rows_is_none_of_all(thing: str, sentence: str) -> None:
    """Whatever says which of them: to follow it would delete the others, too."""
    assert ages(thing, sentence) == []


@pytest.mark.parametrize(("thing", "sentence"), [*NO_EXCEPTIONS, *NO_CONDITIONS, *ALL, *ALL_UNHEARD])
def test_an_age_of_all_rows_is_heard(thing: str, sentence: str) -> None:
    """Whose rows they are, where and how old, and what is said beside it, leaves none out."""
    (fix,) = ages(thing, sentence)
    assert "bt.max_age(" in fix
