from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.model.scenario import Scenario
from harness.model.source import Scalar, Where
from harness.model.workflow import Workflow
from harness.workflow.bundle import load
from harness.workflow.digests import digest_of
from harness.workflow.problems import Problems
from harness.workflow.yaml_nodes import parse
from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, loaded, problems, write
from tools_sandbox.patterns import Listed, Matcher

SHOP = Path(__file__).parent / "data" / "shop"


def test_a_whole_bundle_word_for_word() -> None:
    bundle = load(SHOP)
    assert bundle.workflow.workflow == "customer_service"
    assert bundle.clock == datetime.fromisoformat("2026-11-20T10:00:00+01:00")
    assert bundle.workflow.scenario_map["refunds"].review.always == ["critical_failure", "judge_unsure"]
    assert [clause.id for document in bundle.knowledge for clause in document.clauses] == [
        "R1",
        "R2",
        "R4",
        "P1",
        "E1",
        "S2",
    ]
    scenario = bundle.scenarios["refund-broken-blender"]
    assert scenario.given == {"orders.O-1001": {"status": "delivered", "delivered_on": "2026-11-12", "total": "49.90"}}
    assert scenario.user.knows == {"order_id": "O-1001", "email": "ana@example.com", "phone": None}
    assert [line.say for line in scenario.user.turns] == [
        ["The blender I bought arrived broken. I want my money back."],
        ["How long until I see it?"],
    ]
    assert scenario.user.turns[1].after == ["issue_refund"]
    assert scenario.user.turns[1].expect is not None
    assert scenario.user.turns[1].expect.says[0].match == Matcher({"mentions": "5-7 business days"})
    assert scenario.expect.state is not None
    assert scenario.expect.state["orders.O-1001.status"] == Matcher({"equals": "refunded"})
    assert isinstance(scenario.expect.state["refunds"], Listed)
    assert scenario.expect.never_says[0].match == Matcher({"like": r"within \d+ hours"})
    assert [step.tool for step in scenario.gold] == [
        None,
        "verify_identity",
        "get_order",
        None,
        "issue_refund",
        None,
        None,
    ]
    twin = bundle.scenarios["refund-broken-blender-gold"]
    assert twin.slices == {"language": "en", "customer": "gold"}
    assert twin.gold == scenario.gold


def test_material_has_the_start_state_with_what_is_given() -> None:
    bundle = load(SHOP)
    material = bundle.material("refund-broken-blender")
    assert {id(bundle.material(scenario).ground) for scenario in bundle.scenarios} == {id(material.ground)}
    assert material.start["orders"] == bundle.start.tables(material.scenario.given)["orders"]
    assert material.start["orders"]["O-1001"] == {
        "order_id": "O-1001",
        "customer_id": "C-7",
        "status": "delivered",
        "total": "49.90",
        "delivered_on": "2026-11-12",
    }
    assert material.schema.tools["verify_identity"].proves == "customer_id"


def test_the_rows_that_a_scenario_is_given() -> None:
    bundle = load(SHOP)
    assert bundle.given_rows("refund-broken-blender") == {
        "orders": {"O-1001": bundle.material("refund-broken-blender").start["orders"]["O-1001"]}
    }


def test_digests_tell_what_changed_and_sources_hold_it_all(tmp_path) -> None:
    one = loaded(tmp_path / "one")
    moved = loaded(tmp_path / "moved", scenario="# a comment\n" + SCENARIO)
    other = loaded(tmp_path / "other", scenario=SCENARIO.replace("my money back", "a refund"))
    assert one.digests(one.scenarios["refund-one"]) == moved.digests(moved.scenarios["refund-one"])
    assert one.digests(one.scenarios["refund-one"]).workflow == other.digests(other.scenarios["refund-one"]).workflow
    assert one.digests(one.scenarios["refund-one"]).scenario != other.digests(other.scenarios["refund-one"]).scenario
    digests, sources = one.digests(one.scenarios["refund-one"]), one.sources()
    assert Scenario.model_validate_json(sources[digests.scenario]) == one.scenarios["refund-one"]
    assert Workflow.model_validate_json(sources[digests.workflow]) == one.workflow
    assert digest_of(sources[digests.knowledge]) == digests.knowledge
    assert json.loads(sources[digests.start_state])["orders"]["O-1"] == {"status": "shipped", "total": "49.90"}
    assert {"offline-planner", "gpt-4o"} <= {row["model"] for row in json.loads(sources[digests.prices])}


@pytest.mark.parametrize("inner", [".", "scenarios", "workflow.yaml", "scenarios/refunds.yaml"])
def test_a_bundle_is_found_from_any_of_its_places(tmp_path, inner: str) -> None:
    root = write(tmp_path / "shop")
    assert load(root / inner).root == root


