from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages

from harness.model.recording import Recording
from harness.replay.recordings import Unread, of_saver, read

FILE = Path(__file__).parent / "data" / "threads.sqlite"
"""Two threads of a graph, written by SqliteSaver of langgraph-checkpoint-sqlite 3.1.2."""


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def graph(saver):
    made = StateGraph(State)
    made.add_node("answer", lambda state: {"messages": [AIMessage(f"{state['messages'][-1].content}!")]})
    made.add_edge(START, "answer")
    return made.compile(checkpointer=saver)


def talk(saver, thread, *texts):
    for text in texts:
        graph(saver).invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread}})


def told(recording):
    return [(each.role, each.text, each.turn) for each in recording.messages]


def test_the_threads_of_a_file():
    ana, ben = read(FILE)
    assert (ana.source.kind, ana.source.id, ben.source.id) == ("thread", "ana", "ben")
    assert told(ana) == [
        ("system", "Be kind.", 0),
        ("user", "Where is my order?", 1),
        ("agent", "Which order?", 1),
        ("user", "O-1", 2),
        ("agent", "", 2),
        ("agent", "On its way.", 2),
    ]
    (call,) = ana.calls()
    assert (call.raw, call.told) == ('{"order_id":  "O-1"}', '{"status": "shipped"}')
    (call,) = ben.calls()
    assert (call.arguments, call.error) == ({"order_id": "O-9"}, "no such order")
    assert ana.flaws == ben.flaws == []


def test_the_threads_of_a_saver():
    saver = InMemorySaver()
    talk(saver, "one", "hello", "again")
    talk(saver, "two", "bye")
    found = {each.source.id: told(each) for each in of_saver(saver) if isinstance(each, Recording)}
    assert found == {
        "one": [("user", "hello", 1), ("agent", "hello!", 1), ("user", "again", 2), ("agent", "again!", 2)],
        "two": [("user", "bye", 1), ("agent", "bye!", 1)],
    }


def test_a_thread_without_messages_is_told():
    class Other(TypedDict):
        question: str

    saver = InMemorySaver()
    made = StateGraph(Other)
    made.add_node("answer", lambda state: {"question": "?"})
    made.add_edge(START, "answer")
    made.compile(checkpointer=saver).invoke({"question": "!"}, {"configurable": {"thread_id": "odd"}})
    (found,) = of_saver(saver)
    assert str(found) == "langgraph: thread odd: its state has no list `messages` (it has question)"


def database(path, *rows):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table checkpoints (thread_id, checkpoint_ns, checkpoint_id, type, checkpoint)")
        connection.executemany("insert into checkpoints values (?, ?, ?, ?, ?)", rows)
        connection.commit()
    return path


def found(path):
    bad: list[Unread] = []
    return list(read(path, bad=bad.append)), list(map(str, bad))


def test_one_broken_checkpoint_spoils_no_other_thread(tmp_path):
    kind, whole = JsonPlusSerializer().dumps_typed(
        {"channel_values": {"messages": [HumanMessage("hi"), AIMessage("ho")]}}
    )
    rows = [("a", "", "1", "msgpack", b"\xc1"), ("b", "", "1", "aes+gcm", b"x"), ("c", "", "2", kind, whole)]
    recordings, bad = found(
        database(tmp_path / "t.db", *rows, ("c", "", "1", "msgpack", b"\xc1"), ("d", "sub", "1", "", b""))
    )
    assert [(each.source.id, each.turns) for each in recordings] == [("c", 1)]
    assert [each.split(":")[1] for each in bad] == [" thread a", " thread b"]


class Trap:
    """What would run code where it is read."""

    sprung = False

    def __reduce__(self):
        return setattr, (Trap, "sprung", True)


@pytest.mark.parametrize("pickled", [True, False])
def test_a_file_can_run_no_code(tmp_path, pickled):
    import pickle

    state = {"channel_values": {"messages": [Trap()]}}
    if pickled:
        kind, raw = "pickle", pickle.dumps(state)
    else:
        kind, raw = JsonPlusSerializer(pickle_fallback=True).dumps_typed(state)
    found(database(tmp_path / "t.db", ("a", "", "1", kind, raw)))
    assert not Trap.sprung


def test_other_databases_are_told(tmp_path):
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("create table runs (id)")
    assert found(file) == ([], ["other.db: an SQLite database without LangGraph's table `checkpoints`"])
    file.write_bytes(file.read_bytes()[:700])
    recordings, bad = found(file)
    assert recordings == []
    assert bad[0].startswith("other.db: the SQLite database can't be read: ")
