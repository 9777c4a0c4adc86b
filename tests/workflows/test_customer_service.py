"""The workflow that comes with turngate: its scenarios hold, today's agent passes, the earlier one fails as it must."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from harness.agents.resolve import resolve
from harness.episodes.play import play
from harness.episodes.task import Task
from harness.model.episode import EpisodeKey
from harness.model.result import Decision
from harness.model.status import Status
from harness.modules import load_module
from harness.runs.gold import broken_scenarios
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle, stages
from harness.runs.rehearse import rehearse
from harness.scoring.score import score
from harness.store.store import Store
from harness.workflow.bundled import bundled
from traces.capture import Tracing

FOLDER = bundled("customer_service")


@pytest.fixture(scope="module")
def bundle():
    return load_bundle(FOLDER)


@pytest.fixture(scope="module")
def rehearsed(bundle, tmp_path_factory):
    """What came of a run of one version of the agent, and its primary code by scenario."""
    known = {}

    def run(name):
        if name not in known:
            store = Store.open(tmp_path_factory.mktemp("store") / "x.db")
            source = resolve(f"agent.py:{name}", FOLDER)
            finished = asyncio.run(rehearse(bundle, Inline(source), store, Settings()))
            codes = {r.key.item: r.code for r in finished.results if r.verdict and r.verdict.status is Status.FAILED}
            known[name] = finished, codes
        return known[name]

    return run


def test_it_is_whole(bundle):
    assert len(bundle.scenarios) == 12
    assert {scenario.family for scenario in bundle.scenarios.values()} == {"refunds", "policy", "privacy"}
    assert {scenario.slices["language"] for scenario in bundle.scenarios.values()} == {"en", "es", "zh"}
    assert len(bundle.start.tools) >= 12
    assert all(scenario.gold for scenario in bundle.scenarios.values())
    assert [str(warning) for warning in bundle.warnings] == []


def test_every_clause_that_a_scenario_names_is_in_the_policy(bundle):
    clauses = {clause.id for document in bundle.knowledge for clause in document.clauses}
    assert {name for scenario in bundle.scenarios.values() for name in scenario.clauses} <= clauses


def test_every_gold_path_passes(bundle):
    prepared = stages(bundle, bundle.scenarios.values())
    assert asyncio.run(broken_scenarios(bundle, prepared, Tracing())) == {}


def test_todays_agent_passes_the_gate(rehearsed):
    finished, codes = rehearsed("build")
    assert codes == {}
    assert {(r.key.item, r.verdict.status.value) for r in finished.results if r.verdict} == {
        (item, "passed") for item in finished.run.plan["scenarios"]
    }
    assert finished.verdict.decision is Decision.PASSED


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("cancel-before-shipping", "SA2"),
        ("refund-the-other-order", "UN2"),
        ("refund-over-limit", "KN4"),
        ("return-window", "KN3"),
        ("return-window-zh", "KN3"),
        ("whose-parcel", "SA1"),
    ],
)
def test_each_fault_of_the_earlier_agent_is_found_where_it_lies(rehearsed, scenario, code):
    assert rehearsed("build_earlier")[1][scenario] == code


def test_the_earlier_agent_fails_the_gate_and_nothing_else_is_blamed(rehearsed):
    finished, codes = rehearsed("build_earlier")
    assert finished.verdict.decision is Decision.FAILED
    assert sorted(codes.values()) == ["KN3", "KN3", "KN4", "SA1", "SA2", "UN2"]
    failed = {rule.rule for rule in finished.verdict.rules if rule.decision is Decision.FAILED}
    assert {"must pass", "no leak", "privacy holds"} <= failed


class Idle:
    """Agents that do no work, and what each says."""

    def silent(message, session):
        return ""

    def okay(message, session):
        return "Okay."

    def parrot(message, session):
        return message

    def refuses_all(message, session):
        return "I'm sorry, I can't do that. Refunds must be asked for within 30 days of delivery."

    def claims_all(message, session):
        return "I have refunded 49.90 and cancelled your order. You will see it in 5-7 business days, within 14 days."

    def knows_by_heart(message, session):
        return "It is 3-5 business days, 4.90 EUR, 14 days, 14天, 12 Quay Street, 30 days."

    def hands_over_all(message, session):
        session.call_tool("escalate_to_human", {"summary": ""}, None)
        return "I have handed your case over to a colleague."

    def hands_over_without_a_word(message, session):
        said = " ".join([each.text for each in session.history if each.role == "user"] + [message])
        if not (email := re.search(r"\S+@[\w.]+\w", said)) or "O-1020" not in said:
            return "What are your order number and your e-mail address?"
        session.call_tool("verify_identity", {"email": email[0]}, None)
        session.call_tool("escalate_to_human", {"summary": "", "order_id": "O-1020"}, None)
        return "I have handed your case over to a colleague."

    def spells_out(message, session):
        return "I'm sorry, I can't tell you that it is farah (at) example (dot) com."


REFUSING_IS_THE_WORK = {"refuses_all": {"whose-parcel"}}


@pytest.mark.parametrize("name", [name for name in vars(Idle) if not name.startswith("_")])
def test_no_scenario_is_passed_without_its_work(bundle, name):
    prepared = stages(bundle, bundle.scenarios.values())
    source = resolve(getattr(Idle, name), FOLDER)

    def passes(item, stage):
        episode = asyncio.run(play(Task(EpisodeKey("r", "a", item, 1), stage, seed=1), source, Tracing()))
        return score(episode, bundle.material(item)).verdict.status is Status.PASSED

    assert {item for item, stage in prepared.items() if passes(item, stage)} == REFUSING_IS_THE_WORK.get(name, set())


def test_the_planner_knows_no_scenario(bundle):
    text = "".join(file.read_text(encoding="utf-8") for file in Path(FOLDER).glob("*.py")) + (
        FOLDER / "wording.yaml"
    ).read_text(encoding="utf-8")
    assert not [item for item in bundle.scenarios if item in text]


@pytest.fixture(scope="module")
def understood():
    return load_module(FOLDER / "understanding.py")


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("The blender I bought arrived broken. I want my money back.", "refund"),
        ("I'd like a refund for my last order, please.", "refund"),
        ("Can I get my money back? The lamp is cracked.", "refund"),
        ("Quiero que me devuelvan el dinero.", "refund"),
        ("Me gustaría un reembolso, por favor.", "refund"),
        ("我要退款", "refund"),
        ("How long until I see it?", "refund_time"),
        ("And how long does a refund take?", "refund_time"),
        ("¿Cuánto tarda en llegar el dinero?", "refund_time"),
        ("Can you cancel it?", "cancel"),
        ("Please cancel order O-1030.", "cancel"),
        ("Quiero cancelar mi pedido.", "cancel"),
        ("请取消订单", "cancel"),
        ("I burned my hand on it!", "injury"),
        ("My son was hurt by the blade.", "injury"),
        ("I want to speak to a person.", "person"),
        ("Let me talk to a human, please", "person"),
        ("Quiero hablar con una persona.", "person"),
        ("我要找人工客服", "person"),
        ("How long do I have to return something?", "return_window"),
        ("Where is my parcel?", "track"),
        ("¿Dónde está mi pedido?", "track"),
        ("How much is delivery?", "delivery"),
        ("Thanks!", "thanks"),
        ("Gracias", "thanks"),
        ("谢谢", "thanks"),
        ("Hello", "greeting"),
        ("Hola", "greeting"),
        ("你好", "greeting"),
    ],
)
def test_the_planner_understands_what_is_wanted_in_many_wordings(understood, text, intent):
    assert understood.understand(text).intent == intent


@pytest.mark.parametrize(
    ("text", "order_id", "email"),
    [
        ("It's order O-1041, not O-1040.", "O-1041", None),
        ("o1001 and Ana@Example.com.", "O-1001", "ana@example.com"),
        ("Mi correo es ana@example.com y el pedido O-2002", "O-2002", "ana@example.com"),
        ("我的订单号是 O-1001，邮箱 ana@example.com", "O-1001", "ana@example.com"),
        ("No es O-1040, es O-1041", "O-1041", None),
        ("I have no number.", None, None),
    ],
)
def test_the_planner_reads_values(understood, text, order_id, email):
    read = understood.understand(text)
    assert (read.order_id, read.email) == (order_id, email)


@pytest.mark.parametrize("text", ["Yes, please.", "yes", "Sure, go ahead.", "Sí, por favor.", "好的", "是的"])
def test_a_yes(understood, text):
    read = understood.understand(text)
    assert (read.yes, read.no) == (True, False)


@pytest.mark.parametrize("text", ["No, thanks.", "Please don't.", "No, gracias.", "不用了"])
def test_a_no(understood, text):
    read = understood.understand(text)
    assert (read.yes, read.no) == (False, True)


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["I want my money back"], "en"),
        (["Quiero mi dinero", "O-1001"], "es"),
        (["我要退款", "ana@example.com"], "zh"),
        (["Hola, quiero un reembolso", "Sorry, let me say it in English"], "en"),
        ([], "en"),
    ],
)
def test_the_language_of_a_customer(understood, texts, language):
    assert understood.language(texts) == language


def test_nothing_of_the_bundle_is_importable_by_a_plain_name():
    assert "planner" not in sys.modules or not str(sys.modules["planner"].__file__).startswith(str(FOLDER))
