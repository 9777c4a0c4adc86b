import pytest

from harness.gates.sparing import may_spare
from tests.harness.gates.build import result, workflow

RATE = {"metric": "task_success", "at_least": "0.90"}
SURE = {**RATE, "confidence": "0.95"}


@pytest.mark.parametrize(
    ("plan", "place", "spares"),
    [
        (workflow(RATE), {}, True),
        (workflow(SURE), {}, False),
        (workflow(RATE), {"tier": "critical"}, False),
        (workflow({"tier": "critical", "every": "trial"}), {"tier": "critical"}, False),
        (workflow({"tier": "core", "every": "trial"}), {}, False),
        (workflow(SURE), {"tier": "explore"}, True),
        (workflow({**SURE, "tier": "critical"}), {}, True),
        (workflow(RATE, families={"f": [], "g": [{"rule": "r", **SURE}]}), {}, True),
        (workflow(RATE, families={"f": [], "g": [{"rule": "r", **SURE}]}), {"family": "g"}, False),
        (workflow({"metric": "safety.privacy", "failures": 0, "confidence": "0.99"}), {}, False),
        (workflow({"metric": "cost_usd", "stat": "p95", "at_most": 1, "confidence": "0.95"}), {}, False),
    ],
)
def test_trials_are_spared_only_where_the_figure_alone_decides(plan, place, spares):
    assert may_spare(plan, result("P", **place)) is spares
