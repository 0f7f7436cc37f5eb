"""All settings from environment variables, with their defaults and descriptions.

`docs/settings.md` is generated from this list, and a test compares the two."""

from __future__ import annotations

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
    Setting("WORKSPACE_HOST", "127.0.0.1", "The address that the service listens on; 0.0.0.0 for every network."),
    Setting(
        "WORKSPACE_BASE_URL",
        "http://127.0.0.1:$PORT",
        "The address under which people reach the service: scheme, host and port, no path. Printed codes carry it.",
    ),
    Setting(
        "WORKSPACE_LAN_ACCESS",
        "",
        "`on`, as `bin/serve --lan` sets it: this machine's own names work beside the base URL.",
    ),
    Setting("WORKSPACE_DATA", "data", "The folder for the SQLite database, uploads and the generated secrets."),
    Setting(
        "WORKSPACE_DATABASE_URL",
        "",
        "postgresql://user:password@host:port/name for PostgreSQL; empty for SQLite in the data folder. With a standby "
        "postgresql://user:password@one:5432,two:5432/name?target_session_attrs=read-write.",
    ),
    Setting(
        "WORKSPACE_S3_BUCKET",
        "",
        "The bucket of a service that speaks S3 in which uploads are kept, as `name` or `name/prefix`; empty for the "
        "data folder, or PostgreSQL. `workspace files move` takes those along that are there already.",
    ),
    Setting("WORKSPACE_S3_ENDPOINT", "", "That service's address, such as https://s3.example.com; empty for Amazon's."),
    Setting("WORKSPACE_S3_REGION", "", "Its region, where it has some."),
    Setting("WORKSPACE_S3_KEY", "", "The id of an access key that may list, read, write and delete in the bucket."),
    Setting("WORKSPACE_S3_SECRET", "", "The secret of that access key."),
    Setting(
        "WORKSPACE_CONNECTIONS",
        "16",
        "The most connections that one process keeps to PostgreSQL, at least 8. It works on five requests fewer at "
        "once, with SQLite as well.",
    ),
    Setting(
        "WORKSPACE_SECRET_KEY",
        "",
        "Signs sessions and links, at least 32 random characters; empty for one that is made once in the data folder, "
        "readable by its owner only. It belongs to every backup.",
    ),
    Setting(
        "WORKSPACE_SECRET_KEY_FALLBACKS",
        "",
        "Earlier secrets, separated by spaces, while a new one takes over: what they signed still counts.",
    ),
    Setting(
        "WORKSPACE_ENCRYPTION_KEYS",
        "",
        "Keys that seal secrets at rest, the newest first, with commas between them; empty for the file "
        "`encryption-keys` in the data folder, made once. Several machines need the same. "
        "`workspace rotate-keys` prints a new one.",
    ),
    Setting("WORKSPACE_SIGNUP", "open", "`open`, or `closed` when only the operator makes accounts."),
    Setting("WORKSPACE_TRUSTED_PROXIES", "", "Networks (comma-separated, CIDR) whose X-Forwarded-For is believed."),
    Setting(
        "WORKSPACE_WEBHOOK_NETWORKS",
        "",
        "Networks (comma-separated, CIDR) beside the public internet that webhooks may reach, on any port and also "
        "without TLS: for receivers next to the service. Everybody with an account here can then send there.",
    ),
    Setting(
        "WORKSPACE_STRIPE_URL",
        "https://api.stripe.com",
        "Where Stripe's API is asked; for a stand-in in tests, whose network WORKSPACE_WEBHOOK_NETWORKS then names.",
    ),
    Setting(
        "WORKSPACE_CALENDAR_NETWORKS",
        "",
        "Networks (comma-separated, CIDR) beside the public internet on which calendars and address books may be that "
        "people connect, on any port and also without TLS: for a server of them next to the service. Everybody with an "
        "account here can then ask there.",
    ),
    Setting("WORKSPACE_WORKERS", "1", "Server processes; more than one only with PostgreSQL."),
    Setting(
        "WORKSPACE_BACKGROUND_WORKER",
        "thread",
        "`thread` to send mail and work on jobs inside the server, `off` when `workspace worker` does.",
    ),
    Setting(
        "WORKSPACE_STATS_RETENTION",
        "800",
        "Days for which figures of guests' visits are kept by day, place and device, at least 400: the longest window "
        "of a plan, and by default the one before it as well. Totals stay.",
    ),
    Setting("WORKSPACE_PAYMENTS", "off", "`on` when plans are paid for: new accounts then start on the free plans."),
    Setting(
        "WORKSPACE_STRIPE_KEY",
        "",
        "Your own secret or restricted key at Stripe, by which accounts pay for their plans; empty where you grant "
        "plans by hand (`workspace grant`). No account's money for its own customers passes through it.",
    ),
    Setting(
        "WORKSPACE_STRIPE_WEBHOOK_SECRET",
        "",
        "The signing secret (whsec_…) of the webhook that you set up at Stripe for BASE_URL/hooks/stripe; without one "
        "what was paid is noticed minutes later.",
    ),
    Setting("WORKSPACE_STRIPE_TAX", "off", "`on` to have Stripe add the tax on plans (Stripe Tax)."),
    Setting(
        "WORKSPACE_OPERATOR_EMAIL",
        "",
        "Where reports of abuse go and whom owners ask for a larger plan; empty for the operator's list only.",
    ),
    Setting(
        "WORKSPACE_OPERATOR_NAME",
        "",
        "Who runs this installation, as named to owners, on its public pages and in its mail.",
    ),
    Setting(
        "WORKSPACE_MAIL_FROM",
        "Workspace Tools <no-reply@localhost>",
        "The sender of every mail; guests read the business's name before it.",
    ),
    Setting("WORKSPACE_SMTP_HOST", "", "The mail server; empty to keep mail in the outbox page for looking at."),
    Setting("WORKSPACE_SMTP_PORT", "587", "The mail server's port."),
    Setting("WORKSPACE_SMTP_USER", "", "The mail server's user name."),
    Setting("WORKSPACE_SMTP_PASSWORD", "", "The mail server's password."),
    Setting("WORKSPACE_SMTP_SECURITY", "starttls", "`starttls`, `tls` or `none`."),
    Setting(
        "WORKSPACE_SUPPORT_ADDRESS",
        "",
        "Where owners write to support, such as help@example.com; answers come back to help+…@example.com. Set it once "
        "mail to both is handed to this service (docs/operating.md); empty to answer on its pages only.",
    ),
    Setting(
        "WORKSPACE_SUPPORT_VERIFIED_BY",
        "",
        "The name that your mail server writes first in `Authentication-Results`, such as mail.example.com. Only its "
        "verdict proves who sent a mail to support; without it no new mail joins an account.",
    ),
    Setting(
        "WORKSPACE_SMTP_LISTEN",
        "",
        "Where mail to support is handed over: smtp://127.0.0.1:2525 or lmtp://127.0.0.1:2424; empty where "
        "`workspace mail receive` is given each mail.",
    ),
    Setting(
        "WORKSPACE_GEO_DATABASE", "", "A city database in MaxMind's format (.mmdb); without one places are Unknown."
    ),
    Setting("WORKSPACE_GEO_ATTRIBUTION", "", "The attribution that the city database's licence asks for."),
    Setting(
        "WORKSPACE_METRICS_TOKEN",
        "",
        "A secret of 16 characters or more, by which Prometheus reads /metrics as a bearer token; empty for none.",
    ),
    Setting(
        "WORKSPACE_LINKED_APPS",
        "",
        'Other applications of yours as JSON: [{"name", "title", "url", "mcp_url"}]. Each member connects their '
        "own access there, and has its tools in the connector as NAME_tool (docs/linked-apps.md).",
    ),
]
# the administrator's command, as it is called here: a wheel contains it without the repository
COMMAND = "bin/workspace" if (Path(__file__).parents[2] / "bin" / "workspace").is_file() else "workspace"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def read_setting(name: str) -> str:
    """Return the setting's value. An empty one means the default. Raise KeyError for an unknown name."""
    return os.environ.get(name, "").strip() or _DEFAULTS[name]


