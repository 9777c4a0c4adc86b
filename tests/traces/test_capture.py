"""Spans are the evidence: none is lost, none is cut, and a trace that is not complete says so."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

from traces.capture import Tracing

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tracing():
    return Tracing()


def by_name(spans):
    return {span.name: span for span in spans}


def test_a_trace_is_episode_turn_and_what_the_agent_emits(tracing):
    with tracing.episode("episode", {"gen_ai.conversation.id": "c-1"}) as episode:
        with episode.turn(1), trace.get_tracer("agent").start_as_current_span("chat m") as span:
            span.set_attribute("gen_ai.operation.name", "chat")
        spans, missing = episode.finish()
    found = by_name(spans)
    assert missing is None
    assert [span.name for span in spans] == ["episode", "turn", "chat m"]
    assert {span.trace_id for span in spans} == {episode.trace_id}
    assert found["episode"].parent_id is None
    assert found["episode"].attributes == {"gen_ai.conversation.id": "c-1"}
    assert found["turn"].parent_id == found["episode"].span_id
    assert found["turn"].attributes == {"turngate.turn": 1}
    assert found["chat m"].parent_id == found["turn"].span_id
    assert found["chat m"].scope == "agent"
    assert all(span.end >= span.start > 0 for span in spans)


def test_traceparent_names_the_span_that_is_current(tracing):
    with tracing.episode() as episode:
        between = episode.traceparent
        with episode.turn(1) as turn:
            within = episode.traceparent
            turn_id = f"{turn.get_span_context().span_id:016x}"
        spans, _ = episode.finish()
    root = by_name(spans)["episode"]
    assert between == episode.traceparent == f"00-{root.trace_id}-{root.span_id}-01"
    assert within == f"00-{root.trace_id}-{turn_id}-01"


def test_each_episode_is_a_trace_of_its_own_even_within_another_span(tracing):
    with tracing.tracer.start_as_current_span("outside") as outside:
        with tracing.episode() as first:
            pass
        with tracing.episode() as second:
            pass
    ids = {first.trace_id, second.trace_id, f"{outside.get_span_context().trace_id:032x}"}
    assert len(ids) == 3
    assert first.finish()[0][0].parent_id is None


def test_concurrent_episodes_keep_their_spans_apart(tracing):
    async def talk(number):
        with tracing.episode() as episode:
            for turn in (1, 2):
                with episode.turn(turn):
                    await asyncio.to_thread(_work, number)
                    await asyncio.sleep(0)
            return episode.finish()

    async def many():
        return await asyncio.gather(*(talk(number) for number in range(20)))

    def _work(number):
        with trace.get_tracer("agent").start_as_current_span("work", attributes={"number": number}):
            pass

    for number, (spans, missing) in enumerate(asyncio.run(many())):
        assert missing is None
        assert [span.attributes["number"] for span in spans if span.name == "work"] == [number, number]


def test_spans_of_many_threads_are_all_there(tracing):
    with tracing.episode() as episode, episode.turn(1) as turn:
        context = trace.set_span_in_context(turn)

        def work():
            for _ in range(200):
                tracing.tracer.start_span("work", context=context).end()

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    spans, missing = episode.finish()
    assert sum(span.name == "work" for span in spans) == 1600
    assert missing is None


def test_unfinished_spans_are_named(tracing):
    with tracing.episode() as episode:
        tracing.tracer.start_span("slow lookup")
        for _ in range(6):
            tracing.tracer.start_span("poll")
        spans, missing = episode.finish()
    assert [span.name for span in spans] == ["episode"]
    assert missing == "7 span(s) had not ended: slow lookup, poll, poll, poll, poll and 2 more"


def test_a_parent_that_nobody_saw_is_said(tracing):
    with tracing.episode() as episode:
        elsewhere = TracerProvider().get_tracer("elsewhere").start_span("unseen")
        with trace.use_span(elsewhere, end_on_exit=True):
            tracing.tracer.start_span("child").end()
        _, missing = episode.finish()
    assert missing == "the parent of 1 span(s) was never seen: child"


def test_values_are_json(tracing):
    with tracing.episode() as episode, episode.turn(1) as span:
        span.set_attribute("list", ["a", "b"])
        span.set_attribute("none", None)
        span.set_attribute("empty", {})
        span.set_attribute("nested", {"a": (1, {"b": None})})
        span.set_attribute("nan", float("nan"))
        span.set_attribute("bytes", b"\x00\x01")
        span.add_event("note", {"k": (1, 2)})
    spans, _ = episode.finish()
    turn = by_name(spans)["turn"]
    assert turn.attributes == {
        "turngate.turn": 1,
        "list": ["a", "b"],
        "none": None,
        "empty": {},
        "nested": {"a": [1, {"b": None}]},
        "nan": "nan",
        "bytes": "AAE=",
    }
    assert turn.events[0].attributes == {"k": [1, 2]}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(min_size=1), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(min_size=1), ANYTHING))
def test_whatever_an_agent_puts_on_a_span_is_kept_as_json(attributes):
    tracing = Tracing()
    with tracing.episode() as episode:
        tracing.tracer.start_span("agent", attributes=attributes).end()
        spans, _ = episode.finish()
    kept = by_name(spans)["agent"].attributes
    assert kept.keys() == attributes.keys()
    json.dumps(kept, allow_nan=False)


def test_an_exception_that_leaves_a_turn_is_on_its_span(tracing):
    with tracing.episode() as episode:
        with pytest.raises(ValueError, match="no such order"), episode.turn(1):
            raise ValueError("no such order")
        spans, missing = episode.finish()
    turn = by_name(spans)["turn"]
    assert (turn.status, turn.status_text) == ("error", "ValueError: no such order")
    assert turn.events[0].attributes["exception.type"] == "ValueError"
    assert missing is None


def test_a_provider_of_the_agents_own_is_joined_and_its_cuts_are_said(tracing, monkeypatch):
    own = TracerProvider(span_limits=SpanLimits(max_span_attributes=1), shutdown_on_exit=False)
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: own)
    with tracing.episode() as episode:
        with episode.turn(1), own.get_tracer("agent").start_as_current_span("chat") as span:
            span.set_attributes({"a": 1, "b": 2})
        spans, missing = episode.finish()
    found = by_name(spans)
    assert found["chat"].parent_id == found["turn"].span_id
    assert missing == "1 attribute(s) or event(s) were cut off by the limits of the agent's tracer provider"
    with tracing.episode() as episode:  # joined once: nothing is doubled
        with episode.turn(1), own.get_tracer("agent").start_as_current_span("chat"):
            pass
        spans, missing = episode.finish()
    assert [span.name for span in spans] == ["episode", "turn", "chat"]


def test_a_provider_that_samples_is_said(tracing, monkeypatch):
    own = TracerProvider(sampler=TraceIdRatioBased(0.0), shutdown_on_exit=False)
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: own)
    with tracing.episode() as episode:
        with episode.turn(1), own.get_tracer("agent").start_as_current_span("chat"):
            pass
        spans, missing = episode.finish()
    assert [span.name for span in spans] == ["episode", "turn"]
    assert missing == "the agent's tracer provider samples its spans (TraceIdRatioBased{0.0})"


def test_spans_that_end_after_the_episode_are_not_kept(tracing):
    with tracing.episode() as episode:
        late = tracing.tracer.start_span("late")
        first = episode.finish()
    late.end()
    assert episode.finish() is first
    assert tracing._gatherer._traces == {}


async def _stream(tracer):
    with tracer.start_as_current_span("stream"):
        for piece in ("a", "b", "c"):
            yield piece


def test_a_generator_left_early_logs_no_detach_errors(tracing, caplog):
    async def agent():
        async for _ in _stream(tracing.tracer):
            break  # the generator is closed later, in a context of its own

    async def talk():
        with tracing.episode() as episode, episode.turn(1):
            await asyncio.create_task(agent())
            gc.collect()
            for _ in range(10):
                await asyncio.sleep(0)
            return episode

    with caplog.at_level(logging.DEBUG):
        episode = asyncio.run(talk())
    assert [record.getMessage() for record in caplog.records if "detach" in record.getMessage()] == []
    assert "stream" in by_name(episode.finish()[0])


HOSTILE = {
    "OTEL_SDK_DISABLED": "true",
    "OTEL_TRACES_SAMPLER": "always_off",
    "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "3",
    "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT": "3",
    "OTEL_ATTRIBUTE_COUNT_LIMIT": "1",
    "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "1",
    "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT": "0",
    "OTEL_SPAN_EVENT_COUNT_LIMIT": "0",
    "OTEL_TRACES_EXPORTER": "none",
}

PROGRAM = """
from opentelemetry import trace
from traces.capture import Tracing
tracing = Tracing()
with tracing.episode() as episode:
    with episode.turn(1), trace.get_tracer("agent").start_as_current_span("chat") as span:
        span.set_attributes({f"key{n}": "x" * 70_000 for n in range(200)})
        for n in range(300):
            span.add_event("step", {"n": n})
    spans, missing = episode.finish()
