"""A connection of the endpoint, on a transport that is made up."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from traces.receiver import connection
from traces.receiver.connection import Connection


@pytest.mark.parametrize("takes", [True, False])
def test_who_takes_no_answers_is_let_go(monkeypatch, takes):
    monkeypatch.setattr(connection, "UNREAD", 0.05)

    async def talk():
        transport = Mock(spec=asyncio.Transport, get_extra_info=Mock(return_value=None))
        config = Config(Mock(), ws="none", lifespan="off", interface="asgi3", log_config=None)
        one = Connection(config, ServerState(), {})
        one.connection_made(transport)
        one.pause_writing()
        if takes:
            one.resume_writing()
        await asyncio.sleep(0.2)
        one.connection_lost(None)
        return transport.abort.called

    assert asyncio.run(talk()) is not takes
