"""Models with counters; names of these and sentences by which they are of a period, and names and sentences that say nothing of one."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import btmodel as bt


class Listing(bt.Model, table="listing_stats", events="900/s"):
    """Numbers beside a listing."""

    listing: int = bt.key(bt.ReversedDigits(10), cardinality=80_000_000, sequential=True)
    n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
    views: int | None = bt.counter("v", n)


class Caller(bt.Model, table="callers", events="300/s"):
    """What a client of our API does."""

    client: str = bt.key(bt.Text(max_length=24), cardinality=200_000)
    c = bt.family("c", gc=bt.max_versions(1))
    plan: str = bt.column("p", c, max_size=12)
    calls: int = bt.column("n", c, increments="2/min")


class Reaction(bt.Model, table="reactions", events="500/s"):
    """Reactions to a post."""

    post: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)
    k = bt.family("k", gc=bt.keep_all(), aggregate="sum")
    likes: int | None = bt.counter("l", k)
    shares: int | None = bt.counter("s", k)


class Door(bt.Model, table="doors", events="40/s"):
    """A door of a building."""

    door: str = bt.key(bt.Text(max_length=16), cardinality=90_000)
    d = bt.family("d", gc=bt.keep_all(), aggregate="sum")
    openings: int | None = bt.counter("o", d)


class Api(bt.Model, table="quota", events="2000/s"):
    """The quota of a customer of the API."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=50_000)
    q = bt.family("q", gc=bt.max_versions(1))
    limit: int = bt.column("l", q)
    u = bt.family("u", gc=bt.keep_all(), aggregate="sum")
    requests: int | None = bt.counter("r", u, increments="30/s")
    bytes_out: int | None = bt.counter("b", u, increments="30/s")


class Player(bt.Model, table="players", events="100/s"):
    """The scores of a player."""

    player: UUID = bt.key(bt.UuidText(), cardinality=20_000_000)
    s = bt.family("s", gc=bt.max_versions(1))
    nickname: str = bt.column("n", s, max_size=30)
    p = bt.family("p", gc=bt.keep_all(), aggregate="sum")
    points: int | None = bt.counter("p", p)


class Votes(bt.Model, table="poll", events="200/s"):
    """The answers to a poll."""

    poll: UUID = bt.key(bt.UuidText(), cardinality=100_000)
    a = bt.family("a", gc=bt.keep_all(), aggregate="sum")
    answers: dict[str, int] = bt.counters(a, bt.Text(max_length=20), entries=10)


