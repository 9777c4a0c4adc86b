from dataclasses import replace
from decimal import Decimal

from harness.gates.readings import ON_PLAYED, Readings, status_of
from harness.model.episode import EpisodeKey
from harness.model.result import Result
from harness.model.status import Measure, Status
from tests.harness.gates.build import result, trials


def read(rows, metric="task_success"):
    readings = Readings(rows, deterministic=True)
    return [status_of(readings.of(row, metric)).value for row in rows]


def test_a_spared_trial_has_the_result_that_the_played_ones_agree_on():
    assert read(trials("PPSS")) == ["passed"] * 4
    assert read(trials("FFSS")) == ["failed"] * 4
    assert read(trials("AAS")) == ["not_applicable"] * 3


def test_a_spared_trial_is_not_judged_where_there_is_no_agreement():
    assert read(trials("PFS")) == ["passed", "failed", "not_judged"]
    assert read(trials("PNS")) == ["passed", "not_judged", "not_judged"]
    assert read(trials("MMS")) == ["not_judged"] * 3


def test_spared_trials_look_at_their_own_scenario():
    rows = [*trials("PPS", "a"), *trials("FFS", "b")]
    assert read(rows) == ["passed"] * 3 + ["failed"] * 3


def test_a_spared_trial_is_not_judged_where_the_run_turned_out_not_to_agree():
    """Two scenarios, one of which differs: the other's trials were spared for nothing."""
    rows = [*trials("PPS", "a"), *trials("PF", "b")]
    readings = Readings(rows)
    assert [status_of(readings.of(row, "task_success")).value for row in rows[:3]] == ["passed", "passed", "not_judged"]
    assert status_of(readings.of_turns(rows[2])) is Status.NOT_JUDGED


def test_turns_whose_times_are_not_there_read_as_the_measure_does():
    untimed = Measure("seconds", None, Status.NOT_JUDGED, "no span has an end")
    assert Readings([row := replace(result("P"), scores={"latency_seconds": untimed})]).of_turns(row) == untimed


def test_a_score_that_is_not_there_is_not_judged():
    reading = Readings([row := result("P")]).of(row, "task_sucess")
    assert reading.reason == "there is no score named task_sucess"
    assert status_of(reading) is Status.NOT_JUDGED


def test_a_verdict_of_nothing_is_not_judged():
    assert read([result("A")], None) == ["not_judged"]


def test_measures_of_spared_trials():
    def row(trial, value):
        key = EpisodeKey("run", "agent@1", "s", trial)
        scores = {} if value is None else {"m": Measure("u", value)}
        return Result(key, "f", "core", {}, "played" if scores else "spared", None, scores)

    same = [row(1, Decimal("0.10")), row(2, Decimal("0.1")), row(3, None)]
    assert Readings(same, deterministic=True).of(same[2], "m") == Measure("u", Decimal("0.1"))
    other = [row(1, 1.5), row(2, 1.6), row(3, None)]
    assert Readings(other, deterministic=True).of(other[2], "m") is ON_PLAYED
