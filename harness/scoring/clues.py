"""The traces that failures leave in an episode. Each function looks for one and gives what it found, or None."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.model.episode import AskKind, Message
from harness.scoring.astray import astray
from harness.scoring.calls import Made
from harness.scoring.checks import Miss
from harness.scoring.efficiency import repeated
from harness.scoring.repetition import OFTEN, what
from harness.scoring.timeline import Step
from harness.scoring.window import Window
from harness.scoring.wishes import asked_calls, branches
from harness.scoring.wording import found, quoted
from tools_sandbox.call import Call
from tools_sandbox.nearest import nearest
from tools_sandbox.patterns import Matcher
from tools_sandbox.text import mentions

_PROMISE = re.compile(
    r"\b(i'?ll|i will|i'?m going to|i am going to|let me|one moment|please (wait|hold)|get back to you|shortly"
    r"|voy a|enseguida|un momento|en breve)\b|我会|我将|稍等|稍候|马上",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Clue:
    """The trace that a detector found: when, and the call or the words that show it. `layer`: see Finding."""

    step: Step
    call: Call | None = None
    quote: str | None = None
    layer: int = 0


def itself(miss: Miss, window: Window) -> Clue | None:
    """The offending call, or where the miss is dated."""
    return _at(miss.made) if miss.made else Clue(miss.step, quote=miss.quote)


def _at(made: Made) -> Clue:
    return Clue(made[0], made[1])


def _said(reply: tuple[Step, Message]) -> Clue:
    return Clue(reply[0], quote=quoted(reply[1].text, (0, 0), around=200))


def broken_tool(miss: Miss, window: Window) -> Clue | None:
    """The simulated tool itself failed over arguments that were right, and no later call of it succeeded."""

    def broke(call: Call) -> bool:
        return call.error is not None and call.error.kind == "sandbox" and not astray(call, window.material)

    return _never_succeeded(miss, window, broke)


def _never_succeeded(miss: Miss, window: Window, failed: Callable[[Call], bool]) -> Clue | None:
    """The last call of the wanted tool (of any that writes, if none was named) that failed in this way, unless the tool
    succeeded later.
    """
    for step, call in reversed(window.calls):
        wanted = call.tool == miss.tool if miss.tool else call.kind == "writes"
        if wanted and call.ok:
            return None
        if wanted and failed(call):
            return Clue(step, call)
    return None


def malformed(call: Call) -> bool:
    """Whether a call could not be read, or named a tool that does not exist."""
    return call.error is not None and call.error.kind in ("bad_arguments", "unknown_tool")


def malformed_call(miss: Miss, window: Window) -> Clue | None:
    """The wanted tool was called in a way that could not be read, or under a name that does not exist."""
    clue = _never_succeeded(miss, window, malformed)
    if clue is not None:
        return clue
    made_up = [made for made in window.calls if made[1].error is not None and made[1].error.kind == "unknown_tool"]
    wanted = [miss.tool] if miss.tool else list(window.material.schema.tools)
    return next((_at(made) for made in made_up if nearest(made[1].tool, wanted)), None)


def wrong_value(miss: Miss, window: Window) -> Clue | None:
    """The wanted tool was called (or the row was written), with another value."""
    if miss.made is None or miss.path is None or malformed(miss.made[1]):
        return None
    return _at(miss.made)


def refused_value(miss: Miss, window: Window) -> Clue | None:
    """The wanted tool failed over a value where another was wanted."""
    return _never_succeeded(
        miss, window, lambda call: not call.ok and not malformed(call) and astray(call, window.material)
    )


def hand_over(miss: Miss, window: Window) -> Clue | None:
    """A hand-over that nobody asked for: by the offending call, or instead of what was wanted."""
    ended = window.ended_by() if miss.kind in ("required", "in_order", "state", "says", "outcome") else miss.made
    if ended is None or ended[1].ends != "escalated" or "escalated" in _wanted_outcomes(window):
        return None
    return _at(ended)


def crash(miss: Miss, window: Window) -> Clue | None:
    """The agent had failed or hung for good before it came to that."""
    end = window.episode.end
    broke = end.kind == "agent_error" or (end.kind == "limit" and end.code == "FL4")
    return Clue(window.timeline.stop) if broke else None


def limit_hit(miss: Miss, window: Window) -> Clue | None:
    """A limit was hit before the agent came to that."""
    return Clue(window.timeline.stop) if window.episode.end.kind == "limit" else None


def missed_hand_over(miss: Miss, window: Window) -> Clue | None:
    """A hand-over that was wanted and did not come."""
    tool = miss.need if miss.kind == "need" else miss.tool
    spec = window.material.schema.tools.get(tool or "")
    wanted = miss.expected == "escalated" if miss.kind == "outcome" else bool(spec and spec.ends == "escalated")
    return itself(miss, window) if wanted else None


def unwanted_write(miss: Miss, window: Window) -> Clue | None:
    """A change that nobody asked for, or a successful call of a tool that writes."""
    if miss.kind == "unasked":
        return itself(miss, window)
    return _at(miss.made) if miss.made and miss.made[1].kind == "writes" and miss.made[1].ok else None


def unproved(miss: Miss, window: Window) -> Clue | None:
    """A call before identity was proved."""
    spec = window.material.schema.tools.get(miss.need or "")
    return _at(miss.made) if miss.made and spec and spec.proves else None


def unconfirmed(miss: Miss, window: Window) -> Clue | None:
    """A call before the user's consent."""
    return _at(miss.made) if miss.made and miss.need == "consent" else None


