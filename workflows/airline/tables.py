"""The rows of the airline's tables: flights, users, reservations; and the records in them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from tools_sandbox import Row, as_written, private

Cabin = Literal["basic_economy", "economy", "business"]
TripType = Literal["one_way", "round_trip"]
YesNo = Literal["yes", "no"]
Amount = int | float
"""US dollars, as they were written: 50 stays 50, and 50.0 stays 50.0."""


class Day(TypedDict):
    """A flight on one date. Seats and prices, by cabin, are there as long as it is `available`."""

    status: Literal["available", "on time", "delayed", "cancelled", "flying", "landed"]
    available_seats: NotRequired[dict[Cabin, int]]
    prices: NotRequired[dict[Cabin, int]]
    actual_departure_time_est: NotRequired[str]
    actual_arrival_time_est: NotRequired[str]
    estimated_departure_time_est: NotRequired[str]
    estimated_arrival_time_est: NotRequired[str]


class Flight(Row):
    """A flight number, and what became of it day by day. Times are `HH:MM:SS`, with `+1` on the day after."""

    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: str
    scheduled_arrival_time_est: str
    dates: dict[str, Day]


@with_config(extra="ignore")
class ChosenFlight(TypedDict):
    """A flight on a date."""

    flight_number: str
    date: str


@with_config(extra="ignore")
class Segment(ChosenFlight):
    """A flight of a reservation. `price`: of one seat, when it was booked."""

    price: int
    origin: str
    destination: str


@with_config(extra="ignore")
class Passenger(TypedDict):
    """Who flies; `dob` is the date of birth, `YYYY-MM-DD`."""

    first_name: str
    last_name: str
    dob: str


@with_config(extra="ignore")
class Payment(TypedDict):
    """Money taken with a payment method of the user; given back, if below zero."""

    payment_id: str
    amount: Amount


class PaymentMethod(TypedDict):
    """A credit card; or a gift card or a travel certificate, with the amount that is left on it."""

    source: Literal["credit_card", "gift_card", "certificate"]
    id: str
    amount: NotRequired[Amount]
    brand: NotRequired[str]
    last_four: NotRequired[str]


PaymentMethods = dict[str, Annotated[PaymentMethod, as_written]]
"""By their ids."""
ChosenFlights = list[Annotated[ChosenFlight, as_written]]
Segments = list[Annotated[Segment, as_written]]
Passengers = list[Annotated[Passenger, as_written]]
Payments = list[Annotated[Payment, as_written]]


class User(Row):
    """A customer with an account."""

    user_id: str
    name: dict[str, str]
    address: Annotated[dict[str, str], private(owner="user_id")]
    email: Annotated[str, private(owner="user_id")]
    dob: Annotated[str, private(owner="user_id")]
    payment_methods: PaymentMethods
    saved_passengers: Passengers
    membership: Literal["regular", "silver", "gold"]
    reservations: list[str]


class Reservation(Row):
    """A trip that was booked."""

    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: TripType
    cabin: Cabin
    flights: Segments
    passengers: Passengers
    payment_history: Payments
    created_at: str
    total_baggages: int
    nonfree_baggages: int
    insurance: YesNo
    status: Literal["cancelled"] | None = None


class System(Row):
    """The reservation system. `edition`: whose airline it answers as, τ-bench's or τ²-bench's."""

    system_id: Literal["airline"]
    edition: Literal["tau", "tau2"]
