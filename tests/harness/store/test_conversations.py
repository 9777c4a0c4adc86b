from dataclasses import replace
from itertools import chain
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from harness.store.arrivals import Arrival
from harness.store.conversation_records import Source
from harness.store.mask import mask_text
from harness.store.store import Store
from tests.reference import reference
from traces.conversation import Conversation
from traces.log_record import LogRecord
from traces.reading import conversation, conversations, read
from traces.span import Span

FILE = Source("night.jsonl", "0" * 64)


def tool_span(number, trace="a" * 32, **more):
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_order",
        "gen_ai.tool.call.id": f"call-{number}",
        "gen_ai.tool.call.arguments": f'{{"order_id": "O-{number}"}}',
        "gen_ai.tool.call.result": '{"status": "paid"}',
        **more,
    }
    return Span(
        trace,
        f"{number:016x}",
        None,
        "execute_tool get_order",
        "internal",
        number * 10**9,
        number * 10**9 + 5,
        attributes,
    )


def arrival(*spans, source=FILE):
    return Arrival(conversation(spans), (source,))


def test_every_sample_comes_back_as_it_was_read(store):
    for path in sorted(reference("otel_samples").glob("*.jsonl")):
        if path.name.endswith(".logs.jsonl"):
            continue
        logs = path.with_suffix(".logs.jsonl")
        came = list(read(path, *([logs] if logs.exists() else [])))
        assert len(came) == 1
        store.conversations.save([Arrival(replace(one, id=path.stem), (FILE,)) for one in came])
        (found,) = store.conversations.matching(path.stem)
        assert (found.turns, found.tool_calls, found.model_calls) == (2, 4, 5)
        held = store.conversations.telemetry(found.id)
        assert conversations(held.spans, held.logs) == came, path.name


def test_the_same_again_adds_nothing(store):
    came = arrival(tool_span(1), tool_span(2))
    assert store.conversations.save([came, came]) == {"new": 1, "unchanged": 1}
    other = Source("copy.jsonl", "1" * 64)
    assert store.conversations.save([replace(came, sources=(other,))]) == {"unchanged": 1}
    (found,) = store.conversations.all()
    assert found.tool_calls == 2
    assert found.sources == (FILE, other)


def test_late_spans_are_put_to_the_others(store):
    store.conversations.save([arrival(tool_span(1))])
    (before,) = store.conversations.all()
    assert store.conversations.save([arrival(tool_span(2))]) == {"updated": 1}
    (after,) = store.conversations.all()
    assert (before.tool_calls, after.tool_calls) == (1, 2)
    assert after.id == before.id


def test_a_late_id_joins_what_had_none(store):
    store.conversations.save([arrival(tool_span(1)), arrival(tool_span(2, trace="b" * 32))])
    assert len(list(store.conversations.all())) == 2
    named = {"gen_ai.conversation.id": "talk-1"}
    late = conversations([tool_span(3, **named), tool_span(4, trace="b" * 32, **named)])
    assert store.conversations.save([Arrival(one, (FILE,)) for one in late]) == {"updated": 1}
    (found,) = store.conversations.all()
    assert (found.conversation, found.tool_calls) == ("talk-1", 4)
    assert store.conversations.matching("talk-1") == [found]
    assert store.conversations.matching("bbbb") == [found]
    assert store.conversations.matching("tal") == [found]
    assert store.conversations.matching("alk") == []


def test_conversations_of_one_trace_stay_apart(store):
    spans = [tool_span(n, **{"gen_ai.conversation.id": f"talk-{n}"}) for n in (1, 2)]
    apart = conversations(spans)
    assert len(apart) == 2
    came = [Arrival(one, (FILE,)) for one in apart]
    assert store.conversations.save(came) == {"new": 2}
    assert store.conversations.save(came) == {"unchanged": 2}


