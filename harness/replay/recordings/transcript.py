"""A conversation in the making: messages, calls and results as a source tells them, one after the other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness.model.recording import RecordedCall, RecordedMessage, StrayResult
from tools_sandbox.arguments import BadArguments
from tools_sandbox.call import Json
from tools_sandbox.sent import is_deep, sent_arguments

Role = Literal["system", "user", "agent"]


def asked(
    tool: str,
    given: Json,
    call_id: str | None = None,
    *,
    by: Literal["agent", "user"] = "agent",
    at: float | None = None,
) -> RecordedCall:
    """A call that was asked for. `given`: the arguments, as the text that the model wrote or as an object; they are
    read as the sandbox reads them.
    """
    raw = given if isinstance(given, str) else None
    try:
        arguments, flaw = sent_arguments({} if given is None else given)[0], None
    except BadArguments as problem:
        arguments, flaw = None, str(problem)
        raw = json.dumps(given, ensure_ascii=False) if raw is None else raw
    return RecordedCall(call_id, tool, raw, arguments, flaw, by=by, at=at)


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's result. `told`: the text for the model, None where the source holds only the value `result`. `error`:
    the text of a failure.
    """

    id: str | None
    told: str | None
    tool: str | None = None
    result: Json = None
    error: str | None = None
    error_type: str | None = None

    @classmethod
    def of_text(cls, call_id: str | None, told: str, tool: str | None = None, *, failed: bool = False) -> Answer:
        """Of a text as the model read it."""
        if failed:
            return cls(call_id, told, tool, error=told)
        return cls(call_id, told, tool, result=as_json(told))


def as_json(text: str) -> Json:
    """The value of a JSON text; any other text, and one that is nested beyond reading, as it is."""
    try:
        value = json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        return text
    return text if is_deep(value) else value


def _no_json(name: str) -> Json:
    raise ValueError(name)


@dataclass(slots=True)
class _Waiting:
    """A call without a result: the message it is in, its position there, and where the source asked for it."""

    message: int
    position: int
    call: RecordedCall
    place: str


@dataclass(frozen=True, slots=True)
class _Stray:
    """A result that answers no call so far: the message that it came behind, and where in the source it stands."""

    after: int
    given: Answer
    place: str


class Transcript:
    """Puts results to their calls: by id the last one that waits, without an id by tool and order. What does not fit is
    kept, and told in `flaws`.
    """

    def __init__(self) -> None:
        self.flaws: list[str] = []
        self.turn = 0
        self.place = ""
        """Where in the source the next message stands, in words."""
        self._messages: list[RecordedMessage] = []
        self._waiting: list[_Waiting] = []
        self._answered: set[str] = set()
        self._stray: list[_Stray] = []
        self._spoken = -1

    def say(
        self,
        role: Role,
        text: str | None,
        calls: Sequence[RecordedCall] = (),
        *,
        refusal: bool = False,
        parts: Sequence[Json] = (),
        at: float | None = None,
    ) -> None:
        """One message. A user's message with words in it opens a turn."""
        if role == "user" and text is not None and text.strip():
            self.turn += 1
        elif not calls and not parts and not (text or "").strip():
            self.flaw("the message is empty")
        ids = [call.id for call in calls if call.id is not None]
        if len(set(ids)) < len(ids):
            self.flaw("calls share an id: their results are told apart by their order")
        message = RecordedMessage(role, text, self.turn, tuple(calls), refusal, tuple(parts), at)
        number = len(self._messages)
        self._messages.append(message)
        self._waiting += [_Waiting(number, position, call, self.place) for position, call in enumerate(calls)]
        for call in calls:
            if not call.tool:
                self.flaw("a call has no name")
            if call.flaw is not None:
                self.flaw(f"the arguments of {_named(call)} can't be read: {call.flaw}")
        if text:
            self._spoken = number

    def add_call(self, call: RecordedCall) -> None:
        """One more call of the model's last message, where a source tells call by call."""
        last = self._messages[-1] if self._messages else None
        if last is None or last.role != "agent" or last.text is not None or not last.calls or self._has_answers(last):
            self.say("agent", None, [call], at=call.at)
            return
        number, position = len(self._messages) - 1, len(last.calls)
        self._messages[number] = replace(last, calls=(*last.calls, call))
        self._waiting.append(_Waiting(number, position, call, self.place))

    def answer(self, given: Answer) -> None:
        """One result."""
        found = self._waiting_for(given)
        if found is None:
            self._stray.append(_Stray(len(self._messages) - 1, given, self.place))
            return
        if self._spoken > found.message:
            self.flaw(f"the result of {_named(found.call)} comes late: it was asked for in {found.place}")
        self._settle(found, given)

    def flaw(self, text: str) -> None:
        """Note what is broken at this place."""
        self.flaws.append(f"{self.place}: {text}" if self.place else text)

    def finish(self, unanswered: str = "has no result") -> tuple[list[RecordedMessage], list[StrayResult]]:
        """The messages, and the results that answer none of their calls. `unanswered`: what to say of calls without a
        result.
        """
        self._take_back()
        for waiting in self._waiting:
            self.place = waiting.place
            self.flaw(f"{_named(waiting.call)} {unanswered}")
        for stray in self._stray:
            self.place = stray.place
            again = "a second result for" if stray.given.id in self._answered else "a result answers no call on record:"
            self.flaw(f"{again} {' '.join(filter(None, (stray.given.tool, stray.given.id))) or 'it has no id'}")
        return self._messages, [
            StrayResult(each.after, each.given.id, each.given.tool, _text(each.given)) for each in self._stray
        ]

    def _has_answers(self, message: RecordedMessage) -> bool:
        return any(call.answered for call in message.calls)

    def _waiting_for(self, given: Answer) -> _Waiting | None:
        fits = [each for each in self._waiting if given.id is None or each.call.id == given.id]
        if given.tool is not None:
            same = [each for each in fits if each.call.tool == given.tool]
            fits = same if same or given.id is None else fits
        last = max((each.message for each in fits), default=None)
        return next((each for each in fits if each.message == last), None)

    def _settle(self, found: _Waiting, given: Answer) -> None:
        self._waiting.remove(found)
        if given.id is not None:
            self._answered.add(given.id)
        call = replace(
            found.call,
            answered=True,
            told=given.told,
            result=given.result,
            error=given.error,
            error_type=given.error_type,
        )
        message = self._messages[found.message]
        calls = (*message.calls[: found.position], call, *message.calls[found.position + 1 :])
        self._messages[found.message] = replace(message, calls=calls)

    def _take_back(self) -> None:
        """Give results that stand before their calls to those."""
        by_id = {each.call.id: each for each in reversed(self._waiting)}
        by_id.pop(None, None)
        early = [(stray, by_id.pop(stray.given.id, None)) for stray in self._stray]
        self._stray = [stray for stray, found in early if found is None]
        for stray, found in early:
            if found is not None:
                self._settle(found, stray.given)
                self.place = found.place
                self.flaw(f"the result of {_named(found.call)} stands before the call, in {stray.place}")


def _named(call: RecordedCall) -> str:
    return call.tool or "a call without a name"


def _text(given: Answer) -> str:
    return given.told if given.told is not None else json.dumps(given.result, ensure_ascii=False)
