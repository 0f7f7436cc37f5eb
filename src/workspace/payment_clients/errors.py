"""Errors of payment providers. The messages are human-readable and do not contain the key."""

from __future__ import annotations

from workspace.lib.messages import Message


class ProviderError(Exception):
    """The provider did not fulfill the request."""

    def __init__(self, text: str | Message) -> None:
        super().__init__(text)
        self.text = text

    @property
    def message(self) -> str:
        """The text in the active language."""
        return str(self.text)


class ProviderUnreachableError(ProviderError):
    """The provider did not respond, or asks to repeat the request later.

    If `has_response` is set, the provider failed and it is unknown what it did. Otherwise, the same request can be
    repeated.
    """

    def __init__(self, text: str | Message, *, has_response: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(text)
        self.has_response, self.retry_after = has_response, retry_after


class RequestInProgressError(ProviderUnreachableError):
    """The same request is already in progress, for example after a double click."""


class ApiKeyRejectedError(ProviderError):
    """The key is invalid or has too few permissions."""


class ProviderRejectedError(ProviderError):
    """The provider rejected the request and would reject it again."""


class PaymentNotFoundError(ProviderRejectedError):
    """The key's account has no such payment."""


class SignatureError(Exception):
    """The event has no valid or recent signature of the provider."""
