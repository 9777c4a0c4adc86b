from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import inspect

from harness.model.episode import AgentVersion, EpisodeKey
from harness.model.material import Clause, Document
from harness.model.score import Score
from harness.model.status import PASSED, Measure, Status, failed
from harness.store.problem import StoreProblem
from harness.store.records import Label, RunRecord, new_run_id
from harness.store.store import Store
from harness.store.tables import METADATA
from harness.workflow import digests as forms
from tests.harness.scoring import build as shop
from tests.harness.store.build import begun, episode, key, planned, run, scored


def test_the_tables_in_the_database_are_those_that_queries_know(store):
    found = inspect(store._engine)
    for name, table in METADATA.tables.items():
        assert [column["name"] for column in found.get_columns(name)] == [column.name for column in table.columns], name
    assert set(found.get_table_names()) == {*METADATA.tables, "schema_version"}


def test_runs(store):
    first, second = run("r-1", 20), run("r-2", 21, plan={"episodes": 3}, options={"trials": 2}, harness_version="0.1")
    store.create_run(first)
    store.create_run(second)
    store.finish("r-2", "done")
    assert store.runs() == [replace(second, status="done"), first]
    assert store.latest() == store.run("r-2")
    assert store.run("r-1") == first


def test_a_run_is_found_by_the_beginning_of_its_id(store):
    for name in ("r-20261120-1", "r-20261121-1", "r-20261121-2", "r-20261121-22"):
        store.create_run(run(name))
    assert store.run("r-20261120").id == "r-20261120-1"
    assert store.run("r-20261121-2").id == "r-20261121-2", "an id that is another's beginning"
    with pytest.raises(StoreProblem, match=r"may be any of 3, .*r-20261121-1"):
        store.run("r-20261121")
    with pytest.raises(StoreProblem, match="there is no run r_2026"):
        store.run("r_2026")


def test_an_empty_store_has_no_latest_run(store):
    assert store.latest() is None
    assert store.runs() == []


def test_an_episode_comes_back_as_it_was(store):
    begun(store)
    played = episode(confidence=0.7, notes=["one tool is real"], stdout="hello\x1b[0m", knows={"phone": None})
    assert store.save(played, scored())
    assert list(store.episodes("r-1")) == [played]
    assert store.episode(played.key.id) == played
    assert store.scored_episode(played.key) == scored()
    assert list(store.scored("r-1")) == [(played.key, scored())]


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800 and \udfff", "\x1b[31m", "\u2028\u202e", "𝔘nicode 退款 ✂️", "a\r\nb", "x" * 10]
)
def test_any_text_survives(store, text):
    begun(store)
    odd = {text: [text, {"deep": text}]}
    played = episode(events=(text, shop.said(text), shop.call("get_order", odd, result=odd, raw=text)), stdout=text)
    finding = scored().primary
    with_text = replace(scored(), primary=replace(finding, text=text), verdict=replace(scored().verdict, reason=text))
    store.save(played, with_text)
    store.label(played.key, Label(text, datetime(2026, 11, 20, tzinfo=UTC), "passed", text))
    store.put_texts({"digest": text})
    assert store.episode(played.key.id) == played
    assert store.scored_episode(played.key) == with_text
    assert store.labels(played.key)[0].note == text
    assert store.text("digest") == text


def test_money_is_stored_as_text(store):
    begun(store)
    store.save(episode(), scored())
    with store._transaction() as connection:
        value = connection.exec_driver_sql("select value from scores where metric = 'cost_usd'").scalar()
    assert str(value) == "0.0120"


def test_scores_can_be_queried(store):
    begun(store)
    store.save(episode(), scored())
    with store._transaction() as connection:
        rows = connection.exec_driver_sql("select * from scores where metric in ('task_success', 'turns', 'tokens_in')")
        assert {row.metric: (row.version, row.status, row.value, row.unit, row.reason) for row in rows} == {
            "task_success": ("1", "failed", None, None, '"refund missing"'),
            "turns": ("1", "measured", 3, "turns", '""'),
            "tokens_in": ("1", "not_judged", None, "tokens", '"no usage was reported"'),
        }


