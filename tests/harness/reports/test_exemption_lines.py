import json
from datetime import date
from io import StringIO

import pytest
from jsonschema import validate
from rich.console import Console

from harness.gates.decide import decide
from harness.model.result import Decision, UntilDecided
from harness.model.workflow import Workflow
from harness.reports.episode_lines import episode_lines
from harness.reports.exemption_lines import HEADS, exemption_lines, flaky
from harness.reports.gate_lines import gate_lines
from harness.reports.gather import dimensions
from harness.reports.json_schemas import episodes_schema, result_schema
from harness.reports.junit import junit
from harness.reports.markdown import markdown
from harness.reports.result_json import result_json
from harness.reports.terminal import show_run
from harness.reports.wording import verdict_words
from tests.harness.gates.build import results, trials, workflow
from tests.harness.reports.views import HOSTILE, RATE, view

TODAY = date(2026, 11, 30)
TWO = {"f": [], "g": []}
ROWS = [*results("P" * 9, family="f"), *results("FFF", family="g", item="g"), *trials("PFPF", "shaky", family="f")]


def exempted(until="2026-12-31", owner="Ana", reason="the carrier mends it", rows=ROWS):
    """A gate of which one family's rule is waived and one scenario is in quarantine."""
    signed = {"owner": owner, "reason": reason, "until": until}
    team = Workflow.model_validate(
        {
            **workflow(RATE, families=TWO).dump(),
            "waivers": [{"rule": "r", "cell": {"family": "g"}, **signed}],
            "quarantine": [{"scenario": "shaky", **signed}],
        }
    )
    return view(rows, families=TWO, verdict=decide(team, rows, day=TODAY))


def terminal(shown):
    out = StringIO()
    show_run(Console(file=out, width=160), shown, dimensions())
    return out.getvalue()


def test_what_is_waived_and_quarantined_is_told_with_who_why_and_until_when():
    assert [line.texts for line in exemption_lines(exempted().verdict)] == [
        ("waived", "r, g", "holds back 1 failed check", "Ana", "2026-12-31", "the carrier mends it"),
        ("quarantined", "shaky", "2 of 4 passed, flip rate 0.667", "Ana", "2026-12-31", "the carrier mends it"),
    ]


def test_what_has_expired_is_told_so():
    found = exemption_lines(exempted("2026-11-29").verdict)
    assert [(line.came, line.until, line.expired) for line in found] == [
        ("holds nothing back", "2026-11-29, expired", True),
        ("2 of 4 passed, flip rate 0.667", "2026-11-29, expired", True),
    ]


def test_no_pass_is_told_without_them():
    shown = exempted()
    assert shown.verdict.decision is Decision.PASSED
    assert verdict_words(shown.verdict).words == "gate passed with 1 waiver, 1 quarantined"
    assert verdict_words(exempted("2026-11-29").verdict).words == "gate failed"


def test_the_terminal_shows_them_ahead_of_every_figure():
    text = terminal(exempted())
    assert text.index("Waived and quarantined") < text.index("the carrier mends it") < text.index("Scenario map")
    assert "gate passed with 1 waiver, 1 quarantined" in text.splitlines()[-1]


def test_a_waived_rule_stands_first_in_the_gate_and_still_failed():
    first = gate_lines(exempted().verdict.rules)[0]
    assert (first.rule, first.decision, first.waived) == ("r", Decision.FAILED, True)
    assert first.why.startswith("waived until 2026-12-31 by Ana: 0 of 3 passed")


def test_markdown_shows_them_first_and_no_green_mark():
    text = markdown([exempted()])
    assert text.splitlines()[1].startswith("### ⚠️ `w` · `agent@1`: gate passed with 1 waiver, 1 quarantined")
    assert text.index("#### Waived and quarantined") < text.index("#### Rules that did not pass")
    assert "| ⚠️ quarantined | `shaky` | `2 of 4 passed, flip rate 0.667` | `Ana` | `2026-12-31` |" in text


def test_junit_tells_them_as_properties_and_a_waived_rule_is_no_silent_pass():
    root = junit([exempted()]).getroot()
    properties = [(each.get("name"), each.get("value")) for each in root[0].find("properties")]
    assert ("waived", "r, g · holds back 1 failed check · Ana · 2026-12-31 · the carrier mends it") in properties
    assert [name for name, _ in properties].index("waived") < [name for name, _ in properties].index("quarantined")
    (failure,) = root.findall(".//testcase[@name='r · family=g']/failure")
    assert failure.get("type") == "waived"


def test_json_has_them_with_the_gate_and_the_trials_of_every_scenario():
    document = json.loads(json.dumps(result_json(exempted())))
    validate(document, result_schema())
    gate = document["gate"]
    assert (gate["decision"], gate["says"]) == ("passed", "gate passed with 1 waiver, 1 quarantined")
    assert [(each["rule"], each["cell"], each["failed"]) for each in gate["waivers"]] == [("r", {"family": "g"}, 1)]
    (entry,) = gate["quarantined"]
    assert (entry["scenario"], entry["until"], entry["trials"]["flip_rate"]) == ("shaky", "2026-12-31", 2 / 3)
    (rule,) = [each for each in gate["rules"] if each["waived"]]
    assert (rule["decision"], rule["decides"]) == ("failed", False)
    assert [each["scenario"] for each in document["flips"] if each["flaky"]] == ["shaky"]


def test_json_lines_count_them_in_the_header():
    header, *_ = [json.loads(line) for line in episode_lines([exempted()])]
    validate(header, episodes_schema())
    assert (header["gate"], header["waivers"], header["quarantined"]) == ("passed", 1, ["shaky"])


def test_scenarios_whose_trials_disagree_are_told():
    shown = view([*trials("PFFF", "often"), *trials("PPPP", "never"), *trials("PPFF", "most")])
    assert [each.item for each in flaky(shown.verdict)] == ["most", "often"]
    assert "2 of 4 passed, flip rate 0.667" in terminal(shown)
    assert "- `most` (`f`): 2 of 4 passed, flip rate 0.667" in markdown([shown])
    assert ("flaky", "most: 2 of 4 passed, flip rate 0.667") in [
        (each.get("name"), each.get("value")) for each in junit([shown]).getroot()[0].find("properties")
    ]


def test_one_in_quarantine_is_told_there_and_not_again():
    assert flaky(exempted().verdict) == []


@pytest.mark.parametrize("words", [HOSTILE, "x" * 5000])
def test_owners_and_reasons_can_break_nothing(words):
    shown = exempted(owner=words, reason=words)
    assert "\x1b" not in terminal(shown)
    text = markdown([shown])
    (line,) = [line for line in text.splitlines() if line.startswith("| ⚠️ quarantined")]
    assert line.count("|") == len(HEADS) + 1  # no cell ends early
    assert len(text.encode()) < 60_000
    for each in junit([shown]).getroot()[0].find("properties"):
        assert "\x1b" not in each.get("value")


def test_how_a_rule_was_decided_that_trials_went_on_for():
    sure = {**RATE, "at_least": "0.5", "confidence": 0.95}
    rows = trials("P" * 9)
    shown = view(rows, sure, verdict=decide(workflow(sure), rows, until=UntilDecided(4, 40)))
    assert gate_lines(shown.verdict.rules)[1].figure.endswith(" seq")
    told = "seq: trials went on until it was decided, 40 of a scenario at most"
    assert told in " ".join(terminal(shown).split())
    assert told in markdown([shown])
    document = result_json(shown)
    assert document["gate"]["until_decided"] == {"planned": 4, "most": 40}
    assert document["gate"]["rules"][1]["sequential"]
