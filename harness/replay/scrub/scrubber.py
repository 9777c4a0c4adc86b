"""A recording without personal data: equal values stay equal in words, arguments, results and rows of state."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from harness.model.recording import RecordedCall, RecordedMessage, Recording
from harness.replay.scrub.known import Value, known_in
from harness.replay.scrub.nobodys import leaves
from harness.replay.scrub.stand_ins import Kind, StandIns, unaccented
from harness.replay.scrub.text import Found, found_in
from harness.store.mask import mask, mask_text

_MASKED = re.compile(r"\[masked:[0-9a-f]{4}\]")
_NUMBER = re.compile(r"(?<![\w])[+(]?\d(?:[ .()/-]{0,3}\d){6,18}(?!\w)")
_PHONE_DIGITS = 8


class Scrubber:
    """Replaces what is personal. `key`: secret; with the same one the same value has the same stand-in in every
    recording. `patterns`: what else is to be replaced, as ids. `keeps`: texts that are nobody's, such as those of the
    workflow's own start state, which a replay needs as they are.
    """

    def __init__(self, key: bytes, patterns: Iterable[re.Pattern[str]] = (), keeps: Collection[str] = ()) -> None:
        self._stand_ins = StandIns(key)
        self._patterns = tuple(patterns)
        self._keeps = frozenset(text.casefold() for text in keeps)

    def scrub(self, recording: Recording) -> Recording:
        """The recording with stand-ins, and how many values of each kind were replaced in `replaced`."""
        values = dict.fromkeys(self._values(recording))
        work = _Work(self._stand_ins, self._found, values, self._is_nobodys)
        return replace(
            recording,
            messages=[_message(message, work) for message in recording.messages],
            stray=[replace(each, told=work.text(each.told)) for each in recording.stray],
            speaker=None if recording.speaker is None else work.text(recording.speaker),
            snapshot=None if recording.snapshot is None else work.value(recording.snapshot),
            changes=None
            if recording.changes is None
            else [
                replace(each, key=work.text(each.key), before=work.value(each.before), after=work.value(each.after))
                for each in recording.changes
            ],
            feedback=[
                replace(each, label=work.text(each.label), explanation=work.text(each.explanation))
                for each in recording.feedback
            ],
            labels=work.value(recording.labels),
            flaws=[work.text(flaw) for flaw in recording.flaws],
            replaced=dict(sorted(work.replaced.items())),
        )

    def _values(self, recording: Recording) -> Iterator[Value]:
        """All that is personal somewhere in it, and so is everywhere. What a field tells counts before what a text
        looks like.
        """
        calls = list(recording.calls())
        structured = [
            *(value for call in calls for value in (call.arguments, call.result)),
            *(row for change in recording.changes or () for row in (change.before, change.after)),
            *((recording.snapshot or {}).values()),
            recording.labels,
        ]
        told = [
            *(message.text for message in recording.messages if message.role == "user"),
            *(call.error for call in calls),
            *(call.raw for call in calls if call.arguments is None),
            *(each.told for each in recording.stray),
        ]
        for value in (*structured, *told):
            yield from (found for found in known_in(value) if not self._is_nobodys(found[1]))
        for text in _texts(recording, structured):
            yield from ((each.kind, text[each.start : each.end]) for each in self._found(text))

    def _found(self, text: str) -> Iterator[Found]:
        told = (Found("id", *each.span()) for pattern in self._patterns for each in pattern.finditer(text))
        for found in (*told, *found_in(text)):
            if found.end > found.start and not self._is_nobodys(text[found.start : found.end]):
                yield found

    def _is_nobodys(self, value: str) -> bool:
        """Whether it is kept, be it word by word: a state has first and last names in fields of their own."""
        plain = value.casefold()
        return plain in self._keeps or all(word in self._keeps for word in plain.split())


class _Work:
    """The texts of one recording, one after the other."""

    def __init__(
        self,
        stand_ins: StandIns,
        find: Callable[[str], Iterator[Found]],
        values: Iterable[Value],
        is_nobodys: Callable[[str], bool],
    ) -> None:
        self.replaced: Counter[str] = Counter()
        self._stand_ins = stand_ins
        self._find = find
        self._kinds: dict[str, Kind] = {}
        self._exact: dict[str, Kind] = {}
        self._phones: set[str] = set()
        self._is_nobodys = is_nobodys
        for kind, value in values:
            self._know(kind, value)
        self._known = _any_of(self._kinds, re.IGNORECASE)
        self._words = _any_of(self._exact, re.NOFLAG)

    def text(self, text: Any) -> Any:
        """A text with stand-ins; None stays None."""
        if not isinstance(text, str):
            return text
        text = mask_text(text)
        self.replaced.update({"credential": count} if (count := len(_MASKED.findall(text))) else {})
        parts, last = [], 0
        for found in self._chosen(text):
            parts += [text[last : found.start], self._stand_in(found.kind, text[found.start : found.end])]
            last = found.end
            self.replaced[found.kind] += 1
        return "".join([*parts, text[last:]])

    def value(self, value: Any) -> Any:
        """A JSON value with stand-ins in its texts, names of fields and whole numbers; what a field says is a secret is
        masked whole.
        """
        return self._without(mask(value))

    def both(self, text: str | None, value: Any) -> tuple[str | None, Any]:
        """A text and the value in it, which say the same afterwards if they did before."""
        alike = value is not None and _read(text) == value
        if alike and (masked := mask(value)) != value:
            text = json.dumps(masked, ensure_ascii=False)
        scrubbed = self.text(text)
        if alike and (read := _read(scrubbed)) is not None:
            return scrubbed, read
        return scrubbed, scrubbed if isinstance(value, str) and value == text else self.value(value)

    def _without(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return [self._without(member) for member in value]
        if isinstance(value, Mapping):
            return {self.text(name): self._without(member) for name, member in value.items()}
        if isinstance(value, int) and not isinstance(value, bool) and str(value).casefold() in self._kinds:
            scrubbed = self.text(str(value))
            return int(scrubbed) if scrubbed.isdigit() else scrubbed
        return value

    def _know(self, kind: Kind, value: str) -> None:
        words = value.split()
        if kind == "name":
            # A word alone is a name only in the case of one: "Rose", "ROSE", not "rose".
            for word in (each for each in words if len(each.strip(".")) > 1 and not self._is_nobodys(each)):
                for form in {word, word.upper(), unaccented(word), unaccented(word).upper()}:
                    self._exact.update(dict.fromkeys(_written(form), kind))
        if kind != "name" or len(words) > 1:
            plain = {value, unaccented(value)} if kind == "name" else {value}
            for form in (form for each in plain for form in _written(each)):
                self._kinds.setdefault(form.casefold(), kind)
        if kind == "phone":
            self._phones.add(re.sub(r"\D", "", value)[-_PHONE_DIGITS:])

    def _chosen(self, text: str) -> list[Found]:
        """What to replace, in order: of two that overlap the longer, of two as long what is known from a field."""
        found = [Found(self._kinds[each[0].casefold()], *each.span()) for each in _matches(self._known, text)]
        found += [Found(self._exact[each[0]], *each.span()) for each in _matches(self._words, text)]
        found += self._find(text)
        if self._phones:
            numbers = ((re.sub(r"\D", "", each[0]), each) for each in _NUMBER.finditer(text))
            found += [Found("phone", *each.span()) for told, each in numbers if told[-_PHONE_DIGITS:] in self._phones]
        taken: list[Found] = []  # by their places, none over another: only its neighbours can be in the way of one more
        for one in sorted(found, key=lambda each: each.start - each.end):
            at = bisect(taken, one.start, key=lambda each: each.start)
            if (at == 0 or taken[at - 1].end <= one.start) and (at == len(taken) or one.end <= taken[at].start):
                taken.insert(at, one)
        return taken

    def _stand_in(self, kind: Kind, value: str) -> str:
        if "\\" in value:  # as it is written within JSON
            try:
                plain = json.loads(f'"{value}"')
            except ValueError:
                pass
            else:
                return json.dumps(self._stand_in(kind, plain), ensure_ascii=value.isascii())[1:-1]
        try:
            return self._stand_ins.of(kind, value)
        except ValueError:
            return self._stand_ins.of("id", value)


def _written(value: str) -> set[str]:
    """A value in a text, and as JSON writes it there."""
    return {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}


def _message(message: RecordedMessage, work: _Work) -> RecordedMessage:
    return replace(
        message,
        text=work.text(message.text),
        calls=tuple(_call(call, work) for call in message.calls),
        parts=tuple(work.value(list(message.parts))),
    )


def _call(call: RecordedCall, work: _Work) -> RecordedCall:
    raw, arguments = work.both(call.raw, call.arguments)
    told, result = work.both(call.told, call.result)
    return replace(
        call,
        raw=raw,
        arguments=arguments,
        flaw=work.text(call.flaw),
        told=told,
        result=result,
        error=work.text(call.error),
    )


def _read(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None


def _texts(recording: Recording, structured: Iterable[Any]) -> Iterator[str]:
    for message in recording.messages:
        yield message.text or ""
        for call in message.calls:
            yield from (text for text in (call.raw, call.told, call.error) if text)
    yield from (each.told for each in recording.stray)
    yield from (text for value in structured for text in leaves(value))


def _any_of(values: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str] | None:
    """Any of these as a whole word, the longest that fits."""
    found = sorted(filter(None, values), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)", flags) if found else None


def _matches(pattern: re.Pattern[str] | None, text: str) -> Iterator[re.Match[str]]:
    return iter(()) if pattern is None else pattern.finditer(text)
