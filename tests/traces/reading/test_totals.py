"""An agent's total that the model calls below it do not add up to is told."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, assistant, user
from traces.reading import conversation
from traces.span import Span


def counted(span: Span, taken: int, given: int) -> Span:
    span.attributes |= {"gen_ai.usage.input_tokens": taken, "gen_ai.usage.output_tokens": given}
    return span


def told(trace: Trace) -> list[str]:
    return [warning for warning in conversation(trace.spans).warnings if "the agent's span" in warning]


@pytest.mark.parametrize(("total", "agreed"), [((30, 15), True), ((20, 10), True), ((10, 5), True), ((50, 25), False)])
def test_a_total_is_that_of_all_calls_below_or_of_its_own_or_of_the_last(total: tuple[int, int], agreed: bool) -> None:
    trace = Trace()
    outer = counted(trace.run(), *total)
    trace.model(outer, [user("a")], [assistant("b")], (20, 10))
    inner = trace.run("inner", parent=outer)
    trace.model(inner, [user("c")], [assistant("d")], (10, 5))
    expected = "counts 50 input and 25 output tokens, the model calls below it 30 and 15"
    assert bool(told(trace)) is not agreed
    assert all(expected in warning for warning in told(trace))


def test_where_a_call_gives_no_counts_nothing_is_said() -> None:
    trace = Trace()
    run = counted(trace.run(), 50, 25)
    trace.model(run, [user("a")], [assistant("b")], (20, 10))
    trace.model(run, [user("a")], [assistant("b")], None)
    assert told(trace) == []
