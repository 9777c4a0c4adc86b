"""Which kind a gate rule is, by its keys."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from harness.model.workflow import GateRule

PER_TURN = "latency_seconds"
"""The measure that is known of each turn."""

_NARROWING = frozenset({"tier", "each"})


@dataclass(frozen=True, slots=True)
class _Form:
    """The key that tells a kind, the others that it needs, and those that it may have besides."""

    tell: tuple[str, ...]
    needs: frozenset[str]
    may: frozenset[str]


class Kind(Enum):
    """The kinds of gate rules; the value says which keys make one."""

    EVERY_TRIAL = _Form(("every",), frozenset({"tier"}), frozenset())
    AGAINST = _Form(
        ("against",),
        frozenset({"metric", "max_drop"}),
        _NARROWING | {"min_n", "confidence", "required", "per", "stat"},
    )
    NOT_JUDGED = _Form(("status",), frozenset({"at_most"}), _NARROWING | {"metric"})
    FAILURES = _Form(("failures",), frozenset({"metric"}), _NARROWING | {"min_n", "confidence"})
    LIMIT = _Form(("at_least", "at_most"), frozenset({"metric"}), _NARROWING | {"min_n", "confidence", "per", "stat"})


class UnclearRule(ValueError):
    """The keys of a rule fit no kind; the text says what is wrong and what to write."""


def kind_of(rule: GateRule) -> Kind:
    """The kind of a rule. Raises UnclearRule."""
    fields = type(rule).model_fields
    keys = {name for name in rule.model_fields_set if getattr(rule, name) != fields[name].default} - {"at", "rule"}
    kind = next((kind for kind in Kind if any(key in keys for key in kind.value.tell)), None)
    if kind is None:
        raise UnclearRule(
            "it sets no limit: write `at_least`, `at_most`, `failures`, `status: not_judged`, `every: trial` "
            "or `against`"
        )
    told_by = [key for key in kind.value.tell if key in keys]
    if len(told_by) > 1:
        raise UnclearRule("`at_least` and `at_most` are two rules: write one line each")
    if missing := kind.value.needs - keys:
        raise UnclearRule(f"`{told_by[0]}` goes with {_listed(missing)}")
    if surplus := keys - kind.value.needs - kind.value.may - {told_by[0]}:
        raise UnclearRule(f"{_listed(surplus)} can't stand beside `{told_by[0]}`: make it a rule of its own")
    _check_values(rule, kind)
    return kind


def misfit(rule: GateRule, kind: Kind, *, measured: bool) -> str | None:
    """What is wrong with a rule of that kind on a metric that is a measure, or on one that passes or fails."""
    if measured:
        fits = kind is not Kind.FAILURES
        return None if fits else f"{rule.metric} is a measure, which neither passes nor fails: ask for `at_most` of it"
    if rule.stat is not None or rule.per not in (None, "episode") or (kind is Kind.LIMIT and rule.at_most is not None):
        return (
            f"{rule.metric} passes or fails: ask for `at_least` of its share, without `stat` and `per`, or `failures`"
        )
    if rule.at_least is not None and not 0 <= rule.at_least <= 1:
        return f"{rule.metric} passes or fails, and its share lies between 0 and 1: {_share(rule.at_least)}"
    return None


def _share(limit: Decimal) -> str:
    """How to write what was meant."""
    if 1 < limit <= 100:
        return f"write {limit / 100:.2f} for {limit} %"
    return f"not {limit}"


def _check_values(rule: GateRule, kind: Kind) -> None:
    if rule.tier == "explore":
        raise UnclearRule("scenarios of tier explore are reported and gate nothing: name critical or core")
    if rule.per == "turn" and rule.metric != PER_TURN:
        raise UnclearRule(f"only {PER_TURN} is known turn by turn: take `per: episode` for {rule.metric}")
    if rule.confidence is not None and rule.stat == "max":
        raise UnclearRule("no number of episodes bounds a maximum: take `stat: p99`, or leave out `confidence`")
    if rule.confidence is not None and rule.per == "turn":
        raise UnclearRule(
            "turns of one conversation are not independent, so no bound is known: "
            "leave out `confidence`, or take `per: episode`"
        )
    if kind is Kind.NOT_JUDGED and rule.at_most is not None and not 0 <= rule.at_most <= 1:
        raise UnclearRule(f"a share lies between 0 and 1: write 0.02 for 2 %, not {rule.at_most}")


def _listed(keys: frozenset[str] | set[str]) -> str:
    return ", ".join(f"`{key}`" for key in sorted(keys))
