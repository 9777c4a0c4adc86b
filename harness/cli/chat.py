"""`turngate chat`: a person talks to the agent as the customer, in the sandbox that its scenarios play in."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.agents.loop import run
from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.drafts.scenario import draft
from harness.drafts.yaml_text import to_yaml
from harness.episodes.play import play
from harness.episodes.task import Limits, Task
from harness.interrupts import handling, heard
from harness.model.episode import Because, Episode, EpisodeKey
from harness.model.scenario import Scenario
from harness.reports.printable import one_line, printable
from harness.reports.spoken import Spoken
from harness.runs.prepare import agent_of, load_bundle, stages
from harness.users.recognise import Recognition, SlotBook, recognise
from harness.users.view import Done, Say, View
from harness.workflow.bundle import Bundle
from harness.workflow.find import SCENARIOS, shown
from harness.workflow.lint.ids import unsafe
from tools_sandbox.call import Json
from tools_sandbox.nearest import hint
from traces.capture import Tracing

_MANY = 1000
_HELP = "/save NAME [FAMILY]  write this conversation as a scenario and end   /quit  end   /help  this"


def chat(workflow: Path | None, agent: str | None, scenario: str | None) -> int:
    """Talk until /save, /quit or the end of input."""
    bundle = load_bundle(workflow or Path())
    source = agent_of(bundle, agent)
    template = _template(bundle, scenario)
    stage = stages(bundle, [template])[template.id]
    out = console()
    out.print(f"{bundle.workflow.workflow} · {source.version.label} · speaker {template.speaker} · {_HELP}")
    customer = _Customer(out, bundle, template.family)
    key = EpisodeKey("chat", source.version.label, template.id, 1)
    limits = Limits(turn_seconds=600, episode_seconds=24 * 3600)
    episode = run(play(Task(key, stage, seed=0, limits=limits), source, Tracing(), customer))
    if episode.end.kind != "script_done":
        out.print(Text(f"the conversation ended: {printable(episode.end.text)}", style="red"))
    if customer.save_as:
        file = _save(bundle, template, episode, customer)
        again = f"turngate run {shlex.quote(shown(bundle.root))} --only {shlex.quote(customer.save_as)}"
        out.print(
            f"wrote {shown(file)}, in the family {customer.family}; look it through, then: {again}", soft_wrap=True
        )
    return Exit.PASSED if episode.end.kind == "script_done" else Exit.FAILED


def _template(bundle: Bundle, scenario: str | None) -> Scenario:
    """The scenario whose state and speaker are taken; without one, the plain start state and nobody in particular."""
    if scenario is None:
        family = next(iter(bundle.workflow.scenario_map))
        user = {"turns": ["hello"], "max_turns": _MANY}
        return Scenario.model_validate({"id": "chat", "family": family, "user": user, "expect": {}})
    if scenario not in bundle.scenarios:
        raise UserError(f"no scenario `{scenario}`; there are: {', '.join(bundle.scenarios)}")
    found = bundle.scenarios[scenario]
    return found.model_copy(update={"user": found.user.model_copy(update={"max_turns": _MANY})})


class _Customer:
    """A person at the keyboard. Shows what the agent did and said since the last message, then asks for the next."""

    def __init__(self, out: Console, bundle: Bundle, family: str) -> None:
        self.family = family
        self.knows: Mapping[str, str | None] = {}
        self.save_as: str | None = None
        self._book = SlotBook.of({}, {})
        self._out = out
        self._bundle = bundle
        self._said = False
        self._shown = 0

    def recognise(self, text: str) -> Recognition:
        return recognise(text, self._book)

    def approve(self, payload: Json) -> tuple[bool, Json]:
        self._out.print(
            Text(f"the agent waits for a person: {printable(json.dumps(payload, default=str))}", style="magenta")
        )
        typed = self._typed("answer (JSON or text) ")
        if typed is None:
            return False, None
        try:
            return True, json.loads(typed)
        except ValueError:
            return True, typed

    def next(self, view: View) -> Say | Done:
        self._show(view)
        while True:
            typed = self._typed("you    ")
            if typed is None or typed == "/quit":
                return Done(())
            command, *names = typed.split(maxsplit=2) or [""]
            if command == "/save" and names:
                wrong = self._save(*names)
                if wrong is None:
                    return Done(())
                self._out.print(Text(printable(wrong), style="red"))
            elif typed.startswith("/"):
                self._out.print(_HELP)
            elif typed:
                self._said = True
                return Say(typed, Because("line"))

    def _show(self, view: View) -> None:
        for call in view.calls[self._shown :]:
            came = (
                f"✖ {call.error.text}"
                if call.error
                else f"= {json.dumps(call.result, ensure_ascii=False, default=str)}"
            )
            given = json.dumps(call.arguments, ensure_ascii=False, default=str)
            self._out.print(Text(one_line(f"  → {call.tool} {given} {came}", 300), style="cyan"))
        self._shown = len(view.calls)
        for message in view.replies:
            self._out.print(Spoken("agent", printable(message.text), "bold blue"))

    def _save(self, name: str, family: str | None = None) -> str | None:
        """Note the name and the family; gives why the conversation can't be saved so, told while it goes on."""
        families = self._bundle.workflow.scenario_map
        if not self._said:
            return "nothing is said yet: there is nothing to save"
        if reason := unsafe(name):
            return f"`{name}` can't be a scenario's id: it {reason}"
        if name in self._bundle.scenarios or _file(self._bundle, name).exists():
            return f"there is a scenario `{name}` already: save it under another name"
        if family is not None and family not in families:
            return f"there is no family `{family}`; {hint(family, families)}"
        self.save_as, self.family = name, family or self.family
        return None

    def _typed(self, prompt: str) -> str | None:
        # The loop's own handler would only note the Ctrl-C and go on waiting for the line.
        with handling(heard(), signal.default_int_handler):
            try:
                return self._out.input(Text(prompt, style="bold green")).strip()
            except EOFError:
                return None


def _file(bundle: Bundle, name: str) -> Path:
    return bundle.root / SCENARIOS / f"{name}.yaml"


def _save(bundle: Bundle, template: Scenario, episode: Episode, customer: _Customer) -> Path:
    name = customer.save_as or ""
    file = _file(bundle, name)
    written = draft(name, customer.family, template.speaker, template.given, episode, bundle.workflow.may_change)
    text = to_yaml([written])
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        console().print(printable(text))
        raise UserError(f"{file}: can't be written: {error.strerror}; above is what it would say") from None
    return file
