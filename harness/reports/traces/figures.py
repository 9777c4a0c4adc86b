"""What tools and models cost over many traces: how often, how long, how often in vain."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from harness.gates.statistics import quantile
from harness.reports.traces.words import lasted
from traces.conversation import Conversation, ModelCall, ToolCall
from traces.reading.compare import canonical

_SHARES = {"p50": Fraction(50, 100), "p95": Fraction(95, 100), "p99": Fraction(99, 100)}


@dataclass(slots=True)
class ToolFigures:
    """Of one tool. `took`: nanoseconds of each call whose times are known. `redundant`: calls with the arguments of an
    earlier one that succeeded, with nothing written in between. `at_most`: whether that may be fewer, for of some call
    in between it is not known whether it wrote.
    """

    calls: int = 0
    errors: int = 0
    redundant: int = 0
    at_most: bool = False
    took: array[int] = field(default_factory=lambda: array("q"))


@dataclass(slots=True)
class ModelFigures:
    """Of one model. Tokens are sums over the `counted` calls: those whose counts are known."""

    calls: int = 0
    errors: int = 0
    counted: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    took: array[int] = field(default_factory=lambda: array("q"))


@dataclass(slots=True)
class Figures:
    """Of many traces, by tool and by model."""

    traces: int = 0
    tools: dict[str, ToolFigures] = field(default_factory=dict)
    models: dict[str, ModelFigures] = field(default_factory=dict)

    def add(self, conversation: Conversation, kinds: Mapping[str, str] | None) -> None:
        """Count in one more. `kinds`: which tools read and which write, as far as is known."""
        self.traces += 1
        calls = []
        for turn in conversation.turns:
            for step in turn.steps:
                if isinstance(step, ToolCall):
                    calls.append(step)
                    self._tool(step)
                elif isinstance(step, ModelCall):
                    self._model(step)
        self._redundant(calls, kinds or {})

    def _tool(self, call: ToolCall) -> None:
        figures = self.tools.setdefault(call.name, ToolFigures())
        figures.calls += 1
        figures.errors += call.error is not None
        if (took := lasted(call.started, call.ended)) is not None:
            figures.took.append(took)

    def _model(self, call: ModelCall) -> None:
        figures = self.models.setdefault(call.response_model or call.model or "unknown", ModelFigures())
        figures.calls += 1
        figures.errors += call.error is not None
        if (took := lasted(call.started, call.ended)) is not None:
            figures.took.append(took)
        if call.usage is not None:
            figures.counted += 1
            figures.input += call.usage.input
            figures.output += call.usage.output
            figures.cached += call.usage.cached
            figures.reasoning += call.usage.reasoning

    def _redundant(self, calls: Iterable[ToolCall], kinds: Mapping[str, str]) -> None:
        known: dict[str, int] = {}
        """Calls since the last write; how many before each may have written."""
        unsure = 0
        for call in calls:
            if call.arguments is None:
                continue
            same = f"{call.name} {canonical(call.arguments)}"
            figures = self.tools[call.name]
            kind = kinds.get(call.name)
            if same in known:
                figures.redundant += 1
                figures.at_most |= known[same] < unsure
            if call.error is not None:
                continue
            if kind == "writes":
                known = {}
            known.setdefault(same, unsure)
            unsure += kind is None


def quantiles(took: Iterable[int]) -> dict[str, int | None]:
    """`p50`, `p95` and `p99` of durations: the shortest that so many do not exceed; None for no duration."""
    ordered = sorted(took)
    return {name: quantile(ordered, share) if ordered else None for name, share in _SHARES.items()}


def figures_json(figures: Figures) -> dict[str, Any]:
    """The figures as JSON, durations in seconds."""
    return {
        "traces": figures.traces,
        "tools": {
            name: {
                "calls": tool.calls,
                "errors": tool.errors,
                **_seconds(tool.took),
                "redundant": tool.redundant,
                "redundant_at_most": tool.at_most,
            }
            for name, tool in figures.tools.items()
        },
        "models": {
            name: {
                "calls": model.calls,
                "errors": model.errors,
                **_seconds(model.took),
                "counted": model.counted,
                "input_tokens": model.input if model.counted else None,
                "output_tokens": model.output if model.counted else None,
                "cached_tokens": model.cached if model.counted else None,
                "reasoning_tokens": model.reasoning if model.counted else None,
            }
            for name, model in figures.models.items()
        },
    }


def _seconds(took: Iterable[int]) -> dict[str, float | None]:
    return {f"{name}_seconds": None if each is None else each / 1e9 for name, each in quantiles(took).items()}
