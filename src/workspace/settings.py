"""Django's settings. Settings for administrators come from `environment.py`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workspace import environment, logs, products
from workspace.environment import read_setting
from workspace.lib.languages import CONTENT_LANGUAGES, GUEST_LANGUAGES
from workspace.linked_apps.config import load_applications
from workspace.rate_limits.table import allauth_rates
from workspace.storage import shared_cache
from workspace.support import config

# Files of this process (the database, uploads, a backup) can be read only by its own user.
os.umask(0o077)

ROOT = Path(__file__).resolve().parent
DATA = environment.data_folder()
BASE_URL = environment.read_base_url()
_base_parts = urlsplit(BASE_URL)
SECURE = _base_parts.scheme == "https"
LOOPBACK = _base_parts.hostname in ("127.0.0.1", "localhost", "::1")
# for trying it out on this machine, perhaps with a phone on the same network
LOCAL = LOOPBACK or read_setting("WORKSPACE_LAN_ACCESS") == "on"

SECRET_KEY, SECRET_KEY_FALLBACKS = environment.load_secret_key(), environment.secret_key_fallbacks()
ENCRYPTION_KEYS = read_setting("WORKSPACE_ENCRYPTION_KEYS")
DEBUG = False
# Passkeys do not work on an IP address, so a loopback instance responds under its name as well.
ALLOWED_HOSTS = [_base_parts.hostname or "127.0.0.1", *(["127.0.0.1", "localhost", "[::1]"] if LOCAL else [])]
CSRF_TRUSTED_ORIGINS = [BASE_URL]

INSTALLED_APPS = [
    # our apps first: their templates and translations take precedence over those of the libraries
    "workspace.interfaces",
    "workspace.storage",
    "workspace.rate_limits",
    "workspace.documents",
    "workspace.accounts",
    "workspace.audit_trail",
    "workspace.brand",
    "workspace.delivery",
    "workspace.linked_apps",
    "workspace.payments",
    "workspace.publishing",
    "workspace.analytics",
    "workspace.integrations",
    "workspace.public_site",
    "workspace.billing",
    "workspace.dashboard",
    "workspace.support",
    *(f"workspace.products.{name}" for name in (*products.PRODUCT_NAMES, *products.UPCOMING_NAMES)),
    "workspace.products",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "oauth2_provider",
]
MIDDLEWARE = [
    "workspace.interfaces.middleware.set_request_facts",
    "workspace.interfaces.middleware.compress_responses",
    "workspace.interfaces.middleware.add_security_headers",
    "django.middleware.security.SecurityMiddleware",
    "workspace.interfaces.rest.direct_routing.api_middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]
ROOT_URLCONF = "workspace.urls"
APPEND_SLASH = False
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # before the templates of apps, so that sign-in pages have our design
        "DIRS": [ROOT / "dashboard" / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "workspace.template_layout.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "workspace.dashboard.context.page_context",
            ],
        },
    }
]


# Each thread uses at most one connection. Visits, email, jobs and webhooks have one thread each, in addition to the
# threads for requests. A request that waits for its visit to be written must never use the writer's connection.
CONNECTIONS = environment.read_number("WORKSPACE_CONNECTIONS", least=8)
THREADS = CONNECTIONS - 5


def _database_settings() -> dict[str, Any]:
    url = read_setting("WORKSPACE_DATABASE_URL")
    if url:
        given = environment.parse_postgresql_url(url)
        return {
            "ENGINE": "workspace.storage.database.postgresql",
            "NAME": given.pop("dbname"),
            **{name.upper(): given.pop(name, "") for name in ("user", "password", "host", "port")},
            # Persistent connections would leak when idle threads end. A pool does not, and it allows short timeouts: a
            # thread that waits for an unreachable server regularly checks whether to continue.
            "OPTIONS": {
                "connect_timeout": 3,
                "pool": {"min_size": 1, "max_size": CONNECTIONS, "timeout": 10, "reconnect_timeout": 2},
                **given,
            },
            # checked when a connection is taken from the pool (about 50 µs), because a restart of PostgreSQL ends all
            # connections
            "CONN_HEALTH_CHECKS": True,
        }
    return {
        "ENGINE": "workspace.storage.database.sqlite",
        "NAME": DATA / "workspace.sqlite3",
        # persistent in each thread of the bounded pool
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; "
            "PRAGMA secure_delete=ON",
        },
        # a file, because tests start real servers that share it
        "TEST": {"NAME": DATA / "test.sqlite3"},
    }


DATABASES = {"default": _database_settings()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "workspace.accounts.password_hashers.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/app"

ACCOUNT_ADAPTER = "workspace.interfaces.sign_in.allauth_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "workspace.interfaces.sign_in.forms.SignUpForm",
    "login": "workspace.interfaces.sign_in.forms.SignInForm",
    "change_password": "workspace.interfaces.sign_in.forms.ChangePasswordForm",
    "set_password": "workspace.interfaces.sign_in.forms.SetPasswordForm",
    "reset_password": "workspace.interfaces.sign_in.forms.RequestPasswordResetForm",
    "reset_password_from_key": "workspace.interfaces.sign_in.forms.ResetPasswordForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = False
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
ACCOUNT_CONFIRM_EMAIL_ON_GET = False  # email scanners follow links, so people confirm with a button
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True  # an email when the password, the address or a second factor changes
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _base_parts.scheme
ACCOUNT_SIGNUP_REDIRECT_URL = "/app/welcome"
ACCOUNT_LOGOUT_REDIRECT_URL = "/sign-in/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
PASSWORD_RESET_TIMEOUT = 2 * 60 * 60
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_RATE_LIMITS = allauth_rates()
USERSESSIONS_TRACK_ACTIVITY = False
MFA_ADAPTER = "workspace.interfaces.sign_in.allauth_adapter.SecondFactorAdapter"
MFA_FORMS = {"add_webauthn": "workspace.interfaces.sign_in.forms.AddPasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = LOOPBACK
MFA_TOTP_ISSUER = "Workspace Tools"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be off by half a minute

CACHES = {
    "default": shared_cache.cache_settings(many=DATABASES["default"]["ENGINE"] != "workspace.storage.database.sqlite")
}

SESSION_COOKIE_NAME = "workspace_session"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
CSRF_COOKIE_NAME = "workspace_csrf"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = None  # the WSGI bridge sets the scheme, from trusted proxies only
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6000  # for a proposal of 500 lines; without sign-in, the limit is 64 kB
FILE_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
MAX_BODY = 10 * 1024 * 1024
MAX_FILES = 27 * 1024 * 1024  # bytes of a request with files, because guests can send several at once
TRUSTED_PROXIES = [part.strip() for part in read_setting("WORKSPACE_TRUSTED_PROXIES").split(",") if part.strip()]
STRIPE_URL = read_setting("WORKSPACE_STRIPE_URL").rstrip("/")
WEBHOOK_NETWORKS = [part.strip() for part in read_setting("WORKSPACE_WEBHOOK_NETWORKS").split(",") if part.strip()]
CALENDAR_NETWORKS = [part.strip() for part in read_setting("WORKSPACE_CALENDAR_NETWORKS").split(",") if part.strip()]

LANGUAGE_CODE = GUEST_LANGUAGES[0]
LANGUAGES = [(code, CONTENT_LANGUAGES[code]) for code in GUEST_LANGUAGES]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
# `serve` collects them for its server and sets the path; other commands use the source files
STATIC_ROOT = os.environ.get("COLLECTED_STATIC_FILES", "")
COLLECTED_STATIC_FILES = {"BACKEND": "workspace.storage.files.static_files.CollectedFiles"}
SOURCE_STATIC_FILES = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
MEDIA_ROOT = DATA / "files"
LOCAL_FILES = environment.local_file_storage()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},  # Django's default, which is not used
    "staticfiles": COLLECTED_STATIC_FILES if STATIC_ROOT else SOURCE_STATIC_FILES,
    # uploads, pictures and generated files; see `storage.files.store`
    "files": environment.read_file_storage() or LOCAL_FILES,
    "local_files": LOCAL_FILES,
}
WHITENOISE_USE_FINDERS = not STATIC_ROOT
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 3600

EMAIL_BACKEND = "workspace.delivery.mail.OutboxBackend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = read_setting("WORKSPACE_MAIL_FROM")
SMTP_HOST, SMTP_PORT = read_setting("WORKSPACE_SMTP_HOST"), environment.read_number("WORKSPACE_SMTP_PORT")
SMTP_USER, SMTP_PASSWORD = read_setting("WORKSPACE_SMTP_USER"), read_setting("WORKSPACE_SMTP_PASSWORD")
SMTP_SECURITY = environment.read_choice("WORKSPACE_SMTP_SECURITY", "starttls", "tls", "none")

SIGNUP_OPEN = read_setting("WORKSPACE_SIGNUP") == "open"
PAYMENTS, FAMILY = read_setting("WORKSPACE_PAYMENTS") == "on", load_applications()
STRIPE_KEY, STRIPE_WEBHOOK_SECRET = (
    read_setting("WORKSPACE_STRIPE_KEY"),
    read_setting("WORKSPACE_STRIPE_WEBHOOK_SECRET"),
)
STRIPE_TAX = environment.read_choice("WORKSPACE_STRIPE_TAX", "off", "on") == "on"
OPERATOR_EMAIL, OPERATOR_NAME = read_setting("WORKSPACE_OPERATOR_EMAIL"), read_setting("WORKSPACE_OPERATOR_NAME")
SUPPORT_ADDRESS, SUPPORT_VERIFIED_BY, MAIL_IN = (
    config.read_address(),
    config.read_verifier(),
    config.read_listen_address(),
)
GEO_DATABASE, GEO_ATTRIBUTION = read_setting("WORKSPACE_GEO_DATABASE"), read_setting("WORKSPACE_GEO_ATTRIBUTION")
METRICS_TOKEN = environment.read_secret("WORKSPACE_METRICS_TOKEN", 16)
STATS_RETENTION_DAYS = environment.read_number("WORKSPACE_STATS_RETENTION", least=400)
SERVER_HOST, SERVER_PORT = read_setting("WORKSPACE_HOST"), environment.read_number("PORT")
BACKGROUND_WORKER, SERVER_WORKERS = (
    read_setting("WORKSPACE_BACKGROUND_WORKER"),
    environment.read_number("WORKSPACE_WORKERS"),
)

# OAuth 2.1: codes with PKCE S256 only, rotating refresh tokens, and only hashes in the database.
OAUTH2_PROVIDER_APPLICATION_MODEL = "accounts.OAuthClient"
OAUTH2_PROVIDER_GRANT_MODEL = "accounts.OAuthGrant"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "accounts.OAuthAccessToken"
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "accounts.OAuthRefreshToken"
OAUTH2_PROVIDER: dict[str, Any] = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "workspace.interfaces.oauth.validator.OAuthRequestValidator",
    "ACCESS_TOKEN_GENERATOR": "workspace.accounts.models.oauth.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "workspace.accounts.models.oauth.new_refresh_token",
    "SCOPES": {"read": "See everything in the account", "write": "Create, change and delete everything in the account"},
    "PKCE_REQUIRED": True,
    # beyond https, the client model decides: loopback http and custom schemes of applications
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 60 * 60,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 60 * 60 * 24 * 90,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "OIDC_ISS_ENDPOINT": BASE_URL,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_post", "client_secret_basic"],
    "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": f"{BASE_URL}/mcp",
    "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [BASE_URL],
    "OAUTH2_PROTECTED_RESOURCE_NAME": "Workspace Tools",
    "DCR_ENABLED": True,
    "CIMD_ENABLED": True,
    "CIMD_METADATA_FETCHER": "workspace.interfaces.oauth.client_metadata.ClientMetadataFetcher",
    "CIMD_REGISTRATION_PERMISSION_CLASSES": ["workspace.interfaces.oauth.registration_limit.MetadataFetchPermission"],
    # fewer than the threads of the pool, so that slow hosts cannot block all of them
    "CIMD_MAX_CONCURRENT_FETCHES": 2,
    **{
        f"COMPLIANT_BCP_RFC9700_{rule}": True
        for rule in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
            "REFRESH_TOKEN",
            "REDIRECT_URI_SCHEME",
            "REDIRECT_URI_MATCHING",
            "PKCE_REQUIRED",
        )
    },
}

LOGGING: dict[str, Any] = logs.logging_settings()
