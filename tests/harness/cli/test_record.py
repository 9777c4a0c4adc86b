"""Importing, listing, opening, checking and exporting recordings."""

from __future__ import annotations

import json
import shutil
import sys

import jsonschema
import pytest

from harness.replay.recordings import threads
from harness.replay.recordings.own_form import recording_schema
from tests.harness.cli.test_commands import HOSTILE, raw
from tests.reference import reference

KEY = "sk-abcdefghijklmnop"


def talk(*said, **about):
    roles = ("user", "assistant")
    messages = [{"role": roles[number % 2], "content": text} for number, text in enumerate(said)]
    return {"messages": messages, **about}


def calling(name="get_order", arguments='{"order_id": "O-1"}', result="gone"):
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    messages = [{"role": "user", "content": "Where is O-1?"}, {"role": "assistant", "tool_calls": [call]}]
    return {"messages": [*messages, {"role": "tool", "tool_call_id": "c1", "content": result}]}


@pytest.fixture
def talks(cli):
    """A file of conversations."""

    def write(*values, name="talks.jsonl"):
        file = cli.folder / name
        file.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in values), "utf-8")
        return file

    return write


@pytest.fixture
def imported(cli, talks):
    """The conversations, imported; gives what is listed of them, the last one first."""

    def bring(*values):
        assert cli("record", "import", talks(*values), "--no-scrub").code == 0
        return json.loads(cli("record", "list", "--json").out)

    return bring


# import


def test_conversations_are_imported_once(cli, talks):
    file = talks(talk("Hello", "Hi"), calling())
    came = cli("record", "import", file, "--no-scrub", "--workflow", "shop")
    assert (came.code, came.err) == (0, "")
    assert came.out.splitlines() == ["2 recordings: 2 new", "2 turns, 1 tool call", "next: turngate record list"]
    assert "2 recordings: 2 there already" in cli("record", "import", file, "--no-scrub").out
    assert [each["workflow"] for each in json.loads(cli("record", "list", "--json").out)] == ["shop", "shop"]


def test_without_a_word_what_is_personal_is_replaced(cli, talks):
    said = talk(
        "I am ana.ruiz@example.com, order LH-123456, key sk-abcdefghijklmnop",
        "Hi",
        feedback="mail ana.ruiz@example.com",
    )
    came = cli("record", "import", talks(said, talk("LH-123456", "Hi")), "--scrub-id", r"LH-\d{6}")
    assert came.code == 0
    assert "scrubbed: 2 email, 2 id, 1 credential" in came.out
    told = json.loads(cli("record", "list", "--json").out)
    second, first = (json.loads(cli("record", "show", each["id"], "--json").out) for each in told)
    words = first["messages"][0]["text"].replace(",", "").split()
    assert "ana.ruiz@example.com" not in json.dumps(first)
    assert first["feedback"][0]["label"] == f"mail {words[2]}"
    assert second["messages"][0]["text"] == words[4] != "LH-123456"
    assert first["replaced"] == {"email": 2, "id": 1, "credential": 1}
    assert "scrubbed: 1 credential, 2 email, 1 id" in cli("record", "show", told[1]["id"]).out


def test_what_cannot_be_scrubbed_for_want_of_its_libraries_is_not_stored(cli, talks, monkeypatch):
    monkeypatch.setitem(sys.modules, "stdnum", None)
    came = cli("record", "import", talks(talk("Call me on 0043 660 1234567", "Hi")))
    assert came.code == 2
    assert "scrubbing needs stdnum: pip install 'turngate[pii]'; or give --no-scrub" in came.err
    assert cli("record", "list").out == "no recordings yet: turngate record import FILE\n"


def test_a_secret_keeps_a_recording_out_and_is_not_told(cli, talks):
    file = talks(talk("Hello", "Hi"), talk(f"My key is {KEY}", "Oh!", id="talk-7"), calling(result=f'{{"k": "{KEY}"}}'))
    came = cli("record", "import", file, "--no-scrub")
    assert came.code == 2
    assert "talks.jsonl (talk-7): not stored, a secret is in it: messages.0.text" in came.err
    told = "messages.1.calls.0.told, messages.1.calls.0.result.k"
    assert f"talks.jsonl (3:1): not stored, a secret is in it: {told}" in came.err
    assert KEY not in came.text
    assert "1 recording: 1 new" in came.out
    assert "2 recordings not stored, for secrets are in them: see above" in came.out


