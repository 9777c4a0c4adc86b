"""Text from agents, tools and files, made harmless for a terminal, for XML, and for the log of a CI job."""

from __future__ import annotations

import re

# C0 and C1 controls (ESC starts a terminal's commands), marks that turn the direction of writing around, lone
# surrogates, what is no character at all (XML forbids it), and tag characters that hide text.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)


_COMMAND = re.compile(r"^([^\S\n]*)::|##\[", re.MULTILINE)


def commandless(text: str) -> str:
    r"""The text with what GitHub's runner would obey where a job prints it written out: `::` that begins a line, and
    `##[` (actions/runner, src/Runner.Common/ActionCommand.cs).
    """
    return _COMMAND.sub(lambda found: r"\x23#[" if found[1] is None else rf"{found[1]}\x3a:", text)


def printable(text: str, limit: int | None = None) -> str:
    r"""The text with everything that a terminal would obey written out (`\x1b`), cut to `limit` characters if any."""
    cut = text if limit is None or len(text) <= limit else text[: limit - 1] + "…"
    return _UNSAFE.sub(lambda found: _escaped(found.group()), cut)


def one_line(text: str, limit: int = 120) -> str:
    """The same on one line, white space folded."""
    return printable(" ".join(text[: 4 * limit].split()), limit)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def short(episode_id: str) -> str:
    """How an episode is named in a command: RUN/SCENARIO/TRIAL, where that says it all."""
    run, rest = episode_id.split("/", 1)
    _, item, trial, condition = rest.rsplit("/", 3)  # the version of an agent may have a slash in it
    return f"{run}/{item}/{trial}" if condition == "clean" else episode_id
