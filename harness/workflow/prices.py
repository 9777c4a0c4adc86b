"""The dated price table: what comes with the package, and a workflow's own table over it."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from harness.model.material import Price
from harness.model.source import Item, Number, Sequence, Text
from harness.workflow.problems import Problem, Problems
from harness.workflow.validate import validate
from harness.workflow.yaml_nodes import parse, read_text


class PriceRow(Item):
    """One row as written: US dollars per million tokens of a model, from a day on."""

    model: Text
    since: Text
    input: Number = Field(ge=0)
    output: Number = Field(ge=0)
    cached: Number | None = Field(None, ge=0)
    note: Text = ""


def builtin_prices() -> tuple[Price, ...]:
    """The table that comes with the package."""
    name = "prices.yaml"
    return read_prices(files(__package__).joinpath(name).read_text("utf-8"), name)


def prices_with(path: Path, name: str) -> tuple[Price, ...]:
    """The built-in table under a workflow's own: what that file says of a model replaces all that was known of it.

    Raises Problems, with `name` as the file's name.
    """
    own = read_prices(read_text(path, name), name)
    replaced = {price.model for price in own}
    return (*(price for price in builtin_prices() if price.model not in replaced), *own)


def read_prices(text: str, name: str) -> tuple[Price, ...]:
    """The rows of a price file: a list of `{model, since, input, output, cached, note}`. Raises Problems."""
    node = parse(text, name)
    if not isinstance(node, Sequence):
        raise Problems(
            [Problem(node.at, "a price file is a list of rows: `- {model: …, since: …, input: …, output: …}`")]
        )
    problems: list[Problem] = []
    prices: dict[tuple[str, date], Price] = {}
    for item in node:
        row = validate(PriceRow, item, problems)
        if row is None:
            continue
        since = _date(row.since)
        if since is None:
            problems.append(Problem(item["since"].at, f"`{row.since}` is no date", do="such as 2026-01-31"))
        elif (row.model, since) in prices:
            problems.append(Problem(item.at, f"`{row.model}` has two prices from {since} on"))
        else:
            prices[row.model, since] = Price(row.model, since, row.input, row.output, row.cached, row.note)
    if problems:
        raise Problems(problems)
    return tuple(prices.values())


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