def test_a_folder_of_bundles_names_them(tmp_path, monkeypatch) -> None:
    write(tmp_path / "flows" / "shop")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Problems, match="name one of: flows/shop"):
        load(tmp_path)


def test_an_empty_folder_and_a_missing_one_are_told(tmp_path) -> None:
    with pytest.raises(Problems, match=r"there is no workflow\.yaml"):
        load(tmp_path)
    with pytest.raises(Problems, match="there is no such file or folder"):
        load(tmp_path / "nowhere")


def test_a_bundle_without_scenarios_is_told(tmp_path) -> None:
    write(tmp_path)
    (tmp_path / "scenarios" / "refunds.yaml").unlink()
    with pytest.raises(Problems, match="there is no scenario"):
        load(tmp_path)


def test_scenarios_are_read_in_order_from_every_file(tmp_path) -> None:
    root = write(tmp_path)
    one = SCENARIO.replace("refund-one", "a")[1:]
    (root / "scenarios" / "more").mkdir()
    (root / "scenarios" / "more" / "z.yml").write_text(one, encoding="utf-8")
    (root / "scenarios" / "a.yaml").write_text("variant_of: a\nid: single\n", encoding="utf-8")
    assert list(load(root).scenarios) == ["single", "a", "refund-one"]


def test_problems_of_all_files_come_together_with_one_syntax_error_a_file(tmp_path) -> None:
    root = write(tmp_path, workflow=WORKFLOW.replace("trials: 2", "trails: 2"))
    (root / "scenarios" / "broken.yaml").write_text("- id: [\n- x: ]\n", encoding="utf-8")
    (root / "scenarios" / "wrong.yaml").write_text("- {id: x, familly: refunds}\n", encoding="utf-8")
    with pytest.raises(Problems) as caught:
        load(root)
    files = [Path(problem.where.file).name for problem in caught.value.problems]
    assert files.count("broken.yaml") == 1
    assert {"workflow.yaml", "wrong.yaml"} < set(files)


def test_equal_inputs_under_two_names_are_two_scenarios(tmp_path) -> None:
    bundle = loaded(tmp_path, scenario=SCENARIO + SCENARIO.replace("refund-one", "refund-two"))
    assert list(bundle.scenarios) == ["refund-one", "refund-two"]
    assert bundle.digests(bundle.scenarios["refund-one"]) != bundle.digests(bundle.scenarios["refund-two"])


def test_an_id_in_two_files_is_told_with_both_places(tmp_path) -> None:
    root = write(tmp_path)
    (root / "scenarios" / "again.yaml").write_text(SCENARIO, encoding="utf-8")
    with pytest.raises(Problems) as caught:
        load(root)
    (problem,) = caught.value.problems
    assert problem.where.file.endswith("refunds.yaml")
    assert "the id `refund-one` is here twice, first at" in problem.what
    assert "again.yaml:2:7" in problem.what


SAID = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1).filter(str.strip)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25, deadline=None
)
@given(SAID)
def test_what_a_user_says_and_knows_comes_back_as_written(text: str) -> None:
    quoted = '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'
    node = parse(f"id: x\nfamily: f\nuser: {{knows: {{slot: {quoted}}}, turns: [{quoted}]}}\nexpect: {{}}\n", "f.yaml")
    scenario = Scenario.model_validate(node)
    assert scenario.user.turns[0].say == [text]
    assert scenario.user.knows == {"slot": text}
    assert Scenario.model_validate(json.loads(json.dumps(scenario.dump()))) == scenario


@pytest.mark.parametrize("raw", ["no", "00123", "12:30", "2026-11-20", "1e3", "42", "true"])
def test_text_is_text(tmp_path, raw: str) -> None:
    scenario = SCENARIO.replace("order_id: O-1}", f"order_id: {raw}}}", 1).replace("I want my money back.", raw)
    user = loaded(tmp_path, scenario=scenario).scenarios["refund-one"].user
    assert user.knows["order_id"] == raw
    assert user.turns[0].say == [raw]


def test_free_positions_follow_json(tmp_path) -> None:
    given = "given: {orders.O-1: {a: 25, b: 25.50, c: no, d: '1', e: null, f: true, g: 00123, h: [1, x]}}"
    scenario = SCENARIO.replace("tier: critical", f"tier: critical\n  {given}")
    row = loaded(tmp_path, scenario=scenario).scenarios["refund-one"].given["orders.O-1"]
    assert row == {
        "a": 25,
        "b": Decimal("25.50"),
        "c": "no",
        "d": "1",
        "e": None,
        "f": True,
        "g": "00123",
        "h": [1, "x"],
    }