chat = spans[2]
print(len(spans), missing, len(chat.attributes), len(chat.attributes["key0"]))
print(len(chat.events), chat.events[0].attributes)
"""


def test_no_environment_variable_empties_or_cuts_the_evidence():
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**HOSTILE, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == ["3 None 200 70000", "300 {'n': 0}"], run.stderr


FOREIGN = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from traces.capture import Tracing
tracing = Tracing()
names = []
for number in (1, 2):
    with tracing.episode() as episode:
        if number == 1:
            trace.set_tracer_provider(TracerProvider())  # in the agent's factory, with the episode under way
        with episode.turn(1), trace.get_tracer("agent").start_as_current_span("chat"):
            pass
        names.append([span.name for span in episode.finish()[0]])
print(names)
"""


def test_an_agent_may_set_its_provider_in_its_factory():
    run = subprocess.run([sys.executable, "-c", FOREIGN], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.stdout.strip() == "[['episode', 'turn', 'chat'], ['episode', 'turn', 'chat']]", run.stderr
    assert run.stderr == ""


def test_a_closed_tracing_leaves_the_provider_that_it_joined_as_it_was(monkeypatch):
    theirs = TracerProvider()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: theirs)
    before = theirs._active_span_processor._span_processors
    for _ in range(3):
        run = Tracing()
        with run.episode() as episode, episode.turn(1):
            theirs.get_tracer("agent").start_span("agent").end()
        assert "agent" in by_name(episode.finish()[0])
        run.close()
    assert theirs._active_span_processor._span_processors == before
