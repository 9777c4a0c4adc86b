"""A run as reports see it, as short as a test can have it, and text that means harm."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from harness.gates.decide import decide
from harness.model.failure import Evidence, Finding
from harness.model.score import Scored
from harness.model.status import failed, not_judged
from harness.reports.reliability import pass_hats
from harness.reports.run_view import RunView, failures
from harness.reports.scenario_map import scenario_map
from tests.harness.gates.build import result, workflow

RATE = {"metric": "task_success", "at_least": "0.9"}
HOSTILE = (
    "\x1b[2J\x00\x08\x9b\ufffe\uffff\ud800\u202e ]]> </failure><skipped/> &amp; &lt; \" ' | \\| a|b `x` ``y`` ```\n"
    "| --- | --- |\r\n# head\n- item\n<script>alert(1)</script> <img src=x onerror=y> <!-- "
    "[click](http://evil.example) ![x](http://evil.example/p.png) http://evil.example www.evil.example me@evil.example "
    "@everyone #1 GH-2 org/repo#3 deadbeefdeadbeefdeadbeefdeadbeefdeadbeef $`x`$ :smile: \\"
)
FINDING = Finding(HOSTILE, "SA1", (2, 1), Evidence(turn=2, quote=HOSTILE, where=HOSTILE), expected=HOSTILE, actual="b")


def view(results, *rules, partial=None, finding=None, families=None, agent="agent@1", **more):
    """The view of those results; every failed or unjudged one goes under `finding`."""
    plan = workflow(*(rules or (RATE,)), families=families)
    scored = []
    for one in results:
        if one.code is not None or (one.verdict is not None and one.verdict.status == "not_judged"):
            verdict = failed("it went wrong") if one.code is not None else not_judged("the provider was down")
            scored.append((one, Scored({}, verdict, finding)))
    made = RunView(
        run="run",
        workflow="w",
        agent=agent,
        agent_digest="0" * 64,
        scenarios=1,
        trials=1,
        created=datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
        agent_seconds=1.0,
        map=scenario_map(list(plan.scenario_map), ["task_success"], results),
        pass_hats=pass_hats(plan.scenario_map, results),
        verdict=decide(plan, results, partial),
        failures=failures(scored),
        findings={one.key.id: finding for one, _ in scored if finding is not None},
        results=tuple(results),
    )
    return replace(made, **more)


def hostile():
    """A view in which everything that comes from elsewhere means harm."""
    one = replace(result("F", item="s1"), slices={HOSTILE: HOSTILE}, scores={HOSTILE: failed(HOSTILE)})
    one = replace(one, verdict=failed(HOSTILE), key=replace(one.key, agent=HOSTILE))
    return view([one], finding=FINDING, agent=HOSTILE, workflow=HOSTILE, notes=(HOSTILE,))