def data_folder() -> Path:
    folder = Path(read_setting("WORKSPACE_DATA")).resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def read_number(name: str, *, least: int = 0) -> int:
    """Return a setting that is an integer. Exit with a message if it is invalid or too small."""
    text = read_setting(name)
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise SystemExit(f"{name} is {text!r}: give a whole number")
    if int(text) < least:
        raise SystemExit(f"{name} is {text}: give at least {least}")
    return int(text)


def read_secret(name: str, least: int) -> str:
    """Return a configured secret or "". Exit with a message if it is too short."""
    text = read_setting(name)
    if text and len(text) < least:
        raise SystemExit(f"{name} is short: give at least {least} random characters")
    return text


def read_choice(name: str, *values: str) -> str:
    """Return a setting with a fixed set of values.

    Exit with a message for other values, so that a typo does not select an unsafe one."""
    text = read_setting(name)
    if text not in values:
        raise SystemExit(f"{name} is {text!r}: give one of {', '.join(values)}")
    return text


def read_base_url() -> str:
    """Return the service's base URL in normalized form: lower case, punycode, no default port.

    Exit with a message if it is invalid or has a path: printed codes are upper-case, and a path would not survive
    that."""
    url = read_setting("WORKSPACE_BASE_URL").replace("$PORT", read_setting("PORT")).rstrip("/")
    try:
        parts = urlsplit(url)
        port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
        host = to_ascii_host(parts.hostname or "")
    except ValueError:
        host = ""
    if not host or parts.scheme not in _DEFAULT_PORTS or parts.path or parts.query or parts.fragment or "@" in url:
        raise SystemExit(f"WORKSPACE_BASE_URL is {url!r}: give scheme, host and port, such as https://go.example.com")
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def load_secret_key() -> str:
    """Return the configured secret key, or one that is generated once and stored with mode 0600.

    Exit with a message if it is weak, because anyone with the key can sign in as anyone."""
    given = read_setting("WORKSPACE_SECRET_KEY")
    if given:
        if problem := _find_weakness(given):
            raise SystemExit(
                f"WORKSPACE_SECRET_KEY {problem}: give at least {MIN_KEY_LENGTH} random characters, such as "
                "`openssl rand -base64 48` prints, or leave it out for one that is made in the data folder. Named in "
                "WORKSPACE_SECRET_KEY_FALLBACKS, the present one goes on opening what it has signed"
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
    """Return earlier secret keys, which verify but do not sign.

    Weak keys are allowed, since this can be why they were replaced."""
    return read_setting("WORKSPACE_SECRET_KEY_FALLBACKS").split()


def _read_key_file(path: Path) -> str:
    for _ in range(20):
        kept = path.read_text().strip()
        if kept:
            break
        time.sleep(0.05)  # another process of the same start is about to write it
    if problem := _find_weakness(kept):
        raise SystemExit(
            f"{path} {problem}: put it back from a backup. If there is none, delete it for a new one; everybody then "
            "signs in anew, and second steps must be set up again"
        )
    return kept


def _find_weakness(key: str) -> str:
    if len(key) < MIN_KEY_LENGTH:
        return f"has {len(key)} characters"
    return "repeats a few characters" if len(set(key)) < MIN_DISTINCT_CHARACTERS else ""


def parse_postgresql_url(url: str) -> dict[str, Any]:
    """Return the parts of a PostgreSQL URL by libpq's names, with several hosts and options if given."""
    from psycopg import Error  # noqa: PLC0415 - only if PostgreSQL is used
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - only if PostgreSQL is used

    try:
        given = conninfo_to_dict(url) if url.startswith(("postgresql://", "postgres://")) else {}
    except Error:
        given = {}
    if not given.get("dbname"):
        raise SystemExit("WORKSPACE_DATABASE_URL: give postgresql://user:password@host:port/name, or nothing")
    return given
