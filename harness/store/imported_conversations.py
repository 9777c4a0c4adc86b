"""The fourth migration: conversations that were imported, and the traces that each is spread over."""

from __future__ import annotations

IMPORTED_CONVERSATIONS = """
create table conversations (
    pk {serial} primary key,
    id varchar not null unique,
    conversation text not null,
    identity varchar,
    services text not null,
    joined varchar not null,
    started {float} not null,
    ended {float} not null,
    status varchar not null,
    turns integer not null,
    model_calls integer not null,
    tool_calls integer not null,
    errors integer not null,
    tools text not null,
    dialects text not null,
    agents text not null,
    sources text not null,
    imported varchar not null,
    digest varchar not null,
    document {bytes} not null
);
create index conversations_conversation on conversations (conversation);
create index conversations_identity on conversations (identity);
create index conversations_started on conversations (started);

create table conversation_traces (
    trace varchar not null,
    conversation {integer} not null references conversations (pk) on delete cascade,
    primary key (trace, conversation)
);
create index conversation_traces_conversation on conversation_traces (conversation)
"""
