"""Personal data out of what is imported, with the key that is kept beside the store."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from harness.cli.exits import UserError
from harness.model.recording import Recording
from harness.replay.scrub.key import key_in
from harness.replay.scrub.nobodys import nobodys
from harness.replay.scrub.scrubber import Scrubber
from harness.store.places import DEFAULT_STORE
from harness.store.store import Store
from harness.workflow.bundle import Bundle


def scrubber_of(store: Store, bundle: Bundle | None, patterns: Sequence[str]) -> Scrubber:
    """The scrubber of a store. What stands in the start state and the policy of `bundle` is nobody's. Raises UserError
    for a pattern or a key that is none.
    """
    keeps = frozenset[str]() if bundle is None else nobodys(bundle.start.tables({}), bundle.knowledge)
    try:
        key = key_in(_folder(store))
    except ValueError as problem:
        raise UserError(str(problem)) from None
    return Scrubber(key, [_pattern(text) for text in patterns], keeps)


def safe(scrubber: Scrubber, recording: Recording) -> Recording:
    """The recording without personal data; as it is if it was played here, or scrubbed before. Raises UserError where
    the extra is not installed that finds such data.
    """
    played = recording.source.kind == "episode" and recording.seed is not None
    if played or recording.replaced is not None:
        return recording
    try:
        return scrubber.scrub(recording)
    except ModuleNotFoundError as error:
        raise UserError(
            f"scrubbing needs {error.name}: pip install 'turngate[pii]'; or give --no-scrub to store recordings as "
            "they are, with the personal data that is in them"
        ) from None


def _folder(store: Store) -> Path:
    place = store.place
    return (DEFAULT_STORE if isinstance(place, str) and "://" in place else Path(place)).absolute().parent


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise UserError(f"--scrub-id {text}: no pattern: {error}") from None
