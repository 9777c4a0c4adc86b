"""What is left of an episode when its words are purged: what came of it, by which metric, and who looked at it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from json.encoder import encode_basestring_ascii

from sqlalchemy import Connection, delete, select, update

from harness.model.failure import Evidence, Finding
from harness.store.codec import decode, decode_text, encode
from harness.store.portable_records import PURGED
from harness.store.rows import Behind
from harness.store.tables import episodes, labels, late_telemetry, scorings

_GONE = "purged"
"""What stands where a reason was, since some must have one."""


def purge_episodes(connection: Connection, pks: Sequence[int]) -> None:
    """Take the words out of attempts at episodes: the conversation with its calls and spans, what telemetry came late,
    and what scores, findings and labels quote of it. Status, figures and codes stay.
    """
    for pk in pks:
        document = connection.execute(select(episodes.c.document).where(episodes.c.pk == pk)).scalar_one()
        if document != PURGED:
            conversation = json.loads(decode_text(document))["conversation_id"]
            connection.execute(delete(late_telemetry).where(late_telemetry.c.conversation == conversation))
        connection.execute(update(episodes).where(episodes.c.pk == pk).values(document=PURGED))
        connection.execute(update(labels).where(labels.c.episode == pk).values(note=""))
        for row in connection.execute(select(scorings).where(scorings.c.episode == pk)).all():
            values = {
                "reason": _reason(row.reason),
                "scores": [[*score, _json_reason(reason)] for *score, reason in row.scores],
                "document": encode(_without_words(decode(Behind, row.document))),
            }
            connection.execute(update(scorings).where(scorings.c.pk == row.pk).values(values))


def _reason(text: str) -> str:
    return _GONE if text else ""


def _json_reason(written: str) -> str:
    return encode_basestring_ascii(_reason(json.loads(written)))


def _without_words(behind: Behind) -> Behind:
    return Behind(
        tuple(tuple(map(_bare, findings)) for findings in behind.findings),
        tuple({} for _ in behind.details),
        None if behind.primary is None else _bare(behind.primary),
        tuple(map(_bare, behind.secondary)),
        tuple(map(_bare, behind.slips)),
        None,
    )


def _bare(finding: Finding) -> Finding:
    """A finding without the words that it quotes. A state path may have a person's key in it."""
    evidence = Evidence(turn=finding.evidence.turn, where=finding.evidence.where)
    return replace(finding, text=_GONE, evidence=evidence, expected=None, actual=None)
