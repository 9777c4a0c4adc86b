from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from collections import Counter
from textwrap import dedent, indent

import psutil
import pytest

from harness.agents.loop import run
from harness.agents.problem import AgentProblem
from harness.episodes.task import Limits
from harness.model.result import Decision
from harness.model.status import Status
from harness.runs.local import pool, process
from harness.runs.local.orders import Load
from harness.runs.local.supervisor import Local
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import Progress, rehearse
from harness.store.store import Store
from tests.harness.desk import WORKFLOW, scenario, write

GIB = 2**30
HONEST = """
def agent(message):
    return "Hello."
"""
THREE = "".join(scenario(f"Hi, I am {name}.", id=name) for name in ("one", "two", "three"))


def bundle_of(folder, agent, scenarios=THREE, workflow=WORKFLOW):
    path = write(folder / "bundle", workflow=workflow, scenarios=scenarios, agent=agent)
    return load_bundle(path), Load(str(path), None)


def rehearsed(folder, agent, *, workers=1, memory=4 * GIB, told=None, scenarios=THREE, workflow=WORKFLOW, **settings):
    """Gives the store and what came of a run in worker processes."""
    bundle, load = bundle_of(folder, agent, scenarios, workflow)
    store = Store.open(folder / "store.db")

    async def played():
        async with Local(load, workers, memory) as local:
            return await rehearse(bundle, local, store, Settings(**settings), told)

    return store, run(played())


def ends(store, finished):
    """How the episodes ended, by scenario and trial."""
    return {(each.key.item, each.key.trial): each.end for each in store.episodes(finished.run.id)}


def test_what_is_played_in_workers_is_what_is_played_here(tmp_path):
    store, finished = rehearsed(
        tmp_path, HONEST, workers=2, concurrency=4, trials=4, workflow=WORKFLOW.replace("trials: 2", "trials: 4")
    )
    assert finished.verdict.decision is Decision.PASSED
    assert {result.verdict.status for result in finished.results if result.verdict} == {Status.PASSED}
    # Two trials agree, so the others are spared, as in the calling process.
    assert Counter(result.state for result in finished.results) == {"played": 6, "spared": 6}
    assert all(end.kind == "script_done" for end in ends(store, finished).values())


BAD = {
    "ends the process": ("import os; os._exit(0)", "the agent's process ended itself with exit code 0"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "the agent's process was killed by SIGKILL (out of memory?)"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "the agent's process was killed by SIGSEGV"),
    "blocks the loop": ("while True: pass", "the agent blocked the event loop for more than 1 s"),
    "blocks it in a callback": (
        "asyncio.get_running_loop().call_soon(spin); await asyncio.sleep(1)",
        "the agent blocked the event loop for more than 1 s",
    ),
    "blocks it in a thread's callback": (
        """
        import threading
        loop = asyncio.get_running_loop()
        threading.Thread(target=loop.call_soon_threadsafe, args=[spin]).start()
        await asyncio.sleep(1)
        """,
        "the agent blocked the event loop for more than 1 s",
    ),
    "sleeps in the loop": ("import time; time.sleep(60)", "the agent blocked the event loop for more than 1 s"),
    "swallows cancellation": (
        """
        while True:
            try: await asyncio.sleep(60)
            except BaseException: pass
        """,
        "turn 1 took longer than 1 s",
    ),
    "recurses": ("f = lambda: f(); f()", "RecursionError"),
    "eats memory": (
        """
        hoard = []
        while True:
            hoard.append(bytearray(b"x" * 10_000_000))
            await asyncio.sleep(0.01)
        """,
        "the agent's process took more than 0.5 GiB of memory",
    ),
    "stops the loop": ("asyncio.get_running_loop().stop()", "the agent tried to stop the event loop"),
    "closes the wire": ("import os; os.closerange(3, 100)", "the agent's process closed the connection to turngate"),
}
SOME_BAD = """
import asyncio

def spin():
    while True: pass

async def agent(message):
    if "two" not in message:
        await asyncio.sleep(0.05)
        return "Hello."
"""


@pytest.fixture
def impatient(monkeypatch):
    """A process whose line is closed is soon given up on."""
    monkeypatch.setattr(process, "_PATIENCE", 0.5)


