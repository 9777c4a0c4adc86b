# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

from pathlib import Path

import pytest

from harness.workflow.bundle import load
from harness.workflow.lint.ids import unsafe
from harness.workflow.problems import Problems
from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, loaded, only, problems, write

SHOP = Path(__file__).parent / "data" / "shop"

KNOWS = "knows: {order_id: O-1}"
REQUIRED = "{required: [{refund: {order_id: O-1}}]}"
STATE = "{orders.O-1.status: refunded}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("family: refunds", "family: refund", "3:11: there is no family `refund`; did you mean `refunds`?"),
        ("clauses: [R1]", "clauses: [R1, R9]", "5:17: there is no clause `R9` (there is R1)"),
        (REQUIRED, "{never: [refnd]}", "12:21: there is no tool `refnd`; did you mean `refund`?"),
        (REQUIRED, "{before: [[get_orders, refund]]}", "12:23: there is no tool `get_orders`; did you mean `get_order`?"),
        (REQUIRED, "{at_most: {refnd: 1}}", "12:23: there is no tool `refnd`; did you mean `refund`?"),
        (REQUIRED, "{required: [{refund: {order: O-1}}]}", "12:34: there is no argument of `refund` `order`; did you mean `order_id`?"),
        (REQUIRED, "{required: [{refund: {amount: much}}]}", "12:42: \"much\" is no decimal (it could never be equal)"),
        (REQUIRED, "{required: [{refund: {amount: {between: [1, x]}}}]}", "12:42: \"x\" is no decimal"),
        (REQUIRED, "{required: [{refund: {amount: {at_mots: 3}}}]}", "12:43: there is no matcher `at_mots`; did you mean `at_most`?"),
        (REQUIRED, "{required: [{refund: {amount: [1, 2]}}]}", "12:42: a list is no decimal"),
        (STATE, "{order.O-1.status: refunded}", "11:13: there is no table `order`; did you mean `orders`?"),
        (KNOWS, "knows: {}\n    answers: {size: {asked: [how big]}}", "9:15: the user knows no `size`, and its answer says nothing"),
        ("    calls:", "    asks_before: {refund: [emial]}\n    calls:", "12:28: there is no slot `emial`"),
        ("    calls:", "    asks_before: {refnd: [order_id]}\n    calls:", "12:19: there is no tool `refnd`"),
        ("    calls:", "    retained: [order]\n    calls:", "12:16: there is no slot `order`; did you mean `order_id`?"),
        ("    calls:", "    by_turn: 2\n    calls:", "12:14: `by_turn` goes with `outcome`"),
        ("    calls:", "    says: ['']\n    calls:", "12:12: `mentions` of nothing fits every message"),
        ("    calls:", "    never_says: [{like: 'a(b'}]\n    calls:", "12:18: `a(b` is no regular expression"),
        ("    calls:", "    never_says: [{like: '(a|aa)+$'}]\n    calls:", "12:18: the pattern '(a|aa)+$' takes too long"),
        ("    calls:", "    says: [{like: '.*'}]\n    calls:", "12:12: `.*` fits every text"),
        (REQUIRED, "{required: [{refund: {order_id: {like: '('}}}]}", "12:44: `(` is no regular expression"),
        (STATE, "{orders.O-1.status: {like: '('}}", "11:32: `(` is no regular expression"),
        ("[I want my money back.]", "[Hello.]\n    approvals: [{match: {act: {like: '('}}, answer: yes}]", "10:31: `(` is no regular expression"),
        (STATE, "{orders: any}", "11:21: the table `orders` is no single value"),
        (STATE, "{orders: {contains: []}}", "11:21: `contains` of nothing asks for nothing"),
        ("    calls:", "    any_of: [{calls: {never: [refnd]}}]\n    calls:", "12:31: there is no tool `refnd`"),
        ("[I want my money back.]", "['  ']", "9:13: this text is blank"),
        ("[I want my money back.]", "\n      - say: [Hello., '']", "10:23: this text is blank"),
        ("[I want my money back.]", "[Hello., {say: Now?, after: refnd}]", "9:40: there is no tool `refnd`"),
        ("[I want my money back.]", "[Hello., {say: Now?, when: {not_called: [refnd]}}]", "9:53: there is no tool `refnd`"),
        ("[I want my money back.]", "[Hello., {say: Now?, when: {state: {order.O-1.status: x}}}]", "9:48: there is no table `order`"),
        ("[I want my money back.]", "[Hello., {say: Now?, expect: {calls: {never: [refnd]}}}]", "9:58: there is no tool `refnd`"),
        ("[I want my money back.]", "[Hello., {say: Now?, when: {reply: ['']}}]", "9:48: this text is blank"),
        ("[I want my money back.]", "[Hello.]\n    declines: [{voucher: ['']}]", "10:16: this text is blank"),
        ("    - reply: Done.", "    - reply: Done.\n" * 20 + "    - reply: Done.", "13:3: the gold path has 21 replies, but the user says no more than 20 messages"),
        ("    - refund: {", "    - refnd: {", "14:7: there is no tool `refnd`"),
        ("    - reply: Done.", "    - Done.", "15:7: there is no tool `Done.`"),
        ("    - reply: Done.", "    - replay", "15:7: there is no tool `replay`; did you mean `reply`?"),
        ("    - refund: {order_id", "    - refund: {order_di", "14:16: there is no argument of `refund` `order_di`; did you mean `order_id`?"),
        ("    - refund: {order_id: O-1, amount: \"49.90\"}", "    - {tool: refund, arguments: {ordr_id: O-1}}", "14:34: there is no argument of `refund` `ordr_id`; did you mean `order_id`?"),
        ("    - reply: Done.\n", "", "14:7: the gold path ends with a call (end it with a reply)"),
        ("  tier: critical", "  given: {ordrs.O-1: {status: x}}", "4:3: ordrs: no such table; did you mean `orders`?"),
        ("  tier: critical", "  given: {orders.O-2: null}", "4:11: orders.O-2: there is no such row to delete"),
    ],
)  # fmt: skip
def test_scenarios_that_name_what_is_not_there(tmp_path, before: str, after: str, expected: str) -> None:
    assert before in SCENARIO
    found = problems(tmp_path, scenario=SCENARIO.replace(before, after, 1))
    assert str(found[0]).split("refunds.yaml:", 1)[1].startswith(expected)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("gate:\n  -", "rules: [{id: a, before: refnd, need: get_order}]\ngate:\n  -", "20:25: there is no tool `refnd`"),
        ("gate:\n  -", "rules: [{id: a, before: writes, need: get_ordr}]\ngate:\n  -", "20:39: there is no tool `get_ordr`"),
        ("gate:\n  -", "rules: [{id: a, before: writes, need: consnt}]\ngate:\n  -", "20:39: there is no tool `consnt` to need; did you mean `consent`?"),
        ("gate:\n  -", "rules: [{id: a, before: writes, need: zzzzzz}]\ngate:\n  -", "20:39: there is no tool `zzzzzz` to need (it is a tool or `consent`, such as consent)"),
        ("gate:\n  -", "rules: [{id: a, before: writs, need: consent}]\ngate:\n  -", "20:25: there is no tool `writs`; did you mean `writes`?"),
        ("gate:\n  -", "rules: [{id: a, never: [consent]}]\ngate:\n  -", "20:25: there is no tool `consent`"),
        ("[critical_failure]", "[critical_failures]", "19:23: `critical_failures` is none of critical_failure, judge_unsure; did you mean `critical_failure`?"),
        ("gate:\n  -", "rules: [{id: a, clause: R7, never: [refund]}]\ngate:\n  -", "20:25: there is no clause `R7` (there is R1)"),
        ("gate:\n  -", "rules: [{id: a, limit: {refund.amout: {at_most: 1}}}]\ngate:\n  -", "20:25: there is no argument of `refund` `amout`; did you mean `amount`?"),
        ("gate:\n  -", "rules: [{id: a, limit: {refund.amount: {at_most: many}}}]\ngate:\n  -", "20:40: \"many\" is no decimal"),
        ("gate:\n  -", "rules: [{id: a, never: [refund]}, {id: a, never: [refund]}]\ngate:\n  -", "20:40: the rule `a` is here twice"),
        ("gate:\n  -", "rules: [{id: a, limit: {refund: often}}]\ngate:\n  -", "20:33: \"often\" is no integer"),
        ("  refunds:\n", "  'refunds?':\n", "13:3: the family `refunds?` holds `?`"),
        ("gate:\n  -", "may_change: [note]\ngate:\n  -", "20:14: there is no table `note`"),
        ("source: [authored]", "source: [made-up, generated]", "15:14: there is no sample source `made-up`"),
        ("workflow: shop", "workflow: a/b", "2:11: the name `a/b` holds `/`"),
        ("measures: [task_success]", "measures: [task_succes]", "16:16: there is no metric `task_succes`; did you mean `task_success`?"),
        ("metric: task_success, at", "metric: cost_us, at", "18:34: there is no metric `cost_us`; did you mean `cost_usd`?"),
        ("at_least: 0.9}", "at_least: 0.9}, {rule: works, metric: task_success, failures: 0}", "18:12: two rules of this gate are called `works`"),
    ],
)  # fmt: skip
def test_workflows_that_name_what_is_not_there(tmp_path, before: str, after: str, expected: str) -> None:
    assert before in WORKFLOW
    found = map(str, problems(tmp_path, workflow=WORKFLOW.replace(before, after, 1)))
    own = [text.split("workflow.yaml:", 1)[1] for text in found if "workflow.yaml:" in text]
    assert own[0].startswith(expected)


