"""What several scorers read out of an episode, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from harness.model.episode import Episode
from harness.model.material import Material
from harness.scoring.timeline import Step, Timeline
from harness.scoring.window import Window
from harness.scoring.writes import counted_writes, proofs
from tools_sandbox.call import Call, Proof


@dataclass(frozen=True, eq=False)
class Reading:
    """An episode and what it is scored against, with what follows from them, worked out when first asked for."""

    episode: Episode
    material: Material

    @cached_property
    def timeline(self) -> Timeline:
        """What happened, in order."""
        return Timeline.of(self.episode)

    @cached_property
    def whole(self) -> Window:
        """The whole conversation, for what is expected of all of it."""
        return Window.whole(self.episode, self.material, self.timeline)

    @cached_property
    def proofs(self) -> list[tuple[Step, Call, Proof]]:
        """See `harness.scoring.writes.proofs`."""
        return proofs(self.timeline)

    @cached_property
    def writes(self) -> list[tuple[Step, Call]]:
        """See `harness.scoring.writes.counted_writes`."""
        return counted_writes(self.timeline, self.material)
