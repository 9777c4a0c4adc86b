from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from contextlib import suppress

import httpx
import pytest

from harness.agents import guard, loop
from harness.agents.forms import mcp_tools, openai_tools
from harness.agents.langchain_tools import langchain_tools
from harness.agents.loop import run
from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.episodes import deadline
from harness.episodes.play import play
from harness.episodes.task import Limits
from harness.model.agent import Reply
from harness.model.episode import AskKind, Episode
from harness.model.status import Status
from harness.scoring.score import score
from harness.store.codec import decode, encode
from tests.clock import Clock
from tests.effort import no_hang
from tests.harness.desk import SCENARIO, WORKFLOW, played, scenario, tasks, write
from tools_sandbox import opened
from tools_sandbox.call import Call
from traces.capture import Tracing
from traces.genai import Usage


def said(episode, role="agent"):
    return [message.text for message in episode.messages if message.role == role]


def cancels(message, session):
    if "O-1" not in message:
        return "Which order number is it?"
    session.call_tool("cancel_order", {"order_id": "O-1"}, None)
    return "I have cancelled order O-1."


# A conversation from its first message to its end


def test_a_conversation_is_kept_whole(tmp_path):
    episode = played(tmp_path, cancels, "Please cancel my order.", knows="{order_id: O-1}")
    assert said(episode, "user")[0] == "Please cancel my order."
    assert "O-1" in said(episode, "user")[1]
    assert said(episode) == ["Which order number is it?", "I have cancelled order O-1."]
    assert [message.turn for message in episode.messages] == [1, 1, 2, 2]
    assert [turn.number for turn in episode.turns] == [1, 2]
    assert episode.messages[1].asks[0].kind is AskKind.SLOT
    assert [(call.tool, call.turn, call.ok) for call in episode.calls] == [("cancel_order", 2, True)]
    (change,) = episode.state_changes
    assert (change.table, change.key, change.after["status"]) == ("orders", "O-1", "cancelled")
    assert episode.end.kind == "script_done"
    assert episode.outcome == "resolved"
    assert episode.spans_missing is None
    assert [span.name for span in episode.spans][:2] == ["episode", "turn"]
    assert any("cancel_order" in span.name for span in episode.spans)


def test_an_episode_survives_the_store_as_it_is(tmp_path):
    episode = played(tmp_path, cancels, "Please cancel my order.", knows="{order_id: O-1}")
    assert decode(Episode, encode(episode)) == episode


def test_the_agent_sees_the_history_and_its_own_session(tmp_path):
    seen = []

    def agent(message, session):
        seen.append((message, [each.text for each in session.history], session.traceparent, session.clock.isoformat()))
        return "Fine."

    episode = played(tmp_path, agent, "One.", "Two.")
    assert [history for _, history, _, _ in seen] == [[], ["One.", "Fine."]]
    assert {clock for *_, clock in seen} == {"2026-11-20T10:00:00+01:00"}
    turns = [span for span in episode.spans if span.name == "turn"]
    assert [parent.split("-")[2] for _, _, parent, _ in seen] == [span.span_id for span in turns]


def test_an_agent_can_neither_read_the_script_nor_rewrite_what_was_said_and_done(tmp_path):
    seen = []

    def agent(message, session):
        seen.extend(session.history)
        call = session.call_tool("get_order", {"order_id": "O-1"}, None)
        call.arguments["order_id"] = "O-2"
        call.result["status"] = "lost"
        call.tool, call.error, call.changes = "cancel_order", None, ["nothing"]
        for each in session.history:
            each.text, each.role = "I said yes.", "user"
        session.history.clear()
        return "It is paid."

    episode = played(tmp_path, agent, "One.", "Two.")
    assert [(each.because, each.asks, each.refusal) for each in seen] == [(None, (), False)] * 2
    assert [(message.role, message.text) for message in episode.messages] == [
        ("user", "One."), ("agent", "It is paid."), ("user", "Two."), ("agent", "It is paid."),
    ]  # fmt: skip
    assert [(call.tool, call.arguments, call.result["status"], call.changes) for call in episode.calls] == [
        ("get_order", {"order_id": "O-1"}, "paid", [])
    ] * 2


def test_an_agent_is_not_told_what_only_the_record_knows(tmp_path):
    given = []

    def agent(message, session):
        given.append(session.call_tool("cancel_order", {"order_id": "O-1"}, "c-1"))
        return "Cancelled."

    episode = played(tmp_path, agent, "Cancel O-1.")
    assert (given[0].id, given[0].ok, given[0].result, given[0].changes) == ("c-1", True, {"ok": True}, [])
    assert [change.after["status"] for change in episode.calls[0].changes] == ["cancelled"]


def test_several_messages_of_one_turn_stay_apart(tmp_path):
    episode = played(tmp_path, lambda message: ["Hello.", "Your order is paid."], "Hi.")
    assert said(episode) == ["Hello.", "Your order is paid."]
    assert [message.turn for message in episode.messages] == [1, 1, 1]


def test_words_stand_where_they_were_said_though_a_call_comes_late(tmp_path):
    """A thread that was left behind may call a tool once the reply is there."""
    late = []

    def agent(message, session):
        if late:
            late.pop()()
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        late.append(lambda: session.call_tool("cancel_order", {"order_id": "O-1"}, None))
        return "It is paid."

    episode = played(tmp_path, agent, "One.", "Two.")
    assert [call.tool for call in episode.calls] == ["get_order", "cancel_order", "get_order"]
    assert [message.after for message in episode.messages] == [None, 1, None, 2]


