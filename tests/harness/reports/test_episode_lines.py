import json
from dataclasses import replace
from decimal import Decimal

from jsonschema import Draft202012Validator

from harness.model.status import Measure, Status
from harness.reports.episode_lines import episode_lines
from harness.reports.json_schemas import episodes_schema
from tests.harness.gates.build import result
from tests.harness.reports.views import FINDING, hostile, view

VALID = Draft202012Validator(episodes_schema())


def lines(*views):
    """The lines read back, each of which fits its schema."""
    written = list(episode_lines(views))
    assert all(line.endswith("\n") and line.count("\n") == 1 and line.isascii() for line in written)
    read = [json.loads(line) for line in written]
    for line in read:
        VALID.validate(line)
    return read


def test_a_header_and_a_line_for_every_planned_episode():
    rows = [result(outcome, "s", trial) for trial, outcome in enumerate("PFNMS", 1)]
    head, *episodes = lines(view(rows))
    assert (head["type"], head["schema"], head["gate"]) == ("run", "turngate.episodes/1", "failed")
    assert (head["planned"], head["played"], head["spared"], head["missing"]) == (5, 3, 1, 1)
    assert [(each["trial"], each["state"], each["status"]) for each in episodes] == [
        (1, "played", "passed"),
        (2, "played", "failed"),
        (3, "played", "not_judged"),
        (4, "missing", None),
        (5, "spared", None),
    ]
    assert episodes[1]["id"] == "run/agent@1/s/2/clean"
    assert episodes[1]["code"] == "TO1"


def test_usage_and_times_and_the_turn_to_open():
    scores = {
        "tokens_in": Measure("tokens", 12),
        "cost_usd": Measure("USD", Decimal("0.010")),
        "tokens_out": Measure("tokens", None, Status.NOT_JUDGED, "no usage was reported"),
    }
    row = result("F")
    row = replace(row, scores={**row.scores, **scores}, turn_seconds=(0.5, 1.25), started=1_795_000_000.0)
    _, episode = lines(view([row], finding=FINDING))
    assert episode["turn"] == 2
    assert episode["usage"] == {
        "model_calls": None, "tokens_in": 12, "tokens_out": None, "tokens_cached": None, "tokens_reasoning": None,
        "cost_usd": "0.010",
    }  # fmt: skip
    assert episode["scores"]["tokens_out"]["reason"] == "no usage was reported"
    assert episode["times"] == {"started": "2026-11-18T11:06:40+00:00", "ended": None, "turn_seconds": [0.5, 1.25]}


def test_several_versions_have_a_header_each():
    assert [line["type"] for line in lines(view([result("P")]), view([result("P")], agent="b@2"))] == [
        "run", "episode", "run", "episode",
    ]  # fmt: skip


def test_hostile_text_breaks_no_line():
    assert len(lines(hostile())) == 2
