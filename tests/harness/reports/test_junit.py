"""The rules are those of the two schemas in use: junit-10.xsd of Jenkins' xunit plugin, JUnit.xsd of Windy Road."""

import re
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.decide import decide
from harness.reports.junit import junit
from tests.harness.gates.build import result, results, workflow
from tests.harness.reports.views import FINDING, HOSTILE, RATE, hostile, view

SUITE = {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"}
TIME = re.compile(r"\d+\.\d{3}")


def written(*views):
    out = BytesIO()
    junit(views).write(out, encoding="utf-8", xml_declaration=True)
    return out.getvalue()


def read(*views):
    """The root, after everything that the schemas ask for was looked at."""
    root = ElementTree.fromstring(written(*views))
    assert root.tag == "testsuites"
    assert set(root.attrib) == {"name", "time", "tests", "failures", "errors"}
    for number, suite in enumerate(root):
        assert (suite.tag, set(suite.attrib), suite.get("id")) == ("testsuite", SUITE, str(number))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp"))
        tags = [child.tag for child in suite]
        cases = tags.count("testcase")
        assert tags == ["properties", *["testcase"] * cases, "system-out", "system-err"]
        assert all(set(each.attrib) == {"name", "value"} for each in suite.find("properties"))
        for case in suite.iter("testcase"):
            assert set(case.attrib) == {"name", "classname", "time"}
            assert TIME.fullmatch(case.get("time"))
            assert case.get("name") == " ".join(case.get("name").split()) != ""
            assert len(case) <= 1
            for told in case:
                assert told.tag in ("failure", "error")
                assert set(told.attrib) == {"message", "type"}
                assert told.get("type")
        assert TIME.fullmatch(suite.get("time"))
        assert suite.get("skipped") == "0"
        assert int(suite.get("tests")) == cases
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors")) == len(suite.findall("testcase/error"))
        names = [(case.get("classname"), case.get("name")) for case in suite.iter("testcase")]
        assert len(set(names)) == len(names)
    for count in ("tests", "failures", "errors"):
        assert int(root.get(count)) == sum(int(suite.get(count)) for suite in root)
    return root


def cases(suite):
    return {case.get("name"): case[0].tag if len(case) else "passed" for case in suite.iter("testcase")}


def test_a_suite_a_family_and_a_case_an_episode():
    rows = [
        *(result(outcome, "s", trial) for trial, outcome in enumerate("PFNMS", 1)),
        result("P", "other", family="g"),
    ]
    root = read(view(rows, families={"f": [], "g": []}))
    f, g, gate = root
    assert [suite.get("name") for suite in root] == ["f", "g", "gate of w"]
    assert cases(f) == {"s/1": "passed", "s/2": "failure", "s/3": "error", "s/4": "error"}, "spared: no case"
    assert cases(g) == {"other/1": "passed"}
    assert (f.get("tests"), f.get("failures"), f.get("errors")) == ("4", "1", "2")
    assert cases(gate) == {
        "r · family=f": "failure",
        "r · family=g": "passed",
        "all that was planned was played": "error",
    }
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "2", "3")


def test_a_failure_says_what_went_wrong_and_how_to_open_it():
    finding = replace(
        FINDING, text="discloses an e-mail", expected="a", evidence=replace(FINDING.evidence, where="x:1:2")
    )
    (told,) = read(view([result("F", "s", 3)], finding=finding)).find("testsuite").iter("failure")
    assert told.get("type") == "TO1"
    assert told.get("message").endswith(": discloses an e-mail")
    for line in ("turn 2", "expected a · got b", "x:1:2", "turngate show run/s/3 --turn 2"):
        assert line in told.text.splitlines()


def test_a_rule_names_the_episodes_that_count_against_it_and_no_others():
    """Of each scenario two trials were played and two spared: four count as failed, two can be opened."""
    rows = [result(outcome, "s", n) for n, outcome in enumerate("FFSS", 1)]
    rows += [result(outcome, "t", n) for n, outcome in enumerate("PPSS", 1)]
    verdict = decide(workflow(RATE), rows, deterministic=True)
    (told,) = read(view(rows, verdict=verdict))[-1].iter("failure")
    assert [line for line in told.text.splitlines() if "show" in line] == [
        "turngate show run/s/1",
        "turngate show run/s/2",
    ]


def test_an_undecided_rule_is_an_error_and_nothing_is_skipped():
    root = read(view(results("PPPN" + "M"), {**RATE, "confidence": "0.95"}))
    assert cases(root[-1]) == {"r · family=f": "error", "all that was planned was played": "error"}
    assert not list(root.iter("skipped"))


def test_part_of_a_workflow_has_a_gate_only_where_it_failed():
    assert cases(read(view(results("P"), partial="--only x"))[-1]) == {}
    assert cases(read(view(results("F"), partial="--only x"))[-1]) == {"r · family=f": "failure"}


def test_several_versions_are_told_apart():
    root = read(view(results("P"), agent="a@1"), view(results("F"), agent="b@2"))
    assert [suite.get("name") for suite in root] == ["f · a@1", "gate of w · a@1", "f · b@2", "gate of w · b@2"]


def test_hostile_text_is_text():
    root = read(hostile())
    assert [child.tag for child in root[0].find("testcase")] == ["failure"]
    assert "</failure><skipped/>" in root[0].find("testcase/failure").text
    text = written(hostile()).decode()
    assert not set(text) & set("\x1b\x00\x08\x9b\ufffe\uffff\u202e")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_well_formed(text):
    finding = replace(FINDING, text=text, expected=text, evidence=replace(FINDING.evidence, quote=text, where=text))
    read(view([result("F")], finding=finding, agent=f"x{text}", notes=(text,)))


@pytest.mark.parametrize("seconds", [1e9, 0.0001, 0.0])
def test_times_are_plain_decimals(seconds):
    root = read(view([replace(result("P"), turn_seconds=(seconds,))]))
    assert float(root.get("time")) == pytest.approx(seconds, abs=0.001)
    assert HOSTILE not in root.get("name")