def test_a_pattern_that_takes_too_long_is_the_scenarios_fault(tmp_path):
    """Such as lint can't tell: it is slow on this text only."""
    when = "{say: Now?, when: {state: {orders.O-1.status: {like: '=(-|--)+$'}}}}"
    given = f"given: {{orders.O-1.status: '={'-' * 200}!'}}"
    episode = played(tmp_path, lambda message: "Fine.", "Hi.", when, more=given)
    assert (episode.end.kind, episode.end.code) == ("fault", "X3")
    assert "takes too long" in episode.end.text


def test_a_note_about_a_refusal_leaves_it_one(tmp_path):
    def agent(message, session):
        assert session.call_tool("note", {"text": "too late"}, None).ok
        return "I'm sorry, I can't cancel this order."

    note = "  note: {kind: writes, args: {text: text}, set: {notes.N-1.text: too late}, return: {ok: true}}\n"
    noting = WORKFLOW.replace("  escalate:", f"{note}  escalate:").replace(
        "  orders: {O", "  notes: {N-1: {}}\n  orders: {O"
    )
    free = noting.replace("passthrough:", "may_change: [notes]\npassthrough:")
    assert played(tmp_path / "free", agent, "Cancel O-2.", workflow=free).outcome == "refused"
    assert played(tmp_path / "not", agent, "Cancel O-2.", workflow=noting).outcome == "resolved"


def test_a_line_of_several_messages_is_as_many_turns(tmp_path):
    episode = played(tmp_path, lambda message: "Yes.", "{say: [One., Two.]}")
    assert said(episode, "user") == ["One.", "Two."]
    assert [turn.scripted for turn in episode.turns] == [0, 0]


# Limits


def test_max_turns_is_a_loop(tmp_path):
    episode = played(tmp_path, lambda message: "What is your e-mail address?", "Hello.", knows="{email: a@b.org}")
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert episode.turns[-1].number == 20
    assert episode.outcome == "open"


def test_too_many_calls_in_one_turn_is_a_loop(tmp_path):
    def agent(message, session):
        while True:
            session.call_tool("get_order", {"order_id": "O-1"}, None)

    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_calls=7))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert len(episode.calls) == 7
    assert "7 tool calls in turn 1" in episode.end.text


def test_calls_are_counted_turn_by_turn(tmp_path):
    def agent(message, session):
        for _ in range(5):
            session.call_tool("get_order", {"order_id": "O-1"}, None)
        return "Done."

    episode = played(tmp_path, agent, "One.", "Two.", limits=Limits(turn_calls=5))
    assert episode.end.kind == "script_done"
    assert len(episode.calls) == 10


def test_an_agent_that_swallows_the_call_limit_is_ended_all_the_same(tmp_path):
    def agent(message, session):
        for _ in range(20):
            try:
                session.call_tool("get_order", {"order_id": "O-1"}, None)
            except Exception:
                break
        return "All good."

    episode = played(tmp_path, agent, "One.", "Two.", limits=Limits(turn_calls=5))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert said(episode) == ["All good."]
    assert episode.turns[-1].number == 1


async def _sleeps(message):
    await asyncio.sleep(30)
    return "late"


async def _swallows_cancellation(message):
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        return "I would not be stopped."


async def _raises_when_cancelled(message):
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        raise RuntimeError("interrupted") from None


@pytest.fixture
def clock(monkeypatch):
    """What limits and the sandbox go by. An episode that runs on it takes no time but what it waits; one that runs as
    usual, which an agent with a thread has to, none but what the test lets pass.
    """
    clock = Clock()
    monkeypatch.setattr(deadline, "monotonic", clock)
    for module in (deadline, opened):
        monkeypatch.setattr(module, "now", lambda: 1_800_000_000 + clock())
    return clock


@pytest.mark.parametrize("agent", [_sleeps, _swallows_cancellation, _raises_when_cancelled])
def test_a_turn_that_takes_too_long_is_the_agents_failure(tmp_path, clock, agent):
    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_seconds=0.05), run=clock.run)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert "turn 1 took longer than 0.05 s" in episode.end.text
    assert clock() == pytest.approx(0.05)


async def _swallows_all_cancellation(message):
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(30)


async def _streams_for_ever(message):
    yield "One moment."
    while True:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            yield "More."


async def _streams_without_a_pause(message):
    while True:
        yield "More."


def _gives_pieces_for_ever(message):
    while True:
        yield "More. "


async def _builds_for_ever(session):
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(30)


@pytest.fixture
def _short_grace(monkeypatch):
    for module in (guard, loop):
        monkeypatch.setattr(module, "GRACE", 0.05)


@pytest.mark.usefixtures("_short_grace")
@pytest.mark.parametrize("agent", [_swallows_all_cancellation, _streams_for_ever])
def test_an_agent_that_no_cancellation_ends_is_left_behind(tmp_path, agent):
    _, (task,) = tasks(tmp_path, limits=Limits(turn_seconds=0.05), scenarios=scenario("Hi."))
    episode = run(play(task, resolve(agent, tmp_path), Tracing()))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    told = "turn 1 took longer than 0.05 s, and the agent did not end when cancelled and is left behind"
    assert episode.end.text.startswith(told)
    if agent is _swallows_all_cancellation:
        assert f"at {__file__}:" in episode.end.text
    assert decode(Episode, encode(episode)) == episode


