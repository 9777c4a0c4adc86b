"""Faithfulness on recorded conversations: alarms are rare, and what is made wrong is found.

What the alarms are, one by one, is in docs/faithfulness.md.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.model.episode import Message
from harness.scoring.claims.deeds import claimed
from harness.scoring.faithfulness import Basis, faithfulness
from harness.scoring.prepared import prepared
from harness.scoring.timeline import Timeline
from tests.harness.scoring.build import episode
from tests.harness.scoring.recorded import WRITES, conversations, ground
from tools_sandbox.call import Call, Change

AGENTS = {
    "airline": (
        "gpt-4.1",
        "claude-sonnet-4-5",
        "claude-opus-4-6-button",
        "gpt-5.4-ironforge",
        "gpt-oss-120b",
        "qwen2.5-7b",
    ),
    "retail": ("gpt-4.1", "ft-gpt-4.1"),
}
LABELS = [json.loads(line) for line in (Path(__file__).parent / "data" / "deeds_labels.jsonl").read_text().splitlines()]


def runs(domain):
    for name in AGENTS[domain]:
        source = f"tau2_{domain}_runs/{name}.json"
        for talk in conversations(source).values():
            yield ground(source), talk


def without_writes(talk, against):
    kinds = {name: tool.kind for name, tool in against.schema.tools.items()}
    return [event for event in talk if isinstance(event, Message) or kinds.get(event.tool, event.kind) == "reads"]


def scored(talk, against):
    return faithfulness.score(episode(*talk), against)["faithfulness"]


def deeds_of_last(talk, against):
    """The findings about deeds that the last message of a conversation claims."""
    last = Timeline.of(episode(*talk)).agent[-1][0]
    return [one for one in scored(talk, against).findings if one.step == last and "claims" in one.text]


@pytest.mark.parametrize(("domain", "alarms"), [("airline", 8), ("retail", 0)])
def test_alarms_on_real_replies_are_rare(domain, alarms):
    claims, found = 0, []
    for against, talk in runs(domain):
        score = scored(talk, against)
        claims += score.details["claims"]
        found += [f"{one.code} {one.text}" for one in score.findings]
    assert claims > 450
    assert len(found) <= alarms, "\n".join(found)


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_deeds_claimed_without_their_calls_are_found(domain):
    """The same runs with every writing call taken out: what was claimed truly is now invented."""
    told, found = 0, 0
    for against, talk in runs(domain):
        writes = [event for event in talk if getattr(event, "tool", "").startswith(WRITES)]
        if not any(event.ok and not event.tool.startswith("transfer") for event in writes):
            continue
        told += 1
        bare = scored(without_writes(talk, against), against)
        found += len(bare.findings) > len(scored(talk, against).findings)
    assert found >= 0.95 * told, (found, told)


def with_rows(talk, against):
    """The conversation with the orders and reservations that its calls showed as rows, and what writing calls did to
    them as their changes.
    """
    keys = {"order_id": "orders", "reservation_id": "reservations"}
    rows, told = {table: {} for table in keys.values()}, []
    for event in talk:
        for field, table in keys.items() if isinstance(event, Call) and event.ok else ():
            result = event.result if isinstance(event.result, dict) else {}
            if result.get(field):
                rows[table].setdefault(result[field], result)
            key = (event.arguments or {}).get(field)
            if key and event.tool.startswith(WRITES):
                before = rows[table].get(key, {})
                event = replace(event, changes=[Change(table, key, before, {**before, **result, event.tool: True})])
        told.append(event)
    return told, replace(against, start=rows)


@pytest.mark.parametrize(("domain", "changed"), [("airline", 60), ("retail", 40)])
def test_no_honest_refusal_is_taken_for_a_denial(domain, changed):
    changes = 0
    for against, talk in runs(domain):
        told, start = with_rows(talk, against)
        changes += sum(len(event.changes) for event in told if isinstance(event, Call))
        assert [one.text for one in scored(told, start).findings if "shows otherwise" in one.text] == []
    assert changes >= changed


def labelled():
    """Each labelled reply with the conversation up to it and what its agent was given."""
    for label in LABELS:
        talk = conversations(label["source"])[label["where"]]
        agent = [place for place, event in enumerate(talk) if isinstance(event, Message) and event.role == "agent"]
        yield label, talk[: agent[label["reply"]] + 1], ground(label["source"])


def test_claims_of_replies_that_were_labelled_before_they_were_read():
    """158 replies drawn at random: which claim a finished deed, and which claim one that was not done."""
    told = read = misread = alarms = found = 0
    for label, talk, against in labelled():
        deeds = claimed(talk[-1].text, prepared(against.ground, Basis.of).acts)
        told += label["claims"]
        read += label["claims"] and bool(deeds)
        misread += not label["claims"] and bool(deeds)
        alarms += bool(deeds_of_last(talk, against)) and "false" not in label
        found += label["claims"] and bool(deeds_of_last(without_writes(talk, against), against))
    assert len(LABELS) == 158
    assert told == 64
    assert read >= 58
    assert found >= 58
    assert (misread, alarms) == (0, 0)


@pytest.mark.parametrize(("source", "alarms"), [("sgd/dialogues.jsonl", 0), ("star/dialogues.jsonl", 1)])
def test_deeds_that_people_claim_are_found_done(source, alarms):
    """In one dialogue of STAR the assistant tells of a booking that it never made."""
    against = ground(source)
    found = [one.text for talk in conversations(source).values() for one in scored(talk, against).findings]
    assert len([text for text in found if "claims" in text]) == alarms
