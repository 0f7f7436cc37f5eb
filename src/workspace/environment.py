"""All settings that are read from environment variables, with their defaults and descriptions.

`docs/settings.md` is generated from this list, and a test compares the two.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workspace.lib.web_address import to_ascii_host

MIN_KEY_LENGTH = 32  # characters
MIN_DISTINCT_CHARACTERS = 8  # a random key of 32 hexadecimal digits has about 14


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    default: str
    meaning: str


SETTINGS = [
    Setting("PORT", "8000", "The port that the service listens on."),
    Setting("WORKSPACE_HOST", "127.0.0.1", "The IP address that the service listens on. Use 0.0.0.0 for all networks."),
    Setting(
        "WORKSPACE_BASE_URL",
        "http://127.0.0.1:$PORT",
        "The public URL of the service: scheme, host and port, without a path. Printed QR codes contain it.",
    ),
    Setting(
        "WORKSPACE_LAN_ACCESS",
        "",
        "`on` to accept this machine's own names in addition to the base URL. `bin/serve --lan` sets it.",
    ),
    Setting("WORKSPACE_DATA", "data", "The folder for the SQLite database, uploads and the generated secrets."),
    Setting(
        "WORKSPACE_DATABASE_URL",
        "",
        "The URL of a PostgreSQL database: postgresql://user:password@host:port/name. If empty, SQLite in the data "
        "folder is used. With a standby: "
        "postgresql://user:password@one:5432,two:5432/name?target_session_attrs=read-write.",
    ),
    Setting(
        "WORKSPACE_S3_BUCKET",
        "",
        "The bucket for uploads in an S3-compatible service, as `name` or `name/prefix`. If empty, uploads are "
        "stored in the data folder or in PostgreSQL. `workspace files move` moves existing files.",
    ),
    Setting(
        "WORKSPACE_S3_ENDPOINT",
        "",
        "The URL of the S3 service, such as https://s3.example.com. If empty, Amazon S3 is used.",
    ),
    Setting("WORKSPACE_S3_REGION", "", "The region of the bucket, if the service has regions."),
    Setting("WORKSPACE_S3_KEY", "", "The ID of an access key that can list, read, write and delete in the bucket."),
    Setting("WORKSPACE_S3_SECRET", "", "The secret of that access key."),
    Setting(
        "WORKSPACE_FILE_STORAGE",
        "",
        'Another Django storage class for uploads, as in Django\'s STORAGES: {"BACKEND": '
        '"storages.backends.gcloud.GoogleCloudStorage", "OPTIONS": {"bucket_name": "uploads"}}. Its package must '
        "be installed. Cannot be combined with WORKSPACE_S3_BUCKET.",
    ),
    Setting(
        "WORKSPACE_CONNECTIONS",
        "16",
        "Maximum number of connections of one process to PostgreSQL, at least 8. A process handles five fewer "
        "requests at a time, also with SQLite.",
    ),
    Setting(
        "WORKSPACE_SECRET_KEY",
        "",
        "The key that signs sessions and links, with at least 32 random characters. If empty, a key is created in "
        "the data folder. Include the key in every backup.",
    ),
    Setting(
        "WORKSPACE_SECRET_KEY_FALLBACKS",
        "",
        "Earlier secret keys, separated by spaces. Sessions and links signed with them stay valid.",
    ),
    Setting(
        "WORKSPACE_ENCRYPTION_KEYS",
        "",
        "Keys that encrypt stored secrets, separated by commas, with the newest first. If empty, the file "
        "`encryption-keys` in the data folder is used. Several servers need the same keys. `workspace rotate-keys` "
        "prints a new one.",
    ),
    Setting("WORKSPACE_SIGNUP", "open", "`open`, or `closed` if only the administrator creates accounts."),
    Setting(
        "WORKSPACE_TRUSTED_PROXIES",
        "",
        "Networks (comma-separated, CIDR) of proxies whose X-Forwarded-For header is trusted.",
    ),
    Setting(
        "WORKSPACE_WEBHOOK_NETWORKS",
        "",
        "Private networks (comma-separated, CIDR) that webhooks can reach, on any port and without TLS. Everyone "
        "with an account can then send requests there.",
    ),
    Setting(
        "WORKSPACE_STRIPE_URL",
        "https://api.stripe.com",
        "The URL of the Stripe API. Tests use a different URL and list its network in WORKSPACE_WEBHOOK_NETWORKS.",
    ),
    Setting(
        "WORKSPACE_CALENDAR_NETWORKS",
        "",
        "Private networks (comma-separated, CIDR) in which calendars and address books can be connected, on any "
        "port and without TLS. Everyone with an account can then send requests there.",
    ),
    Setting("WORKSPACE_WORKERS", "1", "The number of server processes. More than one requires PostgreSQL."),
    Setting(
        "WORKSPACE_BACKGROUND_WORKER",
        "thread",
        "`thread` to send email and run jobs in the server, or `off` if `workspace worker` does this.",
    ),
    Setting(
        "WORKSPACE_STATS_RETENTION",
        "800",
        "Number of days for which analytics by day, place and device are stored, at least 400. The default is "
        "twice the longest period of a plan. Totals are kept permanently.",
    ),
    Setting("WORKSPACE_PAYMENTS", "off", "`on` if plans are paid. New accounts then start on the free plans."),
    Setting(
        "WORKSPACE_STRIPE_KEY",
        "",
        "Your secret or restricted Stripe key for payments by accounts for their plans. Leave it empty if you "
        "grant plans with `workspace grant`. It is not used for payments by customers to accounts.",
    ),
    Setting(
        "WORKSPACE_STRIPE_WEBHOOK_SECRET",
        "",
        "The signing secret (whsec_…) of your Stripe webhook for BASE_URL/hooks/stripe. Without it, payments are "
        "detected with a delay of a few minutes.",
    ),
    Setting("WORKSPACE_STRIPE_TAX", "off", "`on` to have Stripe add the tax on plans (Stripe Tax)."),
    Setting(
        "WORKSPACE_OPERATOR_EMAIL",
        "",
        "The administrator's email address, for reports of abuse and requests for larger plans. If empty, reports "
        "are only listed on the administration pages.",
    ),
    Setting("WORKSPACE_OPERATOR_NAME", "", "The administrator's name, shown to owners, on public pages and in emails."),
    Setting(
        "WORKSPACE_MAIL_FROM",
        "Workspace Tools <no-reply@localhost>",
        "The sender of all emails. Guests see the name of the business before it.",
    ),
    Setting(
        "WORKSPACE_SMTP_HOST",
        "",
        "The SMTP server. If empty, emails are collected on the outbox page instead of being sent.",
    ),
    Setting("WORKSPACE_SMTP_PORT", "587", "The port of the SMTP server."),
    Setting("WORKSPACE_SMTP_USER", "", "The username on the SMTP server."),
    Setting("WORKSPACE_SMTP_PASSWORD", "", "The password on the SMTP server."),
    Setting("WORKSPACE_SMTP_SECURITY", "starttls", "`starttls`, `tls` or `none`."),
    Setting(
        "WORKSPACE_SUPPORT_ADDRESS",
        "",
        "The email address of support, such as help@example.com; replies go to help+…@example.com. Your mail "
        "server must deliver both to this service (docs/operating.md). If empty, support is available in the "
        "dashboard only.",
    ),
    Setting(
        "WORKSPACE_SUPPORT_VERIFIED_BY",
        "",
        "The name that your mail server writes first in `Authentication-Results`, such as mail.example.com. Only "
        "its verdict proves a sender. Without it, new emails do not belong to an account.",
    ),
    Setting(
        "WORKSPACE_SMTP_LISTEN",
        "",
        "The address where your mail server delivers email to support: smtp://127.0.0.1:2525 or "
        "lmtp://127.0.0.1:2424. Leave it empty if the mail server uses `workspace mail receive`.",
    ),
    Setting(
        "WORKSPACE_GEO_DATABASE",
        "",
        "A city database in MaxMind's format (.mmdb). Without it, the location of visits is Unknown.",
    ),
    Setting("WORKSPACE_GEO_ATTRIBUTION", "", "The attribution that the license of the city database requires."),
    Setting(
        "WORKSPACE_METRICS_TOKEN",
        "",
        "The bearer token with which Prometheus reads /metrics, at least 16 characters. If empty, /metrics is "
        "disabled.",
    ),
    Setting(
        "WORKSPACE_LINKED_APPS",
        "",
        'Your other apps as JSON: [{"name", "title", "url", "mcp_url"}]. Each member connects their own access, '
        "and AI assistants see the apps' tools as NAME_tool (docs/linked-apps.md).",
    ),
]
# the administrator's command as it is called here; a wheel contains it without the repository
COMMAND = "bin/workspace" if (Path(__file__).parents[2] / "bin" / "workspace").is_file() else "workspace"
_STORAGES = "workspace.storage.files.backends"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def read_setting(name: str) -> str:
    """Return a setting's value, or its default if it is empty. Raise KeyError for an unknown name."""
    return os.environ.get(name, "").strip() or _DEFAULTS[name]


