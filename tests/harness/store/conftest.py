"""Stores to test with: an SQLite file, and a PostgreSQL server of the tests' own where one is installed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from harness.store.store import Store

_LOCAL = Path("/usr/lib/postgresql")


def _program(name: str) -> str | None:
    return shutil.which(name) or next((str(path) for path in sorted(_LOCAL.glob(f"*/bin/{name}"))), None)


@pytest.fixture(scope="session")
def postgresql():
    """The address of an empty PostgreSQL server; skips where there is no server, no driver, or no user to run it as."""
    psycopg = pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    initdb, server = _program("initdb"), _program("postgres")
    if initdb is None or server is None:
        pytest.skip("no PostgreSQL server is installed")
    # The server refuses to run as root.
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="turngate-pg-"))
    if user:
        try:
            shutil.chown(folder, "postgres", "postgres")
        except LookupError:
            pytest.skip("there is no user `postgres` to run the server as")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **user}
    made = [initdb, "-D", folder / "data", "-A", "trust", "-U", "turngate", "-E", "UTF8", "--no-sync"]
    subprocess.run(made, check=True, **quiet)
    options = ["-p", str(port), "-k", folder, "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"]
    process = subprocess.Popen([server, "-D", folder / "data", *options], **quiet)
    try:
        address = f"postgresql://turngate:hunter2@127.0.0.1:{port}/postgres"
        give_up = time.monotonic() + 60
        while True:
            # It takes connections before it is ready to serve them.
            try:
                psycopg.connect(address).close()
                break
            except psycopg.OperationalError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.05)
        yield address
    finally:
        # At once: a server that is asked to end writes out databases that are deleted next.
        process.send_signal(signal.SIGQUIT)
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgresql):
    """The address of a new database on that server."""
    import psycopg

    name = f"t{os.urandom(6).hex()}"
    with psycopg.connect(postgresql.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return postgresql.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """Where a new store is to be."""
    if request.param == "sqlite":
        return tmp_path / "store" / "turngate.db"
    return request.getfixturevalue("database")


@pytest.fixture
def store(place):
    with Store.open(place) as store:
        yield store
