"""What a difference means."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.replay import Finding, Side, Verdict
from harness.model.status import not_applicable, not_judged
from harness.replay.divergence.comparison import compare
from harness.replay.divergence.verdict import judge
from tests.harness.replay.divergence.build import READS, SHOP, WRITES, call, changing, row, side
from tools_sandbox.call import Change

ORDER = call("get_order", id="O-1")
REFUND = call("refund", id="O-1", amount=40)
OTHER = call("refund", id="O-1", amount=50)


def finding(first: Side, second: Side, free: tuple[str, ...] = ()) -> Finding:
    return judge(first, second, compare(first, second, SHOP).divergences, SHOP, free)


def said(first: Side, second: Side, free: tuple[str, ...] = ()) -> Verdict:
    return finding(first, second, free).verdict


def test_nothing_differs():
    found = finding(side(ORDER, REFUND), side(ORDER, REFUND))
    assert (found.verdict, found.evidence, found.divergences, found.first) == (Verdict.SAME, (), (), None)


@pytest.mark.parametrize("second", [side(REFUND), side(ORDER, ORDER, REFUND), side(call("get_order", id="2"), REFUND)])
def test_reads_that_differ_are_benign(second):
    assert said(side(ORDER, REFUND), second) is Verdict.BENIGN


def test_words_that_differ_are_benign():
    assert said(side(replies=((1, "Hello"),)), side(replies=((1, "Hi"),))) is Verdict.BENIGN


@pytest.mark.parametrize(
    ("first", "second"),
    [(side(), side(REFUND)), (side(REFUND), side()), (side(REFUND), side(OTHER)), (side(REFUND), side(REFUND, REFUND))],
)
def test_a_write_that_differs_and_that_nothing_judges_is_worse(first, second):
    found = finding(first, second)
    assert found.verdict is Verdict.WORSE
    assert "no judgement and no end state shows that it is right" in found.evidence[0]


def test_rules_that_pass_do_not_cover_a_write_that_differs():
    rules = {"rule.limit": True}
    assert said(side(REFUND, **rules), side(OTHER, **rules)) is Verdict.WORSE


def test_a_task_that_passes_covers_it():
    found = finding(side(REFUND, task_success=True), side(OTHER, task_success=True))
    assert found.verdict is Verdict.BENIGN
    assert found.evidence[0] == "what was written differs, and task_success passed"


def test_a_task_that_fails_as_before_does_not():
    assert said(side(REFUND, task_success=False), side(OTHER, task_success=False)) is Verdict.WORSE


def test_an_equal_end_state_covers_it():
    once = changing(call("refund", id="O-1", amount=40), row("refunds", "R-1", amount="40.00", at=1))
    first_half = changing(call("refund", id="O-1", amount=20), row("refunds", "R-1", amount="20.00", at=1))
    second_half = changing(
        call("refund", id="O-1", amount=20),
        Change("refunds", "R-1", {"amount": "20.00", "at": 1}, {"amount": "40.00", "at": 2}),
    )
    assert said(side(once), side(first_half, second_half)) is Verdict.WORSE
    assert said(side(once), side(first_half, second_half), free=("refunds.R-1.at",)) is Verdict.BENIGN


def test_a_write_that_touches_only_what_may_change_is_benign():
    note = changing(call("note", text="called"), row("notes", "N-1", text="called"))
    assert said(side(), side(note), free=("notes",)) is Verdict.BENIGN
    assert said(side(), side(note)) is Verdict.WORSE


def test_a_refused_write_changes_nothing():
    assert said(side(), side(call("refund", id="1", error="not paid"))) is Verdict.BENIGN
    assert said(side(REFUND), side(call("refund", id="O-1", amount=40, error="not paid"))) is Verdict.WORSE


def test_the_same_write_that_is_answered_otherwise_is_none_of_the_agents_doing():
    assert said(side(REFUND), side(call("refund", id="O-1", amount=40, result="R-9"))) is Verdict.BENIGN


def test_a_judgement_that_fails_now_is_worse_whatever_was_done():
    found = finding(side(ORDER, faithfulness=True), side(ORDER, faithfulness=False))
    assert (found.verdict, found.evidence) == (Verdict.WORSE, ("faithfulness fails now: it broke",))


@pytest.mark.parametrize(
    "before", [{}, {"safety.privacy": not_judged("no marks")}, {"safety.privacy": not_applicable("none")}]
)
def test_a_critical_failure_is_worse_unless_it_failed_before(before):
    first, second = side(ORDER, **before), side(ORDER, critical=("safety.privacy",), **{"safety.privacy": False})
    assert said(first, second) is Verdict.WORSE
    assert said(first, replace(second, critical=frozenset())) is Verdict.SAME
    assert said(side(ORDER, **{"safety.privacy": False}), second) is Verdict.SAME


def test_a_failure_that_is_gone_is_better():
    found = finding(side(REFUND, task_success=False), side(OTHER, task_success=True))
    assert found.verdict is Verdict.BETTER
    assert found.evidence[0] == "task_success failed before: it broke"


def test_a_write_that_broke_a_rule_and_is_left_out_is_better_and_one_that_is_added_is_not():
    critical = ("rule.limit",)
    before = side(REFUND, critical=critical, **{"rule.limit": False})
    nothing = {"rule.limit": not_applicable("no refund")}
    assert said(before, side(critical=critical, **nothing)) is Verdict.BETTER
    assert said(before, side(call("cancel", id="O-1"), critical=critical, **nothing)) is Verdict.WORSE


def test_worse_and_better_are_worse_and_both_are_told():
    found = finding(side(task_success=True, tone=False), side(task_success=False, tone=True))
    assert found.verdict is Verdict.WORSE
    assert found.evidence == ("task_success fails now: it broke", "tone failed before: it broke")


@pytest.mark.parametrize("after", [{}, {"task_success": not_judged("the trace broke off")}])
def test_what_passed_and_is_not_judged_any_more_is_not_comparable(after):
    assert said(side(ORDER, task_success=True), side(ORDER, **after)) is Verdict.NOT_COMPARABLE


def test_the_first_divergence_is_more_than_wording():
    first = side(ORDER, replies=((1, "a"), (2, "b")))
    second = side(ORDER, call("search", q="x", turn=2), replies=((1, "c"), (2, "b")))
    found = finding(first, second)
    assert [each.turn for each in found.divergences] == [1, 2]
    assert found.first is not None
    assert (found.first.turn, found.first.tool) == (2, "search")


STATUSES = st.sampled_from([True, False, not_judged("why"), not_applicable("why")])
JUDGED = st.dictionaries(st.sampled_from(["task_success", "rule.limit", "tone"]), STATUSES)


@given(st.lists(st.sampled_from([*READS, *WRITES]), max_size=6), JUDGED)
def test_a_side_is_the_same_as_itself(tools, judged):
    one = side(*(call(tool, id="1") for tool in tools), critical=("rule.limit",), **judged)
    assert said(one, one) is Verdict.SAME


@given(JUDGED, JUDGED)
def test_a_new_failure_is_never_benign(before, after):
    first, second = side(critical=("rule.limit",), **before), side(critical=("rule.limit",), **after)
    broken = any(before.get(name) is True and value is False for name, value in after.items())
    if broken:
        assert said(first, second) is Verdict.WORSE


@given(st.permutations([call(tool, id=str(n)) for n in range(2) for tool in READS]))
def test_reads_in_another_order_are_never_worse(order):
    plain = [call(tool, id=str(n)) for n in range(2) for tool in READS]
    assert said(side(*plain, REFUND), side(*order, REFUND)) in (Verdict.SAME, Verdict.BENIGN)