def data_folder() -> Path:
    folder = Path(read_setting("WORKSPACE_DATA")).resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def local_file_storage() -> dict[str, Any]:
    """Return Django's configuration for files on this machine: in the data folder, or in PostgreSQL."""
    name = "database.DatabaseStorage" if read_setting("WORKSPACE_DATABASE_URL") else "filesystem.LocalFileStorage"
    return {"BACKEND": f"{_STORAGES}.{name}"}


def read_file_storage() -> dict[str, Any] | None:
    """Return Django's configuration for files stored elsewhere, or None. Exit with a message if it is invalid."""
    text, bucket = read_setting("WORKSPACE_FILE_STORAGE"), read_setting("WORKSPACE_S3_BUCKET")
    if text and bucket:
        raise SystemExit("Set either WORKSPACE_FILE_STORAGE or WORKSPACE_S3_BUCKET, not both")
    if bucket:
        names = ("BUCKET", "ENDPOINT", "REGION", "KEY", "SECRET")
        options = {name.lower(): read_setting(f"WORKSPACE_S3_{name}") for name in names}
        return {"BACKEND": f"{_STORAGES}.s3.BucketStorage", "OPTIONS": options}
    return _parse_file_storage(text) if text else None


def _parse_file_storage(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if (
        not isinstance(found, dict)
        or not found.keys() <= {"BACKEND", "OPTIONS"}
        or not isinstance(found.get("BACKEND"), str)
        or not isinstance(found.get("OPTIONS", {}), dict)
    ):
        raise SystemExit('WORKSPACE_FILE_STORAGE: use {"BACKEND": "package.module.Class", "OPTIONS": {…}} as JSON')
    return found


def read_number(name: str, *, least: int = 0) -> int:
    """Return a setting that is an integer. Exit with a message if it is invalid or too small."""
    text = read_setting(name)
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise SystemExit(f"{name} is {text!r}: enter a whole number")
    if int(text) < least:
        raise SystemExit(f"{name} is {text}: enter at least {least}")
    return int(text)


def read_secret(name: str, least: int) -> str:
    """Return a configured secret, or "". Exit with a message if it is too short."""
    text = read_setting(name)
    if text and len(text) < least:
        raise SystemExit(f"{name} is too short: use at least {least} random characters")
    return text


def read_choice(name: str, *values: str) -> str:
    """Return a setting with a fixed set of values.

    Exit with a message for other values, so that a typo does not select an unsafe value."""
    text = read_setting(name)
    if text not in values:
        raise SystemExit(f"{name} is {text!r}: use one of {', '.join(values)}")
    return text


def read_base_url() -> str:
    """Return the service's base URL in normalized form: lower case, punycode, no default port.

    Exit with a message if it is invalid or has a path. URLs in printed codes are upper-case, which would break a path.
    """
    url = read_setting("WORKSPACE_BASE_URL").replace("$PORT", read_setting("PORT")).rstrip("/")
    try:
        parts = urlsplit(url)
        port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
        host = to_ascii_host(parts.hostname or "")
    except ValueError:
        host = ""
    if not host or parts.scheme not in _DEFAULT_PORTS or parts.path or parts.query or parts.fragment or "@" in url:
        raise SystemExit(f"WORKSPACE_BASE_URL is {url!r}: enter scheme, host and port, such as https://go.example.com")
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def load_secret_key() -> str:
    """Return the configured secret key, or else one that is generated once and stored with mode 0600.

    Exit with a message if it is weak, because anyone with the key can sign in as anyone.
    """
    given = read_setting("WORKSPACE_SECRET_KEY")
    if given:
        if problem := _find_weakness(given):
            raise SystemExit(
                f"WORKSPACE_SECRET_KEY {problem}: use at least {MIN_KEY_LENGTH} random characters, such as the output "
                "of `openssl rand -base64 48`. Or remove it, and a key is created in the data folder. To keep sessions "
                "valid, move the current key to WORKSPACE_SECRET_KEY_FALLBACKS"
            )
        return given
    path = data_folder() / "secret-key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read_key_file(path)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(50))
    return _read_key_file(path)


def secret_key_fallbacks() -> list[str]:
    """Return earlier secret keys, which verify existing signatures but do not create new ones.

    Weak keys are allowed, because weakness may be the reason that they were replaced.
    """
    return read_setting("WORKSPACE_SECRET_KEY_FALLBACKS").split()


def _read_key_file(path: Path) -> str:
    for _ in range(20):
        kept = path.read_text().strip()
        if kept:
            break
        time.sleep(0.05)  # another process that started at the same time is about to write it
    if problem := _find_weakness(kept):
        raise SystemExit(
            f"{path} {problem}: restore it from a backup. Without a backup, delete it, and a new one is created. "
            "Everyone must then sign in again and set up two-step verification again"
        )
    return kept


def _find_weakness(key: str) -> str:
    if len(key) < MIN_KEY_LENGTH:
        return f"has {len(key)} characters"
    return "repeats a few characters" if len(set(key)) < MIN_DISTINCT_CHARACTERS else ""


def parse_postgresql_url(url: str) -> dict[str, Any]:
    """Parse a PostgreSQL URL into parts with libpq's names, including several hosts and options."""
    from psycopg import Error  # noqa: PLC0415 - only if PostgreSQL is used
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - only if PostgreSQL is used

    try:
        given = conninfo_to_dict(url) if url.startswith(("postgresql://", "postgres://")) else {}
    except Error:
        given = {}
    if not given.get("dbname"):
        raise SystemExit("WORKSPACE_DATABASE_URL: use postgresql://user:password@host:port/name, or leave it empty")
    return given
