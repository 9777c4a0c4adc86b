"""Values as YAML that a person can go on editing, and that the strict loader reads back as the same values."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Any

import yaml

from harness.model.source import Scalar, Where, free

_NOWHERE = Where("", 1)
_WIDTH = 110
_LONE = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no file can hold."""
_MEANS_MORE = re.compile(r"any|absent|clock\b.*", re.DOTALL)
"""Plain, these texts stand for matchers and moments; quoted they are text."""


class Flow(dict[str, Any]):
    """A mapping that is written on one line, `{a: 1, b: 2}`."""


class _Dumper(yaml.SafeDumper):
    """YAML in block style, with quotes around every text that would else not be read as that text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        # Items of a list stand two columns in from their key.
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    value = _LONE.sub("\ufffd", value)
    plain = not _MEANS_MORE.fullmatch(value) and free(Scalar(value, True, _NOWHERE)) == value and value.isprintable()
    quoted = not plain or ": " in value or " #" in value
    # Lines stay lines where YAML lets them: not within one-line mappings, nor where one ends in a space.
    lines = "\n" in value and all(map(_shows, value))
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if lines else '"' if quoted else None)


def _shows(char: str) -> bool:
    return char.isprintable() or char == "\n" or unicodedata.category(char) == "Zs"


def _visible(char: str) -> str:
    """The character, or its escape: texts with such ones stand in double quotes."""
    if _shows(char):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    Flow, lambda dumper, value: dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)
)
_Dumper.add_representer(Decimal, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:float", str(value)))


def to_yaml(value: Any, indent: int = 0) -> str:
    r"""A JSON value (with Decimals) as block YAML, every line `indent` spaces in; ends with a line break. What can't be
    seen, or turns the direction of writing around, is written out (`\u202e`).
    """
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=False)
    if not text.isprintable():
        text = "".join(map(_visible, text))
    pad = " " * indent
    return "".join(f"{pad}{line}\n" if line else "\n" for line in text.removesuffix("\n").split("\n"))
