"""The reference agent: a desk that cancels reservations by the rules, and hands everything else to a person.

It is a fixture, not a language model: it understands a few wordings and does one of the airline's jobs. On the other
families it fails, as it must; to see those played, take a model (`--agent openai:MODEL`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from harness import Session

from .cancelling import is_flown, may_be_cancelled

_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d+\b")
_RESERVATION_ID = re.compile(r"\b(?=[A-Z]*\d)[A-Z0-9]{6}\b")
_CANCEL = re.compile(r"\bcancel", re.IGNORECASE)
_YES = re.compile(r"^\s*(yes|sure|please do|go ahead)\b", re.IGNORECASE)
_HANDED_OVER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."


def build(session: Session) -> Desk:
    """A new desk for each conversation."""
    return Desk(session)


class Desk:
    """One conversation: what was said, whose account it is, which reservations were looked up, which of them are
    offered to be cancelled just now, and which ever were.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._said: list[str] = []
        self._asked_reason = False
        self._profile: dict[str, Any] | None = None
        self._found: dict[str, tuple[dict[str, Any] | None, set[str]]] = {}
        self._offered: list[str] = []
        self._settled: set[str] = set()
        self._handed_over = False

    def reply(self, message: str) -> str:
        """What the desk says to a message of the user."""
        self._said.append(message)
        if self._handed_over:
            return _HANDED_OVER
        if self._profile is None and not self._identify():
            return "I can help with that. What is your user id?"
        if self._offered and _YES.search(message):
            return self._cancel()
        self._offered = []
        if _CANCEL.search(" ".join(self._said)):
            return self._consider()
        return self._hand_over()

    def _identify(self) -> bool:
        named = _USER_ID.search(" ".join(self._said))
        if named is not None:
            call = self._session.call_tool("get_user_details", {"user_id": named[0]}, None)
            self._profile = call.result if call.ok else None
        return self._profile is not None

    def _consider(self) -> str:
        if not self._asked_reason:
            self._asked_reason = True
            return "What is the reason for the cancellation?"
        said = " ".join(self._said)
        denied = []
        for reservation_id in dict.fromkeys(_RESERVATION_ID.findall(said) or (self._profile or {})["reservations"]):
            reservation, statuses = self._look_up(reservation_id)
            if reservation is None or reservation_id in self._settled:
                continue
            if is_flown(statuses):
                denied.append(f"{reservation_id} has been flown in part")
            elif may_be_cancelled(reservation, statuses, said, self._session.clock):
                self._offered.append(reservation_id)
            else:
                denied.append(f"{reservation_id} can't be cancelled for this reason")
        self._settled.update(self._offered)
        if self._offered:
            return f"Shall I cancel {_reservations(self._offered)}?"
        return f"I'm sorry, I can't cancel that: {', '.join(denied) or 'there is no such reservation'}."

    def _look_up(self, reservation_id: str) -> tuple[dict[str, Any] | None, set[str]]:
        """A reservation, None if there is none, and the statuses of its flights. Asked for once."""
        if reservation_id not in self._found:
            reservation = self._call("get_reservation_details", reservation_id=reservation_id)
            flights = [] if reservation is None else reservation["flights"]
            statuses = {
                self._call("get_flight_status", flight_number=each["flight_number"], date=each["date"])
                for each in flights
            }
            self._found[reservation_id] = reservation, statuses
        return self._found[reservation_id]

    def _cancel(self) -> str:
        done = [one for one in self._offered if self._call("cancel_reservation", reservation_id=one) is not None]
        self._offered = []
        return f"I have cancelled {_reservations(done)}. The refund comes within 5 to 7 business days."

    def _hand_over(self) -> str:
        self._call("transfer_to_human_agents", summary=self._said[0])
        self._handed_over = True
        return _HANDED_OVER

    def _call(self, tool: str, **arguments: str) -> Any:
        call = self._session.call_tool(tool, arguments, None)
        return call.result if call.ok else None


def _reservations(ids: Iterable[str]) -> str:
    """Reservations by name: `reservation A`, `reservations A, B and C`."""
    *others, last = ids
    return f"reservations {', '.join(others)} and {last}" if others else f"reservation {last}"
