"""What the user of a recorded conversation agreed to and declined, where what was done does not tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.model.episode import AskKind, Episode, Message
from harness.users.acts import Acts, best
from harness.users.assent import says_no
from harness.users.stance import proposed


def stance(episode: Episode, acts: Acts) -> dict[str, Any]:
    """`agrees_to` and `declines` of a scripted user, by names of tools. A scripted user wants the writes that are
    expected, so only tools count that were not called with success.
    """
    done = {call.tool for call in episode.calls if call.ok}
    said = [message for message in episode.messages if message.role == "user"]
    agreed = dict.fromkeys(tool for each in said if (tool := _agreed(each)) is not None and tool not in done)
    declined = dict.fromkeys(tool for each in said for tool in _refused(each, episode, acts) if tool not in done)
    return {
        **({"agrees_to": [*agreed]} if agreed else {}),
        **({"declines": [tool for tool in declined if tool not in agreed]} if declined.keys() - agreed.keys() else {}),
    }


def _agreed(message: Message) -> str | None:
    """The tool that a message says yes to, if its words leave no other."""
    consent = message.because.consent if message.because is not None else ()
    return consent[0] if len(consent) == 1 else None


def _refused(message: Message, episode: Episode, acts: Acts) -> Iterator[str]:
    """The tools that a message says no to."""
    if says_no(message.text):
        for reply in episode.agent_messages(message.turn - 1):
            for ask in reply.asks:
                if ask.kind is AskKind.PROPOSAL:
                    yield from best(acts.spoken_of(proposed(ask.quote)))
