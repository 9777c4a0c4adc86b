from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from harness.model.material import Price
from harness.workflow.prices import builtin_prices, prices_with, read_prices
from harness.workflow.problems import Problems


def test_the_fixture_costs_nothing_and_says_so() -> None:
    (planner,) = [price for price in builtin_prices() if price.model == "offline-planner"]
    assert (planner.input, planner.output, planner.note) == (Decimal(0), Decimal(0), "fixture")


def test_every_built_in_price_names_its_source_and_is_money() -> None:
    prices = builtin_prices()
    assert len({price.model for price in prices}) > 12
    for price in prices:
        assert price.note
        assert price.model == "offline-planner" or 0 < price.input < price.output
        assert price.cached is None or price.cached <= price.input


def test_an_own_table_replaces_all_that_was_known_of_its_models(tmp_path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("- {model: gpt-4o, since: 2026-01-01, input: 1.10, output: 2, note: contract}\n")
    prices = prices_with(path, "prices.yaml")
    own = [price for price in prices if price.model == "gpt-4o"]
    assert own == [Price("gpt-4o", date(2026, 1, 1), Decimal("1.10"), Decimal(2), None, "contract")]
    assert {price.model for price in prices} == {price.model for price in builtin_prices()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- {model: m, since: soon, input: 1, output: 1}", "f.yaml:1:21: `soon` is no date"),
        ("- {model: m, since: 2026-01-01, input: -1, output: 1}", "greater than or equal to 0"),
        ("- {model: m, since: 2026-01-01, input: cheap, output: 1}", "expected a number such as 3 or 0.5, not `cheap`"),
        ("- {model: m, since: 2026-01-01, output: 1}", "`input` is missing"),
        ("model: m", "a price file is a list of rows"),
        (
            "- {model: m, since: 2026-01-01, input: 1, output: 1}\n" * 2,
            "f.yaml:2:3: `m` has two prices from 2026-01-01 on",
        ),
    ],
)
def test_bad_rows_are_told(text: str, words: str) -> None:
    with pytest.raises(Problems) as caught:
        read_prices(text, "f.yaml")
    assert words in str(caught.value)
