"""`turngate run` on `openai:MODEL`: the whole way, over real HTTP."""

from __future__ import annotations

import json

import pytest

from tests.harness.llm.provider import call, called, error, provider, said

AGENT = ("--agent", "openai:small-1")


@pytest.fixture
def run(cli, monkeypatch):
    """Run the desk's workflow; gives exit code, output, and the JSON result if there is one."""
    monkeypatch.setenv("no_proxy", "*")

    def run(*options, url="http://127.0.0.1:9/v1", key="sk-test-1234567890abcdef"):
        result = cli.folder / "result.json"
        result.unlink(missing_ok=True)
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", key)
        agent = () if "--agent" in options else AGENT
        done = cli("run", *agent, "-o", "result.json", *options)
        return done.code, " ".join(done.text.split()), json.loads(result.read_text()) if result.exists() else None

    return run


def clerk(body):
    """A model that cancels the order once it knows which."""
    last = body["messages"][-1]
    if last["role"] == "tool":
        return said("I have cancelled order O-1.")
    if "O-1" in last["content"]:
        return called(call("cancel_order", {"order_id": "O-1"}))
    return said("Which order number is it?")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_is_recorded_and_given_again_without_a_network(cli, run, workers):
    with provider(clerk) as known:
        code, output, result = run("--record-model", "cassette.jsonl", "--workers", workers, url=known.url)
    assert code == 0, output
    asked = len(known.requests)
    assert asked == 6  # three requests in each of two trials
    assert "sk-test" not in (cli.folder / "cassette.jsonl").read_text()
    code, output, again = run("--replay-model", "cassette.jsonl", "--workers", workers, key="")
    assert code == 0, output
    assert "no new trials" in output
    assert "partial: no gate (--replay-model)" in output
    assert again["agent"]["version"] == result["agent"]["version"]


def test_a_trial_that_was_never_recorded_is_nobodys_failure_and_no_pass(run):
    with provider(clerk) as known:
        run("--record-model", "cassette.jsonl", "--trials", "1", url=known.url)
    code, output, _ = run("--replay-model", "cassette.jsonl", "--concurrency", "1", key="", url="")
    assert code == 3, output
    assert "X2" in output
    assert "has 1 answer(s) to this request, and all are used" in output


def test_a_wrong_key_is_told_at_once(run):
    for workers, status, text in (
        ("0", 401, "does not accept the key"),
        ("1", 401, "does not accept the key"),
        ("0", 403, "does not let this key"),
        ("0", 404, "has no model"),
    ):
        with provider(error(status, "sk-test-1234567890abcdef is wrong")) as known:
            code, output, _ = run("--workers", workers, url=known.url)
        assert code == 2, output
        assert text in output
        assert "Traceback" not in output
        assert "sk-test" not in output
    with provider(clerk, models=error(401, "Incorrect API key", "invalid_api_key")) as known:
        code, output, _ = run(url=known.url)
    assert (code, known.requests) == (2, [])
    code, output, _ = run(url="", key="")
    assert code == 2
    assert "set OPENAI_API_KEY" in output


def test_a_limit_on_money(cli, run):
    workflow = cli.folder / "workflow.yaml"
    workflow.write_text(workflow.read_text() + "prices: prices.yaml\n")
    price = "- {model: %s, since: 2020-01-01, input: 1000, output: 0}\n"
    with provider(clerk) as known:
        (cli.folder / "prices.yaml").write_text(price % "other")
        code, output, _ = run("--max-cost", "1", url=known.url)
        assert code == 2
        assert "no price of `small-1`" in output
        (cli.folder / "prices.yaml").write_text(price % "small-1")
        code, output, _ = run("--max-cost", "0.25", "--concurrency", "1", url=known.url)
    assert code == 3, output
    assert "--max-cost is 0.25: no more is asked" in output
    assert len(known.requests) == 3  # of 0.10 dollars each


def test_one_or_the_other(run):
    code, output, _ = run("--record-model", "a.jsonl", "--replay-model", "a.jsonl")
    assert code == 2
    assert "a run does one or the other" in output
    code, output, _ = run("--max-cost", "1", "--agent", "agent.py:agent")
    assert code == 2
    assert "--max-cost can't be kept for agent:agent" in output
    code, output, _ = run("--replay-model", "a.jsonl")
    assert code == 2
    assert "a.jsonl: can't be read: No such file or directory" in output
