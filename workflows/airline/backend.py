"""The airline behind the service desk: what its tools do.

A tool checks what its own work needs and no more. Whether a user is entitled to something, and agreed to it, is the
agent's to know from the policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools_sandbox import Sandbox, Table, reads, tool, writes

from . import calculator, schedule
from .airports import CITIES
from .editions import EDITIONS, Tau, Told
from .payment import pay_booking, pay_change
from .start_state import start_state
from .tables import (
    Amount,
    Cabin,
    ChosenFlight,
    ChosenFlights,
    Flight,
    Passengers,
    Payments,
    Reservation,
    Segment,
    System,
    TripType,
    User,
    YesNo,
)

PRICE_OF_A_BAG, PRICE_OF_INSURANCE = 50, 30
"""In US dollars: of each bag that is not free, and of a passenger's insurance."""


class Airline(Sandbox):
    """An airline's reservation system."""

    flights: Table[Flight]
    users: Table[User]
    reservations: Table[Reservation]
    systems: Table[System]

    @classmethod
    def start(cls) -> dict[str, dict[str, Any]]:
        """The state that every conversation starts from."""
        return start_state()

    @tool(reads, proves="user_id")
    def get_user_details(self, user_id: str) -> Told:
        """Get the details of a user, including their reservations.

        Args:
            user_id: The user id, such as 'sara_doe_496'.
        """
        return self._edition.user(self._user(user_id))

    @tool(reads)
    def get_reservation_details(self, reservation_id: str) -> Told:
        """Get the details of a reservation.

        Args:
            reservation_id: The reservation id, such as '8JX2WO'.
        """
        return self._edition.reservation(self._reservation(reservation_id))

    @tool(reads)
    def list_all_airports(self) -> Mapping[str, str] | list[Told]:
        """List all airports and their cities."""
        return self._edition.airports(CITIES)

    @tool(reads)
    def search_direct_flight(self, origin: str, destination: str, date: str) -> list[Told]:
        """Search direct flights between two cities on a specific date.

        Args:
            origin: The origin city airport in three letters, such as 'JFK'.
            destination: The destination city airport in three letters, such as 'LAX'.
            date: The date of the flight in the format 'YYYY-MM-DD', such as '2024-01-01'.
        """
        return schedule.direct(self.flights.values(), origin, destination, date, self._edition)

    @tool(reads)
    def search_onestop_flight(self, origin: str, destination: str, date: str) -> list[list[Told]]:
        """Search flights with one stop between two cities on a specific date.

        Args:
            origin: The origin city airport in three letters, such as 'JFK'.
            destination: The destination city airport in three letters, such as 'LAX'.
            date: The date of the first flight in the format 'YYYY-MM-DD', such as '2024-05-01'.
        """
        return schedule.one_stop(self.flights.values(), origin, destination, date, self._edition)

    @tool(reads)
    def get_flight_status(self, flight_number: str, date: str) -> str:
        """Get the status of a flight.

        Args:
            flight_number: The flight number, such as 'HAT001'.
            date: The date of the flight in the format 'YYYY-MM-DD', such as '2024-05-01'.
        """
        flight = self._flight(flight_number)
        if date not in flight.dates:
            raise self._edition.not_sold(flight, date)
        return flight.dates[date]["status"]

    @tool(writes, needs=("identity", "consent"))
    def book_reservation(
        self,
        user_id: str,
        origin: str,
        destination: str,
        flight_type: TripType,
        cabin: Cabin,
        flights: ChosenFlights,
        passengers: Passengers,
        payment_methods: Payments,
        total_baggages: int,
        nonfree_baggages: int,
        insurance: YesNo,
    ) -> dict[str, Any]:
        """Book a reservation.

        Args:
            user_id: The user to book for, such as 'sara_doe_496'.
            origin: The IATA code of the origin city, such as 'SFO'.
            destination: The IATA code of the destination city, such as 'JFK'.
            flights: Every flight of the trip, in order.
            passengers: Everybody who flies.
            payment_methods: Ids stored in the user's profile, such as 'gift_card_7815826', and what each of them pays.
            total_baggages: The number of bags included in the reservation.
            nonfree_baggages: How many of them are not free.
        """
        user = self._user(user_id)
        segments = [self._booked(chosen, cabin, len(passengers)) for chosen in flights]
        price = sum(segment["price"] for segment in segments) * len(passengers) + PRICE_OF_A_BAG * nonfree_baggages
        if insurance == "yes":
            price += PRICE_OF_INSURANCE * len(passengers)
        left = pay_booking(user, payment_methods, price, self._edition)
        reservation = self.reservations.insert(
            Reservation(
                reservation_id=self._free_reservation_id(),
                user_id=user_id,
                origin=origin,
                destination=destination,
                flight_type=flight_type,
                cabin=cabin,
                flights=segments,
                passengers=self._edition.passengers(passengers),
                payment_history=self._edition.payments(payment_methods),
                created_at=self.clock.strftime("%Y-%m-%dT%H:%M:%S"),
                total_baggages=total_baggages,
                nonfree_baggages=nonfree_baggages,
                insurance=insurance,
            )
        )
        self.users.update(user_id, payment_methods=left, reservations=[*user.reservations, reservation.reservation_id])
        return self._edition.reservation(reservation)

    @tool(writes, needs=("identity", "consent"))
    def update_reservation_flights(
        self, reservation_id: str, cabin: Cabin, flights: ChosenFlights, payment_id: str
    ) -> dict[str, Any]:
        """Update the flights or the cabin of a reservation.

        Args:
            reservation_id: The reservation id, such as 'ZFA04Y'.
            flights: Every flight of the ENTIRE new reservation, in order: those that stay the same too.
            payment_id: What the difference is paid with or refunded to: an id stored in the user's profile, such as
                'credit_card_7815826' or 'gift_card_7815826'.
        """
        reservation = self._reservation(reservation_id)
        seats = len(reservation.passengers)
        kept = {(old["flight_number"], old["date"]): old for old in reservation.flights if cabin == reservation.cabin}
        segments = [
            self._segment(chosen, old["price"], old["origin"], old["destination"])
            if (old := kept.get((chosen["flight_number"], chosen["date"])))
            else self._booked(chosen, cabin, seats)
            for chosen in flights
        ]
        price = sum(new["price"] for new in segments) - sum(old["price"] for old in reservation.flights)
        self._pay_change(reservation, payment_id, price * seats)
        named = cabin if self._edition.writes_cabin else reservation.cabin
        return self._edition.reservation(self.reservations.update(reservation_id, cabin=named, flights=segments))

    @tool(writes, needs=("identity", "consent"))
    def update_reservation_baggages(
        self, reservation_id: str, total_baggages: int, nonfree_baggages: int, payment_id: str
    ) -> dict[str, Any]:
        """Update the bags of a reservation.

        Args:
            reservation_id: The reservation id, such as 'ZFA04Y'.
            total_baggages: The new number of bags included in the reservation.
            nonfree_baggages: How many of them are not free.
            payment_id: What they are paid with: an id stored in the user's profile, such as 'credit_card_7815826' or
                'gift_card_7815826'.
        """
        reservation = self._reservation(reservation_id)
        more = max(0, nonfree_baggages - reservation.nonfree_baggages)
        self._pay_change(reservation, payment_id, PRICE_OF_A_BAG * more)
        bags = {"total_baggages": total_baggages, "nonfree_baggages": nonfree_baggages}
        return self._edition.reservation(self.reservations.update(reservation_id, **bags))

    @tool(writes, needs=("identity", "consent"))
    def update_reservation_passengers(self, reservation_id: str, passengers: Passengers) -> dict[str, Any]:
        """Update the passengers of a reservation; their number stays the same.

        Args:
            reservation_id: The reservation id, such as 'ZFA04Y'.
            passengers: Everybody who flies from now on.
        """
        if len(passengers) != len(self._reservation(reservation_id).passengers):
            raise self._edition.no("number of passengers does not match")
        return self._edition.reservation(
            self.reservations.update(reservation_id, passengers=self._edition.passengers(passengers))
        )

    @tool(writes, needs=("identity", "consent"))
    def cancel_reservation(self, reservation_id: str) -> dict[str, Any]:
        """Cancel the whole reservation.

        Args:
            reservation_id: The reservation id, such as 'ZFA04Y'.
        """
        paid = self._reservation(reservation_id).payment_history
        history = [*paid, *({**payment, "amount": -payment["amount"]} for payment in paid)]
        return self._edition.reservation(
            self.reservations.update(reservation_id, payment_history=history, status="cancelled")
        )

    @tool(writes, needs=("identity",))
    def send_certificate(self, user_id: str, amount: Amount) -> str:
        """Send a certificate to a user. Be careful!

        Args:
            user_id: The user, such as 'sara_doe_496'.
            amount: What the certificate is worth, in US dollars.
        """
        methods = self._user(user_id).payment_methods
        number = 3221322
        while (payment_id := f"certificate_{number}") in methods:
            number += 1
        certificate = {"source": "certificate", "amount": amount, "id": payment_id}
        self.users.update(user_id, payment_methods={**methods, payment_id: certificate})
        return f"Certificate {payment_id} added to user {user_id} with amount {amount}."

    @tool(reads)
    def calculate(self, expression: str) -> float:
        """Calculate the result of a mathematical expression.

        Args:
            expression: Such as '2 + 2'. It can contain numbers, operators (+, -, *, /), parentheses, and spaces.
        """
        return calculator.calculate(expression)

    @tool(reads)
    def think(self, thought: str) -> str:
        """Think about something. It obtains no new information and changes nothing.

        Args:
            thought: A thought to think about.
        """
        return ""

    @tool(writes, ends="escalated")
    def transfer_to_human_agents(self, summary: str) -> str:
        """Transfer the user to a human agent. Only transfer if the user explicitly asks for a human agent, or if the
        user's issue cannot be resolved by the agent with the available tools.

        Args:
            summary: A summary of the user's issue.
        """
        return "Transfer successful"

    @property
    def _edition(self) -> Tau:
        return EDITIONS[self.systems["airline"].edition]

    def _user(self, user_id: str) -> User:
        if user_id not in self.users:
            raise self._edition.missing("user", user_id)
        return self.users[user_id]

    def _reservation(self, reservation_id: str) -> Reservation:
        if reservation_id not in self.reservations:
            raise self._edition.missing("reservation", reservation_id)
        return self.reservations[reservation_id]

    def _flight(self, flight_number: str) -> Flight:
        if flight_number not in self.flights:
            raise self._edition.no(f"flight {flight_number} not found")
        return self.flights[flight_number]

    def _booked(self, chosen: ChosenFlight, cabin: Cabin, seats: int) -> Segment:
        """A flight at today's price. Raises ToolError if it has too few seats to sell."""
        number, date = chosen["flight_number"], chosen["date"]
        flight = self._flight(number)
        if not schedule.is_sold(flight, date):
            raise self._edition.not_sold(flight, date)
        day = flight.dates[date]
        if day["available_seats"][cabin] < seats:
            raise self._edition.no(f"not enough seats on flight {number}")
        return self._segment(chosen, day["prices"][cabin], flight.origin, flight.destination)

    def _segment(self, chosen: ChosenFlight, price: int, origin: str, destination: str) -> Segment:
        return self._edition.segment({**chosen, "price": price, "origin": origin, "destination": destination})

    def _pay_change(self, reservation: Reservation, payment_id: str, price: Amount) -> None:
        """Take the price of a change with one payment method, or give it back. Raises ToolError."""
        left = pay_change(self._user(reservation.user_id), payment_id, price, self._edition)
        if price:
            history = [*reservation.payment_history, {"payment_id": payment_id, "amount": price}]
            self.users.update(reservation.user_id, payment_methods=left)
            self.reservations.update(reservation.reservation_id, payment_history=history)

    def _free_reservation_id(self) -> str:
        last = "T"
        while (reservation_id := f"HATHA{last}") in self.reservations:
            last = chr(ord(last) + 1)
        return reservation_id
