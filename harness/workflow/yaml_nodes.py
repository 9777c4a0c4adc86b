"""YAML as data with places: nothing is guessed, and what could be misread is refused.

Built on PyYAML's events, so that every scalar keeps its source text and whether it was quoted. Refused: duplicate
keys, merge keys, tags, keys that are no text, several documents, tabs as indentation, control characters, text that is
not UTF-8, aliases that blow up, and text that a comment would silently cut. A BOM and CRLF line ends are fine.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from harness.model.source import RESERVED, Mapping, Scalar, Sequence, Where
from harness.workflow.problems import Problem, Problems

Node = Scalar | Mapping | Sequence

MAX_DEPTH = 60
MAX_ALIASED = 10_000
"""How many nodes all aliases of a file may stand for together."""

_UNREADABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Control characters, and the breaks (U+0085, U+2028, U+2029) that YAML would turn into blanks."""
_COMMENT = re.compile(r"([ \t]+)#(\S?)")
_QUOTE = "quote the sentence"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The reader of YAML's events; the one in C and the one in Python do not accept quite the same files."""


def read_text(path: Path, name: str) -> str:
    """The text of a UTF-8 file without BOM and with LF line ends; `name` is what problems call it.

    Raises Problems if it can't be read or isn't UTF-8.
    """
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Problems([Problem(Where(name, 1), f"can't be read: {reason}")]) from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Problems([Problem(Where(name, 1), "this is UTF-16, not UTF-8", do="save it as UTF-8")])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        where = Where(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        what = f"the byte 0x{error.object[error.start]:02X} is not UTF-8"
        raise Problems([Problem(where, what, do="save the file as UTF-8")]) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, name: str) -> Node:
    """The root node of a YAML text with LF line ends. Raises Problems with the first syntax error."""
    return _Parser(text, name).document()


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._open: set[str] = set()
        self._aliased = 0
        self._nodes = 0

    def document(self) -> Node:
        bad = _UNREADABLE.search(self._text)
        if bad:
            code = f"U+{ord(bad.group()):04X}"
            raise self._problem(
                bad.start(),
                f"the control character {code} can't stand in a file",
                "write it as an escape in double quotes",
            )
        events = self._events()
        root: Node | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    raise self._problem(
                        self._index(event), "a second document begins here", "use one file for each, or a list"
                    )
                root = self._node(next(events), events, 0)
        if root is None:
            raise self._problem(0, "the file is empty")
        return root

    def _events(self) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(self._text, Loader=LOADER)
        except yaml.MarkedYAMLError as error:
            raise self._syntax(error) from None
        except yaml.YAMLError as error:
            raise self._problem(0, f"this is no YAML: {error}") from None

    def _node(self, event: Any, events: Iterator[yaml.Event], depth: int) -> Node:
        self._nodes += 1
        start = self._index(event)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(str(event.anchor), start)
        if event.tag is not None:
            raise self._problem(
                start, f"tags such as `{self._word(start)}` are not read", "quote the text if it begins with `!`"
            )
        if depth > MAX_DEPTH:
            raise self._problem(start, f"nested more than {MAX_DEPTH} deep")
        before = self._nodes
        if event.anchor:
            self._open.add(event.anchor)
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(start, events, depth)
        else:
            node = self._mapping(start, events, depth)
        if event.anchor:
            self._open.discard(event.anchor)
            self._anchors[event.anchor] = (node, self._nodes - before + 1)
        return node

    def _alias(self, anchor: str, start: int) -> Node:
        if anchor in self._open:
            raise self._problem(start, f"`*{anchor}` stands inside what it repeats")
        if anchor not in self._anchors:
            raise self._problem(
                start, f"`*{anchor}` repeats nothing: there is no `&{anchor}` before it", f"{_QUOTE} if it is text"
            )
        node, size = self._anchors[anchor]
        self._aliased += size
        self._nodes += size
        if self._aliased > MAX_ALIASED:
            raise self._problem(start, f"the aliases of this file stand for more than {MAX_ALIASED} nodes")
        return node

    def _scalar(self, event: Any) -> Scalar:
        plain = not event.style
        if plain:
            self._refuse_cut_text(event.value, event.end_mark.index)
        return Scalar(event.value, plain, self._where(self._index(event)))

    def _refuse_cut_text(self, raw: str, end: int) -> None:
        """A comment right behind a plain text is taken for text: `Order #123`, `is broken # 3 times`. A comment is
        told by a blank after its `#` and, behind a sentence, by two blanks before it.
        """
        comment = _COMMENT.match(self._text, end)
        if comment and (comment[2] not in ("", "#") or (comment[1] == " " and " " in raw)):
            what = f"` #` begins a comment here, so only `{raw[-40:]}` would be read"
            raise self._problem(
                comment.start() + len(comment[1]),
                what,
                f"{_QUOTE}, or write two blanks before the comment and one after its `#`",
            )

    def _sequence(self, start: int, events: Iterator[yaml.Event], depth: int) -> Sequence:
        items = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, events, depth + 1))
        return Sequence(items, self._where(start))

    def _mapping(self, start: int, events: Iterator[yaml.Event], depth: int) -> Mapping:
        members: dict[str, Node] = {}
        keys_at: dict[str, Where] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event)
            at = self._where(self._index(event))
            if key in members:
                raise Problems(
                    [Problem(at, f"`{key}` is here twice, first in line {keys_at[key].line}", do="take one out")]
                )
            keys_at[key] = at
            members[key] = self._node(next(events), events, depth + 1)
        return Mapping(members, self._where(start), keys_at)

    def _key(self, event: Any) -> str:
        start = self._index(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise self._problem(
                start, "a key must be text", f"{_QUOTE} if it holds braces, brackets or begins with `*`"
            )
        if event.tag is not None or event.anchor is not None:
            raise self._problem(start, "a key takes no tag and no anchor", "quote it if it is text")
        if not event.style and event.value == "<<":
            raise self._problem(
                start, "merge keys (`<<`) are not read", "write the keys out, or use `variant_of` or `defaults`"
            )
        if event.value in RESERVED:
            raise self._problem(start, f"the key `{event.value}` is kept for the store", "call it something else")
        if not event.style and not event.value:
            raise self._problem(start, "a key is missing before `:`")
        return str(event.value)

    def _syntax(self, error: yaml.MarkedYAMLError) -> Problems:
        mark: Any = error.problem_mark or error.context_mark
        begin: Any = error.context_mark or mark
        problem = error.problem or str(error)
        index = min(mark.index, len(self._text))
        line_start = self._lines[self._where(index).line - 1]
        if "\t" in self._text[line_start : index + 1] and not self._text[line_start:index].strip():
            return self._problem(index, "a tab can't indent", "use blanks")
        if "mapping values are not allowed" in problem:
            return self._problem(index, "`: ` stands inside a text here, or the line is indented wrongly", _QUOTE)
        if "cannot start any token" in problem:
            return self._problem(index, f"a text can't begin with `{self._text[index : index + 1]}`", _QUOTE)
        if "expected alphabetic or numeric character" in problem:
            return self._problem(begin.index, f"a text can't begin with `{self._text[begin.index]}`", _QUOTE)
        if "unexpected end of stream" in problem and "quoted" in (error.context or ""):
            advice = "close it; a quote inside single quotes is written twice"
            return self._problem(begin.index, "this quotation is never closed", advice)
        if "could not find expected ':'" in problem:
            advice = "check its indentation, or quote the text"
            return self._problem(begin.index, "this line is neither `key: value` nor `- item`", advice)
        advice = "check the indentation; a text that begins with a quote, a brace or a bracket must be quoted whole"
        return self._problem(index, problem, advice)

    @staticmethod
    def _index(event: Any) -> int:
        return int(event.start_mark.index)

    def _word(self, start: int) -> str:
        return self._text[start : start + 40].split(None, 1)[0]

    def _where(self, index: int) -> Where:
        line = bisect_right(self._lines, index)
        return Where(self._name, line, index - self._lines[line - 1] + 1)

    def _problem(self, index: int, what: str, do: str | None = None) -> Problems:
        return Problems([Problem(self._where(index), what, do=do)])
