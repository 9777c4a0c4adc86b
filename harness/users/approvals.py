"""The answers to an agent that pauses for a person."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.scenario import User
from tools_sandbox.call import Json
from tools_sandbox.matching import mismatches
from tools_sandbox.patterns import Subset
from tools_sandbox.values import to_json


@dataclass(frozen=True, slots=True)
class Approvals:
    """The approvals of one user in order of writing: what a payload must have, and the answer."""

    known: tuple[tuple[Subset, Json], ...]

    @classmethod
    def of(cls, user: User) -> Approvals:
        """Compiled from the scenario."""
        return cls(tuple((Subset(dict(one.match)), to_json(one.answer)) for one in user.approvals))

    def answer(self, payload: Json) -> tuple[bool, Json]:
        """Whether an approval fits a pause's payload, and the first one's answer; one without `match` fits all."""
        for wanted, answer in self.known:
            if not wanted.members or not mismatches(wanted, payload):
                return True, answer
        return False, None
