import json

import pytest

from harness.model.scenario import Scenario
from harness.workflow.digests import digest_of, item_entry


def scenario(**given: object) -> Scenario:
    user = {"$at": {"file": "a.yaml", "line": 3, "column": 3}, "turns": [{"say": "¿Dónde está?"}]}
    return Scenario.model_validate({"id": "one", "family": "orders", "user": user, "expect": {}, "given": given})


@pytest.mark.parametrize("value", ["a\u007f\n\u2028“é”", 10**30, {"$decimal": "1.50"}, [True, None, -7]])
def test_an_entry_is_what_was_written_as_compact_json(value) -> None:
    one = scenario(**{"orders.O-1.note": value})
    digest, text = item_entry(one)
    assert text == json.dumps(one.dump(), ensure_ascii=False, separators=(",", ":"))
    assert Scenario.model_validate_json(text) == one
    assert digest == digest_of(text.replace('"$at":{"file":"a.yaml","line":3,"column":3},', ""))


def test_only_what_was_written_is_in_it() -> None:
    written = {"id": "one", "family": "orders", "user": {"turns": [{"say": ["Hi."]}]}, "expect": {}}
    _, text = item_entry(Scenario.model_validate(written))
    assert json.loads(text) == written
