"""Every YAML block of the documents is loaded, and what it describes is played."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from harness.episodes.play import play
from harness.episodes.task import Limits, Stage
from harness.model.status import Status
from harness.runs.gold import broken_scenarios
from harness.runs.prepare import load_bundle, stages, tasks
from harness.scoring.score import score
from harness.workflow.bundle import Bundle
from harness.workflow.problems import Problems
from tests.docs.pages import PAGES, Example, blocks, examples
from traces.capture import Tracing

EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_yaml_blocks_name_their_file(page: Path) -> None:
    unnamed = [block.place for block in blocks(page) if block.language in ("yaml", "yml") and not block.file]
    assert not unnamed, "a YAML block begins with a comment that names its file, such as `# workflow.yaml`"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.place)
def test_example_is_loaded_and_played(example: Example, tmp_path: Path) -> None:
    folder = example.write(tmp_path / "bundle")
    try:
        bundle = load_bundle(folder)
        failures = asyncio.run(_played(bundle, example, folder))
    except (Problems, AgentProblem) as problem:
        pytest.fail(example.in_the_page(str(problem)), pytrace=False)
    assert not failures, "\n".join(failures)
    read = {"workflow.yaml", bundle.workflow.prices, *(file for file in example.files if file.startswith("scenarios/"))}
    unread = [block.place for file, block in example.files.items() if block.language == "yaml" and file not in read]
    assert not unread, "nothing reads this file"


async def _played(bundle: Bundle, example: Example, folder: Path) -> list[str]:
    """Where in the page something does not pass, and why: gold paths, the page's agents in each of its scenarios, and
    the workflow's own agent in scenarios without a gold path.
    """
    own = [each for each in bundle.scenarios.values() if each.at and _within(folder, each.at.file) in example.files]
    prepared, tracing = stages(bundle, own), Tracing()
    failures = await broken_scenarios(bundle, prepared, tracing)
    bare = {item: stage for item, stage in prepared.items() if not stage.scenario.gold}
    for spec in example.agents:
        failures |= await _failed(bundle, spec, folder, prepared, tracing)
    if bare and not example.agents:
        failures |= await _failed(bundle, bundle.workflow.agent or "", folder, bare, tracing)
    return [f"{example.in_the_page(str(bundle.scenarios[item].at))}: {item}: {why}" for item, why in failures.items()]


def _within(folder: Path, file: str) -> str:
    return Path(file).resolve().relative_to(folder.resolve()).as_posix()


async def _failed(
    bundle: Bundle, spec: str, folder: Path, prepared: Mapping[str, Stage], tracing: Tracing
) -> dict[str, str]:
    source = resolve(spec, folder)
    source.check([tool.name for tool in bundle.start.tools], bundle.workflow.passthrough)
    failures = {}
    for task in tasks("docs", source.version.label, "docs", dict(prepared), range(1, 2), Limits(turn_seconds=30)):
        scored = score(await play(task, source, tracing), bundle.material(task.key.item))
        if scored.verdict.status is not Status.PASSED:
            failures[task.key.item] = f"{spec}: {scored.verdict.status.value}: {scored.verdict.reason}"
    return failures