def test_typed_tables_know_their_fields_and_values(tmp_path) -> None:
    for file in ("workflow.yaml", "backend.py", "policy/refunds.md", "policy/service.md", "scenarios/twins.yaml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((SHOP / file).read_bytes())
    scenario = (SHOP / "scenarios" / "refunds.yaml").read_text()
    wrong = (
        scenario.replace("orders.O-1001.status: refunded", "orders.O-1001.state: refunded")
        .replace('refunds: [{order_id: O-1001, amount: "49.90"}]', "refunds: [{order_id: O-1001, amount: lots}]")
        .replace('{status: delivered, delivered_on: clock - 8 days, total: "49.90"}', "{delivered_on: soon}")
    )
    (tmp_path / "scenarios" / "refunds.yaml").write_text(wrong)
    with pytest.raises(Problems) as caught:
        load(tmp_path)
    own = [str(each).split("refunds.yaml:", 1)[1] for each in caught.value.problems if "refunds.yaml" in str(each)]
    assert [text.split(": ", 1)[0] for text in own] == ["9:5", "22:7", "23:44"]
    assert "delivered_on" in own[0]
    assert "there is no field `state`; did you mean `status`?" in own[1]
    assert '"lots" is no decimal' in own[2]


def test_what_is_doubtful_is_a_warning(tmp_path) -> None:
    scenario = SCENARIO.replace("tier: critical", "tier: core").split("  gold:")[0]
    bundle = loaded(tmp_path, scenario=scenario)
    assert [str(warning).split(": ", 1)[1] for warning in bundle.warnings] == [
        "there is no `gold` path, so nothing shows that this scenario can be passed",
    ]
    assert not loaded(tmp_path / "good").warnings


def test_a_metric_that_is_measured_and_that_no_gate_rule_holds(tmp_path) -> None:
    gap = WORKFLOW.replace("measures: [task_success]", "measures: [task_success, cost_usd]")
    (warning,) = loaded(tmp_path / "gap", workflow=gap).warnings
    assert str(warning).endswith(
        "workflow.yaml:16:30: cost_usd is measured in refunds and no gate rule holds it "
        "(write under `gate`: {rule: …, metric: cost_usd, at_most: …})"
    )
    for line in ("{rule: a, metric: cost_usd, at_most: 1}", "{rule: b, metric: cost_usd, against: x, max_drop: 1}"):
        doubts = loaded(tmp_path / line[7], workflow=f"{gap}  - {line}\n").warnings
        assert len(doubts) == ("max_drop" in line)
    judged = WORKFLOW.replace("metric: task_success, at_least: 0.9", "metric: cost_usd, at_most: 1")
    (warning,) = loaded(tmp_path / "judged", workflow=judged).warnings
    assert "{rule: …, metric: task_success, failures: 0}" in str(warning)


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("metric: task_success, at_least: 0", "`at_least: 0` holds whatever comes, so that nothing can fail `a`"),
        ("metric: task_success, status: not_judged, at_most: 1", "`at_most: 1` holds whatever comes"),
        ("coverage: families, at_least: 0.0", "`at_least: 0.0` holds whatever comes"),
        ("metric: task_success, against: x, max_drop: 1", "`max_drop: 1` holds whatever comes"),
        ("metric: task_success, at_least: 0.01", None),
        ("metric: task_success, status: not_judged, at_most: 0.99", None),
        ("metric: cost_usd, at_least: 0", None),
    ],
)
def test_a_gate_rule_that_nothing_can_fail(tmp_path, limit, told) -> None:
    warnings = loaded(tmp_path, workflow=f"{WORKFLOW}  - {{rule: a, {limit}}}\n").warnings
    vain = [str(warning) for warning in warnings if "nothing can fail" in str(warning)]
    assert len(vain) == (told is not None)
    assert told is None or told in vain[0]


