"""Read back as GitHub's runner reads them: `ActionCommand.TryParseV2` of actions/runner."""

import re
from dataclasses import replace

from harness.model.source import Where
from harness.reports.annotations import annotation_lines
from tests.harness.gates.build import result, results
from tests.harness.reports.views import FINDING, RATE, hostile, view

_DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
_PROPERTY = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}


def unescaped(text, table):
    for mark, char in table.items():
        text = text.replace(mark, char)
    return text


def read(line):
    """Command, properties and data."""
    assert line.startswith("::")
    assert "\n" not in line
    head, data = line[2:].split("::", 1)
    command, _, rest = head.partition(" ")
    pairs = (each.split("=", 1) for each in rest.split(","))
    return command, {name: unescaped(value, _PROPERTY) for name, value in pairs}, unescaped(data, _DATA)


def lines(*views):
    return [read(line) for line in annotation_lines(views, lambda file: f"sub/{file}")]


def test_a_failure_stands_at_the_line_of_its_scenario():
    one = view([result("F", "bad")], finding=FINDING, places={"bad": Where("scenarios/a,b:c.yaml", 7, 3)})
    gate, failure = lines(one)
    assert gate[:2] == ("error", {"title": "w"})
    assert "gate failed" in gate[2]
    assert failure[0] == "error"
    assert failure[1]["file"] == "sub/scenarios/a,b:c.yaml"
    assert (failure[1]["line"], failure[1]["col"]) == ("7", "3")
    assert failure[1]["title"].startswith("bad: SA1 ")
    assert failure[2].endswith("turngate show run/bad/1 --turn 2")


def test_what_is_undecided_or_not_judged_warns():
    assert [command for command, _, _ in lines(view(results("PN")))] == ["warning", "warning"]


def test_a_pass_and_a_part_say_nothing_of_the_gate():
    assert lines(view(results("P"))) == []
    assert lines(view(results("P"), partial="--only x")) == []


def test_text_that_means_harm_stays_text():
    one = replace(hostile(), places={"s1": Where("::error::x\n.yaml", 1)})
    for line in annotation_lines([one], str):
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e\ud800-\udfff]", line)
        command, properties, _ = read(line)
        assert command in ("error", "warning")
        assert set(properties) <= {"file", "line", "col", "title"}


def test_no_more_than_github_shows():
    rows = [result("F", f"s{number}") for number in range(30)]
    found = lines(view(rows, {**RATE, "each": ["family"]}, finding=FINDING))
    assert len(found) == 10
    assert found[0][1] == {"title": "w"}
