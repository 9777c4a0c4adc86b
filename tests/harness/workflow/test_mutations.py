"""Whatever stands in the files, loading them gives a bundle or `Problems` at places that are there, and soon."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.model.source import Scalar
from harness.runs.prepare import load_bundle, stages
from harness.workflow.problems import Problems
from harness.workflow.yaml_nodes import parse
from tests.docs.pages import PAGES, examples
from tests.effort import no_hang
from tests.harness.workflow.bundles import POLICY, SCENARIO, WORKFLOW, assert_inside
from tests.reference import ROOT

LONGEST = 2000
"""Characters of one problem."""


class Source(str):
    """A piece of YAML as it is written."""


VALUES = [
    *(
        "null",
        "''",
        "' '",
        "[]",
        "{}",
        "true",
        "no",
        "-1",
        "0",
        "1.5",
        "x",
        ".",
        "..",
        "/",
        "**",
        "a.b.c",
        "NaN",
        ".inf",
    ),
    *("1e999", "1e400000000", "0e99999999999999999999", "9" * 5000, "2026-99-99", "clock", "clock - 999999 weeks"),
    *("[x]", "[[[]]]", "[{}]", "{x: y}", "{a: {b: {c: d}}}", "{'': ''}", "{'a\nb': c}", "[" * 58 + "]" * 58),
    *("{one_of: x}", "{between: [1]}", "{between: [b, a]}", "{contains: x}", "{contains: []}", "{like: '('}"),
    *("{mentions: {}}", "{at_most: x}", "{any: false}", "{equals: {}}", "{equals: 1e999}", "{from: x}", "{from: [x]}"),
    *(
        "{tool: x}",
        "{tool: {}}",
        "{reply: []}",
        "{id: x}",
        "{code: PO1}",
        "{code: [x]}",
        "{match: x}",
        "{match: {x: y}}",
    ),
    *("{name: {}}", "{call: x, times: 1}", "{value: 1}", "{say: {}}", "{$at: x}", "{$decimal: x}", "'[!'", "/etc/*"),
    *('"\\u202e\\0"', '"\\ud800"', '"\\u200b"', "𝔘𝔫𝔦", "ﬁ", "e" * 50_000),
    "{" + ", ".join(f"k{number}: {number}" for number in range(1000)) + "}",
]
KEYS = ["", "''", "$at", "x", "equals", "any", "contains", "a.b", ".", "orders.", ".orders", "orders..x", '"\\u202e"']
KEYS += ["tool", "reply", "code", "match", "from", "value", "at", "each", "id", "k" * 2000, "no", "1", "null"]


def bundles() -> Iterator[tuple[str, dict[str, str]]]:
    """Bundles by name: the texts of their files."""
    for folder in (ROOT / "workflows" / "customer_service", Path(__file__).parent / "data" / "shop"):
        yield folder.name, files_of(folder)
    for page in PAGES:
        for example in examples(page):
            if example.over is None:
                yield example.place, {name: block.text for name, block in example.files.items()}
    yield "small", {"workflow.yaml": WORKFLOW, "scenarios/refunds.yaml": SCENARIO, "policy.md": POLICY}


def files_of(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.suffix in (".yaml", ".md", ".py"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


BUNDLES = {name: files for name, files in bundles() if "workflow.yaml" in files}


def plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: plain(member) for key, member in node.items()}
    if isinstance(node, list):
        return [plain(member) for member in node]
    return node


def places(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, member in members:
        yield (*path, step)
        yield from places(member, (*path, step))


def written(node: Any) -> str:
    """YAML in one line, which keeps what is quoted apart from what is plain."""
    if isinstance(node, Source):
        return node
    if isinstance(node, dict):
        keys = (key if isinstance(key, Source) else json.dumps(key) for key in node)
        return "{" + ", ".join(f"{key}: {written(value)}" for key, value in zip(keys, node.values(), strict=True)) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(map(written, node)) + "]"
    assert isinstance(node, Scalar)
    return node.raw if node.plain and node.raw.isalnum() else json.dumps(node.raw)


def mutated(root: Any, draw: Any) -> str:
    """The file with one to three nodes dropped, replaced, renamed, wrapped, or put where another one is."""
    for _ in range(draw(st.integers(1, 3))):
        every = list(places(root))
        if not every:
            break  # all of it was dropped
        *above, last = draw(st.sampled_from(every))
        parent: Any = root
        for step in above:
            parent = parent[step]
        if not isinstance(parent, dict | list):
            continue  # what was put there is source
        match draw(st.sampled_from(["value", "value", "value", "drop", "key", "wrap", "graft"])):
            case "value":
                parent[last] = Source(draw(st.sampled_from(VALUES)))
            case "drop":
                del parent[last]
            case "key" if isinstance(parent, dict):
                parent[Source(draw(st.sampled_from(KEYS)))] = parent.pop(last)
            case "wrap":
                parent[last] = draw(st.sampled_from([[parent[last]], {"x": parent[last]}, {"equals": parent[last]}]))
            case "graft":
                other: Any = root
                for step in draw(st.sampled_from(every)):
                    other = other[step]
                parent[last] = Source(written(other))
    return written(root)


@pytest.mark.parametrize("name", BUNDLES)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_file_loads_or_is_told_what_is_wrong(name: str, tmp_path_factory: Any, data: st.DataObject) -> None:
    files = BUNDLES[name]
    folder = tmp_path_factory.mktemp("bundle")
    file = data.draw(st.sampled_from([each for each in files if each.startswith(("workflow.yaml", "scenarios/"))]))
    changed = mutated(plain(parse(files[file], file)), data.draw)
    for each, text in {**files, file: changed}.items():
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text(text, "utf-8")
    with no_hang():
        try:
            bundle = load_bundle(folder)
        except Problems as found:
            for problem in found.problems:
                assert_inside(problem)
                assert len(str(problem)) < LONGEST
        else:
            stages(bundle, bundle.scenarios.values())
            for item in bundle.scenarios:
                bundle.material(item)
            bundle.sources()
