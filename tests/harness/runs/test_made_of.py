"""What has changed between two runs is told item by item, in words."""

from __future__ import annotations

import asyncio

import pytest

from harness.agents.resolve import resolve
from harness.runs.baselines import baselines_for, stored_baseline
from harness.runs.inline import Inline
from harness.runs.made_of import MadeOf
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import rehearse
from harness.store.portable_file import write_run
from harness.store.problem import StoreProblem
from harness.store.store import Store
from tests.harness.desk import AGENT, SCENARIO, WORKFLOW, scenario, write

TWO = SCENARIO + scenario("Hi.", id="two")
GATED = (
    WORKFLOW.replace("passthrough: [outside]", "knowledge: [policy.md, more.md]")
    + "gate: [{rule: no worse, metric: task_success, against: prod, max_drop: 0.2}]\n"
)


@pytest.fixture
def desk(tmp_path):
    """Plays a bundle with these texts into one store; gives the store and the run."""
    with Store.open(tmp_path / "store.db") as store:

        def run(workflow=GATED, scenarios=TWO, policy="# Policy", agent=AGENT):
            folder = write(tmp_path / "desk", workflow=workflow, scenarios=scenarios, agent=agent)
            (folder / "policy.md").write_text(policy)
            (folder / "more.md").write_text("# More")
            bundle = load_bundle(folder)
            (folder / f"agent_{len(store.runs())}.py").write_text(agent)  # a process loads a file once
            source = resolve(f"agent_{len(store.runs())}.py:agent", folder)
            return store, asyncio.run(rehearse(bundle, Inline(source), store, Settings()))

        yield run


def changed(store, first, second):
    before, after = MadeOf.of(store, first.run.id), MadeOf.of(store, second.run.id)
    return after.changed_items(before), after.changed_metrics(before)


def test_the_same_files_are_the_same(desk):
    store, first = desk()
    _, second = desk(agent=AGENT + "\n# another version\n")
    assert changed(store, first, second) == ({}, {})


@pytest.mark.parametrize(
    ("change", "items"),
    [
        ({"scenarios": TWO.replace("Please cancel", "Do cancel")}, {"cancel-one": "the scenario changed"}),
        ({"policy": "# Another"}, dict.fromkeys(("cancel-one", "two"), "the policy (policy.md) changed")),
        (
            {"workflow": GATED.replace("kind: reads, args: {order_id: text}", "kind: reads, args: {order_id: text?}")},
            dict.fromkeys(("cancel-one", "two"), "the tools (get_order) changed"),
        ),
        (
            {"workflow": GATED.replace("ends: escalated, return: {ok: true}", "ends: escalated, return: {ok: false}")},
            dict.fromkeys(("cancel-one", "two"), "the tools (escalate) changed"),
        ),
        (
            {"workflow": GATED.replace('.status": cancelled}', '.status": gone}')},
            dict.fromkeys(("cancel-one", "two"), "the tools (cancel_order) changed"),
        ),
        (
            {"workflow": GATED.replace('total: "10.00"', 'total: "11.00"')},
            dict.fromkeys(("cancel-one", "two"), "the start state changed"),
        ),
        (
            {"workflow": GATED + "may_change: [orders]\n"},
            dict.fromkeys(("cancel-one", "two"), "`may_change` of the workflow changed"),
        ),
        (
            {"workflow": GATED.replace("measures: [task_success]", "measures: [task_success, faithfulness]")},
            dict.fromkeys(("cancel-one", "two"), "`measures` of the workflow changed"),
        ),
        ({"workflow": GATED.replace("at_least: 0.9", "at_least: 0.8")}, {}),
        ({"workflow": GATED.replace("trials: 2", "trials: 3")}, {}),
        ({"workflow": GATED.replace("about: Orders", "about: All orders")}, {}),
        (
            {"scenarios": TWO.replace("Hi.", "Hello."), "policy": "# Another"},
            {
                "cancel-one": "the policy (policy.md) changed",
                "two": "the scenario, the policy (policy.md) changed",
            },
        ),
    ],
)
def test_what_has_changed_is_told_by_scenario(desk, change, items):
    store, first = desk()
    _, second = desk(**change)
    assert changed(store, first, second)[0] == items


