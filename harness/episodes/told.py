"""Tool calls and model calls of an episode as the agent's own processes tell of them, in whatever dialect."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from harness.episodes.observed.calls import calls_of
from harness.episodes.outside import own_account
from harness.model.episode import Turn
from tools_sandbox.call import Call
from tools_sandbox.schema import SandboxSchema
from traces.conversation import Conversation, Origin
from traces.genai import STAND_IN, ModelSpan, model_calls, turns_of
from traces.log_record import LogRecord
from traces.reading.reader import conversation
from traces.span import Span

_NANO = 1e9
_NO_COUNTS = "its span gives no token counts"


class Told:
    """What the spans and log records of an episode say, those of other processes included."""

    def __init__(self, spans: Sequence[Span], logs: list[LogRecord], turns: Sequence[Turn]) -> None:
        self.logs = logs
        self._spans = spans
        self._turns = turns
        self._below = turns_of(spans)
        # A stand-in is no evidence beside the spans of an instrumentation.
        self._stand_ins = {span.span_id for span in spans if span.scope == STAND_IN}
        self._view: Conversation = conversation((span for span in spans if span.scope != STAND_IN), logs)

    def with_calls(self, known: Sequence[Call], schema: SandboxSchema, simulated: Collection[str]) -> list[Call]:
        """The recorded calls in the order of the record, and among them those that only the telemetry shows, by turn
        and time: each call once.
        """
        every, matched = list(known), set[int]()
        recorded = {call.span_id: at for at, call in enumerate(known) if call.span_id is not None}
        made = [each for turn in self._view.turns for each in turn.tool_calls]
        for shown, call in zip(made, calls_of(self._view, schema), strict=True):
            call.turn = self._turn_of(shown.origin) or 0
            if shown.started is None:
                call.started = call.ended = _end(shown.origin)
            own = {recorded[span.span_id] for span in shown.origin if span.span_id in recorded}
            found = own or {at for at, other in enumerate(known) if at not in matched and _same(call, other)}
            if found:
                matched |= own if own else {min(found)}
                continue
            call = own_account(call, schema, simulated)
            later = (at for at, other in enumerate(every) if (other.turn, other.started) > (call.turn, call.started))
            every.insert(next(later, len(every)), call)
        return every

    def model_calls(self) -> list[ModelSpan]:
        """The model calls. What a request's own span says of usage counts only in a turn of which no more is told."""
        told = [
            ModelSpan(
                span_id=call.origin[0].span_id or "",
                turn=self._turn_of(call.origin),
                model=call.response_model or call.model,
                tokens=call.usage,
                missing=None if call.usage is not None else call.missing or _NO_COUNTS,
                started=call.started / _NANO,
                ended=call.ended / _NANO,
            )
            for turn in self._view.turns
            for call in turn.model_calls
        ]
        shown = {each.span_id for turn in self._view.turns for call in turn.model_calls for each in call.origin}
        turns = {each.turn for each in told}
        more = [
            each
            for each in self._by_conventions()
            if each.span_id not in shown
            and (
                each.turn not in turns
                or (each.span_id in self._stand_ins and not any(_overlap(each, other) for other in told))
            )
        ]
        return sorted([*told, *more], key=lambda each: each.started)

    def _by_conventions(self) -> list[ModelSpan]:
        """The model calls as the conventions alone tell of them, with the turns that all others have too."""
        held = {span.span_id: span for span in self._spans}
        return [replace(each, turn=self._turn_of((held[each.span_id],))) for each in model_calls(self._spans)]

    def _turn_of(self, origin: Origin) -> int | None:
        """The turn of what was read from these: of the turn's span above them, else by time; None before the first."""
        for each in origin:
            if each.span_id is not None and (turn := self._below.get(each.span_id)) is not None:
                return turn
        began = min((each.start for each in origin if isinstance(each, Span)), default=0) / _NANO
        return max((turn.number for turn in self._turns if turn.started <= began), default=None)


def _overlap(one: ModelSpan, other: ModelSpan) -> bool:
    return one.started < other.ended and other.started < one.ended


def _end(origin: Origin) -> float:
    return max((each.end for each in origin if isinstance(each, Span)), default=0) / _NANO


def _same(call: Call, known: Call) -> bool:
    """Whether what telemetry shows is a call that was recorded otherwise: by its id, else by name and arguments."""
    if call.turn != known.turn:
        return False
    return call.id == known.id or (
        call.tool == known.tool and (call.arguments is None or call.arguments == known.arguments)
    )
