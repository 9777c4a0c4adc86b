"""Functions and objects of every sort are agents, and what they give back is a reply or a clear error."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import sys
import threading
import time
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from opentelemetry import trace

from harness.agents.current import SESSION
from harness.agents.output import captured_output
from harness.agents.problem import AgentError, AgentProblem
from harness.agents.resolve import resolve
from harness.model.agent import Interrupted, Reply
from harness.model.episode import Message
from tests.clock import Clock
from tests.harness.agents.desk import Desk, spec, talk
from traces.capture import Tracing
from traces.genai import Usage

HERE = Path(__file__).parent


def said(agent, *messages):
    return [reply.messages for reply in talk(resolve(agent, HERE), None, *messages)]


def test_a_sync_function():
    def agent(message):
        return f"you said {message}"

    assert said(agent, "a", "b") == [("you said a",), ("you said b",)]


def test_an_async_function_with_the_session():
    async def agent(message, session):
        return f"{session.conversation_id}: {message}"

    assert said(agent, "a") == [("c-1: a",)]


def test_a_keyword_only_session():
    def agent(message, *, session):
        return f"{session.seed}: {message}"

    assert said(agent, "a") == [("7: a",)]


def test_a_stream_of_text_is_one_message_sync_and_async():
    def sync(message):
        yield "one "
        yield "message"

    async def asynchronous(message):
        yield "one "
        yield "message"

    async def returns_a_stream(message):
        return asynchronous(message)

    def returns_a_coroutine(message):
        return returns_a_stream(message)

    for agent in (sync, asynchronous, returns_a_stream, returns_a_coroutine):
        assert said(agent) == [("one message",)]


def test_message_objects_of_a_stream_are_messages_of_their_own():
    def agent(message):
        yield "one "
        yield "moment"
        yield Message("agent", "second", 1)
        yield "th"
        yield AIMessageChunk(content="ird")
        yield Reply(("fourth", "fifth"), outcome="resolved", confidence=0.5)
        yield {"text": "sixth", "usage": {"input": 3, "output": 4}}

    (reply,) = talk(resolve(agent, HERE))
    assert reply == Reply(("one moment", "second", "third", "fourth", "fifth", "sixth"), "resolved", 0.5, Usage(3, 4))


def test_code_after_the_last_piece_runs():
    log = []

    async def agent(message):
        try:
            yield "hello"
            await asyncio.sleep(0)
            log.append("history saved")
        finally:
            log.append("closed")

    def blocking(message):
        yield "hello"
        log.append("history saved, too")

    assert said(agent) == said(blocking) == [("hello",)]
    assert log == ["history saved", "closed", "history saved, too"]


def test_a_stream_inside_a_span_leaves_no_detach_errors(caplog):
    tracing = Tracing()

    def sync(message):
        with tracing.tracer.start_as_current_span("agent"):
            yield "a"
            with tracing.tracer.start_as_current_span("tool"):
                yield "b"

    async def asynchronous(message):
        with tracing.tracer.start_as_current_span("agent"):
            yield "a"
            with tracing.tracer.start_as_current_span("tool"):
                yield "b"

    async def run(agent):
        session = Desk().session()
        with tracing.episode() as episode:
            made = await resolve(agent, HERE).open(session)
            with episode.turn(1):
                await made.reply("hi", session)
        return episode.finish()

    for agent in (sync, asynchronous):
        spans, missing = asyncio.run(run(agent))
        assert missing is None
        names = {span.span_id: span.name for span in spans}
        assert [(span.name, names.get(span.parent_id)) for span in spans] == [
            ("episode", None),
            ("turn", "episode"),
            ("agent", "turn"),
            ("tool", "agent"),
        ]
    assert caplog.records == []


def test_a_blocking_agent_does_not_hold_up_the_loop():
    blocked, go_on = [], threading.Event()

    def agent(message):
        blocked.append(message)
        return "done" if go_on.wait(60) else "the loop stood still, or one waited for another"

    async def let_go():
        while len(blocked) < 20:
            await asyncio.sleep(0.01)
        go_on.set()

    async def run():
        session = Desk().session()
        made = [await resolve(agent, HERE).open(session) for _ in range(20)]
        return await asyncio.gather(*(each.reply("hi", session) for each in made), let_go())

    *replies, _ = asyncio.run(run())
    assert [reply.messages for reply in replies] == [("done",)] * 20


def test_an_agent_stays_in_one_thread_for_its_conversation():
    def build():
        database = sqlite3.connect(":memory:")  # refuses to be used from another thread
        database.execute("create table said (message)")

        def agent(message):
            database.execute("insert into said values (?)", [message])
            return str(database.execute("select count(*) from said").fetchone()[0])

        return agent

    source = resolve(build, HERE)
    assert [reply.messages for reply in talk(source, None, "a", "b")] == [("1",), ("2",)]
    assert [reply.messages for reply in talk(source, None, "a")] == [("1",)]


def test_threads_end_with_their_agents():
    before = threading.active_count()
    for _ in range(20):
        said(lambda message: "ok")
    deadline = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_the_current_session_is_known_deep_inside_and_not_outside():
    async def agent(message):
        return await asyncio.to_thread(lambda: SESSION.get().conversation_id)

    assert said(agent) == [("c-1",)]
    assert SESSION.get() is None


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("text", ("text",)),
        (["one", "two"], ("one", "two")),
        (("one", " ", "two"), ("one", "two")),
        (Reply(("one",), "refused"), ("one",)),
        (Reply("one"), ("one",)),
        ({"text": "one", "outcome": "escalated"}, ("one",)),
        ({"messages": ["one", "two"]}, ("one", "two")),
        (AIMessage("one"), ("one",)),
        (AIMessage([{"type": "text", "text": "o"}, {"type": "image_url", "image_url": "x"}, "ne"]), ("one",)),
        ([AIMessage("one"), "two", {"text": "three"}], ("one", "two", "three")),
        ("{{refund}} ${x} \x1b[31m\x00 \U0001f600", ("{{refund}} ${x} \x1b[31m\x00 \U0001f600",)),
    ],
)
def test_what_a_reply_may_be(value, messages):
    assert said(lambda message: value) == [messages]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "the agent said nothing|returned None"),
        ("", "the agent said nothing: it returned an empty str"),
        (" \n", r"the agent said nothing: it returned str ' \\n'"),
        ([], "the agent said nothing: it returned an empty list"),
        (Reply(()), "the agent said nothing"),
        (42, "the agent returned int 42; a reply is text, a list of texts"),
        (b"bytes", "the agent returned bytes b'bytes'"),
        (["ok", 3], "the agent returned int 3"),
        ({"content": "hi"}, r"unknown: content\); its keys are text, messages"),
        ({"outcome": "resolved"}, "either `text` or `messages` is needed"),
        ({"text": "x", "outcome": "done"}, "states the outcome 'done'; known: resolved, escalated, refused, open"),
        ({"text": "x", "confidence": 1.5}, "states the confidence 1.5; it is a number from 0 to 1"),
        ({"text": "x", "confidence": float("nan")}, "states the confidence nan"),
        ({"text": "x", "usage": {"tokens": 3}}, "`usage` that is not input, output"),
        (Reply((3,)), "has a message that is int 3, not text"),
        (iter(["a"]), "the agent returned list_iterator"),
    ],
)
def test_no_usable_reply_is_the_agents_error(value, text):
    with pytest.raises(AgentError, match=text):
        said(lambda message: value)


def test_a_stream_that_says_nothing_is_an_error():
    def agent(message):
        yield from ()

    with pytest.raises(AgentError, match="the agent said nothing"):
        said(agent)


def test_exceptions_come_out_as_they_are():
    class NoSuchOrderError(Exception):
        pass

    def sync(message):
        raise NoSuchOrderError("O-1")

    async def asynchronous(message):
        raise NoSuchOrderError("O-1")

    async def streaming(message):
        yield "hello"
        raise NoSuchOrderError("O-1")

    for agent in (sync, asynchronous, streaming):
        with pytest.raises(NoSuchOrderError, match="O-1") as caught:
            said(agent)
        assert any("test_callables" in str(frame.path) for frame in caught.traceback[-1:])


def _cancels(message):
    raise asyncio.CancelledError


async def _cancels_itself(message):
    asyncio.current_task().cancel()
    await asyncio.sleep(1)


async def _raises_cancelled(message):
    raise asyncio.CancelledError


async def _exits(message):
    sys.exit(3)


def _stops(message):
    raise StopIteration


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        (_cancels, "cancelled itself"),
        (_cancels_itself, "cancelled itself"),
        (_raises_cancelled, "cancelled itself"),
        (_exits, r"tried to end the program: sys.exit\(3\)"),
        (lambda message: sys.exit("bye"), r"tried to end the program: sys.exit\('bye'\)"),
        (_stops, "raised StopIteration"),
    ],
)
def test_an_agent_that_cancels_or_ends_is_at_fault_and_nothing_else_stops(agent, text):
    async def run():
        session = Desk().session()
        other = await resolve(_slow, HERE).open(session)
        beside = asyncio.create_task(other.reply("hi", session))
        made = await resolve(agent, HERE).open(session)
        with pytest.raises(AgentError, match=text):
            await made.reply("hi", session)
        assert not asyncio.current_task().cancelling()
        return await beside

    assert asyncio.run(run()).messages == ("still here",)


async def _slow(message):
    await asyncio.sleep(0.05)
    return "still here"


def test_a_real_cancellation_stays_one_and_reaches_the_agent():
    log = []

    async def agent(message):
        try:
            await asyncio.sleep(10)
        finally:
            log.append("told")

    async def run():
        session = Desk().session()
        made = await resolve(agent, HERE).open(session)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await made.reply("hi", session)
        turn = asyncio.create_task(made.reply("hi", session))
        await asyncio.sleep(0.02)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn

    Clock().run(run())
    assert log == ["told", "told"]


def test_a_hanging_blocking_agent_is_left_behind():
    go_on, ended = threading.Event(), threading.Event()

    def agent(message):
        go_on.wait(60)
        ended.set()

    async def run():
        session = Desk().session()
        made = await resolve(agent, HERE).open(session)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await made.reply("hi", session)

    asyncio.run(run())
    assert not ended.is_set()
    go_on.set()


def test_an_object_with_reply_is_used_as_it_is():
    class Agent:
        def __init__(self):
            self.count = 0

        def reply(self, message):
            self.count += 1
            return f"{message} {self.count}"

    source = resolve(Agent(), HERE)
    assert [talk(source)[0].messages, talk(source)[0].messages] == [("hi 1",), ("hi 2",)]


def test_a_class_is_a_factory_and_may_take_the_session():
    class Agent:
        def __init__(self, session):
            self.session = session

        async def reply(self, message, session):
            assert session is self.session
            return "new" if not hasattr(self, "used") else "used"

    source = resolve(Agent, HERE)
    assert [talk(source)[0].messages, talk(source)[0].messages] == [("new",), ("new",)]


def test_factories_may_be_async_and_make_any_kind():
    async def build(session):
        async def agent(message):
            return f"{session.conversation_id} {message}"

        return agent

    assert said(build) == [("c-1 hi",)]


def test_an_agent_that_pauses_is_resumed_with_the_answers():
    class Agent:
        async def reply(self, message, session):
            raise Interrupted({"p-1": {"ask": "refund?"}})

        async def resume(self, answers, session):
            return f"the answer was {answers['p-1']}"

    class Stuck:
        async def reply(self, message, session):
            raise Interrupted({"p-1": {}})

    async def run(agent):
        session = Desk().session()
        made = await resolve(agent(), HERE).open(session)
        with pytest.raises(Interrupted) as pause:
            await made.reply("hi", session)
        return pause.value.payloads, await made.resume({"p-1": "yes"}, session)

    payloads, reply = asyncio.run(run(Agent))
    assert payloads == {"p-1": {"ask": "refund?"}}
    assert reply.messages == ("the answer was yes",)
    with pytest.raises(AgentError, match="pauses for a person but has no `resume"):
        asyncio.run(run(Stuck))


def test_what_a_factory_makes_must_be_an_agent():
    def build():
        pass

    def twice():
        return lambda: None

    with pytest.raises(AgentProblem, match=r"what .*build returned is None; accepted are"):
        said(build)
    with pytest.raises(AgentProblem, match="returned another factory"):
        said(twice)


def test_a_factory_that_raises_raises_in_open():
    def build():
        raise RuntimeError("no key")

    with pytest.raises(RuntimeError, match="no key"):
        said(build)


def test_prints_go_with_the_episode_and_only_there(capsys):
    async def agent(message):
        print(f"talking about {message}")
        await asyncio.to_thread(print, '{"json": 1}')
        print("careful", file=sys.stderr)
        sys.stdout.buffer.write(b"bytes\n")
        return "ok"

    def blocking(message):
        print(f"thinking about {message}")
        return "ok"

    async def play(agent, message):
        with captured_output() as output:
            session = Desk().session()
            made = await resolve(agent, HERE).open(session)
            await made.reply(message, session)
            await asyncio.sleep(0.01)
        return output

    async def run():
        outputs = await asyncio.gather(play(agent, "a"), play(agent, "b"), play(blocking, "c"))
        print("ours")
        return outputs

    first, second, third = asyncio.run(run())
    assert first.stdout == 'talking about a\n{"json": 1}\nbytes\n'
    assert second.stdout == 'talking about b\n{"json": 1}\nbytes\n'
    assert (first.stderr, second.stderr) == ("careful\n", "careful\n")
    assert third.stdout == "thinking about c\n"
    assert capsys.readouterr() == ("ours\n", "")


def test_output_is_limited_and_says_so():
    with captured_output(limit=10) as output:
        print("x" * 5)
        print("y" * 5_000_000)
    assert output.stdout == "xxxxx\nyyyy\n[4999997 more characters left out]\n"
    assert sys.stdout.__class__.__name__ != "_Routed"


def test_tools_are_called_through_the_session():
    desk = Desk({"get_order": lambda order_id: {"status": "shipped"}})

    def agent(message, session):
        call = session.call_tool("get_order", '{"order_id": "O-1"}', "call-1")
        return call.result["status"]

    (reply,) = talk(resolve(agent, HERE), desk, session=desk.session(spec("get_order", order_id="string")))
    assert reply.messages == ("shipped",)
    assert desk.made == [("get_order", {"order_id": "O-1"}, "sandbox", None)]


def test_spans_of_an_agents_thread_join_the_turn():
    tracing = Tracing()

    def agent(message):
        with trace.get_tracer("lib").start_as_current_span("lookup"):
            return "ok"

    async def run():
        session = Desk().session()
        with tracing.episode() as episode:
            made = await resolve(agent, HERE).open(session)
            with episode.turn(1):
                await made.reply("hi", session)
        return episode.finish()

    spans, missing = asyncio.run(run())
    assert [span.name for span in spans] == ["episode", "turn", "lookup"]
    assert missing is None


def test_nothing_is_left_running_when_a_turn_is_given_up():
    closed = []

    async def agent(message):
        with contextlib.closing(_Noted(closed)):
            yield "a"
            await asyncio.sleep(10)

    async def run():
        session = Desk().session()
        made = await resolve(agent, HERE).open(session)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.02):
                await made.reply("hi", session)
        return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    assert Clock().run(run()) == []
    assert closed == ["closed"]


class _Noted:
    def __init__(self, log):
        self.log = log

    def close(self):
        self.log.append("closed")
