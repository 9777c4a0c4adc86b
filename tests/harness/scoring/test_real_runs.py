"""Faithfulness on recorded runs of eight agents: alarms are rare, and what is made wrong is found.

What the alarms are, one by one, is in docs/faithfulness.md.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.model.material import Document
from harness.scoring.faithfulness import faithfulness
from tests.harness.scoring.build import call, episode, material, said, user
from tests.reference import reference
from tools_sandbox.schema import SandboxSchema, ToolSpec

WRITES = ("book", "cancel", "send", "transfer", "update", "exchange", "modify", "return")
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


def runs(domain):
    for name in AGENTS[domain]:
        loaded = json.loads(reference(f"data/tau2_{domain}_runs/{name}.json").read_text())
        policy = loaded["info"]["environment_info"]["policy"]
        for simulation in loaded["simulations"]:
            yield policy, list(events(simulation["messages"]))


def events(messages):
    """What happened in a run, in order: messages of both sides, and the agent's calls with their results."""
    made = {}
    for message in messages:
        for one in message.get("tool_calls") or ():
            made[one["id"]] = one
        if message["role"] == "tool" and message.get("requestor") != "user":
            one = made[message["id"]]
            error = message["content"] if message["error"] else None
            yield call(one["name"], one["arguments"], result=parsed(message["content"]), error=error)
        elif message["role"] != "tool" and message.get("content"):
            yield (user if message["role"] == "user" else said)(message["content"])


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def domain_material(domain, policy):
    tools = {}
    for listed in json.loads(reference(f"data/tau2_{domain}/tools.json").read_text()):
        tool = listed.get("function", listed)
        name = tool["name"]
        tools[name] = ToolSpec(
            name,
            tool["description"],
            "writes" if name.startswith(WRITES) else "reads",
            {},
            proves="user_id" if name.startswith("find_user") else None,
            ends="escalated" if name.startswith("transfer") else None,
        )
    return replace(material(knowledge=(Document("policy.md", policy),)), schema=SandboxSchema(tools=tools))


@pytest.mark.parametrize(("domain", "alarms"), [("airline", 8), ("retail", 0)])
def test_alarms_on_real_replies_are_rare(domain, alarms):
    against, claims, found = None, 0, []
    for policy, talk in runs(domain):
        against = against or domain_material(domain, policy)
        score = faithfulness.score(episode(*talk), against)["faithfulness"]
        claims += score.details["claims"]
        found += [f"{one.code} {one.text}" for one in score.findings]
    assert claims > 450
    assert len(found) <= alarms, "\n".join(found)


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_deeds_claimed_without_their_calls_are_found(domain):
    """The same runs with every writing call taken out: what was claimed truly is now invented."""
    against, claimed, found = None, 0, 0
    for policy, talk in runs(domain):
        against = against or domain_material(domain, policy)
        writes = [event for event in talk if getattr(event, "tool", "").startswith(WRITES)]
        if not any(event.ok and not event.tool.startswith("transfer") for event in writes):
            continue
        bare = [event for event in talk if event not in writes]
        before = faithfulness.score(episode(*talk), against)["faithfulness"]
        after = faithfulness.score(episode(*bare), against)["faithfulness"]
        claimed += 1
        found += len(after.findings) > len(before.findings)
    assert found >= 0.95 * claimed, (found, claimed)
