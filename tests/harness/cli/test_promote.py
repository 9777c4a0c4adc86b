"""Scenarios from recordings: written, checked, and played by their gold paths and by agents."""

from __future__ import annotations

import json

import pytest

from harness.model.source import free
from harness.workflow.yaml_nodes import parse

OK = '{"ok": true}'
PAID = '{"status": "paid", "total": "49.90"}'


def user(text):
    return {"role": "user", "content": text}


def agent(text):
    return {"role": "assistant", "content": text}


def called(tool, arguments, result, id="c1", text=None):
    """The two messages of a call."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": id, "type": "function", "function": {"name": tool, "arguments": written}}
    return [
        {"role": "assistant", "content": text, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": id, "content": result},
    ]


CANCELLED = [
    user("Please cancel my order."),
    agent("Which order number is it?"),
    user("It's O-1."),
    *called("cancel_order", {"order_id": "O-1"}, OK),
    agent("I have cancelled order O-1."),
]


@pytest.fixture
def promote(cli):
    """Imports one conversation and promotes it; gives what came of the command, and the scenario."""

    def bring(messages, *options, **about):
        file = cli.folder / "talks.json"
        file.write_text(json.dumps({"messages": messages, **about}), "utf-8")
        assert cli("record", "import", file, "--no-scrub").code == 0
        (first, *_) = json.loads(cli("record", "list", "--json").out)
        came = cli("record", "promote", first["id"], "--as", "kept", *options)
        path = cli.folder / "scenarios" / "kept.yaml"
        text = path.read_text("utf-8") if path.exists() else ""
        return came, text, free(parse(text, "kept.yaml"))[0] if text else {}

    return bring


def test_what_happened_is_a_scenario_that_plays(cli, promote):
    came, text, scenario = promote(CANCELLED)
    assert came.code == 0, came.text
    assert "kept: its gold path passes" in came.out
    assert scenario == {
        "id": "kept",
        "family": "orders",
        "title": "Please cancel my order.",
        "source": "production",
        "tier": "core",
        "clauses": [],
        "speaker": "unknown",
        "user": {"knows": {"order_id": "O-1"}, "turns": ["Please cancel my order."]},
        "expect": {
            "outcome": "resolved",
            "state": {"orders.O-1.status": "cancelled"},
            "calls": {"required": [{"cancel_order": {"order_id": "O-1"}}]},
        },
        "gold": [
            {"reply": "Which order number is it?"},
            {"cancel_order": {"order_id": "O-1"}},
            {"reply": "I have cancelled order O-1."},
        ],
    }
    assert text.startswith("# From recording rec-")
    assert "clauses: []  # which clauses of the policy is it about?" in text
    assert cli("lint").code == 0
    played = cli("run", "--only", "kept")
    assert (played.code, "1 scenario" in played.out) == (0, True), played.text


def test_a_scenario_is_not_written_over_another(cli, promote):
    assert promote(CANCELLED)[0].code == 0
    again, text, _ = promote(CANCELLED)
    assert (again.code, "there is a scenario kept already: --as NAME" in again.err) == (2, True)
    assert text.count("- id:") == 1
    (first,) = json.loads(cli("record", "list", "--json").out)
    taken = cli("record", "promote", first["id"], "--as", "CANCEL-ONE")
    assert (taken.code, "there is a scenario CANCEL-ONE already" in taken.err) == (2, True)
    here = cli("record", "promote", first["id"], "-o", "scenarios/kept.yaml", "--as", "other")
    assert (here.code, "it is there already" in here.err) == (2, True)


@pytest.mark.parametrize(
    "about", [{"feedback": "down"}, {"feedback": {"thumb": "down", "comment": "rude\n- id: x\x1b[31m"}}, {"rating": 1}]
)
def test_what_ended_badly_is_no_example(cli, promote, about):
    came, text, scenario = promote(CANCELLED, **about)
    assert (came.code, "it ended badly" in came.out) == (0, True)
    assert "gold" not in scenario
    assert scenario["tier"] == "explore"
    assert "# This is what happened, and no example, since it ended badly" in " ".join(text.split("\n"))
    assert scenario["expect"]["state"] == {"orders.O-1.status": "cancelled"}
    assert "\x1b" not in came.text + text
    assert cli("lint").code == 0


def test_an_agent_that_speaks_first_and_a_user_who_says_much_at_once(promote):
    came, text, scenario = promote(
        [
            agent("Hi! How can I help you today?"),
            user("Hello."),
            user("Please cancel O-1."),
            *called("cancel_order", {"order_id": "O-1"}, OK),
            agent("I have cancelled it."),
            user("###STOP###"),
        ]
    )
    assert "its gold path passes" in came.out, came.text
    assert scenario["user"]["turns"] == ["Hello.\nPlease cancel O-1."]
    assert len(scenario["gold"]) == 2
    assert "# the user's last message had no answer and is left out" in text


def test_a_reply_that_is_not_on_record_is_added_to_end_the_talk(promote):
    came, text, scenario = promote([user("I would like to talk to a person, please."), *called("escalate", {}, OK)])
    assert "its gold path passes" in came.out, came.text
    assert scenario["expect"]["outcome"] == "escalated"
    assert scenario["gold"] == [{"escalate": {}}, {"reply": "All right."}]
    assert "# The last reply is not on record" in text


def test_broken_arguments_and_failed_calls_are_no_steps(promote):
    came, _, scenario = promote(
        [
            user("Please cancel O-1."),
            *called("cancel_order", '{"order_id": "O-1",', "no JSON", id="c0"),
            *called("cancel_order", {"order_id": "O-1"}, OK),
            agent("Done."),
        ]
    )
    assert "its gold path passes" in came.out, came.text
    assert scenario["gold"] == [{"cancel_order": {"order_id": "O-1"}}, {"reply": "Done."}]


def test_tools_that_the_workflow_lacks_are_told(promote):
    came, text, scenario = promote(
        [user("Cancel O-1 and tell my bank."), *called("call_bank", {}, OK, id="c0"), *CANCELLED[3:]]
    )
    assert came.code == 0
    assert "the workflow has no tool call_bank, so calls of it are left out: add it to the sandbox" in came.out
    assert "call_bank" in text.split("- id:")[0]
    assert [*scenario["gold"][0]] == ["cancel_order"]


def test_a_recording_of_quite_other_tools_is_refused(cli, promote):
    came, text, _ = promote([user("Hi"), *called("call_bank", {}, OK), agent("Done.")])
    assert (came.code, text) == (2, "")
    assert "the workflow has none of its tools (call_bank): is it another workflow's?" in came.err
    assert "Traceback" not in came.text


def test_what_the_sandbox_answers_otherwise_is_told_and_a_write_left_out(promote):
    came, text, scenario = promote(
        [
            user("Where is O-1? And please cancel it."),
            *called("get_order", {"order_id": "O-1"}, '{"status": "lost"}', id="c0"),
            *called("cancel_order", {"order_id": "O-1"}, '{"ok": true, "ticket": "T-9"}'),
            agent("Cancelled."),
        ]
    )
    assert came.code == 0, came.text
    head = " ".join(line.lstrip("# ") for line in text.split("- id:")[0].splitlines())
    assert "turn 1: the sandbox answers get_order otherwise than it was answered then" in head
    assert "left out, since it did not come about again: cancel_order (turn 1)" in head
    assert "its gold path passes, but without cancel_order (turn 1): complete it" in came.out
    assert "# Not all that was done is here: without cancel_order (turn 1)." in text
    assert scenario["tier"] == "explore"
    assert "state" not in scenario["expect"]
    assert "calls" not in scenario["expect"]


def test_a_user_in_another_language_goes_on_in_it(cli, promote):
    came, _, scenario = promote(
        [
            user("Hola, quiero cancelar mi pedido, por favor."),
            agent("¿Cuál es su número de pedido?"),
            user("Es el O-1."),
            *called("cancel_order", {"order_id": "O-1"}, OK),
            agent("He cancelado el pedido O-1."),
            user("¡Muchas gracias!"),
            agent("De nada."),
        ]
    )
    assert "its gold path passes" in came.out, came.text
    assert scenario["slices"] == {"language": "es"}
    assert scenario["user"]["turns"] == ["Hola, quiero cancelar mi pedido, por favor.", "¡Muchas gracias!"]


def test_what_was_declined_stays_declined(promote):
    came, _, scenario = promote(
        [
            user("Where is O-1?"),
            *called("get_order", {"order_id": "O-1"}, PAID),
            agent("It is paid. Shall I cancel order O-1?"),
            user("No, leave it."),
            agent("It stays as it is."),
        ]
    )
    assert "its gold path passes" in came.out, came.text
    assert scenario["user"]["declines"] == ["cancel_order"]


def test_a_recording_without_an_answer_or_a_user_is_refused(promote):
    came, text, _ = promote([user("Hello?")])
    assert (came.code, text) == (2, "")
    assert "the agent answers nothing in it" in came.err


def test_episodes_are_promoted_by_their_name_and_what_they_came_to_counts(cli):
    assert cli("run", "--trials", "1").code == 0
    came = cli("record", "promote", "latest", "--as", "again")
    assert (came.code, "again: its gold path passes" in came.out) == (0, True), came.text
    wrong = 'def agent(message, session):\n    session.call_tool("escalate", {}, None)\n    return "Done."\n'
    (cli.folder / "wrong.py").write_text(wrong)
    assert cli("run", "--agent", "wrong.py:agent", "--trials", "1", "--only", "cancel-one").code == 1
    bad = cli("record", "promote", "latest", "--as", "bad")
    assert (bad.code, "it ended badly (verdict failed)" in bad.out) == (0, True), bad.text


def test_many_are_chosen_by_their_feedback(cli):
    talks = [{"messages": CANCELLED, "id": str(number), "feedback": up} for number, up in enumerate(("up", "down"))]
    file = cli.folder / "talks.jsonl"
    file.write_text("".join(f"{json.dumps(talk)}\n" for talk in talks), "utf-8")
    cli("record", "import", file, "--no-scrub")
    came = cli("record", "promote", "--where", "feedback=down", "-o", "scenarios/down.yaml")
    assert came.code == 0, came.text
    assert (cli.folder / "scenarios" / "down.yaml").read_text("utf-8").count("- id: rec-") == 1
    rest = cli("record", "promote", "--where", "feedback=*", "-o", "scenarios/rest.yaml")
    assert (rest.code, "there is a scenario rec-" in rest.err) == (2, True)
    assert (cli.folder / "scenarios" / "rest.yaml").read_text("utf-8").count("- id: rec-") == 1
    assert cli("lint").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "which recordings? Name some, or choose with --where"),
        (["--where", "feedback=down", "--family", "order"], "--family order: there is none of that name"),
        (["--where", "feedback=down", "--as", "one"], "--as one: it names one scenario"),
        (["rec-1", "--as", "a/b"], "--as a/b: that can't be a scenario's id"),
        (["rec-1", "-o", "x.txt"], "-o x.txt: scenarios are written to a file whose name ends in .yaml"),
        (["nosuch"], "nosuch"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_told(cli, promote, arguments, said):
    promote(CANCELLED)
    came = cli("record", "promote", *arguments)
    assert (came.code, said in came.err, "Traceback" in came.text) == (2, True, False), came.text


def test_calls_of_the_users_own_are_told_and_no_steps(cli):
    call = {"tool": "get_order", "arguments": {"order_id": "O-1"}, "told": PAID, "by": "user", "id": "u1"}
    own = {
        "schema": "turngate.recording/1",
        "id": "rec-own",
        "clock": "2026-10-01T10:00:00+02:00",
        "snapshot": {
            "orders": {"O-1": {"status": "paid", "total": "9.90"}, "O-2": {"status": "lost", "total": "10.00"}}
        },
        "messages": [
            {"role": "user", "text": "Please cancel O-1.", "calls": [call]},
            {"role": "agent", "calls": [{"tool": "cancel_order", "arguments": {"order_id": "O-1"}, "told": OK}]},
            {"role": "agent", "text": "Done, [1] and {order_id}: # not a comment"},
        ],
    }
    (cli.folder / "own.json").write_text(json.dumps(own), "utf-8")
    assert cli("record", "import", "own.json", "--no-scrub").code == 0
    came = cli("record", "promote", "rec-own")
    assert (came.code, "its gold path passes" in came.out) == (0, True), came.text
    text = (cli.folder / "scenarios" / "rec-own.yaml").read_text("utf-8")
    assert "# the user called get_order, which no scripted user does\n" in text
    assert "# its clock stood at 2026-10-01T10:00:00+02:00" in text
    (scenario,) = free(parse(text, "rec-own.yaml"))
    assert scenario["given"] == {"orders.O-1": {"total": "9.90"}, "orders.O-2": {"status": "lost"}}
    assert scenario["gold"] == [
        {"cancel_order": {"order_id": "O-1"}},
        {"reply": "Done, [1] and {order_id}: # not a comment"},
    ]


def test_a_snapshot_that_no_longer_fits_is_told(cli):
    own = {
        "schema": "turngate.recording/1",
        "id": "rec-own",
        "snapshot": {"parcels": {"P-1": {"status": "lost"}}},
        "messages": [{"role": "user", "text": "Hello."}, {"role": "agent", "text": "Good morning."}],
    }
    (cli.folder / "own.json").write_text(json.dumps(own), "utf-8")
    cli("record", "import", "own.json", "--no-scrub")
    came = cli("record", "promote", "rec-own")
    assert came.code == 0, came.text
    assert "its snapshot does not fit the sandbox: parcels: no such table" in came.out
    assert "given:" not in (cli.folder / "scenarios" / "rec-own.yaml").read_text("utf-8")
