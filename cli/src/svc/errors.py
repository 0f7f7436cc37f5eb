"""Errors with the exit codes that scripts rely on. Usage errors are click's own, with exit code 2."""

from __future__ import annotations

from typing import Any

import click


class CliError(click.ClickException):
    """The tool returned an error, or the service could not be reached (exit code 1)."""

    exit_code = 1


class NetworkError(CliError):
    """No usable response was received, so it is unknown whether a write took effect."""


class FileError(click.ClickException):
    """The file cannot be used. The exit code is 2, as for other usage errors, but no flag is wrong."""

    exit_code = 2


class ToolRefusedError(CliError):
    """The service answered `ok: false`.

    `error` is the service's code (`tool_error`, `invalid_input`, ...), and `issues` are `[{"path", "message"}]`.
    `retry_after` is the number of seconds after which the same call may succeed, or None if it will not.
    """

    def __init__(
        self,
        error: str,
        message: str,
        issues: list[dict[str, Any]] | None = None,
        retry_after: int | None = None,
    ) -> None:
        self.error = error
        self.retry_after = retry_after
        self.issues = issues or []
        # A message that only lists the issues would repeat them.
        repeated = all(f"{issue.get('path')}: {issue.get('message')}" in message for issue in self.issues)
        self._message_repeats_issues = bool(self.issues) and repeated
        super().__init__("The service rejected this input:" if self._message_repeats_issues else message)

    def format_message(self) -> str:
        return "\n".join([self.message, *(f"  {line}" for line in self._issue_lines())])

    def format_one_line(self) -> str:
        """Return the error as one line for a table cell: `name: Too long; target_url: Not an address`."""
        issues = "; ".join(self._issue_lines())
        text = issues if self._message_repeats_issues else f"{self.message} {issues}"
        return " ".join(text.split())

    def _issue_lines(self) -> list[str]:
        return [f"{issue.get('path') or 'input'}: {issue.get('message')}" for issue in self.issues]


class UnavailableError(ToolRefusedError):
    """The service is temporarily unavailable and would reject the next call, too (exit code 1). Nothing has changed."""


class NotAuthorizedError(ToolRefusedError):
    """There is no key, or it is invalid or lacks permission (exit code 3)."""

    exit_code = 3


class RateLimitedError(ToolRefusedError):
    """The daily quota is used up (exit code 4).

    `retry_after` is in seconds, or None if the service sent none.
    """

    exit_code = 4

    def __init__(self, message: str, retry_after: int | None = None) -> None:
        super().__init__("rate_limited", message, retry_after=retry_after)

    def format_message(self) -> str:
        if self.retry_after is None:
            return self.message
        return f"{self.message}\nYou can make calls again in {format_duration(self.retry_after)}."


def format_duration(seconds: int) -> str:
    """Format seconds for display, such as `45 s`, `12 min` or `3 h 20 min`."""
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(-(-seconds // 60), 60)
    return " ".join(part for part in (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "") if part)