def agents_and_children():
    """Two agents of different ids in one trace, and what is below them; of each, one call gives no id."""
    agents, children = [], []
    for number, name in ((1, "talk-1"), (5, "talk-2")):
        named = {"gen_ai.conversation.id": name}
        agents.append(tool_span(number, **named, **{"gen_ai.operation.name": "invoke_agent"}))
        below = [tool_span(number + 1, **named), tool_span(number + 2), tool_span(number + 3, **named)]
        children += [replace(span, parent_id=agents[-1].span_id) for span in below]
    return agents, children


def saved(store, *files):
    for spans in files:
        store.conversations.save([Arrival(one, (FILE,)) for one in conversations(spans)])
    found = sorted(store.conversations.all(), key=lambda one: one.id)
    return [(replace(one, imported=""), store.conversations.telemetry(one.id)) for one in found]


@given(place=st.lists(st.integers(0, 2), min_size=8, max_size=8), apart=st.booleans())
@example(place=[0, 0, 1, 1, 1, 1, 1, 1], apart=False)
@settings(max_examples=25, deadline=None)
def test_what_comes_late_is_put_to_whichever_conversation_of_the_trace_it_is_of(place, apart):
    agents, children = agents_and_children()
    if apart:  # one goes on in a trace of its own
        agents.append(tool_span(9, trace="b" * 32, **{"gen_ai.conversation.id": "talk-2"}))
        place = [*place, 2]
    spans = [*agents, *children]
    files = [[span for span, file in zip(spans, place, strict=False) if file == one] for one in range(3)]
    with (
        TemporaryDirectory() as folder,
        Store.open(f"{folder}/once.db") as once,
        Store.open(f"{folder}/late.db") as late,
    ):
        assert saved(late, *filter(None, files)) == saved(once, list(chain(*files)))


def test_what_a_late_span_changes_nothing_of_stays_as_it_came(store):
    agents, children = agents_and_children()
    saved(store, [*agents, *children])
    before = {one.conversation: one.imported for one in store.conversations.all()}
    late = tool_span(10, **{"gen_ai.conversation.id": "talk-3"})
    assert store.conversations.save([arrival(late)]) == {"new": 1}
    after = {one.conversation: one.imported for one in store.conversations.all()}
    assert {name: after[name] for name in before} == before


def test_credentials_are_masked_and_still_the_same_adds_nothing(store):
    secret = "sk-proj-0123456789abcdef"
    came = arrival(tool_span(1, **{"gen_ai.conversation.id": secret, "api_key": "hunter2hunter2"}))
    assert store.conversations.save([came, came]) == {"new": 1, "unchanged": 1}
    with store.conversations._transaction() as connection:
        rows = connection.execute(text("select * from conversations")).all()
    (found,) = store.conversations.all()
    held = store.conversations.telemetry(found.id)
    assert found.conversation.startswith("[masked:")
    assert held.spans[0].attributes["api_key"].startswith("[masked:")
    assert secret not in repr(rows)


def test_the_latest_come_first_and_by_time(store):
    store.conversations.save([arrival(tool_span(n, trace=f"{n:032x}")) for n in (2, 1, 3)])
    assert [found.started for found in store.conversations.all()] == [3, 2, 1]
    assert [found.started for found in store.conversations.all(since=2, until=3)] == [2]


@pytest.mark.parametrize("name", ["talk\x00\x1b[31m", "talk \ud800", "話し"])
def test_any_id_of_an_application_can_be_kept(store, name):
    store.conversations.save([arrival(tool_span(1, **{"gen_ai.conversation.id": name}))])
    (found,) = store.conversations.all()
    assert found.conversation == name
    assert store.conversations.matching(name) == [found]


def jwt(number):
    part = f"{number:032d}"
    return f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi{part}.{part}"


def named_span(number, name, **resource):
    span = tool_span(number, trace=f"{number:032x}", **{"gen_ai.conversation.id": name})
    return replace(span, resource=resource)


