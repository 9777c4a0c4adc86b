"""What can befall a store: other processes, kill -9, full disks, read-only folders, wrong files."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from harness.store import engine
from harness.store.problem import StoreLost, StoreProblem
from harness.store.store import Store
from tests.harness.scoring import build as shop
from tests.harness.store.build import begun, episode, planned, run, scored
from tests.reference import ROOT

EACH = 40


def _play(place, item):
    with Store.open(place) as store:
        for trial in range(EACH):
            store.save(episode(item, trial), scored())


def test_processes_write_at_once_and_nothing_is_lost_or_doubled(place):
    items = ("a", "b", "c")
    with Store.open(place) as store:
        begun(store, *(planned(item, trial) for item in items for trial in range(EACH)))
    context = get_context("spawn")
    # One item is played by two processes, as if one had been taken for dead.
    processes = [context.Process(target=_play, args=(place, item)) for item in (*items, "a")]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 4
    with Store.open(place) as store:
        assert list(store.episodes("r-1")) == [episode(item, trial) for item in items for trial in range(EACH)]
        assert all(result.state == "played" and len(result.scores) == 7 for result in store.results("r-1"))


def test_threads_share_a_store(store):
    begun(store, *(planned("a", trial) for trial in range(60)))
    threads = [
        threading.Thread(
            target=lambda first=first: [store.save(episode("a", trial), scored()) for trial in range(first, 60, 3)]
        )
        for first in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(store.episodes("r-1"))) == 60


KILLED = """
import sys
from harness.store.store import Store
from tests.harness.store.build import episode, scored
store = Store.open(sys.argv[1])
for trial in range(100_000):
    store.save(episode("a", trial), scored())
    print(trial, flush=True)
"""


def test_what_was_stored_before_kill_9_is_whole(place):
    with Store.open(place) as store:
        begun(store, *(planned("a", trial) for trial in range(2000)))
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(place)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    seen = [int(process.stdout.readline()) for _ in range(25)]
    process.send_signal(signal.SIGKILL)
    seen += [int(line) for line in process.stdout]
    process.wait()
    with Store.open(place) as store:
        stored = list(store.episodes("r-1"))
        assert stored[: len(seen)] == [episode("a", trial) for trial in seen]
        assert len(stored) <= len(seen) + 1
        assert sum(result.state == "played" for result in store.results("r-1")) == len(stored)
        assert store.save(episode("a", len(stored)), scored()), "and the run goes on"


def test_a_lock_that_is_held_too_long_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_BUSY_SECONDS", 0.1)
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        store.create_run(run())
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("begin immediate")
        with pytest.raises(StoreProblem, match=r"turngate\.db: another process has been writing to it for too long"):
            store.finish("r-1", "done")
        assert store.latest() == run(), "reading goes on meanwhile"
        other.execute("rollback")
        store.finish("r-1", "done")


def test_a_writer_waits_for_its_turn(tmp_path):
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        store.create_run(run())
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        other.execute("begin immediate")
        over = threading.Event()
        release = threading.Timer(0.3, lambda: (over.set(), other.execute("commit")))
        release.start()
        store.finish("r-1", "done")
        assert over.is_set()
        release.join()


@pytest.mark.parametrize("content", [b"this is a text file, and no database at all\n" * 50, b"\x00" * 5000])
def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path, content):
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(StoreProblem, match=r"notes\.txt: it is no SQLite database"):
        Store.open(file)
    assert file.read_bytes() == content


def test_a_damaged_file_is_told(tmp_path):
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        begun(store, *(planned("a", trial) for trial in range(200)))
    content = bytearray(file.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(StoreProblem, match=r"turngate\.db: "), Store.open(file) as store:
        list(store.results("r-1"))


def test_a_folder_in_place_of_the_file_is_told(tmp_path):
    with pytest.raises(StoreProblem, match="this is a folder, and the store is a file"):
        Store.open(tmp_path)


def test_a_file_in_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "store").write_text("")
    with pytest.raises(StoreProblem, match="its folder can't be made"):
        Store.open(tmp_path / "store" / "turngate.db")


READ_ONLY = """
import os, sys
from harness.store.problem import StoreLost, StoreProblem
from harness.store.store import Store
from tests.harness.store.build import run
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    with Store.open(sys.argv[1]) as store:
        store.create_run(run())
except StoreProblem as problem:
    print(problem)
