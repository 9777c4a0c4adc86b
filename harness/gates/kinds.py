"""Which kind a gate rule is, by its keys."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from harness.model.workflow import GateRule

PER_TURN = "latency_seconds"
"""The measure that is known of each turn."""

LESS_IS_BETTER = frozenset({"USD", "seconds", "turns", "messages", "calls", "tokens"})
"""Units of which nobody wants more."""

_NARROWING = frozenset({"tier", "each"})


@dataclass(frozen=True, slots=True)
class _Form:
    """The key that tells a kind, the others that it needs, and those that it may have besides."""

    tell: tuple[str, ...]
    needs: frozenset[str]
    may: frozenset[str]


_SURE = frozenset({"confidence", "generalise"})


class Kind(Enum):
    """The kinds of gate rules; the value says which keys make one. The first that a key tells is meant."""

    REPLAYS = _Form(("level",), frozenset({"worse"}), frozenset({"compared"}))
    EVERY_TRIAL = _Form(("every",), frozenset({"tier"}), frozenset())
    SOME_TRIALS = _Form(("of",), frozenset({"at_least", "per"}), _NARROWING | {"metric"})
    COVERAGE = _Form(("coverage",), frozenset({"at_least"}), frozenset({"tier", "min_n"}))
    AGAINST = _Form(
        ("against",), frozenset({"metric"}), _NARROWING | _SURE | {"max_drop", "max_rise", "min_n", "required", "stat"}
    )
    NOT_JUDGED = _Form(("status",), frozenset({"at_most"}), _NARROWING | {"metric"})
    FAILURES = _Form(("failures",), frozenset({"metric"}), _NARROWING | _SURE | {"min_n"})
    LIMIT = _Form(("at_least", "at_most"), frozenset({"metric"}), _NARROWING | _SURE | {"min_n", "per", "stat"})


class UnclearRule(ValueError):
    """The keys of a rule fit no kind; the text says what is wrong and what to write."""


def kind_of(rule: GateRule) -> Kind:
    """The kind of a rule. Raises UnclearRule."""
    fields = type(rule).model_fields
    keys = {name for name in rule.model_fields_set if getattr(rule, name) != fields[name].default} - {"at", "rule"}
    kind = next((kind for kind in Kind if any(key in keys for key in kind.value.tell)), None)
    if kind is None:
        raise UnclearRule(
            "it sets no limit: write `at_least`, `at_most`, `failures`, `status: not_judged`, `every: trial`, "
            "`coverage`, `against` or, on replays, `level` with `worse`"
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


def bound_decides(kind: Kind) -> bool:
    """Whether a bound decides rules of that kind that ask for `confidence`: where failures are counted, none does."""
    return kind in (Kind.LIMIT, Kind.AGAINST)


def misfit(rule: GateRule, kind: Kind, *, unit: str | None) -> str | None:
    """What is wrong with a rule of that kind on a metric that is a measure with a unit, or on one that passes or fails
    (None).
    """
    return _on_judgement(rule, kind) if unit is None else _on_measure(rule, kind, unit)


def _on_measure(rule: GateRule, kind: Kind, unit: str) -> str | None:
    if kind in (Kind.FAILURES, Kind.SOME_TRIALS):
        return f"{rule.metric} is a measure, which neither passes nor fails: ask for `at_most` of it"
    if rule.pass_hat is not None:
        return f"{rule.metric} is a measure, which neither passes nor fails: `stat: {rule.stat}` is of what does"
    if rule.at_most is not None and rule.at_most < 0 and unit in LESS_IS_BETTER:
        return f"{rule.metric} is never below 0, so it can't be at most {rule.at_most}"
    if rule.max_drop is not None and unit in LESS_IS_BETTER:
        return f"less of {rule.metric} is better: write `max_rise: {rule.max_drop}`"
    return None


def _on_judgement(rule: GateRule, kind: Kind) -> str | None:
    if rule.max_rise is not None:
        return f"{rule.metric} passes or fails, and more that pass are better: write `max_drop`"
    asks = (rule.stat is not None and rule.pass_hat is None) or rule.per in ("success", "turn")
    if asks or (kind is Kind.LIMIT and rule.at_most is not None):
        return (
            f"{rule.metric} passes or fails: ask for `at_least` of its share, without `stat` and `per`, or `failures`"
        )
    if kind is Kind.LIMIT and rule.at_least is not None and not 0 <= rule.at_least <= 1:
        return f"{rule.metric} passes or fails, and its share lies between 0 and 1: {_share(rule.at_least)}"
    return None


def _share(limit: Decimal) -> str:
    """How to write what was meant."""
    if 1 < limit <= 100:
        share, usual = limit / 100, round(limit / 100, 2)
        return f"write {usual if usual == share else share} for {limit} %"
    return f"not {limit}"


def _check_values(rule: GateRule, kind: Kind) -> None:
    if rule.tier == "explore":
        raise UnclearRule("scenarios of tier explore are reported and gate nothing: name critical or core")
    if rule.per == "turn" and rule.metric != PER_TURN:
        raise UnclearRule(f"only {PER_TURN} is known turn by turn: take `per: episode` for {rule.metric}")
    if (rule.per == "scenario") != (kind is Kind.SOME_TRIALS):
        raise UnclearRule("M of N trials of each scenario is `per: scenario` with `at_least: M` and `of: N`")
    if kind is Kind.SOME_TRIALS:
        _check_some_trials(rule)
    if rule.pass_hat is not None and (kind is not Kind.LIMIT or rule.per is not None or rule.at_least is None):
        raise UnclearRule(f"`stat: {rule.stat}` goes with `at_least`, and is taken over scenarios: no `per`")
    if kind is Kind.AGAINST and (rule.max_drop is None) == (rule.max_rise is None):
        raise UnclearRule("`against` goes with one of `max_drop` and `max_rise`")
    if rule.confidence is not None and rule.stat == "max":
        raise UnclearRule("no number of episodes bounds a maximum: take `stat: p99`, or leave out `confidence`")
    share = {Kind.NOT_JUDGED: rule.at_most, Kind.COVERAGE: rule.at_least}.get(kind)
    if share is not None and not 0 <= share <= 1:
        raise UnclearRule(f"a share lies between 0 and 1: {_share(share)}")


def _check_some_trials(rule: GateRule) -> None:
    least, of = rule.at_least, rule.of
    if least is None or of is None or least != int(least) or not 1 <= least <= of:
        raise UnclearRule(f"`at_least: {least}` trials `of: {of}`: the first is a whole number from 1 to the second")


def _listed(keys: frozenset[str] | set[str]) -> str:
    return ", ".join(f"`{key}`" for key in sorted(keys))