def test_ids_that_look_like_secrets_are_told_apart_though_masked_alike(store):
    seen = {}
    first, second = next(
        (seen[shown], jwt(number))
        for number in range(70_000)
        if seen.setdefault(shown := mask_text(jwt(number)), jwt(number)) != jwt(number)
    )
    came = [arrival(named_span(1, first)), arrival(named_span(2, second))]
    assert store.conversations.save(came) == {"new": 2}
    assert store.conversations.save(came) == {"unchanged": 2}
    assert store.conversations.save([arrival(replace(named_span(3, second)))]) == {"updated": 1}
    ours, theirs = (store.conversations.matching(name)[0] for name in (first, second))
    assert (ours.tool_calls, theirs.tool_calls) == (1, 2)
    assert ours.conversation == theirs.conversation == mask_text(first)
    assert len(store.conversations.matching(ours.conversation)) == 2
    again = store.conversations.telemetry(theirs.id)  # as it is exported, masked
    assert store.conversations.save([arrival(*again.spans)]) == {"unchanged": 1}


def test_the_same_id_of_two_applications_is_two_conversations(store):
    desk, shop = ({"service.name": name} for name in ("desk", "shop"))
    came = [arrival(named_span(1, "1", **desk)), arrival(named_span(2, "1", **shop))]
    assert store.conversations.save(came) == {"new": 2}
    assert store.conversations.save([arrival(named_span(3, "1", **shop))]) == {"updated": 1}
    assert [found.tool_calls for found in store.conversations.matching("1")] == [2, 1]


def test_applications_that_share_a_trace_share_the_conversation(store):
    first = named_span(1, "1", **{"service.name": "desk"})
    second = replace(first, span_id=f"{2:016x}", resource={"service.name": "shop"})
    assert store.conversations.save([arrival(first), arrival(second)]) == {"new": 1, "updated": 1}
    assert store.conversations.save([arrival(named_span(3, "1", **{"service.name": "shop"}))]) == {"updated": 1}


def test_a_judgement_may_come_from_elsewhere_where_it_is_clear_what_it_is_about(store):
    def judged(name):
        told = {"gen_ai.conversation.id": name, "gen_ai.evaluation.name": "thumb"}
        log = LogRecord(None, None, 5, "gen_ai.evaluation.result", attributes=told, resource={"service.name": "page"})
        return Arrival(Conversation(name, "", (), logs=(log,)), (FILE,))

    store.conversations.save([arrival(named_span(1, "1", **{"service.name": "desk"}))])
    assert store.conversations.save([judged("1"), judged("2")]) == {"updated": 1, "homeless": 1}
    store.conversations.save([arrival(named_span(2, "1", **{"service.name": "shop"}))])
    assert store.conversations.save([judged("1")]) == {"homeless": 1}


def test_judgements_on_what_is_not_stored_wait_for_it(store):
    def judged(trace, label):
        told = {"gen_ai.evaluation.name": "thumb", "gen_ai.evaluation.score.label": label}
        log = LogRecord(trace, f"{1:016x}", 5, "gen_ai.evaluation.result", attributes=told)
        return Arrival(Conversation(None, "", (), (trace,), logs=(log,)), (FILE,))

    here, elsewhere = "a" * 32, "b" * 32
    came = [judged(here, "up"), judged(elsewhere, "down")]
    assert store.conversations.save(came) == {"homeless": 2}
    assert store.conversations.save(came) == {"homeless": 2}
    assert [(held.kind, held.name, held.began) for held in store.retention.held()] == [
        ("judgements", here, 5e-9),
        ("judgements", elsewhere, 5e-9),
    ]
    assert list(store.conversations.all()) == []
    assert store.conversations.save([arrival(tool_span(1, here))]) == {"new": 1, "awaited": 1}
    assert [held.name for held in store.retention.held() if held.kind == "judgements"] == [elsewhere]
    (found,) = store.conversations.all()
    (log,) = store.conversations.telemetry(found.id).logs
    assert log.attributes["gen_ai.evaluation.score.label"] == "up"
    store.retention.purge(held for held in list(store.retention.held()) if held.kind == "judgements")
    assert store.conversations.save([arrival(tool_span(2, elsewhere))]) == {"new": 1}
