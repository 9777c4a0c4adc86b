"""Each clause of the grammar of expectations, held against hand-made episodes."""

from __future__ import annotations

from decimal import Decimal

import pytest

from harness.model.episode import Ask, AskKind, End, Unsaid
from harness.model.material import Document
from harness.model.status import Status
from harness.scoring.score import score
from harness.scoring.success import task_success
from tests.harness.scoring.build import (
    START,
    added,
    altered,
    call,
    changed,
    episode,
    material,
    refund,
    said,
    user,
    verify,
)
from tools_sandbox.call import Passage
from traces.genai import Usage

REFUNDED = {
    "orders.O-1001.status": "refunded",
    "refunds": [{"order_id": "O-1001", "amount": Decimal("49.90")}],
}


def judged(talk, expect=None, **against):
    return task_success.score(talk, material(expect, **against))["task_success"]


def status(*arguments, **against):
    return judged(*arguments, **against).value.status


def codes(score):
    return [one.code for one in score.findings if not one.recovered]


def refunding(*last):
    return episode("I'm ana@example.com", verify(), said("Shall I?"), user("Yes"), refund(), said("Done."), *last)


class TestState:
    def test_expected_changes_and_nothing_else(self):
        assert status(refunding(), {"state": REFUNDED}) is Status.PASSED

    def test_money_is_compared_as_decimal_and_dates_as_dates(self):
        dated = episode("Hi", call("cancel_order", changes=(altered("orders", "O-1001", delivered_on="2026-11-13"),)))
        dated.messages.append(said("ok"))
        dated.messages[-1].turn = 1
        assert status(dated, {"state": {"orders.O-1001.delivered_on": "2026-11-13"}}) is Status.PASSED
        assert status(refunding(), {"state": {**REFUNDED, "refunds": [{"amount": "49.9"}]}}) is Status.PASSED

    def test_a_value_that_differs_points_at_the_call_that_wrote_it(self):
        score = judged(refunding(), {"state": {**REFUNDED, "refunds": [{"amount": "50"}]}})
        assert codes(score) == ["TO2"]
        assert score.findings[0].evidence.call == "c2"
        assert score.findings[0].evidence.path == "refunds.R-1.amount"
        assert score.findings[0].actual == '"49.90"'

    def test_no_state_means_nothing_may_change(self):
        score = judged(refunding(), {"says": ["Done"]})
        assert codes(score) == ["TO5", "TO5"]
        assert status(episode("Hi", said("Done")), {"says": ["Done"]}) is Status.PASSED

    def test_may_change_is_free(self):
        noted = episode("Hi", call("add_note", {"text": "x"}, changes=(added("notes", "N-1", text="x"),)), said("ok"))
        assert status(noted, {"outcome": "resolved"}, may_change=["notes"]) is Status.PASSED
        assert codes(judged(noted)) == ["TO5"]

    def test_the_unit_of_else_is_the_field_of_a_changed_row(self):
        moved = altered("orders", "O-1001", status="refunded", address="Elsewhere")
        talk = episode("Hi", call("issue_refund", changes=(moved,)), said("ok"))
        score = judged(talk, {"state": {"orders.O-1001.status": "refunded"}})
        assert codes(score) == ["TO5"]
        assert score.findings[0].evidence.path == "orders.O-1001.address"
        subset = {"state": {"orders.O-1001": {"status": "refunded", "address": "Elsewhere"}}}
        assert status(talk, subset) is Status.PASSED

    def test_a_new_rows_other_fields_are_free(self):
        assert status(refunding(), {"state": {"orders.O-1001.status": "refunded", "refunds.R-1.amount": "49.90"}}) is (
            Status.PASSED
        )

    def test_a_mapping_is_a_subset(self):
        assert status(refunding(), {"state": {"orders.O-1001": {"status": "refunded"}, "refunds": [{}]}}) is (
            Status.PASSED
        )

    def test_a_list_leaves_nothing_over_unless_contains(self):
        twice = refunding(refund(key="R-2"))
        one = {"order_id": "O-1001"}
        state = {"orders.O-1001.status": "refunded"}
        assert codes(judged(twice, {"state": {**state, "refunds": [one]}})) == ["TO5"]
        assert status(twice, {"state": {**state, "refunds": [one, one]}}) is Status.PASSED
        assert status(twice, {"state": {**state, "refunds": {"contains": [one]}}}) is Status.PASSED
        assert status(twice, {"state": {**state, "refunds": [one, one, one]}}) is Status.FAILED

    def test_a_list_is_matched_with_touched_rows_only(self):
        talk = episode(
            "Hi", call("issue_refund", changes=(altered("orders", "O-1001", status="refunded"),)), said("ok")
        )
        assert status(talk, {"state": {"orders": [{"order_id": "O-1001", "status": "refunded"}]}}) is Status.PASSED
        assert codes(judged(talk, {"state": {"orders": [{"order_id": "O-1001"}]}})) == ["TO5"]
        assert status(talk, {"state": {"orders": []}}) is Status.FAILED

    def test_a_deleted_row(self):
        gone = episode(
            "Hi", call("cancel_order", changes=(changed("orders", "O-1001", START["orders"]["O-1001"], None),))
        )
        gone.messages += [said("ok")]
        gone.messages[-1].turn = 1
        assert codes(judged(gone)) == ["TO5"]
        assert status(gone, {"state": {"orders.O-1001": {"absent": True}}}) is Status.PASSED

    def test_a_key_may_have_dots(self):
        start = {**START, "notes": {"a.b": {"text": "old"}}}
        talk = episode(
            "Hi", call("add_note", changes=(changed("notes", "a.b", {"text": "old"}, {"text": "new"}),)), said("k")
        )
        assert status(talk, {"state": {"notes.a.b.text": "new"}}, start=start) is Status.PASSED
        score = judged(talk, {"state": {"notes.a.b.text": "newer"}}, start=start)
        assert score.findings[0].evidence.call == "c1"

    def test_a_change_and_its_undoing_is_a_slip(self):
        there = altered("orders", "O-1001", status="cancelled")
        back = changed("orders", "O-1001", there.after, there.before)
        talk = episode(
            "Hi", call("cancel_order", changes=(there,)), call("cancel_order", {"undo": 1}, changes=(back,)), said("k")
        )
        score = judged(talk, {"outcome": "resolved"})
        assert score.value.status is Status.PASSED
        assert [(one.code, one.recovered) for one in score.findings] == [("TO5", True), ("TO5", True)]