@pytest.mark.usefixtures("_short_grace")
def test_a_factory_that_no_cancellation_ends_is_left_behind(tmp_path):
    _, (task,) = tasks(tmp_path, limits=Limits(episode_seconds=0.05), scenarios=scenario("Hi."))
    episode = run(play(task, resolve(_builds_for_ever, tmp_path), Tracing()))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert "the episode took longer than 0.05 s, and the agent did not end when cancelled" in episode.end.text


@pytest.mark.parametrize("agent", [_streams_without_a_pause, _gives_pieces_for_ever])
def test_a_stream_without_an_end_is_the_agents_failure(tmp_path, agent):
    episode = played(tmp_path, agent, "Hi.")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "more than 100,000 pieces" in episode.end.text


def test_more_text_than_a_reply_may_have_is_the_agents_failure(tmp_path):
    episode = played(tmp_path, lambda message: ["x" * 6_000_000] * 2, "Hi.")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "12,000,000 characters" in episode.end.text


def test_too_many_messages_in_one_turn_is_a_loop(tmp_path):
    episode = played(tmp_path, lambda message: ["Hello."] * 100_000, "Hi.", limits=Limits(turn_messages=7))
    assert (episode.end.kind, episode.end.code) == ("limit", "FL1")
    assert episode.end.text == "100,000 messages in turn 1, more than the 7 that a turn may have"
    assert said(episode) == ["Hello."] * 7
    assert played(tmp_path, lambda message: ["Hello."] * 100, "Hi.").end.kind == "script_done"


def test_an_agent_that_stops_the_loop_or_cancels_everybody_fails_alone(tmp_path):
    async def agent(message):
        if "stop" in message:
            asyncio.get_running_loop().stop()
        if "cancel" in message:
            for task in asyncio.all_tasks():
                task.cancel()
        if "close" in message:
            asyncio.get_running_loop().close()
        await asyncio.sleep(0.05)
        return "Fine."

    said = ("I stop.", "I cancel.", "I close.", "I wait.")
    text = "".join(scenario(line, id=f"s-{number}") for number, line in enumerate(said))
    _, every = tasks(tmp_path, scenarios=text)
    source, tracing = resolve(agent, tmp_path), Tracing()

    async def main():
        return await asyncio.gather(*(play(task, source, tracing) for task in every))

    episodes = run(main())
    assert [(episode.end.kind, episode.end.code) for episode in episodes] == [
        *[("agent_error", "FL4")] * 3,
        ("script_done", None),
    ]
    for episode, word in zip(episodes, ("stop the event loop", "cancelled itself", "running event loop"), strict=False):
        assert word in episode.end.text


def test_a_blocking_agent_is_left_behind_and_writes_nothing_more(tmp_path):
    go_on, done = threading.Event(), threading.Event()
    late = []

    def agent(message, session):
        go_on.wait(60)
        try:
            session.call_tool("cancel_order", {"order_id": "O-1"}, None)
        except RuntimeError as error:
            late.append(str(error))
        done.set()
        return "late"

    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_seconds=0.05))
    go_on.set()
    assert done.wait(60)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert episode.calls == []
    assert "after the conversation had ended" in late[0]


def test_an_episode_that_takes_too_long(tmp_path, clock):
    async def agent(message):
        await asyncio.sleep(0.05)
        return "What is your e-mail address?"

    limits = Limits(episode_seconds=0.12)
    episode = played(tmp_path, agent, "Hi.", knows="{email: a@b.org}", limits=limits, run=clock.run)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert "the episode took longer than 0.12 s" in episode.end.text
    assert episode.turns[-1].number == 3


def test_an_agent_that_swallows_the_end_of_its_episode(tmp_path, clock):
    async def agent(message):
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.1)
        return "What is your e-mail address?"

    limits = Limits(episode_seconds=0.15)
    episode = played(tmp_path, agent, "Hi.", knows="{email: a@b.org}", limits=limits, run=clock.run)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert clock() == pytest.approx(0.15)


def test_an_agent_that_blocks_the_loop_beyond_its_time_is_told(tmp_path, clock):
    async def agent(message):
        clock.wait(0.2)
        return "At last."

    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_seconds=0.1), run=clock.run)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")
    assert said(episode) == ["At last."]


# Simulated tools that hang


class _Waits:
    """Answers a sandbox's calls only when it is let go, once all limits are over, after having done what was asked."""

    def __init__(self, monkeypatch, clock, tool):
        answer, self.go_on, self.done = opened.OpenSandbox._answer, threading.Event(), threading.Event()

        def late(sandbox, call, *rest):
            answer(sandbox, call, *rest)
            if call.tool == tool:
                clock.wait(60)
                self.go_on.wait(60)
                self.done.set()

        monkeypatch.setattr(opened.OpenSandbox, "_answer", late)


@pytest.mark.parametrize("limits", [Limits(turn_seconds=0.1), Limits(episode_seconds=0.1)])
def test_a_simulated_tool_that_hangs_is_not_the_agents_failure(tmp_path, monkeypatch, clock, limits):
    waits = _Waits(monkeypatch, clock, "get_order")

    def agent(message, session):
        session.call_tool("cancel_order", {"order_id": "O-1"}, None)
        session.call_tool("get_order", {"order_id": "O-1"}, "c-2")
        return "Done."

    told = scenario("Hi.", expect="{state: {orders.O-1.status: cancelled}}")
    bundle, (task,) = tasks(tmp_path, limits=limits, scenarios=told)
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    kept = encode(episode)
    waits.go_on.set()
    assert waits.done.wait(60)
    assert (episode.end.kind, episode.end.code) == ("fault", "X2")
    assert "took longer than 0.1 s, while the simulated tool get_order had not answered" in episode.end.text
    assert [(call.id, call.tool, call.turn, call.error and call.error.kind) for call in episode.calls] == [
        ("call-1", "cancel_order", 1, None),
        ("c-2", "get_order", 1, "sandbox"),
    ]
    assert [(change.key, change.after["status"]) for change in episode.state_changes] == [("O-1", "cancelled")]
    assert score(episode, bundle.material("talk")).primary.code == "X2"
    assert encode(episode) == kept


