"""Whether a recorded message fits another talk: one kind of misfit after the other, and what fits all the same."""

from dataclasses import dataclass, field

import pytest

from harness.cli.replaying import setting_of
from harness.model.episode import Message
from harness.replay.fit.signs import fitting
from harness.replay.reading import read
from harness.users.recognise import recognise
from tests.harness.replay.shop import Turn, bundle_of, recording_of


@dataclass
class View:
    replies: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    sandbox: object = None
    outcome: str = "open"

    def value(self, path):
        return self.sandbox.value(path)


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    return setting_of(bundle_of(tmp_path_factory.mktemp("shop")))


def fit(setting, then, said, now, calls=(), done=(), first="I want to cancel an order."):
    """Whether `said`, an answer to `then`, fits where the agent says `now`. `calls`: what came of it on record; `done`:
    what the agent has called by now.
    """
    talk = read(recording_of((Turn(first, (), then), Turn(said, calls, "Done.")), setting), setting)
    sandbox = talk.opening.open()
    made = [sandbox.call(tool, arguments, turn=1) for tool, arguments in done]
    heard = recognise(now, talk.book)
    reply = Message("agent", now, 1, asks=heard.asks, refusal=heard.refusal)
    return fitting(talk, setting)(talk.turns[1], View([reply], made, sandbox), [now])


CANCEL = ("cancel_order", {"order_id": "O-1"})


@pytest.mark.parametrize(
    ("then", "said", "now"),
    [
        ("What is your order number?", "It is O-1.", "What is your order number?"),
        ("What is your order number?", "It is O-1.", "Sure. Could you tell me the order number, please?"),
        ("Shall I cancel order O-1?", "Yes, please.", "Order O-1 is paid. Do you want me to cancel it?"),
        ("Order O-1 is paid.", "And when does it arrive?", "It is paid and ready to go."),
        ("It is cancelled.", "Thanks, bye!", "Done, it is cancelled."),
        ("It is cancelled. Anything else?", "No, thanks.", "It is cancelled. Is there anything else?"),
        ("I can't do that.", "Then cancel O-2 instead.", "I'm sorry, I can't do that."),
        ("你的订单号是多少？", "O-1。", "请问您的订单号是多少？"),
    ],
)
def test_it_fits(setting, then, said, now):
    found = fit(setting, then, said, now, (CANCEL,) if "O-1" in said else ())
    assert found.fits, found


@pytest.mark.parametrize(
    ("then", "said", "now", "reason"),
    [
        ("What is your order number?", "It is O-1.", "I see.", "slot_not_asked"),
        ("What is your order number?", "It is O-1.", "What is your e-mail address?", "slot_not_asked"),
        ("Shall I cancel it?", "Yes, please.", "I see.", "yes_to_nothing"),
        ("Shall I cancel it?", "No.", "What is your order number?", "yes_to_nothing"),
        ("Shall I cancel the order?", "Yes.", "Shall I hand you over to a colleague?", "yes_to_nothing"),
        ("Shall I take off 49.90?", "Yes.", "Shall I take off 20.00?", "absent_from_talk"),
        ("It costs 12.50 to send.", "Why is it 12.50?", "It costs nothing to send.", "absent_from_talk"),
        (
            "Do you prefer a voucher or a repair?", "I'd take the voucher.", "Do you prefer a repair or a new one?",
            "absent_from_talk",
        ),
        (
            "We will send a courier tomorrow.", "You said you would send a courier, who is it?", "I have noted it.",
            "absent_from_talk",
        ),
        ("I will look into it.", "Please do, and hurry.", "What is your e-mail address?", "left_open"),
        ("Of course.", "It is about O-1.", "I'm sorry, I can't cancel orders.", "closed"),
    ],
)  # fmt: skip
def test_it_does_not_fit(setting, then, said, now, reason):
    found = fit(setting, then, said, now, (CANCEL,) if "O-1" in said else ())
    assert (found.fits, found.reason) == (False, reason)
    assert found.why
    assert found.quote


def test_what_is_done_already_is_not_asked_for_again(setting):
    found = fit(setting, "Which one?", "Cancel O-1.", "Which one?", (CANCEL,), (CANCEL,))
    assert (found.reason, found.quote) == ("already_done", "Cancel O-1.")
    assert fit(setting, "Which one?", "Cancel O-1.", "Which one?", (CANCEL,)).fits


def test_it_is_done_too_if_another_call_has_left_the_state_so(setting):
    note = ("set_note", {"order_id": "O-1", "note": "ring twice"})
    found = fit(setting, "Which one?", "Note on O-1: ring twice.", "Which one?", (note,), (note,))
    assert found.reason == "already_done"


def test_after_a_hand_over_nothing_fits(setting):
    handed = ("hand_over", {"summary": "cancel"})
    found = fit(setting, "Which one?", "O-1.", "A colleague will write to you.", (CANCEL,), (handed,))
    assert (found.reason, found.quote) == ("closed", "A colleague will write to you.")


def test_a_call_that_failed_has_closed_nothing(setting):
    found = fit(setting, "Which one?", "O-2.", "Which one?", (), (("cancel_order", {"order_id": "O-2"}),))
    assert found.fits