class TestCalls:
    def test_required_calls_are_met_by_successes_only(self):
        wanted = {"calls": {"required": ["verify_identity"]}}
        assert status(episode("I'm ana@example.com", verify(), said("ok")), wanted) is Status.PASSED
        failed = episode("Hi", call("verify_identity", {"email": "x"}, error="no match"), said("ok"))
        assert codes(judged(failed, wanted)) == ["TO4"]

    def test_an_agent_that_made_no_call_fails_what_is_required(self):
        wanted = {"calls": {"required": ["verify_identity", {"get_order": {"order_id": "O-1001"}}]}}
        score = judged(episode("Hi", said("Sure!")), wanted)
        assert codes(score) == ["TO1", "TO1"]
        assert score.details["milestones_met"] == 1
        assert score.details["milestones"] == 3

    def test_a_wrong_argument_says_path_expected_and_actual(self):
        talk = episode("Hi", call("get_order", {"order_id": "O-9"}), said("ok"))
        score = judged(talk, {"calls": {"required": [{"get_order": {"order_id": "O-1001"}}]}})
        assert codes(score) == ["TO2"]
        assert (score.findings[0].evidence.path, score.findings[0].expected, score.findings[0].actual) == (
            "order_id",
            '"O-1001"',
            '"O-9"',
        )

    def test_a_malformed_call_of_what_was_required(self):
        wanted = {"calls": {"required": ["get_order"]}}
        broken = call("get_order", None, raw="{'order", error="no JSON", kind="bad_arguments")
        assert codes(judged(episode("Hi", broken, said("ok")), wanted)) == ["TO3"]
        made_up = call("fetch_order", {}, error="no such tool", kind="unknown_tool")
        assert codes(judged(episode("Hi", made_up, said("ok")), wanted)) == ["TO3"]
        score = judged(episode("Hi", broken, call("get_order", {"order_id": "O-1001"}), said("ok")), wanted)
        assert score.value.status is Status.PASSED
        assert [(one.code, one.recovered) for one in score.findings] == [("TO3", True)]

    def test_in_order_is_a_subsequence_of_successes(self):
        wanted = {"calls": {"in_order": ["get_order", "get_customer"]}}
        order, customer = call("get_order"), call("get_customer")
        assert status(episode("Hi", order, call("search_policy"), customer, said("ok")), wanted) is Status.PASSED
        assert status(episode("Hi", customer, order, said("ok")), wanted) is Status.FAILED
        tried = episode("Hi", call("get_order", error="no"), customer, said("ok"))
        assert status(tried, wanted) is Status.FAILED

    def test_before_holds_for_every_call_attempts_included(self):
        wanted = {"calls": {"before": [["verify_identity", "get_order"]]}}
        late = episode("I'm ana@example.com", call("get_order", error="no"), verify(), call("get_order"), said("ok"))
        score = judged(late, wanted)
        assert codes(score) == ["SA2"]
        assert score.findings[0].evidence.call == "c1"
        good = episode("I'm ana@example.com", verify(), call("get_order"), said("ok"))
        assert status(good, wanted) is Status.PASSED
        failed = episode("I'm ana@example.com", call("verify_identity", error="no"), call("get_order"), said("ok"))
        assert status(failed, wanted) is Status.FAILED
        assert status(episode("Hi", said("ok")), wanted) is Status.PASSED

    def test_a_proof_with_values_that_the_user_never_said_comes_before_nothing(self):
        wanted = {"calls": {"before": [["verify_identity", "get_order"]]}}
        assert codes(judged(episode("Hi", verify(), call("get_order"), said("ok")), wanted)) == ["SA2"]

    def test_never_counts_attempts(self):
        wanted = {"calls": {"never": ["cancel_order"]}}
        assert codes(judged(episode("Hi", call("cancel_order", error="no"), said("ok")), wanted)) == ["PO1"]
        assert codes(judged(episode("Hi", call("cancel_order"), said("ok")), wanted)) == ["TO5"]
        narrow = {"calls": {"never": [{"cancel_order": {"order_id": "O-2002"}}]}}
        assert status(episode("Hi", call("cancel_order", {"order_id": "O-1001"}), said("ok")), narrow) is Status.PASSED

    def test_at_most_counts_attempts(self):
        wanted = {"calls": {"at_most": {"get_order": 1}}}
        assert status(episode("Hi", call("get_order"), said("ok")), wanted) is Status.PASSED
        score = judged(episode("Hi", call("get_order", error="no"), call("get_order"), said("ok")), wanted)
        assert codes(score) == ["FL1"]
        assert score.findings[0].evidence.call == "c2"

    def test_a_needless_hand_over(self):
        handed = call("escalate_to_human", {"summary": "s"}, changes=(added("tickets", "T-1", summary="s"),))
        talk = episode("Hi", handed, said("A colleague takes over."), outcome="escalated")
        assert codes(judged(talk, {"calls": {"never": ["escalate_to_human"]}})) == ["PO3", "PO3"]
        assert status(talk, {"outcome": "escalated"}, may_change=["tickets"]) is Status.PASSED

    def test_a_missed_hand_over(self):
        wanted = {"outcome": "escalated", "calls": {"required": ["escalate_to_human"]}}
        assert codes(judged(episode("I was hurt", said("Sorry!")), wanted)) == ["PO3", "PO3"]

    def test_a_code_that_the_author_wrote_stays(self):
        wanted = {"calls": {"required": [{"get_order": {}, "code": "KN2"}]}}
        assert codes(judged(episode("Hi", said("ok")), wanted)) == ["KN2"]


