"""Telemetry in and out: OTLP in JSON and protobuf, and the other forms that spans are kept in."""

from traces.otlp.encode import lines
from traces.otlp.files import BadLine, read, read_file

__all__ = ["BadLine", "lines", "read", "read_file"]