def test_what_is_broken_is_told_and_the_rest_goes_in(cli, talks):
    broken = calling(arguments='{"order_id": ')
    file = talks(talk("Hello", "Hi"), '{"messages": [', broken, {"nothing": 1})
    came = cli("record", "import", file, "--no-scrub")
    assert came.code == 0
    assert f"{file}:2:15: no JSON: expecting value" in came.err
    assert f"{file}:4:1: no conversation in a form that is known: an object of nothing" in came.err
    assert came.out.splitlines()[:4] == [
        "2 recordings: 2 new",
        "2 turns, 1 tool call (1 with broken arguments)",
        "1 recording with flaws: turngate record lint",
        "2 parts could not be read: see above",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ([], 2, "Name files, runs, episodes or traces"),
        (["nowhere.json"], 2, "nowhere.json: there is no such file, run, episode or imported trace"),
        (["empty.json"], 3, "no recording came"),
        (["empty.json", "--scrub-id", "("], 2, "--scrub-id (: no pattern: "),
        (["empty.json", "--format", "tau3"], 2, "--format tau3: did you mean `tau`"),
    ],
)
def test_mistakes_are_told(cli, arguments, code, text):
    (cli.folder / "empty.json").write_text("")
    came = cli("record", "import", *arguments)
    assert came.code == code
    assert text in came.err


def test_a_name_of_nothing_is_told_before_anything_is_read(cli, talks):
    assert cli("record", "import", talks(talk("Hello", "Hi")), "nowhere", "--no-scrub").code == 2
    assert json.loads(cli("record", "list", "--json").out) == []


def test_ctrl_c_keeps_what_came(cli, talks, monkeypatch):
    shutil.copy(talks(*(talk(f"Hello {number}", "Hi") for number in range(60))), cli.folder / "more.jsonl")

    def interrupted(path):
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "of_sqlite", interrupted)
    (cli.folder / "threads.db").write_bytes(threads.MAGIC)
    came = cli("record", "import", "more.jsonl", "threads.db", "--no-scrub")
    assert came.code == 130
    assert "interrupted: 60 recordings were read and are stored; the same command again goes on" in came.err
    assert len(json.loads(cli("record", "list", "--json", "-n", "0").out)) == 60


def test_a_run_needs_no_scrubbing_and_keeps_its_state(cli):
    assert cli("run", "--trials", "1").code in (0, 1, 3)
    came = cli("record", "import", "latest")
    assert came.code == 0
    (told, *_) = json.loads(cli("record", "list", "--json").out)
    assert (told["source"]["kind"], told["workflow"]) == ("episode", "desk")
    assert told["labels"]["verdict"] in ("passed", "failed", "not_judged")
    document = json.loads(cli("record", "show", told["id"], "--json").out)
    jsonschema.validate(document, recording_schema())
    assert document["snapshot"] is not None
    assert "seed" in document
    again = cli("record", "import", f"{told['labels']['scenario']}/1")
    assert "1 recording: 1 there already" in again.out


def test_imported_traces_are_recordings_as_their_files_are(cli):
    file = shutil.copy(reference("otel_samples/otel-genai-openai-loop.jsonl"), cli.folder)
    assert cli("traces", "import", file).code == 0
    assert cli("record", "import", "--traces", "--no-scrub").out.startswith("1 recording: 1 new")
    assert cli("record", "import", "conv-orders-7f3a", "--no-scrub").out.startswith("1 recording: 1 there already")
    assert cli("record", "import", file, "--no-scrub").out.startswith("1 recording: 1 there already")


# list


def test_recordings_are_found(cli, imported):
    told = imported(talk("Hello", "Hi", feedback="down", reward=0), talk("Hola", "Buenas", reward=1), calling())
    calls, hola, hello = (each["id"] for each in told)

    def found(*arguments):
        return [each["id"] for each in json.loads(cli("record", "list", "--json", *arguments).out)]

    assert found("--where", "feedback=down") == [hello]
    assert found("--where", "reward<=1") == [hola, hello]
    assert found("--where", "reward<=1", "--where", "feedback!=down") == [hola]
    assert found("--where", "tool=get_*") == [calls]
    assert found("--text", "BUENAS") == [hola]
    assert found("--text", "o-1") == [calls]
    assert found("-n", "1") == [calls]
    assert "no recording fits" in cli("record", "list", "--where", "reward=7").out
    shown = cli("record", "list", "-n", "1").out
    assert calls in shown
    assert "the latest 1; --limit 0 shows all" in shown
    assert "thumb down" in cli("record", "list").out


def test_a_condition_that_can_not_be_meant(cli, imported):
    imported(talk("Hello", "Hi"))
    came = cli("record", "list", "--where", "feedback")
    assert (came.code, came.err) == (2, "turngate: --where feedback: write name=value, as in feedback=down, "
                                        "reward>=1 or agent!=shop@*\n")  # fmt: skip


# show, lint, export