class TestReplies:
    def test_says_holds_anywhere_within_one_message(self):
        wanted = {"says": [{"mentions": "5-7 business days"}]}
        assert (
            status(episode("Hi", said("It takes 5-7 business days."), "Thanks", said("Bye")), wanted) is Status.PASSED
        )
        assert status(episode("Hi", said("It takes 5-7"), said("business days.")), wanted) is Status.FAILED

    def test_never_says_quotes_the_reply(self):
        score = judged(
            episode("Hi", said("Delivery within 24 hours!")), {"never_says": [{"like": r"within \d+ hours"}]}
        )
        assert codes(score) == ["PO1"]
        assert score.findings[0].evidence.quote == "Delivery within 24 hours!"
        assert score.findings[0].step == (1, 1)

    def test_an_agent_that_only_talks_does_not_pass_by_its_words(self):
        score = judged(episode("Refund me", said("Refund of 49.90 issued.")), {"state": REFUNDED, "says": ["49.90"]})
        assert codes(score) == ["TO1", "TO1"]

    def test_asks_before(self):
        wanted = {"asks_before": {"issue_refund": ["reason"]}, "state": REFUNDED}
        assert "TO5" in codes(judged(refunding(), wanted))
        ask = Ask(AskKind.SLOT, "Why?", slot="reason")
        talk = episode("Hi", said("Why?", ask), user("Broken"), refund(), said("Done"))
        assert status(talk, wanted) is Status.PASSED
        assert status(episode("Hi", said("No"), outcome="refused"), {"asks_before": {"issue_refund": ["reason"]}}) is (
            Status.PASSED
        )

    def test_a_refusal_of_what_was_to_be_done(self):
        talk = episode("Refund me", said("I can't do that.", refusal=True), outcome="refused")
        assert set(codes(judged(talk, {"state": REFUNDED}))) == {"PO2"}

    def test_knowledge_that_was_retrieved_or_not(self):
        wanted = {"says": ["14 days"]}
        policy = (Document("policy.md", "You may return goods within 14 days."),)
        brought = call("search_policy", {"query": "returns"}, passages=(Passage("policy.md", policy[0].text),))
        missed = call("search_policy", {"query": "returns"})
        assert codes(judged(episode("Hi", brought, said("Soon.")), wanted, knowledge=policy)) == ["KN3"]
        assert codes(judged(episode("Hi", missed, said("Soon.")), wanted, knowledge=policy)) == ["KN2"]
        assert codes(judged(episode("Hi", missed, said("Soon.")), wanted)) == ["KN1"]
        assert codes(judged(episode("Hi", said("Soon.")), wanted)) == ["unknown"]

    def test_an_answer_in_another_language_than_the_document(self):
        policy = (Document("policy.md", "You may return goods within 14 days."),)
        brought = call("search_policy", {"query": "退货"}, passages=(Passage("policy.md", policy[0].text),))
        assert codes(judged(episode("Hi", brought, said("60天")), {"says": ["14天"]}, knowledge=policy)) == ["KN3"]