"""


@pytest.mark.parametrize("exists", [False, True])
def test_a_read_only_folder_is_told(tmp_path, exists):
    folder = tmp_path / "locked"
    folder.mkdir()
    file = folder / "turngate.db"
    if exists:
        Store.open(file).close()
        file.chmod(0o444)
    for path in (folder, tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o555 if path == folder else 0o755)
    done = subprocess.run([sys.executable, "-c", READ_ONLY, file], capture_output=True, text=True, check=True, cwd=ROOT)
    folder.chmod(0o755)
    assert done.stdout.startswith(f"{file}: ")
    assert "--store" in done.stdout
    assert "Traceback" not in done.stderr


FULL = """
import resource, signal, sys
from harness.store.problem import StoreLost, StoreProblem
from harness.store.store import Store
from tests.harness.store.build import episode, scored
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.open(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    for trial in range(2000):
        store.save(episode("a", trial), scored())
        print(trial, flush=True)
except StoreProblem as problem:
    print(problem)
"""


def test_a_disk_that_takes_no_more_is_told_and_what_was_stored_is_whole(tmp_path):
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        begun(store, *(planned("a", trial) for trial in range(300)))
    done = subprocess.run([sys.executable, "-c", FULL, file], capture_output=True, text=True, check=True, cwd=ROOT)
    *seen, problem = done.stdout.splitlines()
    assert problem.startswith(f"{file}: the dis")
    assert "what was stored before is whole" in problem
    with Store.open(file) as store:
        assert list(store.episodes("r-1")) == [episode("a", int(trial)) for trial in seen]


def test_a_full_database_is_told(tmp_path):
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        begun(store, *(planned("a", trial) for trial in range(300)))
        with store._engine.connect() as connection:
            pages = connection.exec_driver_sql("pragma page_count").scalar()
            connection.exec_driver_sql(f"pragma max_page_count = {pages + 5}")
        with pytest.raises(StoreProblem, match="the disk is full: make room"):
            store.save_many([(episode("a", trial), scored()) for trial in range(300)])
        assert list(store.episodes("r-1")) == [], "all of them or none"


def test_a_server_that_cannot_be_reached_is_told_without_the_password():
    pytest.importorskip("psycopg")
    with pytest.raises(StoreProblem, match=r"127\.0\.0\.1") as caught:
        Store.open("postgresql://ana:hunter2@127.0.0.1:1/turngate?connect_timeout=2")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("address", ["mysql://host/db", "sqlite://", "http://host/db"])
def test_other_databases_are_refused(address):
    with pytest.raises(StoreProblem, match=r"an SQLite file or a postgresql:// address"):
        Store.open(address)


def test_an_sqlite_address_is_a_file(tmp_path):
    Store.open(f"sqlite:///{tmp_path}/turngate.db").close()
    assert Path(tmp_path, "turngate.db").is_file()


def test_credentials_never_reach_the_file(tmp_path):
    secret = "sk-proj-4f9aB2cD8eF1"
    file = tmp_path / "turngate.db"
    with Store.open(file) as store:
        begun(store, options={"env": f"OPENAI_API_KEY={secret}"}, plan={"password": "correct horse"})
        said = f"the key is {secret}"
        odd = {"key": secret, "password": "correct horse", "deep": [{"raw": f'{{"x": "{secret}"}}'}]}
        played = episode(
            events=(said, shop.said(said), shop.call("get_order", odd, result=odd, raw=said, error=said)),
            stdout=said,
            stderr=f"Authorization: Bearer {secret}",
            notes=[said],
        )
        finding = replace(scored().primary, text=said, actual=said)
        one = replace(scored().scores["task_success"], findings=(finding,), details={"seen": said})
        store.save(played, replace(scored(), primary=finding, scores={"task_success": one}, paste=said))
        store.put_texts({"a": f"policy with {secret}", "b": f'{{"password": "correct horse", "x": "{secret}"}}'})
        (kept,) = store.episodes("r-1")
        assert kept.messages[0].text.startswith("the key is [masked:")
        assert kept.calls[0].arguments["key"] == kept.messages[0].text.removeprefix("the key is ")
        with store._transaction() as connection:
            dump = [
                str(row) for name in ("runs", "scores") for row in connection.exec_driver_sql(f"select * from {name}")
            ]
        everything = [
            repr(kept),
            repr(store.scored_episode(kept.key)),
            store.text("a"),
            store.text("b"),
            repr(store.runs()),
            *dump,
        ]
    assert not any(secret in text or "correct horse" in text for text in everything)
    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("loss", ["folder deleted", "file deleted", "moved", "replaced"])
def test_a_store_that_is_lost_while_in_use_is_told(tmp_path, loss):
    """SQLite itself writes on into the file that is no longer there."""
    folder = tmp_path / "kept"
    file = folder / "turngate.db"
    with Store.open(file) as store:
        begun(store)
        store.save(episode(), scored())
        if loss == "folder deleted":
            shutil.rmtree(folder)
        elif loss == "file deleted":
            file.unlink()
        elif loss == "moved":
            file.rename(folder / "other.db")
        else:
            (folder / "new").write_bytes(file.read_bytes())
            (folder / "new").replace(file)
        with pytest.raises(StoreLost, match=r"kept/turngate.db: the store was deleted, moved or replaced"):
            store.save(episode("b"), scored())
        with pytest.raises(StoreLost):
            list(store.results("r-1"))
        with pytest.raises(StoreLost):
            store.finish("r-1", "done")


def test_the_store_stays_where_it_is_when_the_process_changes_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    for place in ("turngate.db", "sqlite:///address.db"):
        with Store.open(place) as store:
            monkeypatch.chdir(tmp_path / "elsewhere")
            begun(store)
            store._engine.dispose()
            assert store.latest().id == "r-1"
            monkeypatch.chdir(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {"turngate.db", "address.db"}
    assert not list((tmp_path / "elsewhere").iterdir())
