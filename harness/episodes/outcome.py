"""How a conversation came out, told from its calls and words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from harness.model.episode import Message
from harness.model.expect import Outcome
from tools_sandbox.call import Call

_THANKS = re.compile(
    r"\b(?:thanks?|thank you|thx|cheers|bye|goodbye|gracias|adi[oó]s|hasta luego)\b|谢谢|多谢|感谢|再见", re.IGNORECASE
)
_REQUEST = re.compile(
    r"[?？¿]|\b(?:please|want|need|can|could|would|will|instead|but|por favor|quiero|necesito|puede|pero)\b"
    r"|请|想|要|但",
    re.IGNORECASE,
)
_AGREEMENT = re.compile(
    r"\W*(?:(?:ok(?:ay)?|all right|fine|great|perfect|i see|vale|de acuerdo|perfecto|好的?|行)\W*)+", re.IGNORECASE
)


def asks_for_nothing(text: str) -> bool:
    """Whether a user's message only thanks, agrees or says good-bye."""
    return _AGREEMENT.fullmatch(text) is not None or bool(_THANKS.search(text) and not _REQUEST.search(text))


def outcome(
    calls: Sequence[Call],
    messages: Sequence[Message],
    stated: Outcome | None,
    *,
    finished: bool,
    may_change: Collection[str] = (),
) -> Outcome:
    """The outcome: the mark of the last successful call that has one; else what the last reply states; else `refused`
    if the last answer to a request is a refusal; else `resolved` if the talk is finished, else `open`.

    `finished`: it ended with no ask open and no line waiting. `may_change`: the state that any episode may touch; who
    touches nothing else has done nothing, so that a note about a refusal leaves it one.
    """
    for call in reversed(calls):
        if call.ok and call.ends:
            return call.ends
    if stated is not None:
        return stated
    if _refused(calls, messages, may_change):
        return "refused"
    return "resolved" if finished else "open"


def _refused(calls: Sequence[Call], messages: Sequence[Message], may_change: Collection[str]) -> bool:
    if not any(message.refusal for message in messages):
        return False
    idle = {message.turn for message in messages if message.role == "user" and asks_for_nothing(message.text)}
    answers = [message for message in messages if message.role == "agent" and message.turn not in idle]
    if not answers:
        return False
    last = answers[-1].turn
    # "I can't pay it to another card, but I have refunded it to yours" is no refusal: something was done.
    done = any(call.alters(may_change) and not call.proof for call in calls if call.turn == last)
    return not done and any(message.refusal for message in answers if message.turn == last)