def test_a_speaker_that_no_row_is_about(tmp_path) -> None:
    workflow = WORKFLOW.replace("C-7: {email", "C-7: {id: C-7, email")
    workflow = workflow.replace("tools:", "private: {customers: {email: id}}\ntools:")
    for speaker, doubts in (("C-7", 0), ("C-8", 1), ("unknown", 0)):
        scenario = SCENARIO.replace("tier: critical", f"tier: critical\n  speaker: {speaker}")
        assert len(loaded(tmp_path / speaker, workflow=workflow, scenario=scenario).warnings) == doubts


def test_a_tool_that_is_let_through_without_marks(tmp_path) -> None:
    (warning,) = loaded(tmp_path, workflow=WORKFLOW + "passthrough: [send_mail]\n").warnings
    assert str(warning).endswith("nothing is known of `send_mail` (say under `tools:` whether it reads or writes)")


def test_a_gold_path_that_is_short_of_replies(tmp_path) -> None:
    scenario = SCENARIO.replace("[I want my money back.]", "[Hello., So?]")
    (warning,) = loaded(tmp_path, scenario=scenario).warnings
    assert "the gold path has 1 replies for at least 2 messages of the user" in str(warning)


def test_names_in_braces_that_nobody_knows_are_text(tmp_path) -> None:
    scenario = SCENARIO.replace("[I want my money back.]", '["My order {order} is {{broken}}, ${really}"]')
    assert loaded(tmp_path, scenario=scenario).scenarios["refund-one"].user.turns[0].say == [
        "My order {order} is {{broken}}, ${really}"
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refund/late:eu", "holds `/`"),
        ("refund:eu", "holds `:`"),
        ("a\\b", "holds `\\`"),
        ("..", "holds `..`"),
        ("CON", "is the name of a device on Windows"),
        ("nul.yaml", "is the name of a device on Windows"),
        ("x" * 300, "has 300 characters, more than 100"),
        ("a\x07b", "holds the invisible character U+0007"),
        ("a\u202eb", "holds the invisible character U+202E"),
        ("", "is blank"),
        ("-rf", "begins with a dash or a dot, or ends with a dot"),
        ("refund late", "holds a blank"),
        ("refund!", "holds `!`"),
        ("$HOME", "holds `$`"),
        ("it's", "holds `'`"),
        ("a\ud800b", "holds the invisible character U+D800"),
        ("धनवापसी-٣", None),
        ("what?", "holds `?`"),
        ("refund-late_2.eu", None),
        ("退款-超时", None),
        ("console", None),
    ],
)
def test_ids_are_names_of_files_everywhere(name: str, reason: str | None) -> None:
    assert unsafe(name) == reason