BACKEND = """
from tools_sandbox import Sandbox, Table, Row, reads, tool
from .fees import FEE


class Order(Row):
    order_id: str


class Shop(Sandbox):
    orders: Table[Order]

    @tool(reads)
    def fee(self) -> int:
        "The fee."
        return FEE
"""
IN_PYTHON = (
    "workflow: shop\nagent: agent.py:agent\nsandbox: backend.py:Shop\n" + WORKFLOW[WORKFLOW.index("scenario_map:") :]
)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"backend": BACKEND.replace("return FEE", "return FEE + 1")}, "backend.py"),
        ({"fees": "FEE = 7"}, "fees.py"),
        ({"backend": BACKEND.replace("\n", "\r\n"), "beside": "FEE = 7"}, None),
    ],
)
def test_what_a_sandbox_in_python_does_is_a_part_of_its_tools(tmp_path, change, named):
    def made(folder, backend=BACKEND, fees="FEE = 5", beside=""):
        write(tmp_path / folder, workflow=IN_PYTHON, scenarios=scenario("Hi."))
        for name, text in (("backend", backend), ("fees", fees), ("beside", beside)):
            (tmp_path / folder / f"{name}.py").write_bytes(text.encode())
        return MadeOf.now(load_bundle(tmp_path / folder))

    changed = made("now", **change).changed_items(made("before"))
    assert changed == ({"talk": f"the tools ({named}) changed"} if named else {})


def test_a_scorer_of_another_version_is_told_by_metric(desk):
    store, first = desk()
    _, second = desk(agent=AGENT + "\n# another version\n")
    with store._transaction(writes=True) as connection:
        connection.exec_driver_sql(
            'update scorings set scores = replace(scores, \'["task_success","1"\', \'["task_success","0"\') '
            f"where episode in (select pk from episodes where run = '{first.run.id}')"
        )
    assert changed(store, first, second) == ({}, {"task_success": "scorer version 0 -> 1"})


def rule(finished):
    (found,) = [rule for rule in finished.verdict.rules if rule.rule == "no worse" and rule.decides] or [None]
    return found


def test_a_gate_compares_with_the_baseline_that_is_set(desk):
    store, first = desk()
    assert rule(first) is None
    store.baselines.put("desk", "prod", first.run.id)
    _, same = desk(agent=AGENT + "\n# another version\n")
    assert rule(same).decision.value == "passed"
    _, worse = desk(agent=AGENT.replace("session.call_tool", "str"))
    assert rule(worse).decision.value == "failed"
    _, other = desk(scenarios=TWO.replace("Hi.", "Hello.").replace("Please cancel", "Do cancel"))
    assert rule(other).decision.value == "undecided"
    assert "changed since (the scenario changed)" in rule(other).reason


def test_a_file_that_the_workflow_names_is_the_baseline(desk, tmp_path):
    store, first = desk()
    named = GATED + "baselines: {prod: prod.turngate}\n"
    store.baselines.put("desk", "prod", first.run.id)
    assert rule(desk(workflow=named)[1]) is None, "the file is not there yet"
    file = tmp_path / "desk" / "prod.turngate"
    write_run(file, store.portable.records(first.run.id), {})
    _, second = desk(workflow=named, agent=AGENT.replace("session.call_tool", "str"))
    assert rule(second).decision.value == "failed"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(StoreProblem, match=r"prod\.turngate: it was cut short"):
        desk(workflow=named)


def test_a_baseline_whose_words_were_purged_is_as_good(desk):
    store, first = desk()
    _, second = desk(agent=AGENT + "\n# another version\n")
    read = [stored_baseline(store, "prod", first.run)]
    before = baselines_for(store, second.run.id, read)["prod"]
    store.retention.purge([held for held in store.retention.held() if held.run == first.run.id])
    after = baselines_for(store, second.run.id, [stored_baseline(store, "prod", store.run(first.run.id))])["prod"]
    assert (after.changed_items, after.changed_metrics) == (before.changed_items, before.changed_metrics) == ({}, {})
    assert [each.key for each in after.results] == [each.key for each in before.results]
