import pytest
from jsonschema import Draft202012Validator

from harness.gates.compare import Version, compare
from harness.reports.comparison_json import comparison_json
from harness.reports.json_schemas import episodes_schema, result_schema
from harness.reports.result_json import result_json
from tests.harness.gates.build import result, results, workflow
from tests.harness.reports.views import FINDING, RATE, hostile, view

RESULT = Draft202012Validator(result_schema())


@pytest.mark.parametrize("schema", [result_schema(), episodes_schema()])
def test_they_are_schemas(schema):
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "made",
    [
        view(results("PFNMSA"), finding=FINDING),
        view(results("PP"), partial="--only x"),
        view([]),
        view(results("P"), {**RATE, "confidence": "0.9"}, {"status": "not_judged", "at_most": "0.5"}),
        view(results("P"), unscripted=("run/agent@1/s/1/clean",)),
        hostile(),
    ],
)
def test_results_fit_theirs(made):
    document = result_json(made)
    RESULT.validate(document)
    assert set(document) == set(result_schema()["$defs"]["result"]["properties"])


def test_a_comparison_fits_too():
    plan = workflow(RATE)
    views = [view([result("P")], agent="a@1"), view([result("F")], agent="b@2")]
    versions = [Version(each.agent, each.run, each.results, each.verdict) for each in views]
    RESULT.validate(comparison_json(views, compare(plan, versions)))


@pytest.mark.parametrize(
    "change", [{"schema": "turngate.result/2"}, {"gate": {}}, {"scenarios": -1}, {"episodes": None}]
)
def test_what_is_no_result_does_not_fit(change):
    assert list(RESULT.iter_errors({**result_json(view(results("P"))), **change}))
