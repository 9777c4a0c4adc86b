"""Parts chained by hash: each link covers all before it, so that none can be altered, taken out, added or moved unseen.

The first link stands on the SHA-256 of the schema's name. A link is the SHA-256 of three lines: the link before it, the
name of the part, and the SHA-256 of its bytes (all hex, each line ended by a newline). The last link is the head:
whoever noted it can tell a bundle that was made anew, which no chain shows by itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SCHEMA = "turngate.evidence/1"
MANIFEST = "manifest.json"
PARTS = (
    "verdict.json",
    "rules.json",
    "exemptions.json",
    "labels.json",
    "versions.json",
    "digests.json",
    "episodes.jsonl",
)
"""The parts of a bundle, in their order."""


class BrokenEvidence(Exception):
    """The evidence is not as it was written; the text names the first part that is not, and how."""


@dataclass(frozen=True, slots=True)
class Link:
    """One part in the chain: its name, the SHA-256 of its bytes, and the link."""

    part: str
    sha256: str
    link: str


def canonical(value: Any) -> bytes:
    """JSON as it is hashed: keys sorted, no spaces, ASCII, one newline at the end."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


def manifest(parts: Mapping[str, bytes]) -> bytes:
    """The manifest of parts: the chain, written down."""
    links = [{"part": each.part, "sha256": each.sha256, "link": each.link} for each in chain(parts)]
    return canonical({"schema": SCHEMA, "parts": links})


def chain(parts: Mapping[str, bytes]) -> Iterator[Link]:
    """The links of the parts that there are, in their order."""
    before = _digest(SCHEMA.encode())
    for name in PARTS:
        sha256 = _digest(parts[name])
        before = _digest(f"{before}\n{name}\n{sha256}\n".encode())
        yield Link(name, sha256, before)


def head(parts: Mapping[str, bytes]) -> str:
    """The last link."""
    return [each.link for each in chain(parts)][-1]


def verify(bundle: Mapping[str, bytes]) -> str:
    """The head of a bundle, its files by name, that is as it was written. Raises BrokenEvidence."""
    told = _told(bundle)
    for number, name in enumerate(PARTS):
        if number >= len(told):
            raise BrokenEvidence(f"{name} is missing: the manifest ends before it")
        if told[number].part != name:
            raise BrokenEvidence(_misplaced(told, number))
    if len(told) > len(PARTS):
        raise BrokenEvidence(f"{told[len(PARTS)].part} was added to the manifest")
    links = chain(bundle)
    for link in told:
        if link.part not in bundle:
            raise BrokenEvidence(f"{link.part} is missing")
        found = next(links)
        if link.sha256 != found.sha256:
            both = f"its SHA-256 is {found.sha256[:12]}…, not {link.sha256[:12]}…"
            raise BrokenEvidence(f"{link.part} was altered: {both}")
        if link.link != found.link:
            raise BrokenEvidence(f"{MANIFEST} was altered: the link of {link.part} does not follow from what is before")
    if strange := sorted(set(bundle) - {*PARTS, MANIFEST}):
        raise BrokenEvidence(f"{strange[0]} was added")
    if bundle[MANIFEST] != manifest(bundle):
        raise BrokenEvidence(f"{MANIFEST} was altered: there is more in it than the chain, or it is written otherwise")
    return told[-1].link


def _told(bundle: Mapping[str, bytes]) -> list[Link]:
    if MANIFEST not in bundle:
        raise BrokenEvidence(f"{MANIFEST} is missing")
    try:
        value = json.loads(bundle[MANIFEST])
        schema = value["schema"]
        links = [Link(str(each["part"]), str(each["sha256"]), str(each["link"])) for each in value["parts"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BrokenEvidence(f"{MANIFEST} was altered: it is no manifest") from None
    if schema != SCHEMA:
        raise BrokenEvidence(f"{MANIFEST} is written in {str(schema)[:40]!r}, and this turngate verifies {SCHEMA}")
    return links


def _misplaced(told: list[Link], number: int) -> str:
    """What stands in the manifest where another part belongs."""
    name, there = PARTS[number], told[number].part
    if name in {each.part for each in told}:
        what = "was added to the manifest" if there not in PARTS else "was moved"
        return f"{there} {what}: it stands where {name} belongs"
    return f"{name} is missing in the manifest: {there} stands where it belongs"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
