"""`bin/workspace check`: an instance's problems, and remarks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from workspace.delivery.mail import health, smtp
from workspace.environment import COMMAND
from workspace.interfaces import untrusted_proxy_records
from workspace.interfaces.admin_cli import setting_changes
from workspace.interfaces.sign_in import encrypted_mfa
from workspace.lib.text import format_count
from workspace.linked_apps.discovery import discover_server
from workspace.linked_apps.http_json import LinkedAppError
from workspace.payments.models import Connection
from workspace.storage import encryption, encryption_keys
from workspace.storage.database.errors import FileStoreUnreachableError
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.models import SetAside
from workspace.storage.write_probe import driver_reason, find_write_fault

DISK_WARNING_SHARE = 0.9  # of the disk


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that keeps people from using the service, now or soon."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    text: str


def run_command() -> None:
    """Print the results. Exit with 1 if there is a problem."""
    findings = run_checks()
    for kind, mark in ((Problem, "PROBLEM"), (Remark, "remark ")):
        for one in findings:
            if isinstance(one, kind):
                click.echo(f"{mark}  {one.text}")
    if any(isinstance(one, Problem) for one in findings):
        sys.exit(1)
    click.echo("No problems found.")


def run_checks() -> list[Problem | Remark]:
    return [
        *_check_disk(),
        *_check_database(),
        *_check_settings(),
        *_check_files(),
        *_check_mail_server(),
        *_check_linked_apps(),
    ]


def _check_database() -> Iterator[Problem | Remark]:
    """Check whether the database answers, and if it is migrated, also its contents."""
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            yield Problem(f"The database is not up to date. Run `{COMMAND} upgrade`")
            return
        if fault := find_write_fault():
            yield Problem(f"The database cannot be written: {fault}")
        yield from check_instance_state()
    except Error as error:
        yield Problem(f"The database does not respond: {driver_reason(error)}")


def _check_disk() -> Iterator[Remark]:
    disk = shutil.disk_usage(settings.DATA)
    used = 1 - disk.free / disk.total
    if used >= DISK_WARNING_SHARE:
        yield Remark(
            f"The disk of {settings.DATA} is {used:.0%} full: {disk.free / 1e9:,.1f} GB of {disk.total / 1e9:,.1f} GB "
            "are free. Free up space, because nothing can be saved when it is full"
        )


def run_quick_checks() -> Iterator[Problem | Remark]:
    """Run all fast checks, that is, all except those that contact the mail server and linked apps."""
    yield from _check_disk()
    yield from check_instance_state()
    yield from _check_encryption_keys()
    yield from _check_settings()


def check_instance_state() -> Iterator[Problem | Remark]:
    """Check the recorded facts about the instance that may need attention."""
    if before := setting_changes.find_previous_base_url():
        yield Problem(setting_changes.base_url_message(before))
    for one in setting_changes.list_earlier_base_urls():
        yield Remark(
            f"Items printed until {one['until'][:10]} contain {one['url']}. This host must still reach the service"
        )
    yield from _check_encryption_keys()
    yield from _check_proxies()
    yield from _check_mail_state()
    if set_aside := SetAside.objects.count():
        yield Problem(
            f"{format_count(set_aside, 'row')} failed in scheduled tasks and "
            f"{('was' if set_aside == 1 else 'were')} skipped. Administrators see the errors at "
            f"{settings.BASE_URL}/app/operator/set-aside"
        )
    yield from _check_payment_events()
    if unreadable := encrypted_mfa.count_unreadable():
        yield Problem(setting_changes.key_lost_message(unreadable))


def _check_proxies() -> Iterator[Problem | Remark]:
    for network in untrusted_proxy_records.list_private_networks():
        text = (
            f"A proxy in {network} is not trusted, so all visitors behind it share one IP address and its limits. Set "
            f"WORKSPACE_TRUSTED_PROXIES, such as {network}, and restart"
        )
        yield Remark(text) if settings.LOCAL else Problem(text)
    if untrusted_proxy_records.has_public_network():
        yield Remark(
            "Forwarded headers came from the public internet. If they are from your proxy, add its network to "
            "WORKSPACE_TRUSTED_PROXIES. Otherwise someone has forged them, and they are ignored"
        )


def _check_mail_state() -> Iterator[Problem | Remark]:
    if settings.MAIL_IN and not settings.SUPPORT_ADDRESS:
        yield Problem("WORKSPACE_SMTP_LISTEN accepts no email until you set WORKSPACE_SUPPORT_ADDRESS")
    if settings.SUPPORT_ADDRESS and not settings.SUPPORT_VERIFIED_BY:
        yield Remark(
            "Senders of email to support cannot be verified. Set WORKSPACE_SUPPORT_VERIFIED_BY to the mail server"
            " whose Authentication-Results you trust"
        )
    if mail := health.current_outage():
        yield Remark(f"Email is {mail.summary}. The service retries every five minutes. Last error: {mail.reason}")
    if parked := health.count_parked():
        yield Remark(f"{parked} emails of the last month failed. Administrators find them at /outbox?state=parked")


def _check_payment_events() -> Iterator[Problem | Remark]:
    """Find payment keys without a webhook secret. Their payments are detected late, by the reconciliation."""
    if settings.STRIPE_KEY and not settings.STRIPE_WEBHOOK_SECRET:
        yield Problem(
            "WORKSPACE_STRIPE_KEY is set without WORKSPACE_STRIPE_WEBHOOK_SECRET, so payments are only found by"
            f" the nightly check. Create a Stripe webhook for {settings.BASE_URL}/hooks/stripe and set its secret"
        )
    deaf = Connection.objects.exclude(key="").filter(webhook_secret="", is_ending=False).count()
    if deaf:
        yield Remark(
            f"{format_count(deaf, 'account')} connected payments without a webhook secret, so payments are noticed"
            " late. Owners can add it at /app/account/payments/events"
        )


def _check_encryption_keys() -> Iterator[Problem]:
    try:
        if missing := encryption.find_missing_keys():
            yield Problem(
                f"Some secrets were encrypted with missing keys ({', '.join(missing)}). Restore "
                f"{encryption_keys.key_file_path()} from a backup, or ask the owners to enter their secrets again"
            )
    except encryption_keys.KeyFileError as unreadable:
        yield Problem(f"{unreadable.reason}: restore it from a backup")


def _check_files() -> Iterator[Problem | Remark]:
    try:
        remote = store.remote_files()
    except Exception as problem:  # an exception of an unknown class
        yield Problem(f"WORKSPACE_FILE_STORAGE cannot be used: {problem}")
        return
    if remote is None:
        return
    try:
        remote.probe()
    except (FileStoreUnreachableError, OSError) as away:
        yield Problem(f"Files cannot be stored in {remote.title}: {away}")
        return
    if next(store.local_storage().list_keys(), None):
        yield Remark(f"Some files are not in {remote.title} yet. To move them, run `{COMMAND} files move`")


def _check_mail_server() -> Iterator[Problem | Remark]:
    """Check whether the mail server would accept email, without sending any."""
    if not settings.SMTP_HOST:
        yield Remark("No SMTP server is set (WORKSPACE_SMTP_HOST), so emails stay in the outbox")
        return
    if problem := smtp.probe_server():
        yield Problem(f"Emails cannot be sent: {problem}")
    if settings.SMTP_USER and settings.SMTP_SECURITY == "none":
        yield Remark("WORKSPACE_SMTP_SECURITY is none: the SMTP password is sent without encryption")


def _check_linked_apps() -> Iterator[Problem | Remark]:
    """Check whether the linked apps answer, and say how to connect to them."""
    for app in settings.FAMILY:
        try:
            discover_server(app)
        except LinkedAppError as trouble:
            yield Remark(f"{app.title} (WORKSPACE_LINKED_APPS, {app.mcp_url}) cannot be connected: {trouble}")


def _check_settings() -> Iterator[Problem | Remark]:
    if not settings.SECURE and not settings.LOOPBACK:
        yield Remark("The base URL doesn’t use HTTPS, so passwords and keys are sent without encryption")
    if settings.SECRET_KEY_FALLBACKS:
        yield Remark("WORKSPACE_SECRET_KEY_FALLBACKS is set. Remove it 30 days after the key changed")
    if not settings.GEO_DATABASE:
        yield Remark("No city database is set (WORKSPACE_GEO_DATABASE), so the location of visits is Unknown")
    elif not Path(settings.GEO_DATABASE).is_file():
        yield Problem(f"WORKSPACE_GEO_DATABASE is not a file: {settings.GEO_DATABASE}")
    if not settings.OPERATOR_EMAIL:
        yield Remark(f"WORKSPACE_OPERATOR_EMAIL is not set, so reports of abuse are only listed by `{COMMAND} reports`")
    if find_spec("cv2") is None:
        yield Remark(
            "The QR code scan test uses one decoder. To add a second one (OpenCV), install the scan-test extra."
        )
    if is_sqlite() and settings.SERVER_WORKERS > 1:
        yield Remark("WORKSPACE_WORKERS is ignored on SQLite, which has one server process")
