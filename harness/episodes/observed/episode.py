"""A conversation as an episode: the same record as of one that was played, and honest about what it can't hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from harness import __version__
from harness.episodes.observed.calls import calls_of
from harness.episodes.observed.lacks import lacks_of
from harness.episodes.observed.words import because_of, facts_given
from harness.episodes.outcome import outcome
from harness.model.episode import (
    AgentVersion,
    Because,
    Digests,
    End,
    Episode,
    EpisodeKey,
    Feedback,
    Message,
    ModelCall,
    Observed,
    Turn,
)
from harness.model.scenario import Scenario
from harness.users.acts import Acts
from harness.users.recognise import SlotBook, recognise
from tools_sandbox.call import Call, Passage
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.text import mentions
from traces.conversation import Conversation, Retrieval
from traces.conversation import ModelCall as Request
from traces.span import Span

_NANO = 1e9


@dataclass(frozen=True, slots=True)
class Frame:
    """What conversations are read against. `scenario`: what was expected of them, if one was written for them."""

    schema: SandboxSchema
    acts: Acts
    digests: Digests
    may_change: tuple[str, ...] = ()
    scenario: Scenario | None = None

    @classmethod
    def of(
        cls,
        schema: SandboxSchema,
        digests: Digests,
        may_change: tuple[str, ...] = (),
        scenario: Scenario | None = None,
    ) -> Frame:
        """Made ready once for all conversations."""
        return cls(schema, Acts.of(schema), digests, may_change, scenario)


def observe(conversation: Conversation, key: EpisodeKey, agent: AgentVersion, frame: Frame) -> Episode:
    """The record of a conversation. It has no state, seed or script; `observed` says what else it lacks."""
    calls = calls_of(conversation, frame.schema)
    texts = [turn.user or "" for turn in conversation.turns]
    scenario = frame.scenario
    knows = dict(scenario.user.knows) if scenario is not None else facts_given(texts, calls)
    book = SlotBook.of(knows, scenario.user.answers if scenario is not None else {})
    messages, scripted = _messages(conversation, frame, book)
    started = min((span.start for span in conversation.spans), default=0) / _NANO
    finished = not any(message.asks for message in messages[-1:] if message.role == "agent")
    return Episode(
        key=key,
        attempt=1,
        seed=0,
        clock=datetime.fromtimestamp(started, UTC).isoformat(),
        digests=frame.digests,
        agent=agent,
        speaker=speaker_of(calls, texts, scenario, conversation.user_id),
        conversation_id=conversation.id or key.item,
        messages=messages,
        turns=[
            Turn(number, turn.started / _NANO, turn.ended / _NANO, dict(knows), scripted.get(number))
            for number, turn in enumerate(conversation.turns, 1)
        ],
        calls=calls,
        model_calls=[_request(step, number) for number, step in _steps(conversation) if isinstance(step, Request)],
        pauses=[],
        state_changes=[],
        end=End("observed"),
        unsaid=[],
        outcome=outcome(calls, messages, None, finished=finished, may_change=frame.may_change),
        spans=list(conversation.spans),
        notes=[str(warning) for warning in conversation.warnings],
        started=started,
        ended=max((span.end for span in conversation.spans), default=0) / _NANO,
        harness_version=__version__,
        observed=Observed(
            conversation=conversation.id,
            joined=conversation.joined,
            traces=conversation.trace_ids,
            dialects=conversation.dialects,
            expected=scenario is not None,
            instructions=conversation.system_prompt,
            retrieved=tuple(_retrieved(conversation)),
            feedback=tuple(
                Feedback(one.name, one.value, one.label, one.explanation, None if one.turn is None else one.turn + 1)
                for one in conversation.feedback
            ),
            lacks=lacks_of(conversation, calls, frame.schema),
        ),
    )


def _messages(conversation: Conversation, frame: Frame, book: SlotBook) -> tuple[list[Message], dict[int, int]]:
    """What was said, and by turn which line of the scenario it belongs to."""
    messages: list[Message] = []
    scripted: dict[int, int] = {}
    replies: Sequence[Message] | None = ()
    line: int | None = None
    for number, turn in enumerate(conversation.turns, 1):
        if turn.user is not None:
            because = because_of(turn.user, replies, frame.acts)
            if frame.scenario is not None and (said := line_of(turn.user, frame.scenario, line)) is not None:
                line = said
                because = Because("observed", said, consent=because.consent if because is not None else ())
            messages.append(Message("user", turn.user, number, turn.started / _NANO, because))
        if line is not None:
            scripted[number] = line
        replies = None
        if turn.assistant is not None:
            heard = recognise(turn.assistant, book)
            reply = Message("agent", turn.assistant, number, turn.ended / _NANO, None, heard.asks, heard.refusal)
            messages.append(reply)
            replies = (reply,)
    return messages, scripted


def line_of(text: str, scenario: Scenario, last: int | None) -> int | None:
    """The next line of the scenario that a message says in all its words; None if it says none."""
    for number, line in enumerate(scenario.user.turns):
        if (last is None or number > last) and any(
            mentions(_filled(said, scenario.user.knows), text) for said in line.say
        ):
            return number
    return None


def _filled(text: str, knows: Mapping[str, str | None]) -> str:
    for name, value in knows.items():
        text = text.replace(f"{{{name}}}", value or "")
    return text


def speaker_of(calls: Sequence[Call], texts: Sequence[str], scenario: Scenario | None, user: str | None) -> str:
    """Who speaks: the scenario says so; else the account that was proved first; else whom the telemetry names."""
    if scenario is not None and scenario.speaker != "unknown":
        return scenario.speaker
    for call in calls:
        if call.proof is not None and all(
            any(mentions(str(value), text) for text in texts[: call.turn]) for value in call.proof.given.values()
        ):
            return call.proof.account
    return user or "unknown"


def _steps(conversation: Conversation) -> list[tuple[int, object]]:
    return [(number, step) for number, turn in enumerate(conversation.turns, 1) for step in turn.steps]


def _request(step: Request, turn: int) -> ModelCall:
    missing = None if step.usage is not None else step.missing or "the trace gives no token counts"
    span = next((one.span_id for one in step.origin if isinstance(one, Span)), None)
    model = step.response_model or step.model
    return ModelCall(turn, model, step.usage, missing, span, step.started / _NANO, step.ended / _NANO)


def _retrieved(conversation: Conversation) -> list[tuple[int, Passage]]:
    return [
        (number, Passage(document.id or "retrieved", document.text))
        for number, step in _steps(conversation)
        if isinstance(step, Retrieval)
        for document in step.documents
        if document.text is not None
    ]
