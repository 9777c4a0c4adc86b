"""What the documents name is there, and what is there is named: commands, keys, metrics, codes, fields, links."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from harness.agents.http_request import BODY
from harness.cli.app import app
from harness.cli.exits import Exit
from harness.gates.compare import Version, compare
from harness.model.episode import Episode
from harness.model.expect import Budget, Calls, Expect
from harness.model.failure import CODES
from harness.model.remote import FIELDS, HttpAgent, ReplyPaths
from harness.model.scenario import Condition, Line, Scenario, User
from harness.model.score import Scored
from harness.model.source import Item
from harness.model.workflow import Family, GateRule, Rule, StubCase, Tool, Workflow
from harness.reports.comparison_json import comparison_json
from harness.reports.gather import gather
from harness.reports.result_json import result_json
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import agent_of, load_bundle
from harness.runs.rehearse import rehearse
from harness.scoring.builtin import SCORERS
from harness.store.conversation_tables import conversation_traces, conversations
from harness.store.recording_tables import recordings
from harness.store.store import Store
from harness.store.tables import episodes, labels, planned, runs, scorings, texts
from harness.workflow.prices import PriceRow
from tests.docs.pages import PAGES, ROOT, blocks, examples
from tools_sandbox.patterns import WORDS
from traces.span import Span


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name, command


COMMANDS: dict[str, Any] = dict(commands(typer.main.get_command(app)))
EMPTY = Workflow.model_construct(rules=[Rule.model_construct(id="<id>")])


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def named(text: str) -> set[str]:
    """Every word within backticks, fenced blocks aside."""
    inline = re.findall(r"`([^`]+)`", re.sub(r"^(`{3,}).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE))
    return {word for code in inline for word in re.findall(r"[\w.<>-]+", code)} | set(inline)


def section(text: str, heading: str) -> str:
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"there is no heading `## {heading}`"
    return found[1]


def options(command: Any) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts if name.startswith("-")}


@pytest.mark.parametrize("name", COMMANDS)
def test_options_of_a_command(name: str) -> None:
    told = set(re.findall(r"`(--?[\w-]+)", section(page("commands.md"), f"turngate {name}")))
    assert told == options(COMMANDS[name])


def test_commands_environment_and_exit_codes() -> None:
    text = page("commands.md")
    assert re.findall(r"^## turngate (\w[\w ]*)$", text, re.MULTILINE) == list(COMMANDS)
    variables = {parameter.envvar for command in COMMANDS.values() for parameter in command.params if parameter.envvar}
    assert set(re.findall(r"`(TURNGATE_\w+)`", text)) == variables
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", section(text, "Exit codes"), re.MULTILINE)] == list(Exit)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_blocks(page: Path) -> None:
    lines = [
        line
        for block in blocks(page)
        if block.language in ("text", "sh", "bash", "")
        for line in block.text.splitlines()
    ]
    for line in lines:
        found = re.match(r"(?:\w+=\S+ )*turngate (.+?)(?:\s{2,}.*)?$", line)
        if found is None:
            continue
        typed = shlex.split(found[1])
        meant = (" ".join(typed[:2]), typed[0], f"{typed[0]} run")  # a group may run by default
        name = next((name for name in meant if name in COMMANDS), None)
        assert name or typed[0].startswith("-"), line
        used = {word.partition("=")[0] for word in typed if word.startswith("-") and len(word) > 1}
        assert name is None or used <= options(COMMANDS[name]) | {"-h", "--help"}, line


KEYS: list[tuple[str, type[Item]]] = [
    *(("workflow-file.md", item) for item in (Workflow, Family, Rule, Tool, StubCase, PriceRow)),
    *(("scenarios.md", item) for item in (Scenario, User, Line, Condition, Expect, Calls, Budget)),
    ("gates.md", GateRule),
    *(("services.md", item) for item in (HttpAgent, ReplyPaths)),
]


@pytest.mark.parametrize(("name", "item"), KEYS, ids=lambda value: getattr(value, "__name__", value))
def test_keys_of_the_files(name: str, item: type[Item]) -> None:
    assert set(item.keys()) <= named(page(name))


def test_fields_of_a_request() -> None:
    text = page("services.md")
    assert {*BODY, *FIELDS} <= named(text) | set(re.findall(r'^  "(\w+)":', text, re.MULTILINE))


def test_matchers() -> None:
    assert set(WORDS) - {"equals"} <= named(page("scenarios.md"))


def test_metrics_and_their_units() -> None:
    text = page("metrics.md")
    rows = dict(re.findall(r"^\| `([\w.<>]+)` \| (\w+) \|", text, re.MULTILINE))
    metrics = {name: one.unit or one.dimension for one in SCORERS for name in one.metrics(EMPTY)}
    assert rows == metrics


def test_failure_codes() -> None:
    rows = [tuple(row.strip("| ").split(" | ")) for row in page("metrics.md").splitlines()]
    written = [row for row in rows if len(row) == 4 and row[0] in CODES]
    assert written == [(code.code, code.title, code.severity, ", ".join(code.fix)) for code in CODES.values()]


def test_tables_of_the_store() -> None:
    text = section(page("results.md"), "The store")
    for table in (runs, texts, planned, episodes, scorings, labels, conversations, conversation_traces, recordings):
        row = re.search(rf"^\| `{table.name}` \|(.*)$", text, re.MULTILINE)
        assert row, f"no row for the table {table.name}"
        assert {column.name for column in table.columns} <= named(row[1]), table.name


@pytest.mark.parametrize("kind", [Episode, Scored, Span])
def test_fields_of_an_episode(kind: type[Any]) -> None:
    assert {each.name for each in fields(kind)} <= named(page("results.md"))


def test_fields_of_the_result(tmp_path: Path) -> None:
    bundle = load_bundle(examples(ROOT / "docs" / "scripted-user.md")[0].write(tmp_path / "bundle"))
    with Store.open(tmp_path / "store.db") as store:
        done = asyncio.run(rehearse(bundle, Inline(agent_of(bundle, None)), store, Settings()))
        view = gather(store, done.run.id, bundle.workflow, done.verdict, done.results)
    assert set(keys(result_json(view))) <= named(page("results.md"))
    families = compare(bundle.workflow, [Version(view.agent, view.run, view.results, view.verdict)])
    document = comparison_json([view], families)
    told = {*document, *keys([each for standings in document["families"].values() for each in standings])}
    assert told <= named(section(page("results.md"), "Several versions"))


def keys(value: Any) -> Iterator[str]:
    """Every key of a document, but those that are names of families, slices or metrics."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item)
    elif isinstance(value, dict):
        yield from value
        for key, member in value.items():
            if key not in ("cell", "slices", "pass_hat", "planned", "played", "fix_in"):
                yield from keys(list(member.values()) if key == "scores" else member)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links(path: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        other = (path.parent / file).resolve() if file else path
        if not other.exists() or (anchor and anchor not in anchors(other)):
            broken.append(target)
    assert not broken


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as code forges make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