class TestOutcome:
    def test_the_outcome_and_its_turn(self):
        assert (
            status(episode("Hi", said("No", refusal=True), outcome="refused"), {"outcome": "refused"}) is Status.PASSED
        )
        assert codes(judged(episode("Hi", said("ok")), {"outcome": "refused"})) == ["PO1"]
        assert codes(judged(episode("Hi", said("Hm"), outcome="open"), {"outcome": "resolved"})) == ["FL2"]
        late = episode("Hi", said("Wait"), "And?", said("Done"))
        assert status(late, {"outcome": "resolved", "by_turn": 2}) is Status.PASSED
        assert codes(judged(late, {"outcome": "resolved", "by_turn": 1})) == ["FL3"]


class TestBudget:
    @pytest.mark.parametrize(
        "budget", [{"turns": 1}, {"tool_calls": 1}, {"tokens": 50}, {"cost": "0.00001"}, {"seconds": 1}]
    )
    def test_any_budget_that_is_exceeded_is_fl3(self, budget):
        talk = episode("Hi", call("get_order"), call("get_customer"), said("a"), "So?", said("b"), usage=Usage(20, 10))
        budget = {key: Decimal(value) if key == "cost" else value for key, value in budget.items()}
        assert codes(judged(talk, {"budget": budget})) == ["FL3"]
        assert status(talk, {"budget": {"turns": 2, "tool_calls": 2, "tokens": 60, "cost": 1, "seconds": 9}}) is (
            Status.PASSED
        )

    @pytest.mark.parametrize("budget", [{"tokens": 50}, {"cost": 1}])
    def test_missing_usage_satisfies_no_budget(self, budget):
        score = judged(episode("Hi", said("ok")), {"budget": budget})
        assert score.value.status is Status.NOT_JUDGED
        assert score.details["share"] == 0.5


