"""`turngate bless`: a gold path from an episode that a person found right."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from pathlib import Path

from harness.cli.asking import agreed
from harness.cli.exits import Exit, UserError
from harness.cli.names import find_episode
from harness.cli.out import console
from harness.drafts.edit import CannotEdit, line_of, replace_key
from harness.drafts.scenario import gold_steps
from harness.model.material import Material
from harness.model.score import Scored
from harness.model.status import Judgement, Status
from harness.reports.conversation import episode_page
from harness.reports.printable import printable
from harness.runs.prepare import load_bundle
from harness.store.places import open_store
from harness.store.records import Label


def bless(name: str, yes: bool, place: str | None) -> int:
    """Show the episode, ask, write its gold path into the scenario's file, keep who said so, and check the file again.
    An episode that did not pass is refused: a gold path is one that passes.
    """
    out = console()
    with open_store(place, must_exist=True) as store:
        episode = find_episode(store, name)
        scored = store.scored_episode(episode.key)
        material = store.material(episode.key.run, episode.key.item)
        scenario, workflow = material.scenario, material.workflow
        if scored is None or scenario.at is None or workflow.at is None:
            raise UserError(f"{name}: the episode has no scores, or its scenario no file")
        if scored.verdict.status is not Status.PASSED:
            raise UserError(f"{name}: {_not_passed(scored, material)}")
        out.print(episode_page(episode, scored))
        file = Path(scenario.at.file)
        try:
            line = line_of(file, scenario.id, "gold")
            if line is not None:
                out.print(f"{file}:{line}: there is a gold path already: this one replaces it")
            if not yes and not agreed(f"Is this how {scenario.id} should go? [y/N] "):
                out.print("nothing was written")
                return Exit.PASSED
            replace_key(file, scenario.id, "gold", gold_steps(episode))
        except CannotEdit as error:
            raise UserError(str(error)) from None
        except OSError as error:
            raise UserError(f"{file}: {error.strerror}: bless from the folder that the run was made in") from None
        store.label(episode.key, Label(_who(), datetime.now(UTC), "passed", "blessed as gold path"))
    out.print(f"wrote the gold path of {scenario.id} into {file}")
    for warning in load_bundle(Path(workflow.at.file)).warnings:
        if warning.where.file == scenario.at.file:
            out.print(printable(str(warning)))
    return Exit.PASSED


def _not_passed(scored: Scored, material: Material) -> str:
    """Why an episode can't be blessed, by the metrics that stand against it, and what to do."""
    if material.faulty is not None:
        return (
            "its scenario failed its own gold path, so nothing was judged; take the gold path out, run again, and "
            "bless an episode that passes"
        )
    status = scored.verdict.status
    against = ", ".join(
        score.metric
        for score in scored.scores.values()
        if isinstance(score.value, Judgement) and score.value.status is status
    )
    reason = f"; {scored.verdict.reason}" if scored.verdict.reason else ""
    return (
        f"this episode did not pass, and only one that passes can be a gold path. {status.value.replace('_', ' ')}: "
        f"{against}{reason}"
    )


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"  # in a container the user need not have a name