@pytest.mark.parametrize("how", BAD)
def test_the_culprit_is_blamed_and_the_innocent_are_played(tmp_path, how, impatient):
    code, text = BAD[how]
    limits = Limits(turn_seconds=20 if how == "eats memory" else 1)
    agent = SOME_BAD + indent(dedent(code), "    ")
    store, finished = rehearsed(tmp_path, agent, memory=GIB // 2, trials=1, limits=limits)
    ended = ends(store, finished)
    assert ended["one", 1].kind == ended["three", 1].kind == "script_done"
    assert ended["two", 1].code == "FL4"
    assert text in ended["two", 1].text
    assert {result.key.item: result.code for result in finished.results} == {"one": None, "two": "FL4", "three": None}


def test_code_that_holds_the_interpreter_is_ended_too(tmp_path):
    agent = """
    import re
    async def agent(message):
        if "two" in message:
            re.match("(a+)+$", "a" * 60 + "b")
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1, limits=Limits(turn_seconds=0.5))
    ended = ends(store, finished)
    assert ended["one", 1].kind == ended["three", 1].kind == "script_done"
    assert "held the interpreter" in ended["two", 1].text
    assert ended["two", 1].place.endswith("in agent")


@pytest.mark.parametrize(("deaths", "code"), [(2, None), (3, "FL4")])
def test_a_kill_that_may_come_from_others_is_believed_when_it_is_repeated(tmp_path, deaths, code):
    agent = f"""
    import os, pathlib
    def agent(message):
        deaths = pathlib.Path({str(tmp_path / "deaths")!r})
        if not deaths.exists() or len(deaths.read_text()) < {deaths}:
            with deaths.open("a") as file:
                file.write("x")
            os.kill(os.getpid(), 9)
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1, scenarios=scenario("Hi."))
    (episode,) = store.episodes(finished.run.id)
    assert (episode.end.code, episode.attempt) == (code, 3)


@pytest.mark.parametrize(("deaths", "code"), [(2, None), (3, "X5")])
def test_a_process_that_ends_before_an_episode_begins_costs_that_episode_at_most(tmp_path, deaths, code):
    # Heap settling is the last thing that a worker does before it begins to play.
    agent = f"""
    import gc, os, pathlib
    deaths = pathlib.Path({str(tmp_path / "deaths")!r})
    def dies():
        if not deaths.exists() or len(deaths.read_text()) < {deaths}:
            with deaths.open("a") as file:
                file.write("x")
            os._exit(3)
    gc.freeze = dies
    def agent(message):
        return "Hello."
    """
    two = "".join(scenario("Hi.", id=name) for name in ("one", "two"))
    store, finished = rehearsed(tmp_path, agent, trials=1, concurrency=1, scenarios=two)
    ended = {each.key.item: each for each in store.episodes(finished.run.id)}
    assert (ended["one"].end.code, ended["one"].attempt) == (code, 3)
    assert ("exit code 3 before the episode began" in ended["one"].end.text) is (code is not None)
    assert ended["two"].end.kind == "script_done"
    (one, _) = finished.results
    assert (one.state, one.code) == ("played", code)


def test_what_was_said_until_then_is_kept(tmp_path):
    agent = """
    import os
    def agent(message, session):
        print("thinking")
        if "cancel" in message:
            session.call_tool("get_order", {"order_id": "O-1"}, None)
            return "It is paid."
        os._exit(3)
    """
    talk = scenario("Please cancel my order.", "What now?", id="one")
    store, finished = rehearsed(tmp_path, agent, trials=1, scenarios=talk)
    (episode,) = store.episodes(finished.run.id)
    assert [message.text for message in episode.messages] == ["Please cancel my order.", "It is paid.", "What now?"]
    assert [call.tool for call in episode.calls] == ["get_order"]
    assert episode.stdout == "thinking\n"
    assert episode.attempt == 2
    assert episode.spans_missing


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        ("import os; os._exit(0)", "the agent's process ended itself with exit code 0 while it was loaded"),
        ("print('hm'); import os; os._exit(5)", "exit code 5 while it was loaded"),
        ("raise ValueError('no key')", "ValueError: no key"),
        ("other = 1", "has no `agent`"),
    ],
)
def test_an_agent_that_cant_be_loaded_is_a_mistake_of_the_user(tmp_path, agent, text):
    with pytest.raises(AgentProblem, match=text):
        rehearsed(tmp_path, agent)
    assert Store.open(tmp_path / "store.db").runs() == []


def test_what_an_agent_prints_goes_to_its_episode_and_never_between_ours(tmp_path, capfd):
    agent = """
    import os, sys
    def agent(message):
        print("said", message)
        sys.stderr.write("warned\\n")
        os.write(1, b"raw\\n")
        os.system("echo child")
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    assert {episode.stderr for episode in store.episodes(finished.run.id)} == {"warned\n"}
    assert {episode.stdout for episode in store.episodes(finished.run.id)} == {
        f"said Hi, I am {name}.\n" for name in ("one", "two", "three")
    }
    assert capfd.readouterr() == ("", "")
    (stray,) = (note for note in finished.notes if note.startswith("printed outside any episode: "))
    assert "raw" in stray
    assert "child" in stray


def test_what_is_printed_while_loading_is_told_once_however_often_the_workers_are_opened(tmp_path):
    loaded = tmp_path / "loaded"
    told = f"import os\nos.write(2, b'loading')\nopen({str(loaded)!r}, 'a').write('.')\n"
    _, load = bundle_of(tmp_path, told + HONEST)

    async def noted():
        local = Local(load)
        for times in (1, 2):
            async with local:
                await local.version()
                while not loaded.exists() or loaded.stat().st_size < times:  # the second time the version is known
                    await asyncio.sleep(0.02)
        return local.notes

    assert run(noted())[-1] == 'printed outside any episode: "loading"'


def test_an_agent_reads_nothing_from_the_wire(tmp_path):
    agent = """
    import sys
    def agent(message):
        return f"Hello {sys.stdin.read()!r}."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    assert {each.messages[-1].text for each in store.episodes(finished.run.id)} == {"Hello ''."}


