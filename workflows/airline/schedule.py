"""Looking for flights with seats to sell: direct ones, and pairs with one stop."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any

from .tables import Flight

Offer = dict[str, Any]
"""A flight as it is sold on a date: where and when it goes, its status, seats and prices by cabin."""


def direct(flights: Collection[Flight], origin: str, destination: str, day: str) -> list[Offer]:
    """The flights between two airports that can be booked for a date, in the order of the table."""
    return [
        _offer(flight, day)
        for flight in flights
        if flight.origin == origin and flight.destination == destination and is_sold(flight, day)
    ]


def one_stop(flights: Collection[Flight], origin: str, destination: str, day: str) -> list[list[Offer]]:
    """Pairs of flights that can be booked, the second leaving the airport where the first lands, on that day and not
    before. Its seats and prices are told as of the first flight's date, even where it leaves on the day after: so the
    airline of the recordings does.
    """
    found = []
    for first in flights:
        if first.origin != origin or not is_sold(first, day):
            continue
        landing = first.scheduled_arrival_time_est
        landing_day = _day_after(day) if landing.endswith("+1") else day
        found += [
            [{**_offer(first, day), "date": day}, {**_offer(second, day), "date": landing_day}]
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


def _offer(flight: Flight, day: str) -> Offer:
    return {**{name: value for name, value in flight if name != "dates"}, **flight.dates[day]}
