"""Replies that histories tell again in pieces."""

from __future__ import annotations

from tests.traces.reading.made import Trace, assistant, talk, user
from traces.reading import conversation


def test_a_reply_is_not_what_later_histories_make_of_its_streamed_pieces() -> None:
    pieces = {"role": "assistant", "parts": [{"type": "text", "content": text} for text in ("Well", " no.")]}
    for told in ([assistant("Well"), assistant(" no.")], [pieces]):
        trace = Trace()
        run = trace.run()
        trace.model(run, [user("a")], [assistant("Well no.")])
        trace.model(run, [user("a"), *told, user("c")], [assistant("d")])
        assert talk(conversation(trace.spans)) == [("a", "Well no."), ("c", "d")]
