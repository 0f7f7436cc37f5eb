"""Logging to stderr, with one JSON object per line from all sources.

The sources are the server, Django, its apps, granian, Python's warnings and uncaught exceptions. No framework is
imported here.

Every line has `event`, `level`, `timestamp`, the `request_id` that the user saw, if any, and `exception` with the whole
traceback. Credentials, queries and people's addresses are removed from every message.
"""

from __future__ import annotations

import json
import logging
import logging.config
import re
import sys
import threading
import traceback
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

MAX_TEXT_LENGTH = 20_000  # characters of a text; longer ones are cut

_SECRETS = re.compile(
    r"(?P<key>svc_[a-z]{2,8}_)[A-Za-z0-9_-]+"
    r"|(?P<scheme>\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]+"
    r"|(?P<user>://)[^\s/@'\"]{1,200}@"
    r"|(?P<name>\b(?:password|passwd|secret|token|api_key|csrfmiddlewaretoken|sessionid|workspace_session)"
    r"['\"]?[=:] ?['\"]?)[^\s'\"&,;)]+"
    r"|(?P<path>(?<![\w?])/[^\s?'\"<>]{0,500}\?)[^\s'\"<>]+",
    re.IGNORECASE,
)
_IP_ADDRESS = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:[\d.]{7,15})?)(?![\w.])"
)
_OWN_PREFIXES = frozenset({"api", "app", "static", "mcp", "q", "Q", ".well-known"})
_encode = json.JSONEncoder(ensure_ascii=False, default=repr).encode


def redact_text(text: str) -> str:
    """Remove data from the text that must not be logged."""
    text = text[:MAX_TEXT_LENGTH]
    return _IP_ADDRESS.sub(_mask_address, _SECRETS.sub(_mask_secret, text))


def redact_path(path: str) -> str:
    """Return a path for the log: the complete path if it has one of our prefixes, or else only its first part.

    The rest may be a token, as in links to reset a password, join an account or read a proposal.
    """
    first, _, rest = path.lstrip("/").partition("/")
    return path if not rest or first in _OWN_PREFIXES else f"/{first}/…"


class JsonLine(logging.Formatter):
    """A formatter that writes a record of the logging module as one JSON line."""

    def format(self, record: logging.LogRecord) -> str:
        try:
            event = _describe_request(record) or record.getMessage()
        except Exception:  # a message that does not match its arguments must not make the line disappear
            event = f"{record.msg} {record.args!r}"
        import structlog  # commands that log nothing start without it

        line: dict[str, Any] = {
            **structlog.contextvars.get_contextvars(),
            "event": redact_text(event),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = redact_text("".join(traceback.format_exception(record.exc_info[1]))[-MAX_TEXT_LENGTH:])
        return _encode(line)


class UnavailableFilter(logging.Filter):
    """A filter for 503 responses. A failing database is logged once, and each response is in the access log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", 0) != 503


def logging_settings() -> dict[str, Any]:
    """Return the settings for `logging.config.dictConfig` and for Django's LOGGING."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"no_refusals": {"()": "workspace.logs.UnavailableFilter"}},
        "formatters": {"json": {"()": "workspace.logs.JsonLine"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "workspace": {"level": "INFO"},
            # without Django's own handlers, so that there is one stream
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # 4xx responses are normal, and their lines would repeat paths that contain tokens
            "django.request": {"level": "ERROR", "filters": ["no_refusals"]},
            "django.security": {"level": "CRITICAL"},
            # the caller gets its problems as errors
            "psycopg.pool": {"level": "ERROR"},
            "_granian": {"handlers": [], "propagate": True},
            "granian.access": {"handlers": [], "propagate": True},
        },
    }


def configure() -> None:
    """Configure logging in a process whose stderr is a log, such as a server or a worker."""
    import structlog

    logging.config.dictConfig(logging_settings())
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # it would print a traceback outside of the JSON lines
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _redact_event,
            structlog.processors.JSONRenderer(lambda event, **_: _encode(event)),
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def _redact_event(logger: Any, method: str, line: Any) -> Any:
    for name in ("exception", "path"):
        if name in line:
            line[name] = redact_text(line[name][-MAX_TEXT_LENGTH:])  # the error is at the end of the traceback
    return line


def _describe_request(record: logging.LogRecord) -> str | None:
    """Return Django's message with a redacted path, because the path of a failed request may end with a token."""
    request = getattr(record, "request", None)
    path = getattr(request, "path", None)
    return f"{record.getMessage().partition(': ')[0]}: {redact_path(path)}" if isinstance(path, str) else None


def _mask_secret(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    return f"{match[kind]}…{'@' if kind == 'user' else ''}"


def _mask_address(match: re.Match[str]) -> str:
    try:
        address = ip_address(match[0])
    except ValueError:
        return match[0]  # it is a time or a version
    return match[0] if address.is_loopback or address.is_unspecified else "…"


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("workspace").critical("uncaught", exc_info=(kind, error, trace))


def _log_uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        logging.getLogger("workspace").critical("uncaught in a thread", exc_info=args.exc_value)


def _log_unraisable(args: Any) -> None:
    logging.getLogger("workspace").error("%s", args.err_msg or "unraisable", exc_info=args.exc_value)
