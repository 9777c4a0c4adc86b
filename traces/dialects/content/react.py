"""Agents that reason and act in words (ReAct): calls, answers and replies are lines with labels in plain messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from traces.dialects.content.parts import asked
from traces.dialects.content.python_text import expression
from traces.dialects.facts import Answer, Message

_INPUT = "Action Input"
_LABEL = re.compile(rf"^(Thought|Action|{_INPUT}|Observation|(?:Final )?Answer):[ \t]*", re.MULTILINE)
_OBSERVED = "Observation:"
_OBJECT = "AttributedDict(["


def is_react(history: Sequence[Message]) -> bool:
    """Whether the first message of a history tells the model to act so."""
    return bool(history) and f"{_INPUT}:" in history[0].text


def acted(told: Sequence[Message]) -> tuple[Message, ...]:
    """The messages as they are meant. One may hold several steps, and what came back from the tools between them."""
    return tuple(meant for message in told for meant in _meant(message))


def _meant(message: Message) -> Iterator[Message]:
    text = message.text
    if message.role == "user" and text.startswith(_OBSERVED):
        yield _observation(text.removeprefix(_OBSERVED), message.cut)
    elif message.role == "assistant" and not message.calls and (labels := list(_LABEL.finditer(text))):
        yield from _steps(message, labels)
    else:
        yield message


def _steps(message: Message, labels: Sequence[re.Match[str]]) -> Iterator[Message]:
    text, name = message.text, ""
    thought = text[: labels[0].start()].strip()
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=True):
        body = text[label.end() : end].strip()
        match label[1]:
            case "Thought":
                thought = body
            case "Action":
                name = body
            case "Action Input":
                yield Message("assistant", thought, (asked(name, None, _plain(body)),), cut=message.cut)
                thought = ""
            case "Observation":
                yield _observation(body, message.cut)
            case _:
                yield Message("assistant", text[label.end() :].strip(), cut=message.cut)
                return
    if thought:
        yield Message("assistant", thought, cut=message.cut)


def _plain(text: str) -> str:
    """Arguments without the objects of its own that LlamaIndex writes down in histories."""
    if _OBJECT not in text:
        return text
    try:
        return ast.unparse(_Plain().visit(expression(text)))
    except (AttributeError, IndexError, RecursionError, ValueError):
        return text


class _Plain(ast.NodeTransformer):
    """Makes literals of objects that are written as a class with a list of pairs."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        pairs = [pair.elts for pair in node.args[0].elts]  # type: ignore[attr-defined]
        made = ast.Dict([pair[0] for pair in pairs], [pair[1] for pair in pairs])
        return self.generic_visit(made)


def _observation(text: str, cut: bool) -> Message:
    return Message("tool", answers=(Answer(None, text.strip()),), cut=cut)
