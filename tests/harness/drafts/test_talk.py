from __future__ import annotations

from harness.drafts.talk import user_side, word_for_word
from tests.harness.desk import played

EMAIL = "ana@example.com"


def scripted(*replies):
    """An agent that says these, one a turn; a reply may be a call (tool, arguments) and a text."""
    left = list(replies)

    def agent(message, session):
        *calls, text = left.pop(0)
        for tool, arguments in calls:
            session.call_tool(tool, arguments, None)
        return text

    return agent


def drafted(folder, agent, *turns):
    """What the user of a draft knows and says; every line here goes out whatever was asked."""
    lines = [f"{{say: {text!r}, now: {{}}}}" for text in turns]
    return user_side(played(folder, agent, turns[0], *lines[1:]))


GET = ("get_order", {"order_id": "O-1"})


def test_answers_become_facts(tmp_path):
    agent = scripted(["What is your order number?"], [GET, "It is paid."])
    assert drafted(tmp_path, agent, "Where is my order?", "It's O-1.") == {
        "knows": {"order_id": "O-1"},
        "turns": ["Where is my order?"],
    }


def test_a_fact_that_is_told_anew_goes_out_at_once(tmp_path):
    agent = scripted([GET, "Order O-1 is paid."], [("get_order", {"order_id": "O-2"}), "It is shipped."])
    assert drafted(tmp_path, agent, "Where is O-1?", "Sorry, I mean O-2.") == {
        "knows": {"order_id": "O-1"},
        "turns": ["Where is O-1?", {"say": "Sorry, I mean O-2.", "now": {"order_id": "O-2"}}],
    }


def test_a_yes_to_a_proposal_is_left_to_the_stance(tmp_path):
    cancel = ("cancel_order", {"order_id": "O-1"})
    agent = scripted(["Shall I cancel order O-1?"], [cancel, "Cancelled."])
    assert drafted(tmp_path, agent, "Cancel O-1.", "Yes, please.")["turns"] == ["Cancel O-1."]


def test_what_no_fact_answers_is_said_as_it_was(tmp_path):
    agent = scripted(["Is the parcel open?"], ["I see."])
    assert drafted(tmp_path, agent, "Where is it?", "I did not look.") == {
        "turns": ["Where is it?", {"say": "I did not look.", "now": {}}]
    }


def test_an_answer_that_no_call_shows_as_a_fact_is_kept_in_the_users_words(tmp_path):
    agent = scripted(["Why do you want to know?"], ["I see."])
    assert drafted(tmp_path, agent, "Where is it?", "I am curious.") == {
        "answers": {"reason": {"say": "I am curious."}},
        "turns": ["Where is it?"],
    }


def test_word_for_word_every_message_goes_out_whatever_is_asked(tmp_path):
    agent = scripted(["What is your order number?"], [GET, "It is paid."], ["You are welcome."])
    episode = played(tmp_path, agent, "Where is it?", "{say: O-1., now: {}}", "{say: Thanks., now: {}}")
    assert word_for_word(episode) == {
        "knows": {"order_id": "O-1"},
        "turns": ["Where is it?", {"say": "O-1.", "now": {"order_id": "O-1"}}, {"say": "Thanks.", "now": {}}],
    }


def test_a_question_in_return_is_not_lost(tmp_path):
    agent = scripted(["What is your order number?"], [GET, "It is paid."])
    assert drafted(tmp_path, agent, "Where is it?", "It's O-1. When will it come?")["turns"][1] == {
        "say": "It's O-1. When will it come?",
        "now": {"order_id": "O-1"},
    }
