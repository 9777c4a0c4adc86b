"""`turngate replay` as people use it, on the bundled workflow."""

import json
import re
import shutil
from pathlib import Path

import pytest

from harness.cli.app import app
from harness.cli.exits import Exit

WORKFLOW = Path(__file__).resolve().parents[3] / "workflows" / "customer_service"
AGENT = WORKFLOW / "agent.py"
FAULTS = {
    "whose-parcel", "refund-over-limit", "cancel-before-shipping", "return-window", "return-window-zh",
    "refund-the-other-order",
}  # fmt: skip
"""The scenarios in which the earlier version's planted faults show."""


def called(*words):
    from harness.cli.exits import mistakes_told

    with pytest.raises(SystemExit) as ended, mistakes_told():
        app([str(word) for word in words], prog_name="turngate")
    return ended.value.code


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A store with a run of each version."""
    found = {}
    for name in ("build", "build_earlier"):
        found[name] = tmp_path_factory.mktemp("store") / "s.db"
        called("run", WORKFLOW, "--agent", f"{AGENT}:{name}", "--workers", 0, "-n", 1, "--store", found[name])
    return found


def replay(store, *words, run="r-", **kwargs):
    return called("replay", run, "-w", WORKFLOW, "--store", store, *words)


@pytest.mark.parametrize("level", ["rescore", "turns", "forward", "continue"])
def test_todays_agent_does_over_its_own_recordings_what_it_did(stores, tmp_path, level):
    out = tmp_path / "o.json"
    assert replay(stores["build"], "--level", level, "-o", out) == Exit.PASSED
    told = json.loads(out.read_text())
    assert told["summary"]["verdicts"]["same"] == told["summary"]["recordings"] == 12
    assert told["summary"]["share"] == 1


def scenarios(store, told, verdict):
    from harness.replay.recordings import of_episode
    from harness.store.store import Store

    with Store.open(store) as opened:
        run = opened.latest().id
        names = {
            of_episode(episode, opened.material(run, episode.key.item)).id: episode.key.item
            for episode in opened.episodes(run)
        }
    found = [each for each in told["recordings"] if each["finding"]["verdict"] == verdict]
    return {names[each["recording"]] for each in found}


@pytest.mark.parametrize("level", ["turns", "continue"])
def test_over_the_earlier_versions_recordings_it_is_better_exactly_where_that_has_its_faults(stores, tmp_path, level):
    out = tmp_path / "o.json"
    assert replay(stores["build_earlier"], "--level", level, "-o", out) == Exit.PASSED
    told = json.loads(out.read_text())
    assert scenarios(stores["build_earlier"], told, "better") == FAULTS
    assert told["summary"]["verdicts"]["same"] == 12 - len(FAULTS)


def test_forward_says_nothing_of_what_comes_after_the_user_no_longer_fits(stores, tmp_path):
    out = tmp_path / "o.json"
    assert replay(stores["build_earlier"], "--level", "forward", "-o", out) == Exit.PASSED
    told = json.loads(out.read_text())
    assert scenarios(stores["build_earlier"], told, "better") == FAULTS - {"cancel-before-shipping"}
    assert told["summary"]["verdicts"]["worse"] == 0
    assert told["summary"]["compared"] < told["summary"]["turns"]


def test_against_the_version_in_use_it_gates(stores, tmp_path, capsys):
    new, old = f"{AGENT}:build", f"{AGENT}:build_earlier"
    assert replay(stores["build"], "--agent", new, "--against", old) == Exit.PASSED
    assert "gate passed" in capsys.readouterr().out
    out = tmp_path / "o.md"
    assert replay(stores["build"], "--agent", old, "--against", new, "-o", out) == Exit.FAILED
    assert "**worse**" in out.read_text()
    assert "worse by: `" in out.read_text()
    assert re.search(r"- `rec-\w+` `\w+ .*`, \d of", out.read_text()), "known by what the user said first"
    assert called("replay", "show", "--store", stores["build"]) == Exit.PASSED
    shown = capsys.readouterr().out
    assert "gate failed" in shown
    assert "worse by: " in shown
    assert re.search(r"worse rec-\w+ · .*\n  “\w+ ", shown)


def test_one_recording_is_shown_turn_by_turn(stores, capsys):
    replay(stores["build"])
    capsys.readouterr()
    called("replay", "list", "--store", stores["build"])
    assert "customer_service" in capsys.readouterr().out
    from harness.store.store import Store

    with Store.open(stores["build"]) as store:
        record = store.replays.find(None)
        name = next(store.replays.results(record.id, record.agent.label)).recording
    assert called("replay", "show", "latest", name, "--store", stores["build"]) == Exit.PASSED
    shown = capsys.readouterr().out
    assert "against the record: same" in shown
    assert "now" in shown


def test_gone_on_with_nothing_is_replayed_twice(stores, capsys):
    replay(stores["build"])
    assert replay(stores["build"], "--resume", "latest") == Exit.PASSED
    assert "12 recordings" in capsys.readouterr().out


def test_it_is_not_gone_on_with_over_other_recordings_or_another_workflow(stores, tmp_path, capsys):
    """Else a gate over all of them passes on some."""
    replay(stores["build"])
    assert replay(stores["build"], "--resume", "latest", "--where", "outcome=resolved") == Exit.WRONG
    assert "of other recordings" in capsys.readouterr().err
    changed = shutil.copytree(WORKFLOW, tmp_path / "w")
    file = changed / "workflow.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("at_least: 0.90", "at_least: 0.10"), encoding="utf-8")
    agent = ("--agent", f"{AGENT}:build")
    replay(stores["build"], *agent)
    capsys.readouterr()
    words = ("replay", "r-", "-w", changed, "--store", stores["build"], *agent, "--resume", "latest")
    assert called(*words) == Exit.WRONG
    assert "the workflow has changed since" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        (("--level", "all"), "--level all", Exit.WRONG),
        (("--where", "x"), "--where x", Exit.WRONG),
        (("-o", "result.txt"), "-o result.txt", Exit.WRONG),
        (("--level", "rescore", "--agent", "a.py:b"), "runs no agent", Exit.WRONG),
        (("--resume", "rp-none"), "no replay rp-none", Exit.WRONG),
        (("--where", "outcome=lost"), "gate undecided", Exit.UNDECIDED),
    ],
)
def test_mistakes_are_told(stores, capsys, words, told, code):
    assert replay(stores["build"], *words) == code
    captured = capsys.readouterr()
    assert told in captured.out + captured.err


def test_a_file_that_was_not_scrubbed_is_imported_first(stores, tmp_path, capsys):
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]))
    assert replay(stores["build"], run=file) == Exit.WRONG
    assert "turngate record import" in capsys.readouterr().err


def test_interrupted_it_keeps_what_was_done_and_says_how_to_go_on(stores, tmp_path, capsys, monkeypatch):
    from harness.cli import replay_run

    done = []

    async def one(recording, *rest):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(recording.id)
        return await replay_one(recording, *rest)

    replay_one = replay_run.replay_one
    monkeypatch.setattr(replay_run, "replay_one", one)
    assert replay(stores["build"], "-j", 1) == Exit.INTERRUPTED
    told = capsys.readouterr().err
    assert "5 recordings are kept in replay rp-" in told
    name = told.rsplit("--resume ", 1)[1].split()[0]
    monkeypatch.undo()
    assert called("replay", "show", name, "--store", stores["build"]) == Exit.PASSED
    shown = capsys.readouterr().out
    assert "not done (interrupted" in shown
    assert f"--resume {name}" in shown
    assert replay(stores["build"], "--resume", name) == Exit.PASSED
    assert f"replay {name} · 12 recordings" in capsys.readouterr().out