class TestAnyOf:
    BOTH = {
        "says": ["Done"],
        "any_of": [
            {"state": REFUNDED},
            {"state": {"orders.O-1001.status": "cancelled"}, "calls": {"required": ["cancel_order"]}},
        ],
    }

    def test_any_branch_will_do_together_with_what_is_outside(self):
        cancelled = call("cancel_order", changes=(altered("orders", "O-1001", status="cancelled"),))
        assert status(refunding(), self.BOTH) is Status.PASSED
        assert status(episode("Hi", cancelled, said("Done")), self.BOTH) is Status.PASSED
        assert codes(judged(episode("Hi", cancelled, said("Bye")), self.BOTH)) == ["UN1"]

    def test_the_branch_that_misses_least_is_reported(self):
        score = judged(episode("Hi", call("cancel_order"), said("Done")), self.BOTH)
        assert [one.evidence.path for one in score.findings] == ["orders.O-1001.status"]
        assert score.findings[0].expected == '"cancelled"'

    def test_outer_and_branch_are_one_expectation(self):
        expect = {
            "state": {"orders.O-1001.status": "refunded"},
            "calls": {"required": ["issue_refund"]},
            "any_of": [{"state": {"refunds": [{}]}, "calls": {"required": ["issue_refund"]}}],
        }
        score = judged(refunding(), expect)
        assert codes(score) == ["TO1"], "two items need two calls"

    def test_lists_for_one_table_are_one_list(self):
        expect = {
            "state": {"orders.O-1001.status": "refunded", "refunds": [{"order_id": "O-1001"}]},
            "any_of": [{"state": {"refunds": [{"order_id": "O-2002"}]}}, {}],
        }
        assert status(refunding(), expect) is Status.PASSED
        score = judged(refunding(), {**expect, "any_of": expect["any_of"][:1]})
        assert [one.expected for one in score.findings] == ['{order_id: "O-2002"}']


class TestTurns:
    USER = {"turns": [{"say": "Refund me", "expect": ["days"]}, {"say": "Thanks", "expect": [{"mentions": "Bye"}]}]}

    def test_a_line_is_held_against_all_until_the_next_line(self):
        talk = episode("Refund me", said("Who?"), user("Ana"), said("In 5 days."), user("Thanks", line=1), said("Bye!"))
        assert status(talk, user=self.USER) is Status.PASSED
        late = episode("Refund me", said("Who?"), user("Ana"), said("ok"), user("Thanks", line=1), said("5 days. Bye!"))
        score = judged(late, user=self.USER)
        assert [one.step[0] for one in score.findings] == [2]

    def test_a_line_that_was_not_said_expects_nothing(self):
        talk = episode("Refund me", said("In 5 days."), unsaid=(Unsaid(1, "Thanks", None, "after: issue_refund"),))
        score = judged(talk, user=self.USER)
        assert score.value.status is Status.PASSED
        assert score.details["milestones"] == 2

    def test_a_turns_state_is_a_subset_at_that_time(self):
        script = {"turns": [{"say": "a", "expect": {"state": {"orders.O-1001.status": "delivered"}}}, "b"]}
        talk = episode("a", said("ok"), "b", refund(), said("Done"))
        assert status(talk, {"state": REFUNDED}, user=script) is Status.PASSED
        early = episode("a", refund(), said("ok"), "b", said("Done"))
        assert status(early, {"state": REFUNDED}, user=script) is Status.FAILED

    def test_a_turns_calls_are_those_of_the_turn(self):
        script = {"turns": [{"say": "a", "expect": {"calls": {"never": ["get_order"]}}}, "b"]}
        assert status(episode("a", said("ok"), "b", call("get_order"), said("k")), user=script) is Status.PASSED
        assert status(episode("a", call("get_order"), said("ok"), "b", said("k")), user=script) is Status.FAILED

    def test_a_bad_last_turn_after_good_ones_fails(self):
        talk = episode("Refund me", said("5 days"), "Thanks", said("Whatever"))
        assert status(talk, user=self.USER) is Status.FAILED