def test_a_simulated_tool_that_blocks_the_loop_over_the_deadline_is_not_the_agents_failure(
    tmp_path, monkeypatch, clock
):
    waits = _Waits(monkeypatch, clock, "get_order")
    waits.go_on.set()

    async def agent(message, session):
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        return "Done."

    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_seconds=0.1))
    assert (episode.end.kind, episode.end.code) == ("fault", "X2")
    assert [(call.tool, call.ok) for call in episode.calls] == [("get_order", True)]


def test_an_agent_that_hangs_after_its_calls_is_at_fault_itself(tmp_path, clock):
    async def agent(message, session):
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        await asyncio.sleep(30)

    episode = played(tmp_path, agent, "Hi.", limits=Limits(turn_seconds=0.1), run=clock.run)
    assert (episode.end.kind, episode.end.code) == ("limit", "FL4")


# An agent that fails


class _BrokenError(Exception):
    def __str__(self):
        raise ValueError("no text")


class _OwnError(BaseException):
    pass


class _DeadlyError(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def _raises(error):
    def agent(message):
        raise error

    return agent


def _raises_async(error):
    async def agent(message):
        raise error

    return agent


@pytest.mark.parametrize("make", [_raises, _raises_async])
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such thing"), "ValueError: no such thing"),
        (ValueError(), "ValueError"),
        (TimeoutError("the model did not answer"), "TimeoutError: the model did not answer"),
        (asyncio.CancelledError(), "cancelled itself"),
        (SystemExit(3), "sys.exit(3)"),
        (StopIteration(), "StopIteration"),
        (ExceptionGroup("two", [ValueError("a"), KeyError("b")]), "two (2 sub-exceptions)"),
        (ValueError("\x1b[31m\ud800"), "ValueError: \x1b[31m\ud800"),
        (KeyboardInterrupt(), "the agent raised KeyboardInterrupt"),
        (GeneratorExit(), "the agent raised GeneratorExit"),
        (_OwnError("gone"), "the agent raised _OwnError: gone"),
        (_BrokenError(), "the agent raised _BrokenError: (its text can't be told)"),
        (_DeadlyError(), "the agent raised _DeadlyError: (its text can't be told)"),
        (SystemExit(_DeadlyError()), "the agent tried to end the program: sys.exit(...)"),
    ],
)
def test_what_an_agent_raises_ends_the_episode_and_is_kept(tmp_path, make, error, text):
    episode = played(tmp_path, make(error), "Hi.", "And?")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert text in episode.end.text
    assert "Traceback" in episode.end.trace
    assert episode.turns[-1].number == 1
    assert [message.role for message in episode.messages] == ["user"]
    assert decode(Episode, encode(episode)) == episode


def test_a_crash_keeps_the_users_own_line(tmp_path):
    write(
        tmp_path,
        helper_py="""
        import json

        def read(text):
            return json.loads(text)

        async def agent(message):
            try:
                read("{")
            except ValueError as error:
                raise SystemExit(1) from error
        """,
    )
    _, (task,) = tasks(tmp_path, scenarios=scenario("Hi."))
    for name, line in (("read", 5), ("agent", 11)):
        source = resolve("helper.py:agent" if name == "agent" else lambda message: _read(tmp_path), tmp_path)
        episode = asyncio.run(play(task, source, Tracing()))
        assert episode.end.place == f"{tmp_path / 'helper.py'}:{line} in {name}"


def _read(folder):
    names = {}
    source = (folder / "helper.py").read_text()
    exec(compile(source, str(folder / "helper.py"), "exec"), names)
    names["read"]("{")


def test_an_agent_that_fails_on_turn_2_keeps_turn_1(tmp_path):
    def agent(message, session):
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        if len(session.history) > 1:
            raise KeyError("card")
        return "One moment."

    bundle, (task,) = tasks(tmp_path, scenarios=scenario("One.", "Two."))
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "KeyError: 'card'" in episode.end.text
    assert "in agent" in episode.end.trace
    assert said(episode) == ["One moment."]
    assert [call.turn for call in episode.calls] == [1, 2]
    assert score(episode, bundle.material("talk")).primary.code == "FL4"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (RuntimeError("no key"), "RuntimeError: no key"),
        (TimeoutError(), "TimeoutError"),
        (_BrokenError(), "AgentError: the agent raised _BrokenError: (its text can't be told)"),
    ],
)
def test_a_factory_that_raises_at_the_start(tmp_path, error, text):
    def build(session):
        raise error

    episode = played(tmp_path, build, "Hi.")
    assert (episode.end.kind, episode.end.code, episode.end.text) == ("agent_error", "FL4", text)
    assert episode.messages == []
    assert episode.turns == []


def test_a_factory_that_makes_no_agent_is_the_users_mistake(tmp_path):
    with pytest.raises(AgentProblem, match="None"):
        played(tmp_path, lambda session: None, "Hi.")


