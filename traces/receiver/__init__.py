"""Receiving telemetry over OTLP/HTTP, from processes in any language."""

from traces.receiver.joining import Joining
from traces.receiver.server import PORT, Receiver
from traces.receiver.taking import Full, Refused

__all__ = ["PORT", "Full", "Joining", "Receiver", "Refused"]
