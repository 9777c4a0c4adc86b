"""`turngate bless`: a gold path from an episode that a person found right."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.names import find_episode
from harness.cli.out import console
from harness.cli.places import open_store
from harness.drafts.edit import CannotEdit, replace_key
from harness.drafts.scenario import gold_steps
from harness.model.status import Status
from harness.reports.conversation import episode_page
from harness.reports.printable import printable
from harness.store.records import Label


def bless(name: str, yes: bool, place: str | None) -> int:
    """Show the episode, ask, write its gold path into the scenario's file, and keep who said so."""
    out = console()
    with open_store(place, must_exist=True) as store:
        episode = find_episode(store, name)
        scored = store.scored_episode(episode.key)
        scenario = store.material(episode.key.run, episode.key.item).scenario
        if scored is None or scenario.at is None:
            raise UserError(f"{name}: the episode has no scores, or its scenario no file")
        out.print(episode_page(episode, scored))
        if scored.verdict.status is not Status.PASSED:
            status = scored.verdict.status.value.replace("_", " ")
            out.print(f"This episode is {status}: {printable(scored.verdict.reason)}")
        if not yes and not _agreed(f"Is this how {scenario.id} should go? [y/N] "):
            out.print("nothing was written")
            return Exit.PASSED
        file = Path(scenario.at.file)
        try:
            replace_key(file, scenario.id, "gold", gold_steps(episode))
        except CannotEdit as error:
            raise UserError(str(error)) from None
        except OSError as error:
            raise UserError(f"{file}: {error.strerror}: bless from the folder that the run was made in") from None
        store.label(episode.key, Label(_who(), datetime.now(UTC), "passed", "blessed as gold path"))
    out.print(f"wrote the gold path of {scenario.id} into {file}")
    return Exit.PASSED


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"  # in a container the user need not have a name


def _agreed(question: str) -> bool:
    try:
        return console().input(question, markup=False).strip().lower() in ("y", "yes")
    except EOFError:
        return False