@pytest.mark.parametrize(
    "nothing", ["\u200b", "\u200b \u2060\ufeff\n", "\u3164", "\u2800", "\u00ad\ufe0f", "\x00\x1b", "\u202e"]
)
def test_a_reply_that_shows_nothing_is_the_agents_failure(tmp_path, nothing):
    episode = played(tmp_path, lambda message: nothing, "Hi.")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "the agent said nothing" in episode.end.text


@pytest.mark.parametrize("nothing", [None, "", "  \n", [], [""], {"text": ""}, 7, {"answer": "hi"}, object()])
def test_no_reply_is_the_agents_failure(tmp_path, nothing):
    episode = played(tmp_path, lambda message: nothing, "Hi.")
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "the agent" in episode.end.text


@pytest.mark.parametrize(
    "text",
    ["x" * 5_000_000, "\x00\x1b[2J\x07\x9b31m", "a lone \ud800 surrogate", "\u202egnihton\u2066", "]]>\r\n\x85\u2028"],
    ids=["5 MB", "controls", "surrogate", "bidi", "breaks"],
)
def test_any_text_is_kept_as_it_was_said(tmp_path, text):
    bundle, (task,) = tasks(tmp_path, scenarios=scenario("Hi."))
    with no_hang():
        episode = asyncio.run(play(task, resolve(lambda message: text, tmp_path), Tracing()))
        scored = score(episode, bundle.material("talk"))
    assert said(episode) == [text]
    assert episode.end.kind == "script_done"
    assert scored.verdict is not None
    assert decode(Episode, encode(episode)).messages[1].text == text


def test_what_an_agent_prints_is_kept_apart(tmp_path, capfd):
    def agent(message):
        print('{"verdict": "passed"}')
        print("warning", file=sys.stderr)
        sys.stdout.buffer.write(b"\xff bytes\n")
        return "Hello."

    episode = played(tmp_path, agent, "Hi.")
    assert episode.stdout == '{"verdict": "passed"}\n� bytes\n'
    assert episode.stderr == "warning\n"
    assert capfd.readouterr() == ("", "")


# Faults that are not the agent's


class _Faulty:
    """A scripted user's side, one of whose methods fails."""

    def __init__(self, user, method):
        self._user = user
        self._method = method

    def __getattr__(self, name):
        if name == self._method:
            raise ZeroDivisionError(f"in {name}")
        return getattr(self._user, name)


@pytest.mark.parametrize("method", ["next", "recognise", "knows"])
def test_an_exception_of_the_harness_is_never_the_agents(tmp_path, method):
    from harness.users.scripted import ScriptedUser

    bundle, (task,) = tasks(tmp_path, scenarios=scenario("Hi."))
    user = _Faulty(ScriptedUser(task.stage.script), method)
    episode = asyncio.run(play(task, resolve(lambda message: "Hello.", tmp_path), Tracing(), user))
    assert (episode.end.kind, episode.end.code) == ("fault", "X5")
    assert episode.end.text == f"ZeroDivisionError: in {method}"
    assert score(episode, bundle.material("talk")).primary.code == "X5"


@pytest.mark.parametrize("swallows", [True, False])
def test_a_fault_of_the_sandbox_that_passes_through_the_agent(tmp_path, monkeypatch, swallows):
    from tools_sandbox.opened import OpenSandbox

    def broken(*_, **__):
        raise ZeroDivisionError("sandbox")

    monkeypatch.setattr(OpenSandbox, "_answer", broken)

    def agent(message, session):
        try:
            session.call_tool("get_order", {"order_id": "O-1"}, None)
        except ZeroDivisionError:
            if not swallows:
                raise
        return "Hello."

    episode = played(tmp_path, agent, "Hi.", "Again.")
    assert (episode.end.kind, episode.end.code) == ("fault", "X5")
    assert episode.end.text == "ZeroDivisionError: sandbox"
    assert episode.turns[-1].number == 1


def test_cancelling_the_harness_is_no_failure_of_the_agent(tmp_path):
    _, (task,) = tasks(tmp_path, scenarios=scenario("Hi."))

    async def run():
        playing = asyncio.create_task(play(task, resolve(_sleeps, tmp_path), Tracing()))
        await asyncio.sleep(0.05)
        playing.cancel()
        await playing

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


# Pauses


def _pausing(*payloads):
    """A graph with one node that pauses for each payload and tells the answers."""
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.types import interrupt

    def node(payload):
        def ask(state):
            answer = interrupt(payload)
            return {"messages": [AIMessage(f"{payload['act']}: {answer}")]}

        return ask

    graph = StateGraph(MessagesState)
    for number, payload in enumerate(payloads):
        graph.add_node(f"ask{number}", node(payload))
        graph.add_edge(START, f"ask{number}")
        graph.add_edge(f"ask{number}", END)
    return graph.compile(checkpointer=InMemorySaver())


APPROVALS = "{turns: [Hi.], approvals: [{match: {act: refund}, answer: 'yes'}, {match: {act: ship}, answer: 'no'}]}"


def _with_approvals(text):
    return f"- {{id: talk, family: orders, user: {text}, expect: {{outcome: resolved}}}}\n"


def test_two_parallel_pauses_get_each_its_own_answer(tmp_path):
    _, (task,) = tasks(tmp_path, scenarios=_with_approvals(APPROVALS))
    graph = _pausing({"act": "refund"}, {"act": "ship"})
    episode = asyncio.run(play(task, resolve(graph, tmp_path), Tracing()))
    assert sorted(said(episode)) == ["refund: yes", "ship: no"]
    assert {(pause.payload["act"], pause.answer, pause.answered, pause.turn) for pause in episode.pauses} == {
        ("refund", "yes", True, 1),
        ("ship", "no", True, 1),
    }
    assert episode.end.kind == "script_done"


