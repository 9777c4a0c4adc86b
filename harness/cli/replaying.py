"""What a workflow's recordings are replayed on."""

from __future__ import annotations

from harness.model.material import Ground
from harness.replay.setting import Setting
from harness.runs.observed_place import Aim, placed
from harness.workflow.bundle import Bundle


def setting_of(bundle: Bundle) -> Setting:
    """The sandbox, rules and scenarios of a workflow; recordings that none of them was written for stand under the row
    for conversations from production.
    """
    workflow, stand_in = placed(bundle, None, Aim())
    return Setting.of(
        workflow,
        stand_in,
        bundle.scenarios,
        bundle.digests,
        bundle.start,
        Ground(bundle.schema, bundle.start.tables({}), bundle.knowledge),
        bundle.prices,
        bundle.clock,
    )