class TestEndings:
    def test_a_crash_is_no_success_with_an_empty_reply(self):
        end = End("agent_error", text="ValueError: boom", place="agent.py:7 in think")
        score = judged(episode("Hi", said("ok"), "More", end=end, outcome="open"))
        assert codes(score) == ["FL4"]
        assert score.findings[0].evidence.where == "agent.py:7 in think"

    @pytest.mark.parametrize(
        ("calls", "expected"),
        [
            ([call("get_order", {"order_id": "O-1001"})] * 10, []),
            ([call("get_order", {"order_id": "O-1001"})] * 11, ["FL1"]),
            ([call("get_order", {"order_id": "O-1001"}, error="no")] * 11, ["FL1"]),
            ([call("get_order", {"order_id": "O-1001"}), call("get_order", {"order_id": "O-2002"})] * 11, ["FL1"]),
            ([call("get_order", {"order_id": f"O-{n}"}) for n in range(30)], []),
            ([*[call("get_order")] * 10, call("add_note", {"text": "a"}), call("get_order")], []),
            ([*[call("get_order")] * 10, call("add_note", {"text": "a"}, error="no"), call("get_order")], ["FL1"]),
            ([call("add_note", {"text": "a"})] * 11, ["FL1"]),
            ([call("add_note", {"text": "a"}, changes=(added("notes", "N-1", text="a"),))] * 11, []),
        ],
    )
    def test_more_than_ten_equal_calls_with_nothing_done_between_them(self, calls, expected):
        talk = episode("Hi", *calls, said("ok"), outcome="open")
        score = judged(talk, {"outcome": "open"}, may_change=["notes"])
        assert codes(score) == expected
        if expected:
            first = next(one for one in score.findings if not one.recovered)
            assert first.step[0] == 1
            assert " times from turn 1" in first.text

    def test_a_limit(self):
        talk = episode("Hi", said("ok"), end=End("limit", text="20 turns"), outcome="open")
        assert codes(judged(talk)) == ["FL1"]

    @pytest.mark.parametrize("text", ["", "  \n"])
    def test_no_usable_reply(self, text):
        assert codes(judged(episode("Hi", said(text)))) == ["FL4"]
        assert codes(judged(episode("Hi"))) == ["FL4"]

    def test_a_conversation_that_was_cut_short_is_not_judged_by_what_is_missing(self):
        talk = episode("Hi", end=End("fault", "X2", "provider down"), outcome="open")
        assert status(talk, {"state": REFUNDED, "says": ["Done"]}) is Status.NOT_JUDGED

    def test_nothing_said_is_nothing_judged(self):
        assert status(episode()) is Status.NOT_JUDGED

    def test_right_end_wrong_path(self):
        wanted = {"state": REFUNDED, "calls": {"required": ["get_order"]}}
        assert judged(refunding(), wanted).details["right_end_wrong_path"] is True
        assert judged(refunding(), {"state": REFUNDED}).details["right_end_wrong_path"] is False
        assert judged(episode("Hi", said("ok")), wanted).details["right_end_wrong_path"] is False


class TestRetained:
    WANTED = {"retained": ["order_id"]}

    def test_a_fact_that_was_given_is_used(self):
        talk = episode(
            "It is about O-1001", call("get_order", {"order_id": "O-1001"}), said("ok"), knows={"order_id": "O-1001"}
        )
        assert status(talk, self.WANTED) is Status.PASSED

    def test_a_fact_that_was_given_and_forgotten(self):
        talk = episode("It is about O-1001", said("ok"), knows={"order_id": "O-1001"})
        assert codes(judged(talk, self.WANTED)) == ["UN2"]

    def test_a_fact_that_was_not_given_cannot_be_kept(self):
        score = judged(episode("Hi", said("ok"), knows={"order_id": "O-1001"}), self.WANTED)
        assert score.value.status is Status.PASSED
        assert score.details["milestones"] == 1


class TestNothingExpected:
    @pytest.mark.parametrize("expect", [{}, {"state": {}}, {"any_of": [{}, {"outcome": "refused"}]}, {"calls": {}}])
    def test_what_nothing_could_fail_is_not_judged(self, expect):
        assert status(episode("Hi", said("Okay.")), expect) is Status.NOT_JUDGED

    def test_a_change_that_nobody_asked_for_fails_all_the_same(self):
        assert status(episode("Hi", refund(), said("Okay.")), {}) is Status.FAILED

    def test_what_a_line_expects_is_enough(self):
        line = {"turns": [{"say": "Hi", "expect": [{"mentions": "okay"}]}]}
        assert status(episode("Hi", said("Okay.")), {}, user=line) is Status.PASSED


def test_a_pattern_that_takes_too_long_is_the_scenarios_fault():
    against = material({"never_says": [{"like": "(a|aa)+$"}]})
    scored = score(episode("Hi", said("a" * 2000 + "?")), against)
    assert scored.scores["task_success"].value.status is Status.NOT_JUDGED
    assert scored.verdict.status is Status.NOT_JUDGED
    assert scored.primary.code == "X3"
    assert "takes too long" in scored.primary.text


@pytest.mark.parametrize("text", ["guaranteed\u00a0delivery", "guar\u200banteed\ndelivery"])
def test_what_a_reader_does_not_see_hides_nothing_from_a_pattern(text):
    assert status(episode("Hi", said(text)), {"never_says": [{"like": "guaranteed delivery"}]}) is Status.FAILED
