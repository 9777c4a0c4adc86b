"""Which arguments count, and what answers a tool."""

import pytest

from harness.model.replay_policy import ReplayPolicy
from harness.replay.policy import Policy
from tools_sandbox.schema import SandboxSchema


def policy(**written):
    return Policy.of(ReplayPolicy.model_validate(written), SandboxSchema(), {"simulated"})


def counted(arguments, tool="search", **written):
    return policy(**written).canon(tool, arguments)


def test_the_sandbox_answers_what_it_has_and_the_record_the_rest():
    assert not policy().recorded("simulated")
    assert policy().recorded("elsewhere")
    assert policy(tools={"simulated": "recorded"}).recorded("simulated")
    assert policy(tools={"*": "recorded"}).recorded("simulated")
    assert not policy(tools={"*": "recorded", "simulated": "sandbox"}).recorded("simulated")


def test_ignored_paths_are_left_out():
    given = {"query": "lamp", "at": "2026-01-01", "options": {"page": 1, "trace": "x"}, "items": [{"id": 1, "ref": 2}]}
    assert counted(given, ignore=["search.at", "search.options.trace", "search.items.*.ref"]) == {
        "query": "lamp", "options": {"page": 1}, "items": [{"id": 1}],
    }  # fmt: skip
    assert counted({"at": 1}, tool="other", ignore=["search.at"]) == {"at": 1}
    assert counted({"at": 1}, tool="other", ignore=["*.at"]) == {}
    assert counted({"at": 1, "to": 2}, ignore=["search.*"]) == {}


@pytest.mark.parametrize(
    ("how", "one", "other"),
    [
        ("case", "Lamp", "LAMP"),
        ("spaces", " a  lamp\n", "a lamp"),
        ("digits", "+1 (555) 010-9999", "15550109999"),
        ("order", ["b", "a"], ["a", "b"]),
        ("order", [{"b": 1}, 2], [2, {"b": 1}]),
    ],
)
def test_normalised_values_are_equal(how, one, other):
    ways = {"normalise": {"search.query": [how]}}
    assert counted({"query": one}, **ways) == counted({"query": other}, **ways)
    assert counted({"query": one}) != counted({"query": other})


def test_normalisers_leave_alone_what_they_are_not_for():
    assert counted({"query": 5}, normalise={"search.query": ["case", "digits", "order"]}) == {"query": 5}
