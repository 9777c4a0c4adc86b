"""The two editions of the airline, τ-bench's and τ²-bench's: what they tell of the same rows, and where they act
differently. Which one answers is written in the state, so that every recording is answered as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools_sandbox import ToolError

from .tables import Day, Flight, Passengers, Payments, Reservation, Segment, User

Told = dict[str, Any]

_SEGMENT = ("flight_number", "origin", "destination", "date", "price")
_PASSENGER = ("first_name", "last_name", "dob")
_PAYMENT = ("payment_id", "amount")


class Tau:
    """The airline of τ-bench. It keeps what it is sent as it came, unknown members and all."""

    writes_cabin = False
    """Whether a reservation whose cabin is changed names the new one from then on."""
    knows_landing_day = False
    """Whether seats and prices of a second flight are those of the day on which it leaves, not of the first one's."""

    def no(self, text: str) -> ToolError:
        """A tool's no."""
        return ToolError(f"Error: {text}")

    def missing(self, what: str, key: str) -> ToolError:
        """The no to a key that no row has."""
        return self.no(f"{what} not found")

    def not_sold(self, flight: Flight, date: str) -> ToolError:
        """The no to a flight that can't be booked for a date."""
        return self.no(f"flight {flight.flight_number} not available on date {date}")

    def airports(self, cities: Mapping[str, str]) -> Mapping[str, str] | list[Told]:
        """All airports with their cities."""
        return cities

    def segment(self, segment: Segment) -> Segment:
        """A flight of a reservation, as it is kept."""
        return segment

    def passengers(self, sent: Passengers) -> Passengers:
        """Passengers, as they are kept."""
        return sent

    def payments(self, sent: Payments) -> Payments:
        """Payments, as they are kept."""
        return sent

    def user(self, user: User) -> Told:
        """A user's profile."""
        return {name: value for name, value in user if name != "user_id"}

    def reservation(self, reservation: Reservation) -> Told:
        """A reservation; it has a status once it is cancelled."""
        return {name: value for name, value in reservation if name != "status" or value is not None}

    def offer(self, flight: Flight, day: Day, date: str | None) -> Told:
        """A flight that can be booked; the date is told where one is given."""
        route = {name: value for name, value in flight if name != "dates"}
        return {**route, **day, **({} if date is None else {"date": date})}


class Tau2(Tau):
    """The airline of τ²-bench. Its records have the members of their types, in that order."""

    writes_cabin = True
    knows_landing_day = True

    def no(self, text: str) -> ToolError:
        """A tool's no."""
        return super().no(text[:1].upper() + text[1:])

    def missing(self, what: str, key: str) -> ToolError:
        """The no to a key that no row has."""
        return self.no(f"{what} {key} not found")

    def not_sold(self, flight: Flight, date: str) -> ToolError:
        """The no to a flight that can't be booked for a date."""
        if date in flight.dates:
            return super().not_sold(flight, date)
        return self.no(f"flight {flight.flight_number} not found on date {date}")

    def airports(self, cities: Mapping[str, str]) -> Mapping[str, str] | list[Told]:
        """All airports with their cities."""
        return [{"iata": code, "city": city} for code, city in cities.items()]

    def segment(self, segment: Segment) -> Segment:
        """A flight of a reservation, as it is kept."""
        kept: Segment = _only([segment], _SEGMENT)[0]
        return kept

    def passengers(self, sent: Passengers) -> Passengers:
        """Passengers, as they are kept."""
        return _only(sent, _PASSENGER)

    def payments(self, sent: Payments) -> Payments:
        """Payments, as they are kept."""
        return _only(sent, _PAYMENT)

    def user(self, user: User) -> Told:
        """A user's profile."""
        state = {"state" if name == "province" else name: value for name, value in user.address.items()}
        methods = {
            key: {"source": method["source"], "id": method["id"], "amount": float(method["amount"])}
            if "amount" in method
            else _only([method], ("source", "id", "brand", "last_four"))[0]
            for key, method in user.payment_methods.items()
        }
        return {**dict(user), "address": state, "payment_methods": methods}

    def reservation(self, reservation: Reservation) -> Told:
        """A reservation."""
        return {**dict(reservation), "flights": _only(reservation.flights, _SEGMENT)}

    def offer(self, flight: Flight, day: Day, date: str | None) -> Told:
        """A flight that can be booked; the date is told where one is given."""
        return {
            "flight_number": flight.flight_number,
            "origin": flight.origin,
            "destination": flight.destination,
            "status": day["status"],
            "scheduled_departure_time_est": flight.scheduled_departure_time_est,
            "scheduled_arrival_time_est": flight.scheduled_arrival_time_est,
            "date": date,
            "available_seats": day["available_seats"],
            "prices": day["prices"],
        }


def _only(records: Sequence[Any], members: Sequence[str]) -> list[Any]:
    return [{name: record[name] for name in members} for record in records]


EDITIONS: Mapping[str, Tau] = {"tau": Tau(), "tau2": Tau2()}