AGENT = (
    "import json as data\nfrom os import path\nif path:\n    agent = 1\nclass Made:\n    inner = 1\nraise SystemExit\n"
)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("bot.py:agent", None),
        ("bot.py:Made", None),
        ("bot.py:data", None),
        ("bot.py:path", None),
        ("bot.py:inner", "2:8: `bot.py` defines no `inner`"),
        ("bot.py:agnet", "2:8: `bot.py` defines no `agnet`; did you mean `agent`?"),
        ("some.module:agent", None),
        ("https://example.com/agent", None),
    ],
)
def test_an_agent_is_looked_for_without_running_it(tmp_path, spec: str, expected: str | None) -> None:
    text = f"\nagent: {spec}{WORKFLOW}"
    found = [str(each).split(".yaml:", 1)[1] for each in loaded(tmp_path, workflow=text, bot_py=AGENT).warnings]
    assert found == ([expected] if expected else [])


def test_an_agent_that_is_not_there(tmp_path) -> None:
    (found,) = loaded(tmp_path, workflow=f"\nagent: bto.py:agent{WORKFLOW}", bot_py=AGENT).warnings
    assert str(found).endswith("2:8: there is no file `bto.py` (paths are relative to this file)")
    (found,) = loaded(tmp_path, workflow=f"\nagent: agent{WORKFLOW}").warnings
    assert "names no agent" in str(found)


