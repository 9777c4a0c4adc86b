"""The recogniser against labelled replies: precision and recall by kind.

A label is `slot:NAME`, an ask kind, `closing` or `refusal`. `a|b`: either reading is right. `a?`: may be recognised or
not, it is counted neither way. Run as `python -m tests.harness.users.measure` it prints the table and the misses of a
split: `dev`, `test`, `es` or `zh`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.model.episode import AskKind
from harness.users.recognise import Recognition, SlotBook, recognise

LABELS = Path(__file__).with_name("data") / "asks_labels.jsonl"
KINDS = ("slot", "proposal", "choice", "readback", "other", "closing", "refusal")


@dataclass
class Table:
    """Hits, false alarms and misses by kind, with the replies in which something is wrong."""

    hit: Counter[str] = field(default_factory=Counter)
    alarm: Counter[str] = field(default_factory=Counter)
    miss: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, list[str], list[str], str]] = field(default_factory=list)
    replies: int = 0

    def precision(self, kind: str) -> float:
        found = self.hit[kind] + self.alarm[kind]
        return self.hit[kind] / found if found else 1.0

    def recall(self, kind: str) -> float:
        there = self.hit[kind] + self.miss[kind]
        return self.hit[kind] / there if there else 1.0


def rows(split: str) -> list[dict[str, Any]]:
    with LABELS.open(encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["split"] == split]


def found(recognition: Recognition) -> set[str]:
    labels = {f"slot:{ask.slot}" for ask in recognition.asks if ask.slot and ask.kind is not AskKind.READBACK}
    labels |= {str(ask.kind) for ask in recognition.asks if ask.kind is not AskKind.SLOT}
    if recognition.closing:
        labels.add("closing")
    if recognition.refusal:
        labels.add("refusal")
    return labels


def measure(split: str) -> Table:
    table = Table()
    book = SlotBook.of({}, {})
    for row in rows(split):
        got = found(recognise(row["text"], book))
        table.replies += 1
        allowed: set[str] = set()
        missed: list[str] = []
        for label in row["labels"]:
            readings = label.rstrip("?").split("|")
            allowed.update(readings)
            if label.endswith("?"):
                continue
            right = [reading for reading in readings if reading in got]
            kind = (right or readings)[0].split(":")[0]
            if right:
                table.hit[kind] += 1
            else:
                table.miss[kind] += 1
                missed.append(label)
        alarms = sorted(got - allowed)
        table.alarm.update(label.split(":")[0] for label in alarms)
        if missed or alarms:
            table.wrong.append((row["id"], missed, alarms, row["text"]))
    return table


def shown(table: Table) -> str:
    lines = [f"{table.replies} replies, {table.replies - len(table.wrong)} all right"]
    for kind in KINDS:
        n = table.hit[kind] + table.miss[kind]
        lines.append(f"{kind:10} n {n:4}  precision {table.precision(kind):.3f}  recall {table.recall(kind):.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    result = measure(sys.argv[1])
    for identity, missed, alarms, text in result.wrong if len(sys.argv) > 2 else []:
        print(f"## {identity} missed {missed} alarms {alarms}\n{text}\n")
    print(shown(result))