def test_a_pause_that_nothing_answers_is_the_scenarios_fault(tmp_path):
    bundle, (task,) = tasks(tmp_path, scenarios=_with_approvals(APPROVALS))
    episode = asyncio.run(play(task, resolve(_pausing({"act": "delete"}), tmp_path), Tracing()))
    assert (episode.end.kind, episode.end.code) == ("no_answer", "X3")
    assert "'delete'" in episode.end.text
    assert "approvals" in episode.end.text
    assert episode.pauses[-1].answered is False
    assert score(episode, bundle.material("talk")).primary.code == "X3"


def test_an_agent_that_pauses_but_cannot_go_on(tmp_path):
    from harness.model.agent import Interrupted

    def agent(message):
        raise Interrupted({"p": {"act": "refund"}})

    _, (task,) = tasks(tmp_path, scenarios=_with_approvals(APPROVALS))
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    assert (episode.end.kind, episode.end.code) == ("agent_error", "FL4")
    assert "resume" in episode.end.text


# Usage


def test_a_replys_own_usage_counts_where_no_span_gives_any(tmp_path):
    episode = played(tmp_path, lambda message: {"text": "Hello.", "usage": {"input": 10, "output": 2}}, "Hi.", "Yo.")
    assert [(call.turn, call.usage) for call in episode.model_calls] == [(1, Usage(10, 2)), (2, Usage(10, 2))]


def test_spans_come_before_a_replys_own_usage(tmp_path):
    from opentelemetry import trace

    def agent(message):
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "m-1",
            "gen_ai.usage.input_tokens": 7,
            "gen_ai.usage.output_tokens": 3,
        }
        with trace.get_tracer("mine").start_as_current_span("chat m-1", attributes=attributes):
            pass
        return {"text": "Hello.", "usage": {"input": 1000, "output": 1000}}

    episode = played(tmp_path, agent, "Hi.")
    (call,) = episode.model_calls
    assert (call.model, call.usage.input, call.usage.output) == ("m-1", 7, 3)


def test_no_usage_at_all_is_not_zero(tmp_path):
    bundle, (task,) = tasks(tmp_path, scenarios=scenario("Hi."))
    episode = asyncio.run(play(task, resolve(lambda message: "Hello.", tmp_path), Tracing()))
    assert episode.model_calls == []
    assert score(episode, bundle.material("talk")).scores["cost_usd"].value.value is None


# Calls outside the sandbox


def test_calls_that_pass_through_are_recorded(tmp_path):
    from langchain_core.tools import tool

    @tool
    def outside(city: str) -> str:
        """The weather."""
        return f"rain in {city}"

    def agent(message, session):
        return outside.invoke({"name": "outside", "args": {"city": "Bonn"}, "id": "c-9", "type": "tool_call"}).content

    episode = played(tmp_path, agent, "Hi.")
    assert said(episode) == ["rain in Bonn"]
    (call,) = episode.calls
    assert (call.tool, call.origin, call.turn, call.arguments) == ("outside", "passthrough", 1, {"city": "Bonn"})
    assert call.result == "rain in Bonn"


@pytest.mark.parametrize("swallows", [False, True])
def test_a_real_tool_that_nothing_simulates_ends_the_rehearsal(tmp_path, swallows):
    from types import SimpleNamespace

    from langchain_core.tools import tool

    @tool
    def get_ordr(order_id: str) -> str:
        """Look."""
        raise AssertionError("really ran")

    hidden, seen = SimpleNamespace(tool=get_ordr), []

    def agent(message):
        seen.append(message)
        try:
            return hidden.tool.invoke({"order_id": "O-1"})
        except Exception:
            if not swallows:
                raise
            return "Something went wrong."

    with pytest.raises(
        AgentProblem, match=r"the sandbox lacks 1 tool\(s\) of the agent: get_ordr \(is it get_order\?\)"
    ):
        played(tmp_path, agent, "One.", "Two.")
    assert seen == ["One."]


def test_a_factory_that_swallows_it_ends_the_rehearsal_too(tmp_path):
    from langchain_core.tools import tool

    @tool
    def unknown(order_id: str) -> str:
        """Look."""
        raise AssertionError("really ran")

    def build():
        with suppress(Exception):
            unknown.invoke({"order_id": "O-1"})
        return lambda message: "Hello."

    with pytest.raises(AgentProblem, match="the sandbox lacks"):
        played(tmp_path, build, "One.")


def test_a_tools_schema_is_no_way_into_other_episodes(tmp_path):
    """What belongs to the agent alone it may change; what is shared it can't."""

    def agent(message, session):
        for form in (openai_tools(session.tools)[0]["function"], mcp_tools(session.tools)[0]):
            schema = form.get("parameters") or form["inputSchema"]
            assert schema["required"] == ["order_id"]
            schema["required"].append("other")
            schema["properties"].clear()
        for held in langchain_tools(session):
            held.args_schema["properties"].clear()
        parameters = session.tools[0].parameters
        for change in (
            lambda: parameters.update(x=1),
            lambda: parameters["required"].append("x"),
            lambda: parameters["properties"]["order_id"].clear(),
            lambda: session.tools[0].arguments.clear(),
        ):
            with pytest.raises(TypeError, match="shared by all episodes"):
                change()
        return json.dumps(parameters)

    _, every = tasks(tmp_path, trials=2, scenarios=scenario("One."))
    source = resolve(agent, tmp_path)
    first, second = (asyncio.run(play(task, source, Tracing())) for task in every)
    assert first.end.kind == second.end.kind == "script_done", first.end
    assert said(first) == said(second)


