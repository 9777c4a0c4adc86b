"""Receiving telemetry over OTLP/HTTP, from processes in any language."""

from traces.receiver.inbox import Full, Inbox, Refused
from traces.receiver.server import PORT, Receiver

__all__ = ["PORT", "Full", "Inbox", "Receiver", "Refused"]