def test_ids_are_checked_before_anything_runs(tmp_path) -> None:
    found = only(tmp_path, scenario=SCENARIO.replace("refund-one", "refund/one"))
    assert "2:7: the id `refund/one` holds `/` (use letters" in str(found)


def test_ids_that_differ_in_case_only_are_one_file_somewhere(tmp_path) -> None:
    found = only(tmp_path, scenario=SCENARIO + SCENARIO.replace("refund-one", "Refund-One"))
    assert "the id `Refund-One` differs from `refund-one` in case only" in str(found)


CREATE = 'create: {kind: writes, args: {id: text}, set: {"orders.R-{id}": {status: new, note: none}}}'
SUPPLY = "tier: critical\n  given: {orders.O-7: {booked: true}}"


@pytest.mark.parametrize(
    ("workflow", "scenario", "expected"),
    [
        ("", (STATE, "{orders.O-11.status: refunded}"), "11:13: no row of `orders` has the key `O-11`, and no tool adds it; did you mean `O-1`?"),
        ("", (STATE, "{orders: {O-11: {status: refunded}}}"), "11:13: no row of `orders` has the key `O-11`"),
        ("", (STATE, "{orders.O-1.staus: refunded}"), "11:13: no row of `orders` has a field `staus`; did you mean `status`?"),
        ("", (STATE, "{orders.O-1: {colour: red}}"), "11:13: no row of `orders` has a field `colour`"),
        ("", (STATE, "{orders: [{staus: refunded}]}"), "11:13: no row of `orders` has a field `staus`"),
        ("", ("[I want my money back.]", "[Hello., {say: Now?, when: {state: {orders.O-2.status: x}}}]"), "9:48: no row of `orders` has the key `O-2`"),
        ("", (STATE, "{orders.O-9: absent}"), "11:13: no row of `orders` has the key `O-9`, and no tool adds it"),
        ("", (STATE, "{orders.O-1.colour: absent}"), "11:13: no row of `orders` has a field `colour`"),
        ("", ("tier: critical", "tier: critical\n  given: {orders.O-1: {staus: late}}"), "5:11: no row of `orders` has a field `staus` before it is given; did you mean `status`?"),
        ("", ("tier: critical", "tier: critical\n  given: {orders.O-1.staus: late}"), "5:11: no row of `orders` has a field `staus` before it is given; did you mean `status`?"),
        ("", ("tier: critical", "tier: critical\n  given: {orders: {O-1: {staus: late}}}"), "5:11: no row of `orders` has a field `staus` before it is given; did you mean `status`?"),
        ("", ("tier: critical", "tier: critical\n  given: {orders.O-1: {colour: red}}"), None),
        (CREATE, (STATE, "{orders.R-12.status: new}"), None),
        (CREATE, (STATE, "{orders.R-12.note: new}"), None),
        (CREATE, (STATE, "{orders.S-12.note: new}"), "11:13: no row of `orders` has the key `S-12`"),
        ('book: {kind: writes, args: {id: text}, set: {"orders.{id}.bookd": true}}', ("tier: critical", SUPPLY), "11:48: no row of `orders` has a field `bookd` before it is set; did you mean `booked`?"),
        ('book: {kind: writes, args: {id: text}, set: {"orders.{id}.when": today}}', ("tier: critical", SUPPLY), None),
        ("book: {kind: writes, args: {}, set: {orders.O-2.status: booked}}", None, "11:40: no row of `orders` has the key `O-2`"),
        ("book: {kind: writes, args: {}, set: {orders.O-7.status: booked}}", ("tier: critical", SUPPLY), None),
        ('read: {kind: reads, args: {id: text}, return: {from: "orders.{id}.stauts"}}', None, "11:56: no row of `orders` has a field `stauts`; did you mean `status`?"),
        ('read: {kind: reads, args: {id: text}, cases: [{return: {from: orders.O-3}}]}', None, "11:65: no row of `orders` has the key `O-3`"),
        ('read: {kind: reads, args: {id: text}, return: {form: "orders.{id}"}}', None, "11:50: `form` is returned as it stands here; did you mean `from`?"),
        ('read: {kind: reads, args: {id: text}, return: {form: A-38}}', None, None),
        ('read: {kind: reads, args: {id: text}, return: {path: "orders.{id}"}}', None, None),
    ],
)  # fmt: skip
def test_state_paths_that_lead_nowhere_are_doubtful(tmp_path, workflow: str, scenario, expected: str | None) -> None:
    text = WORKFLOW.replace("knowledge:", f"  {workflow}\nknowledge:") if workflow else WORKFLOW
    own = SCENARIO.replace(*scenario) if scenario else SCENARIO
    found = [str(each).split(".yaml:", 1)[1] for each in loaded(tmp_path, workflow=text, scenario=own).warnings]
    assert [text.startswith(expected or "nothing") for text in found] == ([True] if expected else []), found


