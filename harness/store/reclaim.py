"""Giving back what was deleted, so that it is in no file of the database any more."""

from __future__ import annotations

from sqlalchemy import Engine

from harness.store.problem import StoreProblem, told

_TABLES = (
    "episodes",
    "scorings",
    "labels",
    "late_telemetry",
    "texts",
    "conversations",
    "conversation_traces",
    "waiting_judgements",
    "recordings",
    "replayed",
)


def reclaim(engine: Engine, where: str) -> None:
    """Write the database anew without what was deleted, its log too. Raises StoreProblem where another process keeps it
    from being done.
    """
    with told(where), engine.connect() as connection:
        raw = connection.execution_options(isolation_level="AUTOCOMMIT")
        if raw.dialect.name == "postgresql":
            for table in _TABLES:
                raw.exec_driver_sql(f"vacuum full {table}")
            return
        driver = raw.connection.driver_connection
        if driver is None:
            raise StoreProblem(f"{where}: there is no connection")
        driver.rollback()
        driver.execute("vacuum")
        busy, *_ = driver.execute("pragma wal_checkpoint(truncate)").fetchone()
    if busy:
        raise StoreProblem(
            f"{where}: what was purged can't be read from it any more, but is still in its log ({where}-wal), since "
            "another process is using it: run the command again when it has ended"
        )
