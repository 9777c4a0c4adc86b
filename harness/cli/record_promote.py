"""`turngate record promote`: scenarios from recordings, written where the workflow has its own."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.cli.counting import counted
from harness.cli.exits import Exit, UserError, complain
from harness.cli.out import console
from harness.cli.record_scrub import safe, scrubber_of
from harness.cli.replay_sources import chosen
from harness.cli.replaying import setting_of
from harness.drafts.promotion.happened import CannotPromote
from harness.drafts.promotion.promote import Promoted, promote
from harness.drafts.promotion.trial import trial_in
from harness.model.recording import Recording
from harness.reports.printable import one_line, printable
from harness.reports.traces.words import many
from harness.runs.prepare import load_bundle
from harness.store.places import open_store
from harness.store.secret_places import secret_places
from harness.workflow.bundle import Bundle
from harness.workflow.find import SCENARIOS, shown
from harness.workflow.lint.ids import unsafe
from tools_sandbox.nearest import hint
from traces.capture import Tracing

_SHOWN = 5
"""Remarks, places and names that are written out; the file has all of them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as they are typed."""

    names: tuple[str, ...]
    where: tuple[str, ...]
    workflow: Path | None
    family: str | None
    name: str | None
    output: Path | None


@dataclass(slots=True)
class _Desk:
    """Where the drafts go. `written`: the ids of those that are there, by their file."""

    bundle: Bundle
    asked: Asked
    written: dict[str, Path] = field(default_factory=dict)

    def family(self, recording: Recording) -> str:
        """The one that is asked for; else that of the scenario it was played from; else the only one."""
        families = self.bundle.workflow.scenario_map
        played = recording.labels.get("family")
        if self.asked.family is not None:
            return self.asked.family
        if isinstance(played, str) and played in families:
            return played
        if len(families) == 1:
            return next(iter(families))
        raise CannotPromote(f"which family is it of? Give --family: {', '.join(families)}")

    def name(self, recording: Recording) -> str:
        """The id of its scenario. Raises CannotPromote if that can't be one."""
        name = self.asked.name or recording.id
        taken = {each.casefold() for each in (*self.bundle.scenarios, *self.written)}
        if name.casefold() in taken or (self.asked.output is None and self._own_file(name).exists()):
            raise CannotPromote(f"there is a scenario {name} already: --as NAME gives it another name")
        return name

    def write(self, promoted: Promoted) -> Path:
        """Put the draft into its file, which was not there before the command. Raises UserError."""
        file = self.asked.output or self._own_file(promoted.name)
        more = file in self.written.values()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a" if more else "x", encoding="utf-8") as handle:
                handle.write(f"\n{promoted.text}" if more else promoted.text)
        except FileExistsError:
            raise UserError(f"{file} is there already: name another file") from None
        except OSError as error:
            raise UserError(f"{file}: can't be written: {error.strerror}") from None
        self.written[promoted.name] = file
        return file

    def _own_file(self, name: str) -> Path:
        return self.bundle.root / SCENARIOS / f"{name}.yaml"


def promote_recordings(asked: Asked, place: str | None) -> int:
    """Write them, and say of each what it is good for; gives the exit code: 2 if one could not be promoted."""
    bundle = load_bundle(asked.workflow or Path(), played=False)
    _check(asked, bundle)
    desk, setting, trial = _Desk(bundle, asked), setting_of(bundle), trial_in(bundle, Tracing())
    errors, refused = console(stderr=True), 0
    with open_store(place, must_exist=True) as store:
        found = chosen(store, asked.names, asked.where, bundle.workflow.workflow)
        scrubber = scrubber_of(store, bundle, ())
        try:
            for recording in counted(found.recordings, "promoting recordings", errors):
                if not store.recordings.matching(recording.id):
                    recording = safe(scrubber, recording)
                try:
                    name = desk.name(recording)
                    _without_secrets(recording)
                    clock = bundle.clock or datetime.now(UTC)
                    promoted = promote(recording, name, desk.family(recording), setting, clock, trial)
                except CannotPromote as reason:
                    refused += 1
                    errors.print(f"{recording.id}: {printable(str(reason))}", style="red", soft_wrap=True)
                else:
                    _tell(promoted, desk.write(promoted))
        except KeyboardInterrupt:
            complain(f"interrupted: {many(len(desk.written), 'scenario')} written, and they stay", Exit.INTERRUPTED)
    if found.strangers:
        some = ", ".join(found.strangers[:3]) + (" …" if len(found.strangers) > 3 else "")
        errors.print(f"of another workflow, and left out: {len(found.strangers)} recordings, {some}", style="yellow")
    if not desk.written and not refused:
        raise UserError("no recording fits", Exit.WRONG if found.strangers else Exit.UNDECIDED)
    _next(desk)
    return Exit.WRONG if refused else Exit.PASSED