def test_tools_of_the_file_are_simulated(tmp_path) -> None:
    bundle = loaded(tmp_path)
    assert bundle.clock is not None
    sandbox = bundle.start.open({}, bundle.clock)
    assert sandbox.call("get_order", {"order_id": "O-1"}, turn=1).result == {"status": "shipped", "total": "49.90"}
    sandbox.call("refund", {"order_id": "O-1", "amount": "49.90"}, turn=1)
    assert sandbox.value("orders.O-1.status") == "refunded"


def test_the_cases_of_a_tool(tmp_path) -> None:
    workflow = WORKFLOW.replace(
        "knowledge:",
        """  cancel_order:
    kind: writes
    args: {order_id: text}
    needs: [identity, consent]
    cases:
      - {when: {order_id: O-1}, set: {orders.O-1.status: cancelled}, return: {ok: true}}
      - {error: no such order}
knowledge:""",
    )
    bundle = loaded(tmp_path, workflow=workflow)
    assert bundle.clock is not None
    assert bundle.schema.tools["cancel_order"].needs == ("identity", "consent")
    sandbox = bundle.start.open({}, bundle.clock)
    assert sandbox.call("cancel_order", {"order_id": "O-1"}, turn=1).result == {"ok": True}
    refused = sandbox.call("cancel_order", {"order_id": "O-2"}, turn=1)
    assert refused.error is not None
    assert refused.error.text == "no such order"


def test_marks_of_tools_that_live_elsewhere(tmp_path) -> None:
    workflow = WORKFLOW.replace(
        "knowledge:", "  send_mail: {kind: writes, needs: [consent]}\npassthrough: [send_mail]\nknowledge:"
    )
    bundle = loaded(tmp_path, workflow=workflow)
    assert bundle.schema.tools["send_mail"].needs == ("consent",)
    assert "send_mail" not in {tool.name for tool in bundle.start.tools}


def test_a_class_and_marks_together(tmp_path) -> None:
    text = (
        (SHOP / "workflow.yaml")
        .read_text()
        .replace("knowledge:", "tools: {send_mail: {kind: writes, ends: escalated}}\nknowledge:")
    )
    for file in (
        "backend.py",
        "policy/refunds.md",
        "policy/service.md",
        "scenarios/refunds.yaml",
        "scenarios/twins.yaml",
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((SHOP / file).read_bytes())
    (tmp_path / "workflow.yaml").write_text(text)
    bundle = load(tmp_path)
    assert bundle.schema.tools["send_mail"].ends == "escalated"
    assert bundle.schema.tools["issue_refund"].needs == ("identity", "consent")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("state:", "sandbox: backend.py:Shop\nstate:", "there is no file `backend.py`|two sandboxes"),
        (
            '{from: "orders.{order_id}"}',
            '{from: "ordrs.{order_id}"}',
            "workflow.yaml:9:61: get_order: ordrs.{order_id}: no table `ordrs` in the state; did you mean `orders`",
        ),
        (
            'set: {"orders.{order_id}.status"',
            'set: {"orders.{order}.status"',
            "workflow.yaml:10:73: refund: orders.{order}.status: no argument `order`; did you mean `order_id`",
        ),
        ("set: {", "cases: [{when: {ordr: x}}], set: {", "not both"),
        (
            'set: {"orders.{order_id}.status": refunded}',
            "cases: [{}, {when: {ordr: x}}]",
            "workflow.yaml:10:87: refund: when: no argument `ordr`",
        ),
        (
            "kind: writes, args: {order_id",
            "kind: reads, args: {order_id",
            "workflow.yaml:10:72: refund: sets orders.{order_id}.status, so its kind is `writes`",
        ),
        ("order_id: text}", "order_id: txt}", "did you mean `text`"),
        ("return: {from", "cases: [{error: no}], return: {from", "not both"),
        (
            "tools:",
            "private: {customer: {email: id}}\ntools:",
            "workflow.yaml:8:11: no table `customer` in the state; did you mean `customers`",
        ),
        ("clock: 2026-11-20T10:00:00+01:00", "clock: 2026-11-20", "has no offset"),
        ("clock:", "prices: mine.yaml\nclock:", "mine.yaml:1:1: can't be read"),
        ("[policy.md]", "[policies.md]", "no file fits `policies.md`"),
    ],
)
def test_what_is_wrong_with_a_workflow_is_told(tmp_path, before: str, after: str, words: str) -> None:
    found = "\n".join(map(str, problems(tmp_path, workflow=WORKFLOW.replace(before, after, 1))))
    assert any(word in found for word in words.split("|")), found


def test_places_survive_storing() -> None:
    scenario = load(SHOP).scenarios["refund-broken-blender"]
    line = Scenario.model_validate(json.loads(json.dumps(scenario.dump()))).user.turns[1]
    assert isinstance(line.at, Where)
    assert (Path(line.at.file).name, line.at.line) == ("refunds.yaml", 16)
    assert Scalar("x", True, line.at).at == line.at
