"""What an agent's reply asks for: slots, yes to an act, a read-back, a pick, anything else; closings and refusals."""

from harness.users.recognise.book import SlotBook
from harness.users.recognise.recognition import Recognition, recognise

__all__ = ["Recognition", "SlotBook", "recognise"]
