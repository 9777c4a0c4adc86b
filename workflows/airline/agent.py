"""The reference agent: a desk that cancels reservations by the rules, and hands everything else to a person.

It is a fixture, not a language model: it understands a few wordings and does one of the airline's jobs. On the other
families it fails, as it must; to see those played, take a model (`--agent openai:MODEL`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from harness import Session

from .cancelling import is_flown, may_be_cancelled

_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d+\b")
_RESERVATION_ID = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{6}\b")
_CANCEL = re.compile(r"\bcancel", re.IGNORECASE)
_YES = re.compile(r"^\s*(yes|sure|please do|go ahead)\b", re.IGNORECASE)

_WHO = "I can help with that. What is your user id?"
_WHY = "What is the reason for the cancellation?"
_OFFER = "Shall I cancel"
_HANDED_OVER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."


def build(session: Session) -> Desk:
    """A new desk for each conversation."""
    return Desk(session)


class Desk:
    """One conversation. It goes by what both have said, and by what was read so far, which it does not read again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._read = {_key(call.tool, call.arguments or {}): call.result for call in session.earlier}

    def reply(self, message: str) -> str:
        """What the desk says to a message of the user."""
        history = self._session.history
        said = " ".join([*(each.text for each in history if each.role == "user"), message])
        replies = [each.text for each in history if each.role == "agent"]
        if _HANDED_OVER in replies:
            return _HANDED_OVER
        profile = self._identify(said)
        if profile is None:
            return _WHO
        if replies and replies[-1].startswith(_OFFER) and _YES.search(message):
            return self._cancel(_RESERVATION_ID.findall(replies[-1]))
        if not _CANCEL.search(said):
            return self._hand_over(said)
        if _WHY not in replies:
            return _WHY
        offered = _RESERVATION_ID.findall(" ".join(each for each in replies if each.startswith(_OFFER)))
        named = dict.fromkeys(_RESERVATION_ID.findall(said) or profile["reservations"])
        return self._consider([each for each in named if each not in offered], said)

    def _identify(self, said: str) -> dict[str, Any] | None:
        named = _USER_ID.search(said)
        return None if named is None else self._look_up("get_user_details", user_id=named[0])

    def _consider(self, ids: Iterable[str], said: str) -> str:
        """Offer to cancel what may be cancelled, or say why nothing can."""
        offered, denied = [], []
        for reservation_id in ids:
            reservation = self._look_up("get_reservation_details", reservation_id=reservation_id)
            if reservation is None:
                denied.append(f"there is no reservation {reservation_id}")
                continue
            statuses = {
                self._look_up("get_flight_status", flight_number=flight["flight_number"], date=flight["date"])
                for flight in reservation["flights"]
            }
            if is_flown(statuses):
                denied.append(f"{reservation_id} has been flown in part")
            elif may_be_cancelled(reservation, statuses, said, self._session.clock):
                offered.append(reservation_id)
            else:
                denied.append(f"{reservation_id} can't be cancelled for this reason")
        if offered:
            return f"{_OFFER} {_reservations(offered)}?"
        return f"I'm sorry, I can't do that: {', '.join(denied) or 'there is nothing else to cancel'}."

    def _cancel(self, ids: Iterable[str]) -> str:
        done = [each for each in ids if self._call("cancel_reservation", reservation_id=each) is not None]
        if not done:
            return "I'm sorry, that did not work."
        return f"I have cancelled {_reservations(done)}. The refund comes within 5 to 7 business days."

    def _hand_over(self, summary: str) -> str:
        self._call("transfer_to_human_agents", summary=summary)
        return _HANDED_OVER

    def _look_up(self, tool: str, **arguments: str) -> Any:
        """What a reading call gives, now or when it was made before; None if it failed."""
        key = _key(tool, arguments)
        if key not in self._read:
            self._read[key] = self._call(tool, **arguments)
        return self._read[key]

    def _call(self, tool: str, **arguments: str) -> Any:
        """The result of a call; None if it failed."""
        call = self._session.call_tool(tool, arguments, None)
        return call.result if call.ok else None


def _key(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    return tool, json.dumps(arguments, sort_keys=True)


def _reservations(ids: Iterable[str]) -> str:
    """Reservations by name: `reservation A`, `reservations A, B and C`."""
    *others, last = ids
    return f"reservations {', '.join(others)} and {last}" if others else f"reservation {last}"
