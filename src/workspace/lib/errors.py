"""Errors for callers of tools.

Each error has a code (the contract's `error`), an HTTP status and an exit code of the command line. A channel only
translates it. An error may be raised anywhere below the channels, and the transaction around it is rolled back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from workspace.lib import error_messages
from workspace.lib.messages import Message


@dataclass(frozen=True, slots=True)
class Issue:
    """An invalid argument, with its dotted path (`links.2.url`, empty for the whole body) and what to do about it."""

    path: str
    text: str | Message

    @property
    def message(self) -> str:
        """The text in the active language."""
        return str(self.text)


class ToolError(Exception):
    """The operation cannot proceed. `message` tells a person what to do next, in the active language."""

    code: ClassVar[str] = "tool_error"
    status: ClassVar[int] = 400
    exit_code: ClassVar[int] = 1

    def __init__(self, text: str | Message) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        """Return the message."""
        return self.message

    @property
    def message(self) -> str:
        """The text in the active language."""
        return str(self.text)

    @property
    def short_message(self) -> str:
        """The message without parts for callers of the API, for pages that show it next to a form."""
        return self.message

    def extra(self) -> dict[str, Any]:
        """Return members of the error's JSON in addition to ok, error and message."""
        return {}


class OperationNotAllowedError(ToolError):
    """The account's plan or the current state does not allow the operation."""


class InvalidInputError(ToolError):
    """Some arguments are invalid."""

    code = "invalid_input"
    exit_code = 2

    def __init__(self, issues: Sequence[Issue], text: str | Message | None = None) -> None:
        super().__init__(text or "")
        self.issues = tuple(issues)

    @property
    def message(self) -> str:
        """The message, or the first invalid argument, its path, and the number of other invalid arguments."""
        if self.text:
            return str(self.text)
        first = self.issues[0]
        where = f"{first.path}: " if first.path else ""
        more = f" (and {len(self.issues) - 1} more)" if len(self.issues) > 1 else ""
        return f"{where}{first.message}{more}"

    @property
    def short_message(self) -> str:
        """The message about the first invalid argument, without its path."""
        return self.issues[0].message

    @classmethod
    def at_path(cls, path: str, text: str | Message) -> InvalidInputError:
        return cls([Issue(path, text)])

    @classmethod
    def from_pairs(cls, issues: Sequence[tuple[str, str | Message]]) -> InvalidInputError:
        return cls([Issue(path, text) for path, text in issues])

    def extra(self) -> dict[str, Any]:
        return {"issues": [{"path": issue.path, "message": issue.message} for issue in self.issues]}


class NotFoundError(ToolError):
    """The item does not exist or belongs to another account. Callers cannot tell these cases apart."""

    code = "not_found"
    status = 404


class UnauthorizedError(ToolError):
    """The API key or token is missing or invalid."""

    code = "unauthorized"
    status = 401
    exit_code = 3


class ForbiddenError(ToolError):
    """The API key or token is valid, but its scope does not allow the operation."""

    code = "forbidden"
    status = 403
    exit_code = 3


class MethodNotAllowedError(ToolError):
    """A tool that writes was called with GET, or a path does not support the method."""

    code = "method_not_allowed"
    status = 405

    def __init__(self, text: str | Message, allow: Sequence[str]) -> None:
        super().__init__(text)
        self.allow = ", ".join(allow)


class ConflictError(ToolError):
    """The same request is already running, or the item was changed in the meantime.

    `retry_after` is the number of seconds after which the same request may succeed, or None if it never will."""

    code = "conflict"
    status = 409

    def __init__(self, text: str | Message, retry_after: int | None = None) -> None:
        super().__init__(text)
        self.retry_after = retry_after

    def extra(self) -> dict[str, Any]:
        return {} if self.retry_after is None else {"retryAfter": self.retry_after}


class TooLargeError(ToolError):
    """The body or file is too large."""

    code = "too_large"
    status = 413


class UnsupportedMediaTypeError(ToolError):
    """The media type of the body is not supported."""

    code = "unsupported_media_type"
    status = 415


class IdempotencyKeyReusedError(ToolError):
    """An Idempotency-Key was used again with a different body."""

    code = "idempotency_key_reused"
    status = 422


class RateLimitedError(ToolError):
    """The daily `limit` on calls is used up. `retry_after` is in whole seconds."""

    code = "rate_limited"
    status = 429
    exit_code = 4

    def __init__(self, text: str | Message, retry_after: int, limit: int) -> None:
        super().__init__(text)
        self.retry_after = retry_after
        self.limit = limit

    def extra(self) -> dict[str, Any]:
        return {"retryAfter": self.retry_after}


class BusyError(ToolError):
    """Too much work of the same kind is running. `retry_after` is in whole seconds."""

    code = "busy"
    status = 503

    def __init__(self, retry_after: int) -> None:
        super().__init__(error_messages.BUSY)
        self.retry_after = retry_after

    def extra(self) -> dict[str, Any]:
        return {"retryAfter": self.retry_after}


class UnavailableError(ToolError):
    """Stored data cannot be read or written at present. Nothing has changed.

    `retry_after` is in whole seconds.
    """

    code = "unavailable"
    status = 503

    def __init__(self, text: str | Message, retry_after: int) -> None:
        super().__init__(text)
        self.retry_after = retry_after

    def extra(self) -> dict[str, Any]:
        return {"retryAfter": self.retry_after}
