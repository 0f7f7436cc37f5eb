"""Starting the service, its worker, its database and its demo."""

from __future__ import annotations

import os
import secrets
import sys

import click
from django.conf import settings
from django.core.management import call_command

from workspace.accounts import demo
from workspace.accounts.models import Account, ApiKey, Person
from workspace.delivery.job_lane import JobLane
from workspace.delivery.lane import run_forever
from workspace.delivery.worker import Worker
from workspace.interfaces import unheard_proxies
from workspace.interfaces.http.server import PortTaken, check_port
from workspace.interfaces.operator import changes
from workspace.interfaces.operator.accounts import verify
from workspace.storage.database import is_sqlite, writing

DEMO_EMAIL = "demo@example.com"


def serve() -> None:
    migrate()
    unheard_proxies.forget()
    for change in changes.note():
        click.echo(f"ATTENTION  {change}.", err=True)
    if settings.LOOPBACK and not Person.objects.exists():
        fill_demo()
    try:
        check_port(settings.SERVER_HOST, settings.SERVER_PORT)
    except PortTaken as taken:
        raise click.ClickException(f"{taken} Choose another, such as PORT={settings.SERVER_PORT + 1}.") from None
    click.echo(f"Workspace Tools is at {settings.BASE_URL} (Ctrl-C ends it)")
    if settings.LOCAL and not settings.SMTP_HOST:
        click.echo(f"Mail is not sent: read it at {settings.BASE_URL}/outbox, from this machine")
    workers = 1 if is_sqlite() else settings.SERVER_WORKERS
    command = [sys.executable, "-m", "workspace.interfaces.http", "workspace.asgi:application", "--factory"]
    command += ["--host", settings.SERVER_HOST, "--port", str(settings.SERVER_PORT), "--workers", str(workers)]
    sys.stdout.flush()
    # this process gives way to the server's, which watches its workers and need not hold Django in memory itself
    os.execv(sys.executable, command)  # noqa: S606 - a program of our own, no shell needed


def work() -> None:
    click.echo("Sending what waits in the outbox and working on jobs (Ctrl-C ends it)")
    run_forever(Worker(), JobLane())


def migrate() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def fill_demo() -> None:
    """A demo account with something of every product, and its password and key, which are not stored readable."""
    if Person.objects.filter(email=DEMO_EMAIL).exists():
        raise click.ClickException(f"The demo is there already ({DEMO_EMAIL}). `key create {DEMO_EMAIL}` makes a key.")
    password = secrets.token_urlsafe(12)
    with writing():
        person = Person.objects.create_user(DEMO_EMAIL, password, name="Dana Demo")
        account = Account.open(person, name="Café Morgenrot", time_zone="Europe/Berlin")
        verify(person)
        _, key = ApiKey.mint(account, name="Demo", by=person)
        demo.fill(account)
    click.echo("A demo account has been filled in. Its password and key are shown this once:\n")
    click.echo(f"  sign in at  {settings.BASE_URL}/sign-in/")
    click.echo(f"  e-mail      {DEMO_EMAIL}")
    click.echo(f"  password    {password}")
    click.echo(f"  API key     {key}\n")
