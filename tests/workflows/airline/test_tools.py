"""What the airline's tools do, and what they say no to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workflows.airline.airline import bundle, end_state, opened, told

BOOKING = {
    "user_id": "ivan_muller_7015",
    "origin": "DTW",
    "destination": "SEA",
    "flight_type": "one_way",
    "cabin": "economy",
    "flights": [{"flight_number": "HAT097", "date": "2024-05-17"}, {"flight_number": "HAT251", "date": "2024-05-17"}],
    "passengers": [{"first_name": "Ivan", "last_name": "Smith", "dob": "1986-03-14"}],
    "payment_methods": [{"payment_id": "certificate_8998287", "amount": 375}],
    "total_baggages": 0,
    "nonfree_baggages": 0,
    "insurance": "no",
}
"""175 and 200 dollars a seat. The certificate is of 500, the gift card gift_card_8516878 of 128."""


@pytest.fixture
def airline():
    return opened()


def methods(airline):
    return airline.value("users.ivan_muller_7015.payment_methods")


def test_a_booking_uses_a_certificate_up_and_takes_from_a_gift_card(airline):
    made = airline.call("book_reservation", BOOKING, turn=1).result
    assert made["reservation_id"] == "HATHAT"
    assert made["created_at"] == "2024-05-15T15:00:00"
    assert "status" not in made
    assert "certificate_8998287" not in methods(airline)
    parts = [
        {"payment_id": "gift_card_8516878", "amount": 100},
        {"payment_id": "credit_card_3563913", "amount": 275},
    ]
    again = airline.call("book_reservation", {**BOOKING, "payment_methods": parts}, turn=1).result
    assert again["reservation_id"] == "HATHAU"
    assert methods(airline)["gift_card_8516878"]["amount"] == 28
    assert airline.value("users.ivan_muller_7015.reservations") == ["G72NSF", "HATHAT", "HATHAU"]


def test_insurance_costs_30_a_passenger_and_a_bag_that_is_not_free_50(airline):
    paid = [{"payment_id": "certificate_8998287", "amount": 455}]
    booking = {**BOOKING, "payment_methods": paid, "insurance": "yes", "total_baggages": 4, "nonfree_baggages": 1}
    assert airline.call("book_reservation", booking, turn=1).ok


@pytest.mark.parametrize(
    ("change", "no"),
    [
        ({"user_id": "nobody_0"}, "user not found"),
        ({"flights": [{"flight_number": "HAT999", "date": "2024-05-17"}]}, "flight HAT999 not found"),
        (
            {"flights": [{"flight_number": "HAT097", "date": "2024-06-17"}]},
            "flight HAT097 not available on date 2024-06-17",
        ),
        ({"cabin": "business", "passengers": BOOKING["passengers"] * 3}, "not enough seats on flight HAT097"),
        ({"payment_methods": [{"payment_id": "cash", "amount": 375}]}, "payment method cash not found"),
        (
            {"payment_methods": [{"payment_id": "gift_card_8516878", "amount": 375}]},
            "not enough balance in payment method gift_card_8516878",
        ),
        (
            {"payment_methods": [{"payment_id": "credit_card_3563913", "amount": 374.5}]},
            "payment amount does not add up, total price is 375, but paid 374.5",
        ),
    ],
)
def test_what_can_not_be_booked_is_said_and_leaves_no_trace(airline, change, no):
    assert told(airline, "book_reservation", {**BOOKING, **change}) == f"Error: {no}"
    assert end_state(airline) == []


def test_a_segment_that_stays_keeps_its_price_and_the_difference_goes_back_to_the_gift_card(airline):
    # HAT284 and HAT152 cost 161 and 192 when booked, HAT266 146 today; HAT112 stays at 184. Two passengers.
    flights = [{"flight_number": "HAT266", "date": "2024-05-19"}, {"flight_number": "HAT112", "date": "2024-05-27"}]
    change = {"reservation_id": "1N99U6", "cabin": "economy", "flights": flights, "payment_id": "gift_card_5634230"}
    made = airline.call("update_reservation_flights", change, turn=1).result
    assert [flight["price"] for flight in made["flights"]] == [146, 184]
    assert made["payment_history"][-1] == {"payment_id": "gift_card_5634230", "amount": -414}
    assert airline.value("users.james_taylor_7043.payment_methods.gift_card_5634230.amount") == 67 + 414


@pytest.mark.parametrize(
    ("payment_id", "no"),
    [
        ("gift_card_0", "payment method not found"),
        ("certificate_9380982", "certificate cannot be used to update reservation"),
        ("gift_card_5634230", "gift card balance is not enough"),
    ],
)
def test_what_a_change_can_not_be_paid_with(airline, payment_id, no):
    more = {"reservation_id": "1N99U6", "total_baggages": 3, "nonfree_baggages": 2, "payment_id": payment_id}
    assert told(airline, "update_reservation_baggages", more) == f"Error: {no}"
    assert end_state(airline) == []


def test_only_bags_that_are_not_free_and_were_not_there_before_are_paid_for(airline):
    bags = {"reservation_id": "1N99U6", "total_baggages": 2, "nonfree_baggages": 1, "payment_id": "gift_card_5634230"}
    assert airline.call("update_reservation_baggages", bags, turn=1).result["payment_history"][-1]["amount"] == 50
    once_more = airline.call("update_reservation_baggages", bags, turn=1)
    assert once_more.ok
    assert once_more.changes == []


def test_passengers_change_but_not_their_number(airline):
    one = {"first_name": "Omar", "last_name": "Rossi", "dob": "1970-06-06"}
    change = {"reservation_id": "FQ8APE", "passengers": [one, one]}
    assert told(airline, "update_reservation_passengers", change) == "Error: number of passengers does not match"
    assert airline.call("update_reservation_passengers", {**change, "passengers": [one]}, turn=1).ok


def test_a_cancelled_reservation_is_paid_back(airline):
    gone = airline.call("cancel_reservation", {"reservation_id": "FQ8APE"}, turn=1).result
    assert gone["status"] == "cancelled"
    assert [payment["amount"] for payment in gone["payment_history"]] == [161, -161]


def test_certificates_have_ids_of_their_own_and_amounts_as_they_were_written(airline):
    texts = [
        told(airline, "send_certificate", f'{{"user_id": "ivan_muller_7015", "amount": {n}}}') for n in ("50", "50.0")
    ]
    assert texts == [
        "Certificate certificate_3221322 added to user ivan_muller_7015 with amount 50.",
        "Certificate certificate_3221323 added to user ivan_muller_7015 with amount 50.0.",
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("get_user_details", {"user_id": "nobody_0"}, "Error: user not found"),
        ("get_reservation_details", {"reservation_id": "ZZZZZZ"}, "Error: reservation not found"),
        ("cancel_reservation", {"reservation_id": "ZZZZZZ"}, "Error: reservation not found"),
        ("get_flight_status", {"flight_number": "HAT001", "date": "2024-05-03"}, "cancelled"),
        ("get_flight_status", {"flight_number": "HAT0", "date": "2024-05-03"}, "Error: flight HAT0 not found"),
        (
            "get_flight_status",
            {"flight_number": "HAT001", "date": "2025-01-01"},
            "Error: flight HAT001 not available on date 2025-01-01",
        ),
        ("search_direct_flight", {"origin": "XXX", "destination": "SFO", "date": "2024-05-16"}, "[]"),
        ("search_onestop_flight", {"origin": "SFO", "destination": "JFK", "date": "tomorrow"}, "[]"),
        ("think", {"thought": "hm"}, ""),
        ("transfer_to_human_agents", {"summary": "a wish"}, "Transfer successful"),
    ],
)
def test_what_tools_say(airline, tool, arguments, text):
    assert told(airline, tool, arguments) == text


def test_the_airports_are_those_that_are_flown_to(airline):
    flights = bundle().start.rows["flights"].values()
    text = told(airline, "list_all_airports", {})
    assert set(json.loads(text)) == {flight.origin for flight in flights}
    assert text.startswith('{"SFO": "San Francisco", "JFK": "New York", "LAX": "Los Angeles", ')
    assert text.endswith(', "PHL": "Philadelphia", "LGA": "LaGuardia"}')


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2 + 2", "4.0"),
        (" (1.5 + 0.25) * -4 ", "-7.0"),
        ("466.75+285.66+135.24+46.66+193.38", "1127.69"),
        ("1 / 3", "0.33"),
        ("7 // 2 + 2 ** 3", "11.0"),
        ("1 / 0", "Error: division by zero"),
        ("10 % 3", "Error: invalid characters in expression"),
        ("__import__('os')", "Error: invalid characters in expression"),
        ("2 ** 9999999", "Error: (34, 'Numerical result out of range')"),
        ("", "Error: invalid syntax (<string>, line 0)"),
    ],
)
def test_the_calculator(airline, expression, text):
    assert told(airline, "calculate", {"expression": expression}) == text


@given(st.text("0123456789+-*/(). ", max_size=400))
def test_the_calculator_never_breaks(expression):
    call = opened().call("calculate", {"expression": expression}, turn=1)
    assert call.ok or call.error.kind == "refused"


def test_deep_parentheses_and_long_numbers_are_refused(airline):
    for expression in ("(" * 5000 + "1" + ")" * 5000, "9" * 400, "9" * 5000, "-" * 5000 + "1"):
        assert airline.call("calculate", {"expression": expression}, turn=1).error.kind == "refused"
