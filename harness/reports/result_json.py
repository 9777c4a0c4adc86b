"""A run as one JSON document, for other programs. Documented in docs/results.md; `schema` names its version."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from harness.model.exemption import Exemption
from harness.model.result import Decision, GateVerdict, Quarantined, Result, RuleResult, Trials, Waived
from harness.model.status import Judgement, Measure
from harness.reports.run_view import Failure, RunView
from harness.reports.scenario_map import Cell, JudgedCell
from harness.reports.wording import verdict_words

SCHEMA = "turngate.result/1"


def result_json(view: RunView) -> dict[str, Any]:
    """The document, JSON values only; money and other decimals are text."""
    return {
        "schema": SCHEMA,
        "run": view.run,
        "workflow": view.workflow,
        "agent": {"version": view.agent, "source_digest": view.agent_digest},
        "created": view.created.isoformat(),
        "scenarios": view.scenarios,
        "trials": view.trials,
        "gate": gate_json(view.verdict),
        "map": [
            {"family": family, "metric": metric, **_cell(cell)}
            for (family, metric), cell in sorted(view.map.cells.items())
        ],
        "pass_hat": {family: list(hats) for family, hats in view.pass_hats.items()},
        "flips": [_trials(each) for each in view.verdict.trials],
        "planned": view.map.planned,
        "played": view.map.played,
        "failures": [_failure(failure) for failure in view.failures],
        "fix_in": view.fixes,
        "unscripted": list(view.unscripted),
        "notes": list(view.notes),
        "episodes": [episode_json(result) for result in view.results],
    }


def gate_json(verdict: GateVerdict) -> dict[str, Any]:
    """What a gate says, rule by rule, and what was taken out of it for a while."""
    return {
        "decision": decision_of(verdict),
        "says": verdict_words(verdict).words,
        "partial": verdict.partial,
        "uncounted": list(verdict.uncounted),
        "until_decided": None if verdict.until is None else asdict(verdict.until),
        "waivers": [_waived(each) for each in verdict.waivers],
        "quarantined": [_quarantined(each) for each in verdict.quarantine],
        "rules": [_rule(rule) for rule in verdict.rules],
        "noise_floor": [asdict(floor) for floor in verdict.noise],
    }


def decision_of(verdict: GateVerdict) -> str:
    """What a program may act on: part of a workflow can fail its gate, and never passes it."""
    partial = verdict.partial is not None and verdict.decision is not Decision.FAILED
    return "partial" if partial else verdict.decision.value


def _rule(rule: RuleResult) -> dict[str, Any]:
    return {
        "rule": rule.rule,
        "metric": rule.metric,
        "cell": rule.cell,
        "decision": rule.decision.value,
        "decides": rule.decides,
        "figure": rule.figure,
        "shown": rule.shown,
        "bound": rule.bound,
        "low": rule.low,
        "high": rule.high,
        "confidence": rule.confidence,
        "n": rule.n,
        "planned": rule.planned,
        "not_judged": rule.not_judged,
        "failed": rule.failed,
        "exact": rule.exact,
        "agreed": rule.agreed,
        "implicit": rule.implicit,
        "waived": rule.waiver is not None,
        "sequential": rule.sequential,
        "tested": None if rule.tested is None else asdict(rule.tested),
        "reason": rule.reason,
        "episodes": list(rule.episodes),
    }


def _waived(each: Waived) -> dict[str, Any]:
    return {
        "rule": each.waiver.rule,
        "cell": each.waiver.cell,
        **_exemption(each.waiver),
        "expired": each.expired,
        "failed": each.failed,
    }


def _quarantined(each: Quarantined) -> dict[str, Any]:
    return {
        "scenario": each.quarantine.scenario,
        **_exemption(each.quarantine),
        "expired": each.expired,
        "trials": None if each.trials is None else _trials(each.trials),
    }


def _exemption(each: Exemption) -> dict[str, Any]:
    return {"owner": each.owner, "reason": each.reason, "until": each.until.isoformat()}


def _trials(each: Trials) -> dict[str, Any]:
    return {
        "scenario": each.item,
        "family": each.family,
        "tier": each.tier,
        "passed": each.passed,
        "failed": each.failed,
        "not_judged": each.not_judged,
        "flip_rate": each.flip_rate,
        "flaky": each.flaky,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, JudgedCell):
        return {
            "passed": cell.passed,
            "failed": cell.failed,
            "not_judged": cell.not_judged,
            "not_applicable": cell.not_applicable,
        }
    quantiles = {f"p{share}": cell.quantile(share / 100) for share in (50, 95, 99)}
    return {"unit": cell.unit, "n": cell.n, "missing": cell.missing, **quantiles}


def _failure(failure: Failure) -> dict[str, Any]:
    finding = failure.finding
    return {
        "scenario": failure.item,
        "family": failure.family,
        "status": failure.status.value,
        "code": failure.code,
        "title": failure.title,
        "turn": failure.turn,
        "text": finding.text if finding else failure.reason,
        "expected": finding.expected if finding else None,
        "actual": finding.actual if finding else None,
        "quote": finding.evidence.quote if finding else None,
        "where": finding.evidence.where if finding else None,
        "secondary": list(failure.secondary),
        "paste": failure.paste,
        "episodes": list(failure.episodes),
        "trials": failure.trials,
    }


def episode_json(result: Result) -> dict[str, Any]:
    """One planned episode: its place, and what came of it."""
    return {
        "id": result.key.id,
        "scenario": result.key.item,
        "trial": result.key.trial,
        "condition": result.key.condition,
        "family": result.family,
        "tier": result.tier,
        "slices": result.slices,
        "state": result.state,
        "verdict": _value(result.verdict) if result.verdict else None,
        "code": result.code,
        "scores": {metric: _value(value) for metric, value in sorted(result.scores.items())},
    }


def _value(value: Judgement | Measure) -> dict[str, Any]:
    if isinstance(value, Judgement):
        return {"status": value.status.value, "reason": value.reason}
    if value.missing is not None:
        return {"status": value.missing.value, "reason": value.reason, "unit": value.unit}
    number = value.value if isinstance(value.value, int | float) else str(value.value)
    return {"value": number, "unit": value.unit}