# By the model: another name of its first counter, or an empty text, and a sentence of its description.
OF_A_PERIOD: Mapping[type, Sequence[tuple[str, str]]] = {
    Listing: (
        ("n", "Set back to zero every Monday."),
        ("n", "The last 24 hours' alarms."),
        ("n", "Year-to-date spending."),
        ("n", "Quarter-to-date."),
        ("n", "Today's hits."),
        ("n", "A 7-day total."),
        ("n", "The day's clicks."),
        ("n", "This month's traffic."),
        ("n", "The tally for the current week."),
        ("n", "Counts since Monday."),
        ("n", "Zeroed at the turn of the month."),
        ("n", "How many were seen so far today."),
        ("n", "`n`: hits in the running quarter."),
        ("n", "The number of openings during the current billing month."),
        ("n", "Reset nightly."),
        ("n", "Rolls over at midnight."),
        ("n", "`n` is a 24-hour count."),
        ("n", "We count what a visitor does per day."),
        ("n", "A weekly total that begins again on Mondays."),
        ("n", "Week-to-date number of scans."),
        ("n", "The count for today, for the limit of 500 a day."),
        ("n", "Month-to-date, for billing."),
        ("n", "Number of calls made in the past 30 days."),
        ("n", "The daily count, back to zero in the morning."),
        ("n", "Calls this hour."),
        ("n", "The count starts over with each new month."),
        ("n", "Swipes on the current day."),
        ("n", "Today's sum, which the dashboard shows."),
        ("n", "Yearly total of hits, from 1 January."),
        ("n", "Hits of the last hour, for rate limiting."),
        ("n", "`n` covers the present month only."),
        ("n", "The quota month's usage."),
        ("views_this_month", ""),
        ("views_today", ""),
        ("daily_views", ""),
        ("monthly_views", ""),
        ("views_this_week", ""),
        ("todays_views", ""),
        ("views_of_the_day", ""),
        ("views_current_month", ""),
        ("week_views", ""),
        ("views_daily", ""),
        ("daily_page_views", ""),
        ("views_24h", ""),
        ("views_today", "The totals of this day."),
        ("views_this_month", "Counted since the first of the month."),
        ("views_mtd", ""),
        ("views_ytd", ""),
        ("views_month_to_date", ""),
        ("views_last_24h", ""),
        ("views_last_30_days", ""),
        ("hourly_views", ""),
        ("views_since_midnight", ""),
        ("", "How often it was viewed this month."),
        ("", "Views count from the first of each month."),
        ("", "The views reset every day."),
        ("", "The counter starts again at zero every Monday."),
        ("", "The views of today, from midnight on."),
        ("", "Views per day."),
        ("", "How often a listing is viewed in the current week."),
        ("", "At the beginning of each month, the views go back to zero."),
        ("", "Each morning the views begin anew."),
    ),
    Caller: (
        ("calls_today", ""),
        ("calls_this_hour", ""),
        ("", "The calls are those of the running month."),
        ("", "A client has 10,000 calls a day; `calls` counts those of today."),
        ("", "The number of calls starts from zero at midnight."),
        ("", "Calls so far this month."),
    ),
    Reaction: (
        ("likes_this_week", ""),
        ("", "The likes are of the last 24 hours."),
        ("", "How many likes a post got today, and how often it was shared."),
        ("", "Likes expire at the end of each day."),
    ),
    Door: (
        ("openings_today", ""),
        ("openings_per_hour", ""),
        ("nightly_openings", ""),
        ("openings_this_year", ""),
        ("day_count", ""),
        ("opened_today", ""),
        ("", "How many times it was opened since midnight."),
        ("", "The number on the display is zero again each morning."),
        ("", "The guard sees how often the door was opened today."),
        ("", "The openings of the current day."),
        ("", "The count returns to zero at midnight."),
        ("", "Openings in the last hour."),
    ),
    Api: (
        ("requests_this_minute", ""),
        ("requests_in_month", ""),
        ("monthly_requests", ""),
        ("", "Requests are counted by calendar month."),
        ("", "The requests of the current billing month."),
        ("", "With each new month the requests start at zero."),
        ("", "The quota renews every month, and the requests are counted from zero again."),
        ("", "The bytes_out of this month."),
    ),
    Player: (
        ("weekly_points", ""),
        ("", "Points are collected for a week, then everybody starts from zero."),
        ("", "How many points a player has won this week."),
    ),
    Votes: (
        ("answers_today", ""),
        ("answers_this_week", ""),
        ("", "The answers of the last seven days."),
        ("", "The answers start over each week."),
    ),
}
HARMLESS: Mapping[type, Sequence[tuple[str, str]]] = {
    Listing: (
        ("n", "Last year's peak was a little over six thousand clicks in a second."),
        ("n", "Clicks, by day or night."),
        ("n", "Today orders come by app."),
        ("n", "A total; a 7-day chart shows how it grows."),
        ("n", "Compacted nightly."),
        ("n", "Put back to zero by a job each night."),
        ("n", "Alarms go to the guard within 24 hours."),
        ("n", "The year's budget is a column."),
        ("n", "Goes up with every new visit."),
        ("n", "A bi-monthly letter has the number."),
        ("n", "This month's traffic is in BigQuery."),
        ("n", "The tally of all time."),
        ("n", "Counts since the thing was made."),
        ("n", "The report is sent at the turn of the month."),
        ("n", "How many were seen, ever."),
        ("n", "`n`: hits, billed by the quarter."),
        ("n", "The number of openings, which billing reads each month."),
        ("n", "Reported nightly."),
        ("n", "The log rolls over at midnight."),
        ("n", "`n` is written by a 24-hour service."),
        ("n", "A visitor comes on one day."),
        ("n", "A weekly mail that begins on Mondays."),
        ("n", "The week's menu is elsewhere."),
        ("n", "The count is capped at 500."),
        ("n", "Billing reads the total once a month."),
        ("n", "Number of calls, which grew in the past 30 days."),
        ("n", "The daily newsletter shows the count."),
        ("n", "Call this number within the hour."),
        ("n", "The count never starts over."),
        ("n", "Swipes, of any day."),
        ("n", "A total, which today's dashboard shows."),
        ("n", "Total of hits, since 1 January 2019, when we began."),
        ("n", "Hits, of which the last hour's are in Redis."),
        ("n", "`n` covers everything since launch, the present month included."),
        ("n", "The quota is agreed for a month."),
        ("views_total", ""),
        ("views_all_time", ""),
        ("first_day_views", ""),
        ("views_at_launch", ""),
        ("views", ""),
        ("holiday_views", ""),
        ("birthday_views", ""),
        ("daylight_views", ""),
        ("", "A job resets the views every night."),
        ("", "On the first of each month a worker sets the views to zero."),
        ("", "The views are never reset."),
        ("", "The page of a listing was redone this month."),
        ("", "Views of all time."),
        ("", "Listings are shown for a month."),
        ("", "The seller looks at the views every day."),
        ("", "A listing is viewed 200 times a day."),
        ("", "The views are shown to the seller each week in a mail."),
        ("", "The monthly report is made from the log in BigQuery."),
        ("", "Views are counted since the listing was made."),
        ("", "A cron task clears the views at midnight."),
        ("", "The daily views are in another table."),
        ("", "A counter of the listing's views, for as long as it is there."),
        ("", "Sellers pay this month's fee for the listing."),
        ("", "Some listings are viewed more often today than last year."),
        ("", "Every day a listing gets some views."),
        ("day_passes", ""),
        ("season_tickets", ""),
        ("month_tickets", ""),
        ("weekly_subscribers", ""),
        ("day_trippers", ""),
        ("quarter_pounders", ""),
        ("annual_fee_cents", ""),
        ("monthly_plan_upgrades", ""),
        ("weekly_subscribers", "The weekly subscribers of a listing."),
        ("day_passes", "How many day passes were sold."),
        ("seasonal_views", ""),
        ("30_day_passes", ""),
        ("player_of_the_month_votes", ""),
        ("views_today", "All views ever, in total."),
        ("daily_views", "Counted since it was listed."),
        ("monthly_views", "Lifetime totals."),
        ("views_this_month", "The counters never begin anew."),
        ("", "Views of this season, from August to May."),
        ("", "The views of the last 0 days."),
        ("", "The views of the last 4000000 years."),
    ),
    Caller: (
        ("calls_per_call", ""),
        ("last_calls", ""),
        ("", "The gateway resets the calls with each new month."),
        ("", "A client pays each month."),
        ("", "The plan may change once a day."),
        ("", "Clients call several times a day."),
        ("", "The number of calls ever made."),
        ("", "When a client renews the plan, the calls are set to zero by billing."),
        ("", "Calls are compared with the limit of the plan."),
        ("", "A script empties the counters on the first of the month."),
    ),
    Reaction: (
        ("", "The trending page shows the posts of today."),
        ("", "A post may be liked once a day by a reader."),
        ("", "Most likes come on the first day."),
        ("", "Likes are taken back within a day."),
        ("", "A post is shown for a week."),
        ("", "How often a post was liked and shared in its life."),
        ("", "The authors get a mail each week with the likes."),
    ),
    Door: (
        ("openings_ever", ""),
        ("openings_since_service", ""),
        ("weekday_openings", ""),
        ("weekend_openings", ""),
        ("", "The door is serviced every 10,000 openings."),
        ("", "The guard checks the door every night."),
        ("", "After a service, the fitter sets the openings to zero."),
        ("", "The door opens at six each day."),
        ("", "Openings since the door was built."),
        ("", "The building is closed this month."),
        ("", "A nightly job subtracts yesterday's openings."),
        ("", "The openings never go back to zero."),
        ("", "The door is opened some 300 times a day."),
    ),
    Api: (
        ("requests_over_limit", ""),
        ("requests_per_second_limit", ""),
        ("", "The limit is per month."),
        ("", "Customers pay per month."),
        ("", "Billing resets both numbers on the first of the month."),
        ("", "All requests since the contract began."),
        ("", "The limit may be raised once a month."),
        ("", "The customer sees the requests on a page that is made each day."),
        ("", "When a month ends, a worker copies the requests to the archive and deletes the cells."),
        ("", "Requests are never reset."),
    ),
    Player: (
        ("career_points", ""),
        ("points_best_week", ""),
        ("", "A player plays every day."),
        ("", "Points are for life."),
        ("", "The season's table is made elsewhere."),
        ("season_points", ""),
        ("points_this_season", ""),
        ("", "The points of the running season."),
        ("", "Points reset at the end of every season."),
        ("", "A player gets a bonus each week."),
        ("", "Points are given for each week in which the player wins."),
        ("", "Points are read at the end of the season by a job that empties them all."),
    ),
    Votes: (
        ("", "A poll is open for a week."),
        ("", "A reader may answer once a day."),
        ("", "The poll of today is on the front page."),
        ("", "Answers are final."),
        ("", "Polls are made anew each week, with an id of their own."),
        ("", "A new poll begins every Monday."),
    ),
}
