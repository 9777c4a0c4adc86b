"""Looking for flights with seats to sell: direct ones, and pairs with one stop."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from .editions import Tau, Told
from .tables import Flight


def direct(flights: Collection[Flight], origin: str, destination: str, day: str, edition: Tau) -> list[Told]:
    """The flights between two airports that can be booked for a date, in the order of the table."""
    return [
        edition.offer(flight, flight.dates[day], None)
        for flight in flights
        if flight.origin == origin and flight.destination == destination and is_sold(flight, day)
    ]


def one_stop(flights: Collection[Flight], origin: str, destination: str, day: str, edition: Tau) -> list[list[Told]]:
    """Pairs of flights that can be booked, the second leaving the airport where the first lands, on that day and not
    before.
    """
    found = []
    for first in flights:
        if first.origin != origin or not is_sold(first, day):
            continue
        landing = first.scheduled_arrival_time_est
        landing_day = _day_after(day) if landing.endswith("+1") else day
        told_of = landing_day if edition.knows_landing_day else day
        found += [
            [
                edition.offer(first, first.dates[day], day),
                edition.offer(second, second.dates[told_of], landing_day),
            ]
            for second in flights
            if second.origin == first.destination
            and second.destination == destination
            and second.scheduled_departure_time_est >= landing
            and is_sold(second, landing_day)
        ]
    return found


def is_sold(flight: Flight, day: str) -> bool:
    """Whether a flight can be booked for a date."""
    return day in flight.dates and flight.dates[day]["status"] == "available"


def _day_after(day: str) -> str:
    return str(date.fromisoformat(day) + timedelta(days=1))
