"""Values as the store keeps them: JSON, with credentials masked, compressed where it pays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any, TypeVar

from isal import isal_zlib
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from harness.store.mask import mask, mask_text, may_hold_secret

T = TypeVar("T")

_WORTH_COMPRESSING = 1024
_ZLIB = b"\x78"
"""First byte of every zlib stream; no JSON text begins with it."""


def _build(kind: Any) -> TypeAdapter[list[Any]]:
    # Of a list, for a dataclass by itself takes no setting, and its NaN would become null.
    return TypeAdapter(list[kind], config=ConfigDict(ser_json_inf_nan="constants"))


_adapter: Callable[[Any], TypeAdapter[list[Any]]] = cache(_build)
"""Building one takes milliseconds, so that it is done once a process."""


def written(value: Any) -> bytes:
    """A dataclass made of dataclasses and JSON values as JSON, nothing masked: for another process, not for a disk.

    A field's default is left out, and reads like a field that an older version did not have.
    """
    try:
        return _adapter(type(value)).dump_json([value], exclude_defaults=True, warnings=False)[1:-1]
    except PydanticSerializationError:  # a lone surrogate, which UTF-8 does not hold: escape it
        return json.dumps(asdict(value)).encode()


def encode(value: Any) -> bytes:
    """A dataclass made of dataclasses and JSON values, ready to be stored."""
    return stored(written(value))


def stored(text: bytes) -> bytes:
    """What was written, ready to be stored."""
    if may_hold_secret(text):
        text = _masked(json.loads(text))
    return _pack(text)


def _masked(value: Any) -> bytes:
    """Masked, in the form in which it is written, so that written again it stays the same."""
    value = mask(value)
    try:
        return to_json(value, inf_nan_mode="constants")
    except PydanticSerializationError:
        return json.dumps(value).encode()


def decode(kind: type[T], stored: bytes) -> T:
    """The inverse of all three. Raises pydantic's ValidationError for what is no `kind`, and ValueError for no JSON."""
    text = _unpack(stored)
    adapter: TypeAdapter[list[T]] = _adapter(kind)
    try:
        return adapter.validate_json(b"[%b]" % text)[0]
    except ValidationError:  # lone surrogates are read by the json module alone
        return adapter.validate_python([json.loads(text)])[0]


def encode_text(text: str) -> bytes:
    """A text, ready to be stored; secrets are looked for value by value where it is JSON."""
    if may_hold_secret(text.encode("utf-8", "replace")):
        try:
            text = json.dumps(mask(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
        except ValueError:
            text = mask_text(text)
    return _pack(text.encode("utf-8", "surrogatepass"))


def decode_text(stored: bytes) -> str:
    """The inverse."""
    return _unpack(stored).decode("utf-8", "surrogatepass")


def _pack(text: bytes) -> bytes:
    return isal_zlib.compress(text, 1) if len(text) > _WORTH_COMPRESSING or text.startswith(_ZLIB) else text


def _unpack(stored: bytes) -> bytes:
    return isal_zlib.decompress(stored) if stored.startswith(_ZLIB) else stored
