"""The third migration: the scores of an episode were rows of their own, and are one array in the row of its scoring."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, bindparam, text

from harness.store.codec import decode_text, encode_text

_AT_A_TIME = 500

_BEFORE = (
    "alter table scores rename to score_rows",
    "alter table scorings add column scores text not null default '[]'",
)
_AFTER = "drop table score_rows"

_VIEW = {
    "sqlite": """
        create view scores as select
            scorings.pk as scoring,
            json_extract(score.value, '$[0]') as metric,
            json_extract(score.value, '$[1]') as version,
            json_extract(score.value, '$[2]') as status,
            json_extract(score.value, '$[3]') as value,
            json_extract(score.value, '$[4]') as unit,
            json_extract(score.value, '$[5]') as reason
        from scorings, json_each(scorings.scores) as score
    """,
    "postgresql": """
        create view scores as select
            scorings.pk as scoring,
            score ->> 0 as metric,
            score ->> 1 as version,
            score ->> 2 as status,
            (score ->> 3)::numeric as value,
            score ->> 4 as unit,
            score ->> 5 as reason
        from scorings, json_array_elements(scorings.scores::json) as score
    """,
}
"""What people's own queries read."""


def join_scores(connection: Connection) -> None:
    """Write the scores of every scoring into its row, and what was behind each into its document."""
    for statement in _BEFORE:
        connection.exec_driver_sql(statement)
    pks = connection.exec_driver_sql("select pk from scorings order by pk").scalars().all()
    for first in range(0, len(pks), _AT_A_TIME):
        _join(connection, pks[first : first + _AT_A_TIME])
    connection.exec_driver_sql(_AFTER)
    connection.exec_driver_sql(_VIEW[connection.dialect.name])


def _join(connection: Connection, pks: Sequence[int]) -> None:
    some: BindParameter[Any] = bindparam("some", list(pks), expanding=True)
    blames = connection.execute(text("select pk, document from scorings where pk in :some").bindparams(some)).all()
    rows: dict[int, list[Row[Any]]] = {pk: [] for pk in pks}
    for row in connection.execute(text("select * from score_rows where scoring in :some").bindparams(some)):
        rows[row.scoring].append(row)
    joined = [{"row": blame.pk, **_joined(blame.document, rows[blame.pk])} for blame in blames]
    connection.execute(text("update scorings set scores = :scores, document = :document where pk = :row"), joined)


def _joined(blame: bytes, rows: list[Row[Any]]) -> dict[str, Any]:
    behind = [{} if row.document is None else json.loads(decode_text(row.document)) for row in rows]
    document = {
        **json.loads(decode_text(blame)),
        "findings": [each.get("findings", []) for each in behind],
        "details": [each.get("details", {}) for each in behind],
    }
    scores = [[row.metric, row.version, row.status, _number(row.value), row.unit, row.reason] for row in rows]
    return {"scores": json.dumps(scores), "document": encode_text(json.dumps(document))}


def _number(stored: str | None) -> Any:
    """A number, or money as text."""
    value = None if stored is None else json.loads(stored)
    return value["$decimal"] if isinstance(value, dict) else value