def _check(asked: Asked, bundle: Bundle) -> None:
    """Raises UserError for what can't be meant, before anything is read."""
    families = bundle.workflow.scenario_map
    if not asked.names and not asked.where:
        raise UserError("which recordings? Name some, or choose with --where, as in --where feedback=down")
    if asked.family is not None and asked.family not in families:
        raise UserError(f"--family {asked.family}: there is none of that name; {hint(asked.family, families)}")
    if asked.name is not None:
        if len(asked.names) != 1:
            raise UserError(f"--as {asked.name}: it names one scenario: name one recording with it")
        if reason := unsafe(asked.name):
            raise UserError(f"--as {asked.name}: that can't be a scenario's id: it {reason}")
    if asked.output is not None and asked.output.suffix not in (".yaml", ".yml"):
        raise UserError(f"-o {asked.output}: scenarios are written to a file whose name ends in .yaml")
    if asked.output is not None and asked.output.exists():
        raise UserError(f"-o {asked.output}: it is there already: name another file")


def _without_secrets(recording: Recording) -> None:
    if places := secret_places(recording):
        raise CannotPromote(f"a secret is in it: {', '.join(places[:_SHOWN])}: import it again, scrubbed")


def _tell(promoted: Promoted, file: Path) -> None:
    out = console()
    fate = "its gold path passes"
    if promoted.badly:
        fate = f"it ended badly ({one_line(promoted.badly, 80)}): mend what is expected, and write a gold path"
    elif promoted.fails:
        fate = f"what happened is no gold path: {one_line(promoted.fails, 300)}"
    elif promoted.missing:
        fate = f"its gold path passes, but without {one_line(', '.join(promoted.missing), 300)}: complete it"
    style = None if fate == "its gold path passes" else "yellow"
    out.print(f"wrote {printable(shown(file))}: {promoted.name}: {fate}", style=style, soft_wrap=True)
    for remark in promoted.remarks[:_SHOWN]:
        out.print(f"  {one_line(remark, 300)}", soft_wrap=True)
    if len(promoted.remarks) > _SHOWN:
        out.print(f"  and {len(promoted.remarks) - _SHOWN} more remarks: see the file")


def _next(desk: _Desk) -> None:
    """Check the files, and say how to go on. Raises Problems."""
    if not desk.written:
        return
    out, root = console(), desk.bundle.root
    home = root / SCENARIOS
    files = {file.resolve() for file in desk.written.values()}
    if not all(file.is_relative_to(home) for file in files):
        out.print(f"to play it, put it into {printable(shown(home))}", soft_wrap=True)
        return
    warnings = [each for each in load_bundle(root).warnings if Path(each.where.file).resolve() in files]
    for warning in warnings[:_SHOWN]:
        out.print(printable(str(warning)), style="yellow", soft_wrap=True)
    if len(warnings) > _SHOWN:
        out.print(f"and {len(warnings) - _SHOWN} more warnings: turngate lint {printable(shown(root))}")
    few = len(desk.written) <= _SHOWN
    only = [part for name in desk.written if few for part in ("--only", name)]
    again = shlex.join(["turngate", "run", shown(root), *only])
    out.print(f"look through what was written, then: {printable(again)}", soft_wrap=True)
