"""What an episode is scored against, rebuilt from stored texts: no file is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import TypeAdapter

from harness.model.episode import Digests
from harness.model.material import Document, Ground, Material, Price
from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from harness.store.rows import given_of
from tools_sandbox.schema import SandboxSchema

T = TypeVar("T")


class Materials:
    """Builds materials; what scenarios share is read once. `text_of` gives the text behind a digest."""

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self._text_of = text_of
        self._shared: dict[tuple[str, str], Any] = {}
        self._grounds: dict[tuple[str, str, str], Ground] = {}

    def build(self, digests: Digests, given: str | None, faulty: str | None) -> Material:
        """The material of one scenario; `given` is the digest of its own rows, None if it has none."""
        ground = self._ground(digests)
        rows = given_of(None if given is None else self._text_of(given))
        return Material(
            workflow=self.workflow(digests.workflow),
            scenario=self.scenario(digests.scenario),
            schema=ground.schema,
            start=ground.laid_over(rows),
            knowledge=ground.knowledge,
            prices=self._read_once("prices", digests.prices, TypeAdapter(tuple[Price, ...]).validate_json),
            faulty=faulty,
            given=rows,
            ground=ground,
        )

    def scenario(self, digest: str) -> Scenario:
        """The scenario of that digest."""
        scenario: Scenario = _item(Scenario)(self._text_of(digest))
        return scenario

    def knowledge(self, digest: str) -> tuple[Document, ...]:
        """The policy of that digest."""
        documents: tuple[Document, ...] = self._read_once(
            "knowledge", digest, TypeAdapter(tuple[Document, ...]).validate_json
        )
        return documents

    def workflow(self, digest: str) -> Workflow:
        """The workflow of that digest."""
        workflow: Workflow = self._read_once("workflow", digest, _item(Workflow))
        return workflow

    def _ground(self, digests: Digests) -> Ground:
        key = (digests.schema, digests.start_state, digests.knowledge)
        if key not in self._grounds:
            self._grounds[key] = Ground(
                self._read_once("schema", digests.schema, TypeAdapter(SandboxSchema).validate_json),
                self._read_once("start state", digests.start_state, json.loads),
                self.knowledge(digests.knowledge),
            )
        return self._grounds[key]

    def _read_once(self, what: str, digest: str, read: Callable[[str], T]) -> T:
        if (what, digest) not in self._shared:
            self._shared[what, digest] = read(self._text_of(digest))
        found: T = self._shared[what, digest]
        return found


def _item(kind: type[Any]) -> Callable[[str], Any]:
    return lambda text: kind.model_validate(json.loads(text))