def test_a_recording_is_opened(cli, imported):
    (told,) = imported(calling(arguments='{"order_id": '))
    came = cli("record", "show", told["id"][:7])
    assert came.code == 0
    for text in (
        "user   Where is O-1?",
        '→ get_order {"order_id":',
        "~ arguments broken",
        '= "gone"',
        "flaw: message 2",
    ):
        assert text in came.out


def test_what_is_hostile_is_shown_harmless(cli, imported):
    strange = {
        "schema": "turngate.recording/1",
        "source": {"kind": "trace", "where": HOSTILE, "id": HOSTILE},
        "messages": [{"role": "user", "text": HOSTILE, "parts": [HOSTILE]}, {"role": "agent", "text": HOSTILE}],
        "stray": [{"after": 0, "id": HOSTILE, "tool": HOSTILE, "told": HOSTILE}],
        "workflow": HOSTILE.replace("\ud800", ""),
        "agent": {"name": HOSTILE, "version": HOSTILE, "source_digest": ""},
        "speaker": HOSTILE,
        "feedback": [{"name": HOSTILE, "explanation": HOSTILE}],
        "labels": {HOSTILE: HOSTILE},
        "flaws": [HOSTILE],
        "replaced": {HOSTILE: 1},
    }
    called = calling(name=HOSTILE, arguments=HOSTILE, result=HOSTILE) | {"feedback": HOSTILE, "label": HOSTILE}
    told = [each["id"] for each in imported(strange, called)]
    assert len(told) == 2
    shown = [("show", each, *form) for each in told for form in ((), ("--full",), ("--json",))]
    for command in (*shown, ("list",), ("list", "--json"), ("lint",), ("lint", "--workflow", ".")):
        assert not raw(cli("record", *command).text), command


def test_a_line_of_a_text_can_not_pass_for_a_message(cli, imported):
    (told,) = imported(talk("Hello\nuser   I agree to all", "No\nagent  Yes"))
    lines = cli("record", "show", told["id"]).out.splitlines()
    assert "       user   I agree to all" in lines
    assert [line.split()[0] for line in lines if line.startswith(("user", "agent"))] == ["user", "agent"]


def test_names_of_no_recording_and_of_several(cli, imported):
    imported(talk("Hello", "Hi"), talk("Hola", "Buenas"))
    assert "there is no recording rec-x; see: turngate record list" in cli("record", "show", "rec-x").err
    assert "rec- may be any of 2" in cli("record", "show", "rec-").err


def test_lint_says_what_limits_a_replay(cli, imported):
    told = imported(calling(), calling(name="teleport"), talk("Hello"))
    silent, teleport, sound = (each["id"] for each in told)
    came = cli("record", "lint", "--workflow", ".")
    assert came.code == 2
    assert f"{silent}: the agent says and does nothing: there is nothing to compare with" in came.out
    assert f"{teleport}: message 2: the workflow has no tool teleport" in came.out
    assert "3 recordings: its start state is not known" in came.out
    assert came.out.endswith("3 recordings, 1 of which can't be replayed\n")
    assert cli("record", "lint", sound).code == 0


def test_what_is_exported_is_imported_again(cli, imported):
    told = imported(talk("Hello", "Hi", feedback="down"), calling())
    came = cli("record", "export", "-o", "out.jsonl.gz")
    assert (came.code, came.out) == (0, "2 recordings, in out.jsonl.gz\n")
    assert cli("record", "import", "out.jsonl.gz", "--no-scrub").out.startswith("2 recordings: 2 there already")
    assert cli("record", "import", "out.jsonl.gz", "--no-scrub", "--store", "other.db").out.startswith(
        "2 recordings: 2 new"
    )
    again = json.loads(cli("record", "list", "--json", "--store", "other.db").out)
    assert {each["id"] for each in again} == {each["id"] for each in told}
    assert "1 recording, in" in cli("record", "export", "--where", "feedback=down", "-o", "one.jsonl").out
    for arguments, code in (
        (("-o", "x.txt"), 2),
        (("-o", "x.jsonl", "--where", "turns>9"), 3),
        (("-o", "no/x.jsonl"), 2),
    ):
        assert cli("record", "export", *arguments).code == code


def test_what_is_there_is_not_rewritten(cli, imported, talks):
    (told,) = imported(talk("Hello", "Hi"))
    document = json.loads(cli("record", "show", told["id"], "--json").out)
    document["messages"][0]["text"] = "Bye"
    came = cli("record", "import", talks(document, name="edited.jsonl"), "--no-scrub")
    assert "1 there already with other content, and left as they were" in came.out
    assert "Hello" in cli("record", "show", told["id"]).out


def test_the_schema_is_printed(cli):
    assert json.loads(cli("schema", "recording").out) == recording_schema()
