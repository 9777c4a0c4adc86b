"""`turngate traces receive`, as a process that exporters send to until Ctrl-C."""

from __future__ import annotations

import re
import signal
import socket
import stat
import subprocess
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import httpx
import pytest

from tests.harness.desk import command
from tests.harness.desk import environment as turngates_environment
from traces.log_record import LogRecord
from traces.otlp import encode, read_file
from traces.span import Span

SPAN = Span("1" * 32, "a" * 16, None, "chat", "client", 1, 2, {"gen_ai.operation.name": "chat"}, scope="app")
LOG = LogRecord("1" * 32, "a" * 16, 1, "gen_ai.choice", {"message": "Hello."}, scope="app")


@contextmanager
def receiving(folder, *options, **environment):
    """The process, its first lines, and its address."""
    process = subprocess.Popen(
        command("traces", "receive", "--port", 0, *options),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=turngates_environment() | environment,
    )
    try:
        process.head = process.stdout.readline() + process.stdout.readline()
        process.url = re.search(r"OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)", process.head)[1]
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process, number=signal.SIGINT):
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert err == ""
    return process.returncode, out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_comes_is_in_the_file_as_soon_as_it_is_acknowledged(tmp_path, number):
    with receiving(tmp_path) as process:
        assert httpx.post(f"{process.url}/v1/traces", json=encode.traces_data([SPAN])).status_code == 200
        assert list(read_file(tmp_path / "traces.jsonl")) == [SPAN]
        assert httpx.post(f"{process.url}/v1/logs", json=encode.logs_data([LOG])).status_code == 200
        code, out = ended(process, number)
    assert code == 0
    assert "1 span and 1 log record came into traces.jsonl" in out
    assert "turngate traces import traces.jsonl" in out
    assert list(read_file(tmp_path / "traces.jsonl")) == [SPAN, LOG]


def test_requests_that_are_not_all_there_are_no_trouble_when_it_ends(tmp_path):
    head = b"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with receiving(tmp_path) as process, ExitStack() as stack:
        for _ in range(50):
            address = "127.0.0.1", int(process.url.rpartition(":")[2])
            stack.enter_context(socket.create_connection(address)).sendall(head)
        code, out = ended(process)
    assert code == 0
    assert "0 spans and 0 log records" in out


def test_only_its_owner_can_read_what_is_not_masked_yet(tmp_path):
    with receiving(tmp_path):
        assert stat.filemode((tmp_path / "traces.jsonl").stat().st_mode) == "-rw-------"


def test_it_goes_on_with_a_file_be_it_one_that_was_cut_off(tmp_path):
    file = tmp_path / "some.jsonl"
    file.write_bytes(b'{"resourceSpans": [')
    with receiving(tmp_path, "-o", "some.jsonl") as process:
        httpx.post(f"{process.url}/v1/traces", json=encode.traces_data([SPAN]))
        ended(process)
    assert file.read_bytes().splitlines()[0] == b'{"resourceSpans": ['
    assert list(read_file(file))[-1] == SPAN


def sent(process, span):
    return httpx.post(f"{process.url}/v1/traces", json=encode.traces_data([span])).status_code


@pytest.mark.parametrize("away", ["deleted", "moved", "moved and made anew"])
def test_a_file_that_is_taken_away_is_made_anew(tmp_path, away):
    file, later = tmp_path / "traces.jsonl", replace(SPAN, span_id="b" * 16)
    with receiving(tmp_path) as process:
        assert sent(process, SPAN) == 200
        file.unlink() if away == "deleted" else file.rename(tmp_path / "old.jsonl")
        if away == "moved and made anew":
            file.write_text('{"resourceSpans": [')
        assert sent(process, later) == 200
        assert list(read_file(file))[-1] == later
        assert stat.filemode(file.stat().st_mode) == "-rw-------" or away == "moved and made anew"
        code, out = ended(process)
    assert code == 0
    assert "1 span and 0 log records came into traces.jsonl" in out
    assert "1 span and 0 log records came before, into a file that was moved or deleted meanwhile" in out


def test_that_all_is_gone_with_the_file_is_told(tmp_path):
    with receiving(tmp_path) as process:
        sent(process, SPAN)
        (tmp_path / "traces.jsonl").unlink()
        code, out = ended(process)
    assert code == 0
    assert "0 spans and 0 log records came into traces.jsonl" in out
    assert "1 span and 0 log records came before, into a file that was moved or deleted meanwhile" in out
    assert "traces import" not in out


def test_what_cannot_be_kept_is_to_be_sent_again(tmp_path):
    folder = tmp_path / "some"
    folder.mkdir()
    with receiving(tmp_path, "-o", "some/traces.jsonl") as process:
        (folder / "traces.jsonl").unlink()
        folder.rmdir()
        answer = httpx.post(f"{process.url}/v1/traces", json=encode.traces_data([SPAN]))
        assert answer.status_code == 503
        assert "Retry-After" in answer.headers
        folder.mkdir()
        assert sent(process, SPAN) == 200
        assert "1 span and" in ended(process)[1]
    assert list(read_file(folder / "traces.jsonl")) == [SPAN]


def test_where_others_reach_it_a_token_is_made_up_and_told(tmp_path):
    with receiving(tmp_path, "--host", "0.0.0.0") as process:
        told = process.stdout.readline()
        token = re.search(r"OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20(\S+)", told)[1]
        send = {"url": f"{process.url}/v1/traces", "json": encode.traces_data([SPAN])}
        assert httpx.post(**send).status_code == 401
        assert httpx.post(**send, headers={"Authorization": f"Bearer {token}"}).status_code == 200
        ended(process)
    assert len(token) >= 32


def test_the_variable_gives_the_token(tmp_path):
    with receiving(tmp_path, TURNGATE_OTLP_TOKEN="s3cret") as process:
        send = {"url": f"{process.url}/v1/traces", "json": {}}
        assert httpx.post(**send).status_code == 401
        assert httpx.post(**send, headers={"Authorization": "Bearer s3cret"}).status_code == 200


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--host", "300.1.1.1"), "--host 300.1.1.1 --port 0: "),
        (("--token", "two\nlines"), "--token: a token is a text of printable ASCII characters"),
        (("-o", "nowhere/t.jsonl"), "-o nowhere/t.jsonl: can't be written: No such file or directory"),
        (("-o", "."), "-o .: can't be written: Is a directory"),
    ],
)
def test_mistakes_are_told(cli, options, told):
    came = cli("traces", "receive", "--port", 0, *options)
    assert came.code == 2
    assert told in came.err


def test_a_port_that_is_taken_is_told_with_what_to_do(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        came = cli("traces", "receive", "--port", port)
    assert came.code == 2
    told = f"--port {port}: something else listens there already: end it, or take another port (--port 0: any"
    assert told in " ".join(came.err.split())
