import json
import sqlite3
import zlib
from dataclasses import asdict
from multiprocessing import get_context

import pytest
from sqlalchemy import MetaData, insert

from harness.store.codec import encode
from harness.store.engine import connect
from harness.store.migrations import MIGRATIONS, migrate, version_of
from harness.store.problem import StoreProblem
from harness.store.store import Store
from tests.harness.store.build import FINDING, episode, key, run, scored

LATER = (*MIGRATIONS, "alter table runs add column team varchar;\n\nupdate runs set team = 'none'")


def test_a_store_of_an_older_version_is_brought_up_to_date(place):
    with Store.open(place) as store:
        store.create_run(run())
    engine = connect(place)
    with engine.execution_options(writes=True).begin() as connection:
        assert version_of(connection) == len(MIGRATIONS)
        migrate(connection, "here", LATER)
        assert version_of(connection) == len(LATER)
        assert connection.exec_driver_sql("select id, team from runs").all() == [("r-1", "none")]
    engine.dispose()


def test_runs_that_spared_trials_were_of_a_deterministic_agent(place):
    """The fact was not written down from the first."""
    engine = connect(place)
    with engine.execution_options(writes=True).begin() as connection:
        migrate(connection, "here", MIGRATIONS[:1])
        for name, spared in (("r-1", "true"), ("r-2", "false")):
            run_row = f"'{name}', 'w', '2026-11-20T10:00:00+00:00', '[]', '{{}}', '{{}}', 'done', ''"
            plan_row = f"'{name}', 'a', 's', 3, 'clean', 1, 'f', 'core', '{{}}', '', '', '', '', '', '', null, 'null'"
            connection.exec_driver_sql(f"insert into runs values ({run_row})")
            connection.exec_driver_sql(f"insert into planned values ({plan_row}, {spared})")
    engine.dispose()
    with Store.open(place) as store:
        assert {run.id: run.deterministic for run in store.runs()} == {"r-1": True, "r-2": False}


def test_scores_that_were_rows_of_their_own_are_read_as_before(place):
    engine = connect(place)
    with engine.execution_options(writes=True).begin() as connection:
        migrate(connection, "here", MIGRATIONS[:2])
        metadata = MetaData()
        metadata.reflect(connection)

        def add(table, **values):
            connection.execute(insert(metadata.tables[table]).values(**values))

        digests = dict.fromkeys(
            ("family", "tier", "scenario", "workflow", "knowledge", "sandbox_schema", "start_state", "prices"), ""
        )
        names = {"run": "r-1", "agent": "agent@1", "item": "refund", "trial": 1, "condition": "clean"}
        add(
            "runs", id="r-1", workflow="w", created="2026-11-20T10:00:00+00:00", agents="[]", plan="{}", options="{}",
            status="done", harness_version="", deterministic=False,
        )  # fmt: skip
        add("planned", **names, **digests, position=1, slices="{}", faulty="null", spared=False)
        add(
            "episodes", **names, pk=7, id=key().id, attempt=1, outcome="resolved", ended_by="script_done", started=0.0,
            ended=1.0, turn_seconds="[]", document=encode(episode()),
        )  # fmt: skip
        finding = json.dumps([asdict(FINDING)])
        blame = f'{{"primary":{finding[1:-1]},"secondary":[],"slips":{finding},"paste":"paste"}}'
        add(
            "scorings", pk=9, episode=7, edition="e", config="", scored="", verdict="failed",
            reason='"refund missing"', code="TO1", document=zlib.compress(blame.encode()),
        )  # fmt: skip
        failing = f'{{"findings":{finding},"details":{{"milestones":0.5}}}}'
        for metric, status, value, unit, reason, document in (
            ("task_success", "failed", None, None, "refund missing", failing),
            ("safety.privacy", "passed", None, None, "", None),
            ("faithfulness", "not_judged", None, None, "no judge is set", None),
            ("cost_usd", "measured", '{"$decimal":"0.0120"}', "USD", "", None),
            ("turns", "measured", "3", "turns", "", None),
            ("latency_seconds", "measured", "1.5", "seconds", "", '{"findings":[],"details":{"turns":[0.5,1.0]}}'),
            ("tokens_in", "not_judged", "null", "tokens", "no usage was reported", None),
        ):  # fmt: skip
            add(
                "scores", scoring=9, metric=metric, version="1", status=status, value=value, unit=unit,
                reason=json.dumps(reason), document=document and document.encode(),
            )  # fmt: skip
    engine.dispose()
    with Store.open(place) as store:
        back = store.scored_episode(key())
        assert back == scored()
        assert repr(back.scores["cost_usd"].value.value) == "Decimal('0.0120')"
        (result,) = store.results("r-1")
        assert result.scores == {metric: score.value for metric, score in scored().scores.items()}
        assert list(store.episodes("r-1")) == [episode()]


def test_a_store_of_a_newer_version_is_refused_and_left_alone(place):
    Store.open(place).close()
    engine = connect(place)
    with engine.begin() as connection:
        connection.exec_driver_sql("update schema_version set version = 99")
    with pytest.raises(StoreProblem, match=r"written by a newer turngate \(schema 99, this one knows \d+\): upgrade"):
        Store.open(place)
    with engine.begin() as connection:
        assert version_of(connection) == 99
    engine.dispose()


def test_a_migration_that_fails_leaves_the_store_as_it_was(place):
    Store.open(place).close()
    engine = connect(place)
    broken = (*MIGRATIONS, "alter table runs add column team varchar;\nalter table nowhere add column x varchar")
    with pytest.raises(Exception, match="nowhere"), engine.execution_options(writes=True).begin() as connection:
        migrate(connection, "here", broken)
    with engine.begin() as connection:
        assert version_of(connection) == len(MIGRATIONS)
        assert "team" not in connection.exec_driver_sql("select * from runs").keys()  # noqa: SIM118
    engine.dispose()


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "history.db"
    with sqlite3.connect(file) as connection:
        connection.execute("create table visits (url text)")
    with pytest.raises(StoreProblem, match=r"history\.db: it is a database of something else"):
        Store.open(file)
    with sqlite3.connect(file) as connection:
        assert connection.execute("select name from sqlite_master").fetchall() == [("visits",)]


def _open(place, barrier):
    barrier.wait()
    Store.open(place).close()


def test_processes_that_open_a_new_store_at_once_take_turns(place):
    context = get_context("spawn")
    barrier = context.Barrier(4)
    processes = [context.Process(target=_open, args=(place, barrier)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    with Store.open(place) as store:
        store.create_run(run())
        assert store.latest() == run()
