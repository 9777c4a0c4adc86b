"""Recordings without personal data, in which equal values stay equal."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.material import Document
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.replay.scrub.nobodys import nobodys
from harness.replay.scrub.scrubber import Scrubber
from harness.store.secret_places import secret_places

KEY = b"a key for tests"
USER = {
    "user_id": "olivia_gonzalez_2305",
    "name": {"first_name": "Olivia", "last_name": "González"},
    "email": "olivia.gonzalez8435@example.com",
    "address": {"address1": "674 Maple Drive", "address2": "Suite 519", "city": "Houston", "zip": "76165"},
    "phone": "+1 202 555 0143",
    "dob": "1984-05-01",
    "card": {"card_number": "4111111111111111"},
    "membership": "gold",
}


def call(arguments, result, **told):
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return RecordedCall(
        "call_1", "get_user", raw, None if isinstance(arguments, str) else arguments, answered=True,
        told=json.dumps(result), result=result, **told,
    )  # fmt: skip


def recording(*messages, **told):
    found = [
        RecordedMessage("user" if isinstance(each, str) else "agent", each if isinstance(each, str) else None, 1, calls)
        for each in messages
        for calls in [() if isinstance(each, str) else tuple(each)]
    ]
    return Recording("rec-1", RecordingSource("messages", "talks.jsonl", "1"), found, **told)


def scrubbed(*messages, **told):
    return Scrubber(KEY).scrub(recording(*messages, **told))


def test_what_a_tool_tells_of_a_person_is_gone_everywhere_and_stays_equal():
    done = scrubbed(
        "I'm Olivia Gonzalez, well, GONZÁLEZ with an accent. Call 202-555-0143 or write to "
        "olivia.gonzalez8435@example.com",
        [call({"user_id": "olivia_gonzalez_2305"}, USER)],
        "Olivia's card 4111 1111 1111 1111 goes to 674 Maple Drive, Houston 76165; born 1984-05-01",
    )
    text = json.dumps(asdict(done), ensure_ascii=False)
    for gone in (
        "Olivia",
        "González",
        "olivia",
        "Gonzalez",
        "GONZÁLEZ",
        "8435",
        "555 0143",
        "555-0143",
        "4111 1111 1111",
        "Maple",
        "76165",
        "1984-05-01",
    ):
        assert gone not in text, gone
    (made,) = done.calls()
    first = made.result["name"]["first_name"]
    assert done.messages[0].text.startswith(f"I'm {first} ")
    assert made.result["name"]["last_name"].upper() in done.messages[0].text
    assert done.messages[2].text.startswith(f"{first}'s card 4")
    assert f"to {made.result['address']['address1']}, Houston {made.result['address']['zip']}" in done.messages[2].text
    assert made.result["email"] in done.messages[0].text
    assert made.arguments["user_id"] == made.result["user_id"]
    assert made.result["dob"] in done.messages[2].text
    assert re.sub(r"\D", "", made.result["phone"])[-10:] == re.sub(
        r"\D", "", re.search(r"Call ([\d-]+)", done.messages[0].text)[1]
    )
    assert (made.result["membership"], made.result["address"]["city"]) == ("gold", "Houston")
    assert json.loads(made.told) == made.result
    assert json.loads(made.raw) == made.arguments
    assert done.replaced["name"] >= 4
    assert done.replaced.keys() == {"address", "birth date", "card", "email", "id", "name", "phone"}


def test_values_written_as_json_writes_them():
    result = {"passengers": [{"first_name": "Zoë", "last_name": 'O\'Neill "Neo"'}]}
    done = scrubbed([call({"who": "Zoë"}, result)], "Zoë?")
    (made,) = done.calls()
    assert "Zo" not in made.told
    assert "\\u00eb" not in made.told
    assert json.loads(made.told) == made.result
    assert made.arguments["who"] == made.result["passengers"][0]["first_name"] == done.messages[1].text[:-1]


def test_broken_arguments_are_scrubbed_as_text_and_stay_broken():
    broken = '{"email": "ana@shop.example.org", "order_id": '
    (made,) = scrubbed([call(broken, "Error: ana@shop.example.org is not known", error="ana@shop.example.org")]).calls()
    assert made.arguments is None
    assert made.raw.endswith('", "order_id": ')
    assert "ana@" not in f"{made.raw}{made.told}{made.result}{made.error}"
    assert made.error in made.raw


def test_a_name_is_a_persons_only_where_the_rest_says_so():
    result = [
        {"name": "Blender", "price": 10},
        {"customer": {"name": "Max Mustermann"}},
        {"name": "Eva Ort", "email": "e@o.org"},
    ]
    (made,) = scrubbed([call({}, result)]).calls()
    assert made.result[0] == {"name": "Blender", "price": 10}
    assert "Max" not in made.told
    assert "Eva" not in made.told


def test_what_is_nobodys_is_kept():
    keeps = {"Olivia", "olivia_gonzalez_2305", "support@shop.example.org"}
    done = Scrubber(KEY, keeps=keeps).scrub(
        recording("Olivia here, not Ana; mail support@shop.example.org", [call({}, USER | {"contact_name": "Ana"})])
    )
    assert done.messages[0].text.startswith("Olivia here, not ")
    assert "Ana" not in done.messages[0].text
    assert "support@shop.example.org" in done.messages[0].text


def test_a_workflows_own_people_are_nobody():
    start = {"users": {"C-7": {"first_name": "Ana", "last_name": "Ruiz", "email": "ana@example.com", "pin": 765431}}}
    policy = Document("policy.md", "Write to help@shop.example.org or call +1 202 555 0111.")
    text = "my name is Ana Ruiz, ana@example.com; help@shop.example.org; not Ana Diaz, ana@example.org"
    scrubber = Scrubber(KEY, keeps=nobodys(start, [policy]))
    done = scrubber.scrub(recording(text, [call({}, start["users"]["C-7"])]))
    assert done.messages[0].text.startswith(
        "my name is Ana Ruiz, ana@example.com; help@shop.example.org; not Ana Diaz, "
    )
    assert "ana@example.org" not in done.messages[0].text
    assert next(done.calls()).result == start["users"]["C-7"]


def test_patterns_of_ones_own():
    done = Scrubber(KEY, [re.compile(r"C-\d+")]).scrub(
        recording("I am C-771, yes C-771, not C-772", [call({"c": "C-771"}, 1)])
    )
    one, two, three = re.findall(r"C-\d{3}|[A-Z]-\d{3}", done.messages[0].text)
    assert one == two == next(done.calls()).arguments["c"]
    assert three not in (one, "C-772")


def test_secrets_are_masked_and_counted():
    done = scrubbed("my key is sk-abcdefgh12345678 and the password: hunter2!x")
    assert "sk-abc" not in done.messages[0].text
    assert "hunter2" not in done.messages[0].text
    assert done.replaced == {"credential": 2}


@pytest.mark.parametrize(
    ("arguments", "raw"),
    [
        ({"password": {"old": "abc", "new": 123}}, '{"password": {"old": "abc", "new": 123}}'),
        ({"user": "ana", "password": "correct horse"}, None),
        ({"headers": {"Authorization": "Basic YW5hOmFuYQ=="}}, '{"headers": {"Authorization": "Basic YW5hOmFuYQ=="}}'),
        ({"argv": ["login", "--password", "correct horse"]}, '{"argv": ["login", "--password", "correct horse"]}'),
    ],
)  # fmt: skip
def test_a_secret_that_only_its_field_tells_is_masked_in_text_and_value_alike(arguments, raw):
    made = RecordedCall("c", "login", raw, arguments, answered=True, told=raw, result=arguments)
    done = scrubbed([made], snapshot={"sessions": {"s": arguments}}, labels={"api_key": "abc"})
    assert secret_places(done) == []
    (call_,) = done.calls()
    assert call_.arguments != arguments
    assert call_.result == call_.arguments == done.snapshot["sessions"]["s"]
    assert raw is None or json.loads(call_.raw) == json.loads(call_.told) == call_.arguments
    assert done.replaced["credential"] >= 2


def test_whole_numbers_rows_labels_and_keys():
    done = scrubbed(
        [call({"phone": 2025550143}, {"2025550143": {"phone": 2025550143, "orders": 3}})],
        snapshot={"users": {"ana@shop.example.org": {"email": "ana@shop.example.org"}}},
        labels={"reward": 1.0, "note": "ana@shop.example.org"},
        speaker="ana@shop.example.org",
    )
    (made,) = done.calls()
    assert isinstance(made.arguments["phone"], int)
    assert made.arguments["phone"] != 2025550143
    assert made.result == {str(made.arguments["phone"]): {"phone": made.arguments["phone"], "orders": 3}}
    assert done.snapshot["users"].keys() == {done.speaker}
    assert done.labels == {"reward": 1.0, "note": done.speaker}


def test_the_same_person_in_two_recordings_has_the_same_stand_in_and_another_key_gives_another():
    one, two = scrubbed([call({}, USER)]), scrubbed("Olivia", [call({}, USER)])
    assert next(one.calls()).result == next(two.calls()).result
    other = Scrubber(b"another").scrub(recording([call({}, USER)]))
    assert next(other.calls()).result["email"] != next(one.calls()).result["email"]


@given(st.emails(), st.text(max_size=40))
def test_whatever_is_around_it_an_address_of_mail_in_a_field_is_gone(email, around):
    done = scrubbed(f"{around} {email} {around}", [call({"email": email}, {"email": email})])
    (made,) = done.calls()
    assert made.arguments == made.result
    assert json.loads(made.raw) == made.arguments
    assert made.arguments["email"] != email


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_any_result_keeps_its_shape(value):
    (made,) = scrubbed([call({"value": value}, {"value": value})]).calls()
    assert type(made.result["value"]) is type(value)


def test_what_is_scrubbed_holds_nothing_to_scrub_but_stand_ins():
    done = scrubbed("call me on 2025550143", [call({}, USER)])
    again = Scrubber(KEY).scrub(done)
    assert again.replaced == done.replaced
