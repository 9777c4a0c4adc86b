"""OTLP's JSON as the specification types it: what is decoded of a request before anything is made of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class AnyValue(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """Of a value the one kind that it is of; none for null."""

    string_value: str | None = None
    int_value: int | str | None = None
    bool_value: Any = None
    double_value: Any = None
    array_value: Any = None
    kvlist_value: Any = None
    bytes_value: Any = None


class KeyValue(Struct, forbid_unknown_fields=True, gc=False):
    """An attribute."""

    key: str
    value: AnyValue


class RawSpan(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """A span but for its attributes. What is in it is read by `traces.otlp.decode`, in whatever form it is."""

    trace_id: Any = None
    span_id: Any = None
    parent_span_id: Any = None
    name: Any = None
    kind: Any = None
    start_time_unix_nano: Any = None
    end_time_unix_nano: Any = None
    events: Any = None
    links: Any = None
    status: Any = None
    dropped_attributes_count: Any = None
    dropped_events_count: Any = None
    dropped_links_count: Any = None
    trace_state: Any = None
    flags: Any = None


class WholeSpan(RawSpan, rename="camel", forbid_unknown_fields=True, gc=False):
    """A span with its attributes."""

    attributes: list[KeyValue] = []


class Scope(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The instrumentation. Only its name counts."""

    name: str = ""
    version: Any = None
    attributes: Any = None
    dropped_attributes_count: Any = None


class ScopeSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The spans of one instrumentation."""

    scope: Scope | None = None
    spans: list[WholeSpan] = []
    schema_url: Any = None


class Resource(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The process."""

    attributes: list[KeyValue] = []
    dropped_attributes_count: Any = None
    entity_refs: Any = None


class ResourceSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The spans of one process."""

    resource: Resource | None = None
    scope_spans: list[ScopeSpans] = []
    schema_url: Any = None


class TracesData(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """A TracesData or an export request."""

    resource_spans: list[ResourceSpans]