def test_a_tool_in_python_may_add_any_row(tmp_path) -> None:
    for file in ("workflow.yaml", "backend.py", "policy/refunds.md", "policy/service.md", "scenarios/refunds.yaml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes((SHOP / file).read_bytes())
    file = tmp_path / "scenarios" / "refunds.yaml"
    before = len(load(tmp_path).warnings)
    file.write_text(file.read_text().replace("orders.O-1001.status: refunded", "orders.O-101.status: refunded"))
    (found,) = [each for each in load(tmp_path).warnings if "O-101" in str(each)]
    assert (
        "no row of `orders` has the key `O-101` at the start; did you mean `O-1001`? (right if a tool adds it)"
        in str(found)
    )
    file.write_text(file.read_text().replace("orders.O-101.status", "orders.XY.status"))
    assert len(load(tmp_path).warnings) == before


EXPECT = f"""  expect:
    state: {STATE}
    calls: {REQUIRED}
"""


@pytest.mark.parametrize(
    ("expect", "expected"),
    [
        ("{}", ["10:3: nothing is expected, so that any agent passes that changes nothing"]),
        ("{state: {}}", ["10:3: nothing is expected"]),
        ("[]", ["10:3: nothing is expected", "10:3: `says` is empty"]),
        ("{calls: {}}", ["10:3: nothing is expected", "10:12: `calls` is empty"]),
        ("{outcome: refused, says: []}", ["10:30: `says` is empty"]),
        ("{outcome: refused, never_says: []}", ["10:30: `never_says` is empty"]),
        ("{outcome: refused, any_of: []}", ["10:30: `any_of` is empty"]),
        ("{outcome: refused, retained: []}", ["10:30: `retained` is empty"]),
        ("{outcome: refused, budget: {}}", ["10:30: `budget` is empty"]),
        ("{outcome: refused, calls: {required: []}}", ["10:38: `required` is empty"]),
        ("{outcome: refused, calls: {at_most: {}}}", ["10:38: `at_most` is empty"]),
        ("{outcome: refused, asks_before: {refund: []}}", ["10:44: `refund` is empty"]),
        ("{any_of: [{}, {outcome: refused}]}", ["10:3: nothing is expected", "10:21: this asks for nothing"]),
        ("{outcome: refused, any_of: [{state: {}}, {says: [x]}]}", ["10:39: this asks for nothing"]),
        ("{calls: {required: [refund], never: [refund]}}", ["10:48: `refund` is required and must never be called"]),
        (
            "{calls: {required: [{refund: {order_id: O-1, amount: 2}}], never: [{refund: {order_id: O-1}}]}}",
            ["10:78: `refund` is required and must never be called"],
        ),
        ("{calls: {required: [{refund: {order_id: O-1}}], never: [{refund: {order_id: O-2}}]}}", []),
        ("{calls: {required: [refund], never: [{refund: {order_id: O-2}}]}}", []),
        (
            "{calls: {never: [refund]}, any_of: [{calls: {required: [refund]}}, {outcome: refused}]}",
            ["10:28: `refund` is required and must never be called"],
        ),
        ("{calls: {required: [refund, refund], at_most: {refund: 1}}}", ["10:66: `refund` is required 2 times"]),
        ("{calls: {required: [refund], at_most: {refund: 1}}}", []),
        ("{calls: {before: [[refund, refund]]}}", ["10:29: `refund` would have to come before itself"]),
        ("{says: [done], never_says: [done]}", ["10:39: this must be said and must never be said"]),
    ],
)
def test_expectations_that_cannot_fail_or_cannot_hold(tmp_path, expect: str, expected: list[str]) -> None:
    assert EXPECT in SCENARIO
    found = problems(tmp_path, scenario=SCENARIO.replace(EXPECT, f"  expect: {expect}\n")) if expected else []
    if not expected:
        loaded(tmp_path, scenario=SCENARIO.replace(EXPECT, f"  expect: {expect}\n"))
    told = [str(each).split("refunds.yaml:", 1)[1] for each in found]
    assert len(told) == len(expected), told
    assert all(text.startswith(start) for text, start in zip(sorted(told), sorted(expected), strict=True)), told


def test_what_lines_expect_is_expected(tmp_path) -> None:
    line = "[{say: I want my money back., expect: EXPECT}]"
    talk = SCENARIO.replace("[I want my money back.]", line).replace(EXPECT, "  expect: {}\n")
    assert not loaded(tmp_path / "ok", scenario=talk.replace("EXPECT", "[done]")).warnings
    (_, found) = problems(tmp_path / "none", scenario=talk.replace("EXPECT", "{}"))
    assert "nothing is expected" in str(found)
    required = SCENARIO.replace("[I want my money back.]", line.replace("EXPECT", f"{{calls: {REQUIRED}}}"))
    (found,) = problems(tmp_path / "both", scenario=required.replace(EXPECT, "  expect: {calls: {never: [refund]}}\n"))
    assert "`refund` is required and must never be called" in str(found)


def test_a_rule_forbids_what_a_scenario_requires(tmp_path) -> None:
    rules = WORKFLOW.replace("gate:\n  -", "rules: [{id: off, never: [refund]}]\ngate:\n  -")
    (found,) = problems(tmp_path, workflow=rules)
    assert "12:24: `refund` is required, and the rule `off` forbids it" in str(found)


@pytest.mark.parametrize("when", ["{user_says: []}", "{}"])
def test_a_rule_that_waits_for_nothing(tmp_path, when: str) -> None:
    rules = f"rules: [{{id: a, when: {when}, need: get_order}}]\ngate:\n  -"
    (found,) = problems(tmp_path, workflow=WORKFLOW.replace("gate:\n  -", rules))
    assert "20:17: the rule `a` waits for nothing that is said" in str(found)


@pytest.mark.parametrize(("pattern", "doubts"), [(r"a\nb", 1), (r"a[^\n]*b", 0), (r"a\\nb", 0), (r"a\sb", 0)])
def test_a_pattern_that_looks_for_a_line_break(tmp_path, pattern: str, doubts: int) -> None:
    scenario = SCENARIO.replace("    calls:", f"    never_says: [{{like: '{pattern}'}}]\n    calls:")
    assert len(loaded(tmp_path, scenario=scenario).warnings) == doubts


@pytest.mark.parametrize(
    ("says", "doubt"),
    [
        ("[shipped]", True),
        ("[{mentions: Refunded}]", True),
        ("[hello]", False),
        ("[shipped today]", False),
        ("[{like: is shipped}]", False),
        ("[shipped], outcome: resolved", False),
    ],
)
def test_a_bare_status_is_said_by_who_denies_it(tmp_path: Path, says: str, doubt: bool) -> None:
    talk = SCENARIO.replace("    state: {orders.O-1.status: refunded}\n", "").replace(
        "  expect:\n", f"  expect:\n    any_of: [{{says: {says}}}]\n"
    )
    doubts = [each for each in map(str, loaded(tmp_path / "a", scenario=talk).warnings) if "is said by" in each]
    assert [each.split(".yaml:")[1][:7] for each in doubts] == ["11:22: "] * doubt
    judged = WORKFLOW.replace("measures: [task_success]", "measures: [task_success, faithfulness]")
    assert not load(write(tmp_path / "b", workflow=judged, scenario=talk)).warnings


@pytest.mark.parametrize(
    ("returned", "refused"),
    [
        ('{from: "orders.*", where: {status: paid}}', True),
        ('{limit: 3, from: "orders.{id}"}', True),
        ("{from: MUC, to: LIS}", False),
        ("{from: MUC}", True),  # alone it is a state path, and there is no table of that name
    ],
)
def test_from_a_state_path_beside_other_keys_is_not_taken_for_data(tmp_path, returned: str, refused: bool) -> None:
    text = WORKFLOW.replace(
        "knowledge:", f"  find: {{kind: reads, args: {{id: text}}, return: {returned}}}\nknowledge:"
    )
    if not refused:
        assert not loaded(tmp_path, workflow=text).warnings
        return
    told = str(only(tmp_path, workflow=text))
    assert ":11:" in told
    assert "MUC: no table" in told or "find: `from` a state path stands alone, and here is `" in told