WRITES_ON_THE_WIRE = """
for each in range(3, 50):
    try:
        pipe = stat.S_ISFIFO(os.fstat(each).st_mode)
        if pipe and fcntl.fcntl(each, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
            os.write(each, {what})
    except OSError:
        pass
"""
LIES = {
    "no episode": "packed({'episode': True}, b'{\"key\": 1}')",
    "an episode without a record": "packed({'episode': True})",
    "no length": "b'I am only words, and more words'",
    "no message": "b'\\0\\0\\0\\2\\0\\0\\0\\0[]'",
}


@pytest.mark.parametrize("lie", LIES)
def test_an_agent_that_forges_what_its_process_says_has_failed(tmp_path, lie, impatient):
    agent = f"""
    import fcntl, os, stat
    from harness.runs.local.wire import packed

    def agent(message):
        if "two" in message:
            {indent(dedent(WRITES_ON_THE_WIRE), " " * 12).strip().format(what=LIES[lie])}
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    found = ends(store, finished)
    assert {name: end.kind for (name, _), end in found.items() if name != "two"} == {
        "one": "script_done",
        "three": "script_done",
    }
    assert found["two", 1].code == "FL4"
    assert "the agent's process " in found["two", 1].text


def test_a_record_of_another_episode_is_not_believed(tmp_path):
    agent = """
    from dataclasses import replace
    from harness.runs.local import worker

    written = worker.written

    def forged(episode):
        key = replace(episode.key, item="three") if episode.key.item == "two" else episode.key
        return written(replace(episode, key=key))

    worker.written = forged

    def agent(message):
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    found = ends(store, finished)
    assert (found["one", 1].kind, found["three", 1].kind) == ("script_done", "script_done")
    assert (found["two", 1].code, "said what turngate itself would not say" in found["two", 1].text) == ("FL4", True)


def test_whoever_calls_itself_blamed_and_dies_is_not_played_for_ever(tmp_path):
    agent = f"""
    import fcntl, os, stat
    from harness.runs.local.wire import packed

    def agent(message):
        if "two" in message:
            {indent(dedent(WRITES_ON_THE_WIRE), " " * 12).strip().format(what="packed({'blamed': True})")}
            os._exit(1)
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    found = ends(store, finished)
    assert {name: end.kind for (name, _), end in found.items()} == {
        "one": "script_done",
        "two": "agent_error",
        "three": "script_done",
    }


def test_a_process_that_is_stopped_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_PATIENCE", 2.0)
    agent = """
    import os, signal

    def agent(message):
        if "two" in message:
            os.kill(os.getpid(), signal.SIGSTOP)
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1, limits=Limits(turn_seconds=1))
    found = ends(store, finished)
    assert {name for (name, _), end in found.items() if end.kind == "script_done"} == {"one", "three"}
    assert found["two", 1].text == "the agent's process stood still for more than 3 s"


def test_a_process_that_had_nothing_to_do_for_long_is_not_ended_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_PATIENCE", 1.0)
    bundle, load = bundle_of(tmp_path, HONEST)
    store = Store.open(tmp_path / "store.db")

    async def played():
        async with Local(load) as local:
            await local.version()
            await asyncio.sleep(2.5)  # longer than it may say nothing once it plays
            return await rehearse(bundle, local, store, Settings(trials=1, limits=Limits(turn_seconds=1)))

    finished = run(played())
    assert {each.attempt for each in store.episodes(finished.run.id)} == {1}


def test_no_more_are_played_at_a_time_than_asked_for_whatever_the_workers(tmp_path):
    store, finished = rehearsed(tmp_path, SLOW, workers=3, concurrency=1, trials=1)
    times = sorted((episode.started, episode.ended) for episode in store.episodes(finished.run.id))
    assert len(times) == 3
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(times))


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_fork_ends_where_the_agents_turn_does(tmp_path, kind):
    agent = f"""
    import os, pathlib

    {kind} agent(message):
        if not os.fork():
            pathlib.Path({str(tmp_path)!r}, f"child-{{os.getpid()}}").touch()
            return "I am the child."
        return "Hello."
    """
    store, finished = rehearsed(tmp_path, agent, trials=1)
    assert {each.messages[-1].text for each in store.episodes(finished.run.id)} == {"Hello."}
    assert len(list(store.episodes(finished.run.id))) == 3
    children = [int(file.name.removeprefix("child-")) for file in tmp_path.glob("child-*")]
    assert len(children) == 3
    for _ in range(1200):
        if not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in children):
            break
        time.sleep(0.05)
    else:
        raise AssertionError("a child lives on")


