"""Wordings: nothing blank is said, patterns can be read, and the gold path answers every message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from harness.model.expect import Words
from harness.model.source import Where
from harness.workflow.lint.subject import Report, Written
from harness.workflow.validate import Path
from tools_sandbox.like import BadPattern, SlowPattern, like

_OTHERS = re.compile(r"\\\\|\[\^[^\]]*\]")
"""What may stand in a pattern beside a line break without looking for one: an escaped backslash, `[^\\n]`."""
_LINE_BREAK = re.compile(r"\\[nrtfv]|[\n\r\t]")


def check_wording(written: Written, report: Report) -> None:
    """Blank texts, bad patterns, and gold paths that can't be right."""
    for text, path in _texts(written):
        if not text.strip():
            report.error(written.at(*path), "this text is blank", "write what is said or looked for, or take it out")
    for expect, path in written.expectations():
        for name in ("says", "never_says"):
            for number, words in enumerate(getattr(expect, name)):
                check_words(words, written.at(*path, name, number), report)
        if expect.by_turn is not None and expect.outcome is None:
            report.error(written.at(*path, "by_turn"), "`by_turn` goes with `outcome`", "name the outcome")
    _gold(written, report)


def check_words(words: Words, where: Where, report: Report) -> None:
    """Words that every message has, and patterns that can't be read."""
    for word, operand in words.match.tests.items():
        if not str(operand).strip():
            report.error(where, f"`{word}` of nothing fits every message", "write what must stand there")
        if word == "like":
            check_pattern(str(operand), where, report)


def check_pattern(pattern: str, where: Where, report: Report) -> None:
    """A regular expression that can't be read, takes too long, fits everything, or looks for a line break."""
    shown = f"`{pattern[:60]}`"
    try:
        fits = [like(pattern, text) for text in ("", "x")]
        for text in _trying(pattern):
            like(pattern, text)
    except BadPattern as error:
        report.error(where, f"{shown} is no regular expression: {error}", "such as `within \\d+ hours`")
    except SlowPattern as error:
        report.error(where, str(error))
    else:
        if None not in fits:
            report.error(where, f"{shown} fits every text", "write what must stand there, or `any`")
    if _LINE_BREAK.search(_OTHERS.sub("", pattern)):
        what = f"{shown} looks for a line break, and a pattern sees each run of white space as one blank"
        report.warn(where, what, "write `\\s` for any white space")


def _trying(pattern: str) -> Iterator[str]:
    """Texts that a pattern which can be slow is slow on: what it speaks of many times over, and then no match."""
    for char in islice(dict.fromkeys([*"a0 ", *re.findall(r"\w", pattern)]), 12):
        yield char * 100 + "\0"
    yield "".join(re.findall(r"[\w ]", pattern)) * 20 + "\0"


def _texts(written: Written) -> Iterator[tuple[str, Path]]:
    """What is said, and the phrases that the user listens for."""
    user = written.scenario.user
    for number, line in enumerate(user.turns):
        path = ("user", "turns", number)
        for place, text in enumerate(line.say):
            yield text, (*path, "say", place)
        for place, text in enumerate(line.when.reply if line.when else ()):
            yield text, (*path, "when", "reply", place)
    for slot, answer in user.answers.items():
        for place, text in enumerate(answer.asked):
            yield text, ("user", "answers", slot, "asked", place)
        if answer.say is not None:
            yield answer.say, ("user", "answers", slot, "say")
    for name in ("wants", "agrees_to", "declines"):
        for number, stance in enumerate(getattr(user, name)):
            for text in (stance.name, *stance.phrases):
                yield text, ("user", name, number)
    if user.otherwise is not None:
        yield user.otherwise, ("user", "otherwise")
    for number, step in enumerate(written.scenario.gold):
        if step.reply is not None:
            yield step.reply, ("gold", number, "reply")


def _gold(written: Written, report: Report) -> None:
    """One reply for each user message: no more than `max_turns`, no fewer than the lines that always come."""
    gold, user = written.scenario.gold, written.scenario.user
    if not gold:
        report.warn(written.at(), "there is no `gold` path, so nothing shows that this scenario can be passed")
        return
    replies = sum(step.reply is not None for step in gold)
    messages = sum(len(line.say) for line in user.turns if line.when is None)
    if gold[-1].reply is None:
        report.error(written.at("gold", len(gold) - 1), "the gold path ends with a call", "end it with a reply")
    elif replies < messages:
        what = f"the gold path has {replies} replies for at least {messages} messages of the user"
        report.warn(written.key_at("gold"), what, "write one reply for each user message")
    elif replies > user.max_turns:
        what = f"the gold path has {replies} replies, but the user says no more than {user.max_turns} messages"
        report.error(written.key_at("gold"), what, "write one reply for each user message, or raise `max_turns`")