def refusal(miss: Miss, window: Window) -> Clue | None:
    """The agent turned down what it was to do."""
    if "refused" in _wanted_outcomes(window) or not window.replies:
        return None
    if window.outcome != "refused" and not window.replies[-1][1].refusal:
        return None
    refused = [(step, reply) for step, reply in window.replies if reply.refusal] or [window.replies[-1]]
    return _said(refused[0])


def ignored_error(miss: Miss, window: Window) -> Clue | None:
    """The wanted tool failed, and nothing came of it."""
    return _never_succeeded(miss, window, lambda call: not call.ok)


def loop(miss: Miss, window: Window) -> Clue | None:
    """The third equal call, or the third equal reply or question."""
    again = [
        made for made, same in zip(window.calls, repeated([call for _, call in window.calls]), strict=True) if same
    ]
    if len(again) > 1:
        return _at(again[1])
    said: Counter[tuple[str, str]] = Counter()
    for step, reply in window.replies:
        questions = {what(ask) for ask in reply.asks if ask.kind in (AskKind.SLOT, AskKind.OTHER)}
        said.update([("text", reply.text), *(("ask", question) for question in questions)])
        if OFTEN in said.values():
            return _said((step, reply))
    return None


def equal_calls(miss: Miss, window: Window) -> Clue | None:
    """A call too many that equals an earlier one."""
    calls = [made for made in window.calls if made[1].tool == miss.tool]
    return _at(miss.made) if miss.made and any(repeated([call for _, call in calls])) else None


def promise(miss: Miss, window: Window) -> Clue | None:
    """The last word is a promise, or the conversation is left open."""
    if not window.replies:
        return None
    last = window.replies[-1][1]
    left_open = miss.kind == "outcome" and miss.actual == "open"
    return _said(window.replies[-1]) if left_open or (not last.asks and _PROMISE.search(last.text)) else None


def nowhere_known(miss: Miss, window: Window) -> Clue | None:
    """The agent looked, and no document (and no tool) holds what it was to say."""
    looked, holds = _looked_up(window), _holds(miss, window)
    results = [str(call.result) for _, call in window.timeline.calls if call.ok]
    known = any(map(holds, (*_documents(window), *results)))
    return replace(_at(looked[-1]), layer=1) if looked and not known else None


def not_retrieved(miss: Miss, window: Window) -> Clue | None:
    """A document holds it, and no search brought it."""
    looked, holds = _looked_up(window), _holds(miss, window)
    if not _searchable(window) or not any(map(holds, _documents(window))) or _retrieved(miss, window):
        return None
    return replace(_at(looked[-1]), layer=1) if looked else Clue(miss.step, layer=1)


def not_told(miss: Miss, window: Window) -> Clue | None:
    """The agent had the document, and the reply lacks what it says."""
    if brought := _retrieved(miss, window):
        return replace(_at(brought), layer=1)
    told = not _searchable(window) and any(map(_holds(miss, window), _documents(window)))
    return Clue(miss.step, layer=1) if told else None


def _searchable(window: Window) -> bool:
    return any(spec.retrieves for spec in window.material.schema.tools.values())


def _looked_up(window: Window) -> list[Made]:
    tools = window.material.schema.tools
    return [
        made
        for made in window.timeline.calls
        if made[0][0] <= window.last and made[1].tool in tools and tools[made[1].tool].retrieves
    ]


def _retrieved(miss: Miss, window: Window) -> Made | None:
    holds = _holds(miss, window)
    brought = (made for made in _looked_up(window) if any(holds(passage.text) for passage in made[1].passages))
    return next(brought, None)


def _documents(window: Window) -> list[str]:
    return [document.text for document in window.material.knowledge]


def _holds(miss: Miss, window: Window) -> Callable[[str], bool]:
    """Whether a text holds what was to be said. Where no document has these words, the numbers in them are enough: what
    "14天" was to say is known from "14 days".
    """
    words = miss.words or Matcher({})
    numbers = _NUMBER.findall(" ".join(map(str, words.tests.values()))) if "like" not in words.tests else []
    if not numbers or any(found(words, text) for text in _documents(window)):
        return lambda text: found(words, text) is not None
    return lambda text: all(mentions(number, text) for number in numbers)


def dropped_part(miss: Miss, window: Window) -> Clue | None:
    """Something else was done, so a part of what was wanted was dropped."""
    kinds = ("writes",) if miss.kind == "state" else ("reads", "writes")
    done = any(call.ok and call.kind in kinds for _, call in window.calls)
    return itself(miss, window) if done else None


def granted(miss: Miss, window: Window) -> Clue | None:
    """What was to be refused was not."""
    return itself(miss, window) if miss.expected == "refused" else None


def _wanted_outcomes(window: Window) -> set[str]:
    every = list(branches(window.material.scenario.expect))
    tools = window.material.schema.tools
    ends = (tools[item.tool].ends for item in asked_calls(every) if item.tool in tools)
    return {outcome for outcome in (*(expect.outcome for expect in every), *ends) if outcome}
