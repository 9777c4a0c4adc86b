"""The conversation while it goes on: what has been said and called so far, as the user's side sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from harness.episodes.begun import Begun, ToolSide
from harness.episodes.outcome import outcome
from harness.model.agent import Reply
from harness.model.episode import Because, Message, Turn
from harness.model.expect import Outcome
from harness.users.view import UserSide
from tools_sandbox.call import Call, Json
from traces.clock import now


class Talk:
    """Messages and turns in order; gives the scripted user its view of them. `may_change`: the workflow's; `begun`:
    what there was of it before.
    """

    def __init__(
        self, sandbox: ToolSide, user: UserSide, may_change: Collection[str], begun: Begun | None = None
    ) -> None:
        self.messages: list[Message] = [*begun.messages] if begun else []
        self.turns: list[Turn] = [*begun.turns] if begun else []
        self.calls: list[Call] = [*begun.calls] if begun else []
        """Every tool call so far, in the order in which they were answered."""
        self.stated: Outcome | None = None
        self.confidence: float | None = None
        self.line: int | None = None
        self.turn = self.turns[-1].number if self.turns else 0
        """Number of the turn that is going on, from 1; 0 before the first."""
        self._sandbox = sandbox
        self._user = user
        self._may_change = may_change

    @property
    def replies(self) -> Sequence[Message]:
        """The agent's messages of the last turn."""
        turn = self.turn
        return [message for message in self.messages if message.turn == turn and message.role == "agent"]

    @property
    def outcome(self) -> Outcome:
        """The outcome so far: `open` unless a call, the agent's words or a refusal say otherwise."""
        return self.came_out(self.calls, finished=False)

    def came_out(self, calls: Sequence[Call], *, finished: bool) -> Outcome:
        """The outcome that these calls and what was said give."""
        return outcome(calls, self.messages, self.stated, finished=finished, may_change=self._may_change)

    def value(self, path: str) -> Json:
        """The state at a path now."""
        return self._sandbox.value(path)

    def user_says(self, text: str, because: Because | None) -> int:
        """A new turn begins with the user's message; gives its number."""
        if because is not None and because.line is not None:
            self.line = because.line
        self.turn += 1
        self.messages.append(Message("user", text, self.turn, now(), because))
        return self.turn

    def agent_says(self, texts: Iterable[str]) -> None:
        """The agent's messages of this turn; what they ask is recognised here, once."""
        at, turn = now(), self.turn
        made = sum(call.turn == turn for call in self.calls)
        for text in texts:
            heard = self._user.recognise(text)
            self.messages.append(Message("agent", text, turn, at, None, heard.asks, heard.refusal, made))

    def heard(self) -> list[Message]:
        """What the agent may know of the messages so far, in copies that are its own."""
        return [
            Message(message.role, message.text, message.turn, message.at, after=message.after)
            for message in self.messages
        ]

    def turn_ends(self, turn: Turn, reply: Reply | None) -> None:
        """The agent waits again, or gave up."""
        self.turns.append(turn)
        # Only the last reply can state the outcome: what was stated earlier may have been overtaken.
        self.stated = reply.outcome if reply else None
        if reply and reply.confidence is not None:
            self.confidence = reply.confidence