def test_scores_read_back_whatever_their_metric_is_called(store):
    """`authorization` names a credential where it is the name of a field."""
    begun(store)
    named = Score("safety.authorization", "1", failed("\ud800"), details={"broken": 1, "share": float("nan")})
    money = Score("cost_usd", "1", Measure("USD", Decimal("0.10")))
    store.save(episode(), replace(scored(), scores={one.metric: one for one in (named, money)}))
    back = store.scored_episode(key()).scores
    assert repr(back["safety.authorization"]) == repr(named), "with its NaN"
    assert repr(back["cost_usd"].value.value) == "Decimal('0.10')"
    with store._transaction() as connection:
        assert set(connection.exec_driver_sql("select metric from scores").scalars()) == set(back)


def test_numbers_that_json_does_not_know_survive(store):
    begun(store)
    played = episode(events=("Hi", shop.call("get_order", {}, result={"low": float("-inf"), "big": 10**40})))
    store.save(played, scored())
    assert store.episode(played.key.id).calls[0].result == {"low": float("-inf"), "big": 10**40}


def test_saving_again_changes_nothing(store):
    begun(store)
    assert store.save(episode(), scored())
    other = episode(events=("Another talk.",))
    assert not store.save(other, replace(scored(), verdict=PASSED))
    assert list(store.episodes("r-1")) == [episode()]
    assert store.scored_episode(key()).verdict.status is Status.FAILED


def test_a_later_attempt_counts_instead(store):
    begun(store)
    store.save(episode(), scored())
    again = episode(events=("Another talk.",), attempt=2)
    assert store.save(again, replace(scored(), verdict=PASSED))
    assert list(store.episodes("r-1")) == [again]
    assert store.episode(key().id) == again
    assert [result.verdict.status for result in store.results("r-1")] == [Status.PASSED]


def test_many_at_once(store):
    plan = [planned("refund", trial) for trial in range(450)]
    begun(store, *plan)
    played = [episode("refund", trial) for trial in range(449)]
    assert store.save_many([(each, scored()) for each in played]) == 449
    assert store.save_many([(each, scored()) for each in [*played, episode("refund", 449)]]) == 1
    assert [each.key.trial for each in store.episodes("r-1")] == list(range(450)), "in the order of the plan"
    assert len(list(store.results("r-1"))) == 450
    assert store.save_many([]) == 0


def test_the_same_attempt_twice_in_a_batch_is_one(store):
    begun(store)
    assert store.save_many([(episode(), scored()), (episode(), scored())]) == 1


def test_an_episode_that_was_not_planned_is_refused_and_nothing_is_stored(store):
    begun(store)
    with pytest.raises(StoreProblem, match="refuses what does not belong together"):
        store.save_many([(episode(), scored()), (episode("unplanned"), scored())])
    assert list(store.episodes("r-1")) == []


def test_results_are_what_a_gate_sees(store):
    begun(store, planned("a"), planned("b"), planned("c", tier="critical"))
    store.save(episode("a"), scored())
    store.spare([key("b")])
    played, spared, missing = store.results("r-1")
    assert (played.state, spared.state, missing.state) == ("played", "spared", "missing")
    assert (played.family, played.tier, played.slices, played.code) == ("refunds", "core", {"language": "es"}, "TO1")
    assert missing.tier == "critical"
    assert played.verdict == scored().verdict
    assert played.scores == {metric: score.value for metric, score in scored().scores.items()}
    assert played.turn_seconds == (3.5,)


def test_scoring_again_replaces_what_counts_and_keeps_the_episode(store):
    begun(store)
    store.save(episode(), scored("1"))
    better = replace(scored("2"), verdict=PASSED, primary=None)
    store.replace_scores(key(), better)
    store.replace_scores(key(), better)
    assert store.scored_episode(key()) == better
    (result,) = store.results("r-1")
    assert (result.verdict, result.code) == (PASSED, None)
    assert list(store.episodes("r-1")) == [episode()]
    with store._transaction() as connection:
        kept = connection.exec_driver_sql(
            "select version from scores where metric = 'task_success' order by 1"
        ).scalars()
        assert list(kept) == ["1", "2"], "by other versions: kept; by the same: replaced"


def test_there_must_be_an_episode_to_score(store):
    begun(store)
    with pytest.raises(StoreProblem, match="there is no episode r-1/agent@1/refund/1/clean"):
        store.replace_scores(key(), scored())
    assert store.scored_episode(key()) is None


