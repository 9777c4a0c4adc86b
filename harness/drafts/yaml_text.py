"""Values as YAML that a person can go on editing, and that the strict loader reads back as the same values."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import yaml

from harness.model.source import Scalar, Where, free

_NOWHERE = Where("", 1)
_WIDTH = 110
_LONE = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no file can hold."""
_MATCHERS = ("any", "absent")
"""Plain, these words stand for matchers; quoted they are text."""


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
    plain = value not in _MATCHERS and free(Scalar(value, True, _NOWHERE)) == value and value.isprintable()
    quoted = not plain or ": " in value or " #" in value
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"' if quoted else None)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    Flow, lambda dumper, value: dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)
)
_Dumper.add_representer(Decimal, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:float", str(value)))


def to_yaml(value: Any, indent: int = 0) -> str:
    """A JSON value (with Decimals) as block YAML, every line `indent` spaces in; ends with a line break."""
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=False)
    pad = " " * indent
    return "".join(f"{pad}{line}\n" if line else "\n" for line in text.removesuffix("\n").split("\n"))
