from __future__ import annotations

import pytest

from tests.harness.desk import played

DEEP: dict = {}
_inner = DEEP
for _ in range(5000):
    _inner["x"] = {}
    _inner = _inner["x"]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (("get_order", {"order_id": "O-1"}, object()), "with an id of type object"),
        ((["get_order"], {}, None), "by a name of type list"),
        (("get_order", {"order_id": 10**5000}, None), "arguments that are no JSON"),
        (("get_order", DEEP, None), "arguments that are no JSON"),
    ],
)
def test_what_cant_be_read_is_the_agents_failure(tmp_path, asked, text):
    def agent(message, session):
        session.call_tool(*asked)
        return "Hello."

    episode = played(tmp_path, agent, "Hi.")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert text in episode.end.text


def test_an_id_may_be_a_number(tmp_path):
    def agent(message, session):
        session.call_tool("get_order", {"order_id": "O-1"}, 7)
        return "It is paid."

    (call,) = played(tmp_path, agent, "Hi.").calls
    assert call.id == "7"


def test_what_the_agent_does_to_its_session_is_its_own_affair(tmp_path):
    def agent(message, session):
        session.history = None
        session.notes.append(object())
        session.notes.append("cached")
        return "Hello."

    episode = played(tmp_path, agent, "Hi.", "And you?")
    assert episode.end.kind == "script_done"
    assert [note for note in episode.notes if note == "cached"] == ["cached", "cached"]
    assert all(isinstance(note, str) for note in episode.notes)
