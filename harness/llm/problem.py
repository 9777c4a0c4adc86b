"""What goes wrong between us and a model, told apart by who can mend it."""

from __future__ import annotations


class ModelProblem(Exception):
    """A mistake of the person who named the model: no key, a wrong key, an unknown model, a wrong address."""


class RequestRefusedError(Exception):
    """The provider is well and refuses this request: too long, or a parameter that the model doesn't take."""


class ProviderError(Exception):
    """No answer can be had, and whoever asks is not to blame: the provider can't be reached, is overloaded or fails."""


class CassetteMissError(ProviderError):
    """The recording of model answers has none for a request."""


class CostStopError(ProviderError):
    """The money that may be spent on models is spent."""


class TransientError(Exception):
    """One attempt failed in a way that may pass. `limited`: the provider asks for fewer requests; `after`: the seconds
    that it asks to wait.
    """

    def __init__(self, text: str, *, limited: bool = False, after: float | None = None) -> None:
        super().__init__(text)
        self.limited = limited
        self.after = after