def _traced(tool, call_id=None, **arguments):
    """The span that an instrumentation makes of a call."""
    from opentelemetry import trace

    told = {"gen_ai.tool.call.id": call_id} if call_id else {}
    told |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
    told["gen_ai.tool.call.arguments"] = json.dumps(arguments)
    return trace.get_tracer("mine").start_as_current_span(f"execute_tool {tool}", attributes=told)


def test_a_call_that_only_a_span_shows_is_a_call(tmp_path):
    def agent(message, session):
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        with _traced("cancel_order", "c-7", order_id="O-1") as span:
            span.set_attribute("gen_ai.tool.call.result", '{"ok": true}')
        with suppress(ValueError), _traced("outside", amount=5):
            raise ValueError("declined")
        session.call_tool("get_order", {"order_id": "O-2"}, None)
        return "Done."

    told = scenario("One.", "Two.", expect="{calls: {never: [outside]}}")
    bundle, (task,) = tasks(tmp_path, scenarios=told)
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    assert [(call.turn, call.tool, call.origin, call.kind, call.ok) for call in episode.calls[:4]] == [
        (1, "get_order", "sandbox", "reads", True),
        (1, "cancel_order", "span", "writes", False),
        (1, "outside", "span", None, False),
        (1, "get_order", "sandbox", "reads", True),
    ]
    assert len(episode.calls) == 8
    cancel, charge = episode.calls[1:3]
    assert (cancel.id, cancel.arguments, cancel.result) == ("c-7", {"order_id": "O-1"}, {"ok": True})
    assert (charge.arguments, charge.error.text) == ({"amount": 5}, "ValueError: declined")
    scored = score(episode, bundle.material("talk"))
    assert scored.scores["tool_calls"].value.value == 8
    assert any("outside" in one.text for one in scored.scores["task_success"].findings)


def _recorded(session, tool, **arguments):
    session.record(Call("mine", 0, tool, None, arguments, None, result={"ok": True}))


@pytest.mark.parametrize("how", ["span", "record"])
def test_an_agents_own_word_for_a_simulated_call_is_no_success(tmp_path, how):
    def agent(message, session):
        if how == "record":
            _recorded(session, "cancel_order", order_id="O-1")
        else:
            with _traced("cancel_order", "c-7", order_id="O-1"):
                pass
        return "Done."

    call = "{cancel_order: {order_id: O-1}}"
    expects = {
        "required": f"calls: {{required: [{call}]}}",
        "in_order": f"calls: {{in_order: [{call}]}}",
        "never": "calls: {never: [cancel_order]}",
        "at_most": "calls: {at_most: [{call: cancel_order, times: 0}]}",
        "unasked": "outcome: resolved",
    }
    told = "".join(scenario("One.", id=name, expect=f"{{{expect}}}") for name, expect in expects.items())
    bundle, every = tasks(tmp_path, scenarios=told)
    for task in every:
        episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
        (call,) = episode.calls
        assert (call.origin, call.kind, call.ok, call.error.kind) == ("span", "writes", False, "outside")
        assert call.error.text.startswith("cancel_order did not run in the sandbox, which simulates it")
        score_ = score(episode, bundle.material(task.key.item)).scores["task_success"]
        assert score_.value.status is Status.FAILED, task.key.item
        assert any("cancel_order" in one.text for one in score_.findings)


def test_a_call_let_through_may_be_recorded_by_the_agent_itself(tmp_path):
    def agent(message, session):
        _recorded(session, "outside", city="Bonn")
        return "Done."

    (call,) = played(tmp_path, agent, "One.").calls
    assert (call.tool, call.turn, call.origin, call.ok) == ("outside", 1, "span", True)


def test_a_call_that_the_sandbox_and_instrumentations_saw_is_one_call(tmp_path):
    def agent(message, session):
        with _traced("get_order", "c-1", order_id="O-1"), _traced("get_order", order_id="O-1"):
            session.call_tool("get_order", {"order_id": "O-1"}, "c-1")
        with _traced("get_order", order_id="O-2"):
            session.call_tool("get_order", {"order_id": "O-2"}, None)
        with _traced("charge_card", "c-2", amount=5), _traced("charge_card", amount=5):
            pass
        return "Done."

    episode = played(tmp_path, agent, "One.", "Two.")
    assert [(call.id, call.tool, call.origin) for call in episode.calls if call.turn == 2] == [
        ("c-1", "get_order", "sandbox"),
        ("call-4", "get_order", "sandbox"),
        ("c-2", "charge_card", "span"),
    ]


def test_two_calls_at_once_that_only_spans_show_are_two(tmp_path):
    def agent(message):
        with _traced("charge_card", "c-1", amount=5), _traced("charge_card", "c-2", amount=5):
            return "Done."

    assert [call.id for call in played(tmp_path, agent, "Hi.").calls] == ["c-1", "c-2"]


def test_a_made_up_tool_and_bad_arguments_are_answered_and_recorded(tmp_path):
    def agent(message, session):
        session.call_tool("get_ordr", {}, None)
        session.call_tool("get_order", '{"order_id": "O-1",}', "c-2")
        return "Hm."

    episode = played(tmp_path, agent, "Hi.")
    assert [call.error.kind for call in episode.calls] == ["unknown_tool", "bad_arguments"]
    assert episode.end.kind == "script_done"


# Trials


