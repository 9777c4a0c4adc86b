"""How a conversation came out, told from its calls and words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.model.episode import Message
from harness.model.expect import Outcome
from tools_sandbox.call import Call

_THANKS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|thanks?|thank you|thx|cheers|great|perfect|fine|bye|goodbye|good ?bye|all right|got it"
    r"|very much|a lot|so much|then|for your help|have a (?:nice|good|great) (?:day|one)"
    r"|gracias|muchas|vale|perfecto|de acuerdo|adi[oó]s|hasta luego|por (?:su|tu) ayuda"
    r"|谢谢|好的|好吧|再见|多谢|感谢|你|您)\W*)+",
    re.IGNORECASE,
)
"""A message that asks for nothing: thanks, agreement, good-bye, alone or together."""


def outcome(calls: Sequence[Call], messages: Sequence[Message], stated: Outcome | None, *, finished: bool) -> Outcome:
    """The outcome: the mark of the last successful call that has one; else what the last reply states; else `refused`
    if the last answer to a request is a refusal; else `resolved` if the talk is finished, else `open`.

    `finished`: it ended with no ask open and no line waiting.
    """
    for call in reversed(calls):
        if call.ok and call.ends:
            return call.ends  # type: ignore[return-value]
    if stated is not None:
        return stated
    if _refused(calls, messages):
        return "refused"
    return "resolved" if finished else "open"


def _refused(calls: Sequence[Call], messages: Sequence[Message]) -> bool:
    idle = {message.turn for message in messages if message.role == "user" and _THANKS.fullmatch(message.text)}
    answers = [message for message in messages if message.role == "agent" and message.turn not in idle]
    if not answers:
        return False
    last = answers[-1].turn
    # "I can't pay it to another card, but I have refunded it to yours" is no refusal: something was done.
    done = any(call.ok and call.changes for call in calls if call.turn == last)
    return not done and any(message.refusal for message in answers if message.turn == last)
