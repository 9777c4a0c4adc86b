"""Recordings of LangGraph threads: the messages in the last checkpoint of each, out of a saver or an SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness.model.recording import Recording
from harness.replay.recordings.message_lists import of_messages
from harness.replay.recordings.unread import Unread

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

MAGIC = b"SQLite format 3\0"
_MESSAGES = "messages"
_LAST = (
    "select type, checkpoint from checkpoints where thread_id = ? and checkpoint_ns = '' order by checkpoint_id desc"
)


def of_saver(saver: BaseCheckpointSaver[Any], where: str = "langgraph") -> Iterator[Recording | Unread]:
    """The recordings of all threads of a checkpointer, which must be one that works without an event loop."""
    threads = dict.fromkeys(each.config["configurable"]["thread_id"] for each in saver.list(None))
    for thread in threads:
        found = saver.get_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})
        if found is not None:
            yield _of_checkpoint(found.checkpoint, where, str(thread))


def of_sqlite(path: Path) -> Iterator[Recording | Unread]:
    """The recordings of all threads in a file of LangGraph's SqliteSaver. Only what LangGraph and LangChain themselves
    put into a checkpoint is built; the file can't name any other code to run.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    where = path.name
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as connection:
            if "checkpoints" not in _tables(connection):
                yield Unread(where, "an SQLite database without LangGraph's table `checkpoints`")
                return
            for (thread,) in connection.execute("select distinct thread_id from checkpoints order by thread_id"):
                last = connection.execute(_LAST, (thread,)).fetchone()
                if last is None:
                    continue  # a thread of a subgraph alone
                try:
                    read = serde.loads_typed(last)
                except Exception as error:  # noqa: BLE001  whatever a broken or encrypted checkpoint makes of it
                    yield Unread(
                        where, f"thread {thread}: its checkpoint can't be read: {type(error).__name__}: {error}"
                    )
                else:
                    yield _of_checkpoint(read, where, thread)
    except sqlite3.Error as error:
        yield Unread(where, f"the SQLite database can't be read: {error}")


def _of_checkpoint(checkpoint: Any, where: str, thread: str) -> Recording | Unread:
    values = checkpoint.get("channel_values") if isinstance(checkpoint, dict) else None
    messages = values.get(_MESSAGES) if isinstance(values, dict) else None
    if not isinstance(messages, list):
        named = [str(name) for name in values or () if not str(name).startswith(("__", "branch:"))]
        return Unread(
            where, f"thread {thread}: its state has no list `messages` (it has {', '.join(named) or 'nothing'})"
        )
    plain = [each.model_dump() if hasattr(each, "model_dump") else each for each in messages]
    return of_messages(plain, where, thread, kind="thread")


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