def test_a_child_that_holds_the_pipes_does_not_hold_the_run(tmp_path):
    agent = f"""
    import os, pathlib, time

    def agent(message):
        if not os.fork():
            time.sleep(600)
            pathlib.Path({str(tmp_path)!r}, "over").touch()
        return "Hello."
    """
    _, finished = rehearsed(tmp_path, agent, trials=1)
    assert {result.state for result in finished.results} == {"played"}
    assert not (tmp_path / "over").exists()


def test_a_worker_that_is_done_ends_by_itself(tmp_path, monkeypatch):
    bundle, load = bundle_of(tmp_path, "import atexit, pathlib\natexit.register(pathlib.Path('left').touch)\n" + HONEST)
    store = Store.open(tmp_path / "store.db")

    async def played():
        async with Local(load) as local:
            await rehearse(bundle, local, store, Settings(trials=1))

    monkeypatch.chdir(tmp_path)
    run(played())
    assert (tmp_path / "left").exists()


def test_fail_fast_ends_it(tmp_path):
    bad = 'def agent(message):\n    raise ValueError("no")\n'
    many = "".join(scenario("Hi.", id=f"s{n}") for n in range(20))
    _, finished = rehearsed(tmp_path, bad, scenarios=many, trials=1, concurrency=2, fail_fast=True)
    states = Counter(result.state for result in finished.results)
    assert 1 <= states["played"] <= 2  # what was under way when the first had failed
    assert states["missing"] == 20 - states["played"]


class Stops(Progress):
    """Cancels the run at the so-many-th episode."""

    def __init__(self, at):
        self.left = at

    def played(self, episode):
        self.left -= 1
        if self.left == 0:
            asyncio.get_running_loop().call_soon(self.task.cancel)


SLOW = """
import asyncio
async def agent(message):
    await asyncio.sleep(0.05)
    return "Hello."
"""


def test_a_cancelled_run_keeps_what_was_played_and_is_gone_on_with(tmp_path):
    many = "".join(scenario("Hi.", id=f"s{n}") for n in range(12))
    bundle, load = bundle_of(tmp_path, SLOW, many)
    store = Store.open(tmp_path / "store.db")
    settings = Settings(trials=1, concurrency=2)

    async def interrupted():
        async with Local(load) as local:
            stops = Stops(3)
            stops.task = asyncio.create_task(rehearse(bundle, local, store, settings, stops))
            await asyncio.wait([stops.task])
            assert stops.task.cancelled()

    async def gone_on_with():
        async with Local(load) as local:
            return await rehearse(bundle, local, store, settings, resumed=store.latest())

    run(interrupted())
    (record,) = store.runs()
    assert record.status == "interrupted"
    kept = {episode.key: episode.started for episode in store.episodes(record.id)}
    assert 3 <= len(kept) < 12
    finished = run(gone_on_with())
    assert store.run(record.id).status == "done"
    assert {result.state for result in finished.results} == {"played"}
    assert {
        key: value for key, value in ((each.key, each.started) for each in store.episodes(record.id)) if key in kept
    } == kept
    assert {episode.attempt for episode in store.episodes(record.id)} == {1}


def test_workers_end_when_their_supervisor_is_killed(tmp_path):
    script = tmp_path / "main.py"
    script.write_text(
        "import asyncio, sys\n"
        "from harness.runs.local.orders import Load\n"
        "from harness.runs.local.pool import Pool\n"
        "async def main():\n"
        f"    async with Pool(Load({str(bundle_of(tmp_path, HONEST)[1].workflow)!r}, None), 2**40) as pool:\n"
        "        await pool.version()\n"
        "        print(*(process.pid for process in pool._processes), flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )

    async def killed():
        import sys

        from tests.harness.desk import environment

        main = await asyncio.create_subprocess_exec(
            sys.executable, str(script), stdout=asyncio.subprocess.PIPE, env=environment()
        )
        worker = int(await main.stdout.readline())
        main.kill()
        await main.wait()
        for _ in range(1200):
            try:
                os.kill(worker, 0)
            except ProcessLookupError:
                return
            await asyncio.sleep(0.05)
        os.kill(worker, signal.SIGKILL)
        raise AssertionError("the worker lives on")

    asyncio.run(killed())