def test_an_episode_is_found_by_the_beginning_of_its_id(store):
    begun(store, planned("a"), planned("a%"), planned("b"))
    for item in ("a", "a%", "b"):
        store.save(episode(item), scored())
    assert store.episode("r-1/agent@1/b").key.item == "b"
    assert store.episode("r-1/agent@1/a%").key.item == "a%"
    with pytest.raises(StoreProblem, match="may be any of 3"):
        store.episode("r-1")
    with pytest.raises(StoreProblem, match="there is no episode R-1"):
        store.episode("R-1")


def test_labels_are_kept_beside_each_other(store):
    begun(store)
    store.save(episode(), scored())
    said = [
        Label("ana", datetime(2026, 11, day, tzinfo=UTC), word, "why") for day, word in ((20, "failed"), (21, "passed"))
    ]
    for label in said:
        store.label(key(), label)
    assert store.labels(key()) == said


def test_material_is_rebuilt_from_the_texts_alone(store):
    material = shop.material(
        {"state": {"orders.O-1001.status": "refunded"}, "says": [{"mentions": "49.90"}]},
        rules=[{"id": "limit", "limit": {"issue_refund.amount": {"at_most": 100}}, "code": "PO1"}],
        scenario={"given": {"orders.O-1001.total": "10.50"}},
        knowledge=(Document("policy.md", "# R", (Clause("R1", "Refunds", "Within 30 days.", "policy.md"),)),),
        faulty="its gold path fails",
    )
    texts = {
        "scenario": forms.item_entry(material.scenario)[1],
        "workflow": forms.item_entry(material.workflow)[1],
        "knowledge": forms.knowledge_text(material.knowledge),
        "schema": forms.schema_text(material.schema),
        "start": forms.state_text(material.start),
        "prices": forms.prices_text(material.prices),
    }
    store.put_texts(texts)
    row = {**shop.START["orders"]["O-1001"], "total": "10.50"}
    given = {"orders": {"O-1001": row, "O-2002": None}, "notes": {"N-1": {"text": "new"}}}
    begun(store, planned(given=given, faulty=material.faulty), planned("plain"))
    rebuilt = store.material("r-1", "refund")
    start = {**shop.START, "orders": {"O-1001": row}, "notes": {"N-1": {"text": "new"}}}
    assert rebuilt == replace(material, start=start)
    assert store.material("r-1", "plain").start == shop.START
    assert store.material("r-1", "plain").faulty is None
    assert store.material("r-1", "plain").ground is rebuilt.ground, "what scenarios share is worked out once"


def test_a_text_is_kept_once(store):
    store.put_texts({"d": "first"})
    store.put_texts({"d": "second", "e": "x" * 100_000})
    assert store.text("d") == "first"
    assert store.text("e") == "x" * 100_000
    with pytest.raises(StoreProblem, match="the text with digest f"):
        store.text("f")


def test_what_is_not_planned_has_no_material(store):
    begun(store)
    with pytest.raises(StoreProblem, match="nothing is not planned in run r-1"):
        store.material("r-1", "nothing")


def test_a_store_that_is_opened_again_has_everything(place):
    with Store.open(place) as store:
        begun(store)
        store.save(episode(), scored())
    with Store.open(str(place)) as store:
        assert list(store.episodes("r-1")) == [episode()]


def test_run_ids_sort_by_time_and_differ():
    now = datetime(2026, 11, 20, 10, 0, 5, tzinfo=UTC)
    ids = {new_run_id(now) for _ in range(100)}
    assert len(ids) == 100
    assert all(name.startswith("r-20261120-100005-") for name in ids)


def test_a_run_record_keeps_its_offset_as_a_moment(store):
    at = datetime.fromisoformat("2026-11-20T10:00:00+01:00")
    store.create_run(RunRecord("r-1", "shop", at, (AgentVersion("a", "1", "d"),)))
    assert store.run("r-1").created == at


def test_names_with_broken_characters_are_refused_with_a_clear_text(store):
    begun(store)
    broken = replace(planned(), key=EpisodeKey("r-1", "agent@1", "bad\ud800", 1))
    with pytest.raises(StoreProblem):
        store.plan([broken])
