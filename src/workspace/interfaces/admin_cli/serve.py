"""Starting the service with its worker, its database and its demo."""

from __future__ import annotations

import logging
import os
import pkgutil
import secrets
import subprocess
import sys
from importlib.util import find_spec

import click
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from workspace import logs
from workspace.accounts import demo, plans
from workspace.accounts.models import Account, ApiKey, Person
from workspace.delivery.address_books.worker import ContactWorker
from workspace.delivery.calendars.worker import CalendarWorker
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.delivery.outbox.worker_thread import run_forever
from workspace.delivery.webhooks.worker import WebhookWorker
from workspace.environment import COMMAND
from workspace.insights import search
from workspace.interfaces import untrusted_proxy_records
from workspace.interfaces.admin_cli import setting_changes, static_files
from workspace.interfaces.admin_cli.account_setup import verify_email
from workspace.interfaces.server.granian_server import PortInUseError, check_port, run_server
from workspace.payments.worker import PaymentWorker
from workspace.storage.database.named_lock import hold_lock
from workspace.storage.database.transactions import is_sqlite, write_transaction
from workspace.storage.files import store
from workspace.storage.files.backends.s3 import BucketStorage
from workspace.support.smtp_worker import SmtpWorker

logger = logging.getLogger(__name__)

APPLICATION = "workspace.asgi:application"


def _check_file_storage() -> None:
    """Raise click.ClickException if the file storage cannot be created."""
    try:
        remote = store.remote_files()
    except Exception as problem:  # an exception of an unknown class
        raise click.ClickException(f"WORKSPACE_FILE_STORAGE cannot be used: {problem}") from problem
    if remote and isinstance(remote.storage, BucketStorage) and find_spec("boto3") is None:
        raise click.ClickException("WORKSPACE_S3_BUCKET is set, but boto3 is missing. Install workspace-tools[s3].")


def serve() -> None:
    logs.configure()
    _check_file_storage()
    migrate()
    untrusted_proxy_records.clear_networks()
    for change in setting_changes.record_settings():
        click.echo(f"WARNING  {change}.", err=True)
    if settings.LOOPBACK and not Person.objects.exists():
        if sys.stdout.isatty():
            fill_demo()
        else:
            # a log must not contain a password; its reader can create a sign-in link instead
            create_demo()
            _print_status(
                f"Created a demo account. `{COMMAND} sign-in {demo.EMAIL}` prints a sign-in link, and `{COMMAND} key "
                f"create {demo.EMAIL}` an API key"
            )
    try:
        check_port(settings.SERVER_HOST, settings.SERVER_PORT)
    except PortInUseError as taken:
        raise click.ClickException(f"{taken} Choose another, such as PORT={settings.SERVER_PORT + 1}.") from None
    _print_status(f"Workspace Tools is running at {settings.BASE_URL} (press Ctrl-C to stop)")
    if settings.LOCAL and not settings.SMTP_HOST:
        _print_status(f"Emails are not sent. You can read them at {settings.BASE_URL}/outbox on this computer")
    workers = 1 if is_sqlite() else settings.SERVER_WORKERS
    try:
        static_files.serve_from_folder(static_files.collect_files())
    except (OSError, subprocess.CalledProcessError) as error:
        # a full or read-only disk: files are served from the source folders
        logger.warning("Style sheets and scripts are not collected, so browsers keep them for an hour only: %s", error)
    if workers == 1:
        run_server(APPLICATION, factory=True, host=settings.SERVER_HOST, port=settings.SERVER_PORT)
        return
    if settings.METRICS_TOKEN:
        from workspace.interfaces import metrics  # imported late: it imports a library that few instances need

        metrics.share_metrics_between_processes(settings.DATA / "metrics")
    command = [sys.executable, "-m", "workspace.interfaces.server", APPLICATION, "--factory"]
    command += ["--host", settings.SERVER_HOST, "--port", str(settings.SERVER_PORT), "--workers", str(workers)]
    sys.stdout.flush()
    # The server replaces this process. It watches its workers, and does not need Django in memory.
    os.execv(sys.executable, command)  # noqa: S606 - a program of our own, no shell needed


def run_worker() -> None:
    logs.configure()
    _print_status("Sending queued messages and running jobs (press Ctrl-C to stop)")
    run_forever(
        OutboxWorker(), JobWorker(), WebhookWorker(), CalendarWorker(), ContactWorker(), PaymentWorker(), SmtpWorker()
    )


def _print_status(message: str) -> None:
    """Print a message to the terminal. Without a terminal, log it like all other service output."""
    if sys.stdout.isatty():
        click.echo(message)
    else:
        logger.info(message)


def migrate() -> None:
    """Migrate the database if necessary, and rebuild a missing search index."""
    with hold_lock("migrate"):  # servers on several machines may start at once
        # Django's command reads all migrations and builds all models again, even if there is nothing to do
        if not is_migrated():
            call_command("migrate", interactive=False, verbosity=0)
    if search.is_index_missing():
        search.rebuild_index()


def is_migrated() -> bool:
    """Return whether every migration has been applied. Compare file names without importing the files."""
    applied = MigrationRecorder(connection).applied_migrations()
    return all(
        (app.label, migration.name) in applied
        for app in apps.get_app_configs()
        for migration in pkgutil.iter_modules([f"{app.path}/migrations"])
    )


def create_demo() -> tuple[str, str]:
    """Create a demo account with items of every product.

    Return its password and API key, which are stored only as hashes.
    """
    if Person.objects.filter(email=demo.EMAIL).exists():
        raise click.ClickException(
            f"The demo account already exists ({demo.EMAIL}). To create another key, run `key create {demo.EMAIL}`."
        )
    password = secrets.token_urlsafe(12)
    demo.prepare_pictures()
    with write_transaction():
        person = Person.objects.create_user(demo.EMAIL, password, name="Marta Lindqvist")
        tops = {key: product.top_plan for key, product in plans.PRODUCTS.items()} if settings.PAYMENTS else None
        account = Account.open(person, name=demo.NAME, time_zone=demo.TIME_ZONE, chosen=tops)
        verify_email(person)
        _, key = ApiKey.create(account, name="Demo", by=person)
        demo.fill_account(account)
    return password, key


def fill_demo() -> None:
    """Create the demo and print its password and key, which are shown only once."""
    password, key = create_demo()
    click.echo("Created a demo account. Its password and API key are shown only once:\n")
    click.echo(f"  sign in at  {settings.BASE_URL}/sign-in/")
    click.echo(f"  email       {demo.EMAIL}")
    click.echo(f"  password    {password}")
    click.echo(f"  API key     {key}\n")