def test_nothing_leaks_between_trials_of_one_shared_object(tmp_path):
    class Agent:
        def reply(self, message, session):
            before = session.call_tool("get_order", {"order_id": "O-1"}, None).result["status"]
            session.call_tool("cancel_order", {"order_id": "O-1"}, None)
            return f"It was {before}; {len(session.history)} before."

    _, every = tasks(tmp_path, trials=3, scenarios=scenario("Hi."))
    source = resolve(Agent(), tmp_path)

    async def run():
        return [await play(task, source, Tracing()) for task in every]

    episodes = asyncio.run(run())
    assert [said(episode) for episode in episodes] == [["It was paid; 0 before."]] * 3
    assert len({episode.conversation_id for episode in episodes}) == 3
    assert len({episode.seed for episode in episodes}) == 3
    assert [len(episode.calls) for episode in episodes] == [2, 2, 2]


def test_fifty_episodes_at_once_over_one_shared_graph_stay_apart(tmp_path):
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import MessagesState, StateGraph
    from opentelemetry import trace

    async def node(state):
        with trace.get_tracer("mine").start_as_current_span(f"saw {state['messages'][-1].content}"):
            await asyncio.sleep(0.001 * (len(state["messages"][-1].content) % 3))
        print(state["messages"][-1].content)
        return {"messages": [AIMessage(f"{len(state['messages'])}: {state['messages'][0].content}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.set_entry_point("node")
    source = resolve(graph.compile(checkpointer=InMemorySaver()), tmp_path)
    text = "".join(scenario(f"I am {n}.", f"Still {n}.", id=f"s-{n}") for n in range(50))
    _, every = tasks(tmp_path, scenarios=text)
    tracing = Tracing()

    async def run():
        return await asyncio.gather(*(play(task, source, tracing) for task in every))

    for n, episode in enumerate(asyncio.run(run())):
        assert said(episode) == [f"1: I am {n}.", f"3: I am {n}."]
        assert episode.stdout == f"I am {n}.\nStill {n}.\n"
        seen = [span.name for span in episode.spans if span.name.startswith("saw")]
        assert seen == [f"saw I am {n}.", f"saw Still {n}."]
        assert len({span.trace_id for span in episode.spans}) == 1
        assert episode.spans_missing is None


def test_playing_twice_gives_the_same_conversation(tmp_path):
    one, other = (played(tmp_path / str(n), cancels, "Cancel it.", knows="{order_id: O-1}") for n in (1, 2))
    told = [[(m.role, m.text, m.turn, m.because, m.asks) for m in episode.messages] for episode in (one, other)]
    assert told[0][0][:3] == ("user", "Cancel it.", 1)
    assert [row[:3] for row in told[0]] == [row[:3] for row in told[1]]
    assert [(c.id, c.tool, c.arguments, c.result) for c in one.calls] == [
        (c.id, c.tool, c.arguments, c.result) for c in other.calls
    ]
    assert one.seed == other.seed


def test_the_gold_path_of_the_desk_passes(tmp_path):
    from harness.agents.gold import GoldAgent

    bundle, (task,) = tasks(tmp_path, scenarios=SCENARIO)
    gold = GoldAgent(task.stage.scenario.gold, "cancel-one")
    episode = asyncio.run(play(task, resolve(gold, tmp_path), Tracing()))
    assert score(episode, bundle.material("cancel-one")).verdict.status.value == "passed"


def test_the_last_stated_outcome_and_confidence_are_kept(tmp_path):
    replies = iter([Reply(("One moment.",), "refused", 0.2), Reply(("Done.",), None, 0.9)])
    episode = played(tmp_path, lambda message: next(replies), "One.", "Two.")
    assert (episode.stated_outcome, episode.confidence) == (None, 0.9)
    assert episode.outcome == "resolved"


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [(httpx.ConnectError("refused"), "fault", "X2"), (ConnectionError("refused"), "agent_error", "FL4")],
)
def test_an_outage_of_the_provider_is_not_the_agents_fault(tmp_path, error, kind, code):
    def agent(message, session):
        raise RuntimeError("no answer from the model") from error

    episode = played(tmp_path, agent, "Hi.")
    assert (episode.end.kind, episode.end.code) == (kind, code)
    assert episode.end.text == "RuntimeError: no answer from the model"


def test_a_system_clock_that_is_set_back_makes_no_time_negative(tmp_path, monkeypatch):
    began = time.time()

    def agent(message, session):
        monkeypatch.setattr(time, "time", lambda: began - 3600)
        monkeypatch.setattr(time, "time_ns", lambda: int((began - 3600) * 1e9))
        session.call_tool("get_order", {"order_id": "O-1"}, None)
        return "Done."

    bundle, (task,) = tasks(tmp_path, scenarios=scenario("One.", "Two."))
    episode = asyncio.run(play(task, resolve(agent, tmp_path), Tracing()))
    monkeypatch.undo()
    times = [
        episode.started,
        *(at for turn in episode.turns for at in (turn.started, turn.ended)),
        episode.ended,
    ]
    assert times == sorted(times)
    assert abs(times[0] - began) < 5
    assert times[-1] - times[0] < 60
    for call in episode.calls:
        assert times[0] <= call.started <= call.ended <= times[-1]
    assert [message.at for message in episode.messages] == sorted(message.at for message in episode.messages)
    for span in episode.spans:
        assert began - 5 < span.start / 1e9 <= span.end / 1e9 < began + 60
    assert 0 <= score(episode, bundle.material("talk")).scores["latency_seconds"].value.value < 60
