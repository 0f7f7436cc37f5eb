"""Starting the service, its worker, its database and its demo."""

from __future__ import annotations

import secrets
import signal
import threading

import click
from django.conf import settings
from django.core.management import call_command

from workspace.accounts import demo
from workspace.accounts.models import Account, ApiKey, Person
from workspace.interfaces.http.server import PortTaken, run
from workspace.interfaces.operator.accounts import verify
from workspace.storage.database import writing

DEMO_EMAIL = "demo@example.com"


def serve() -> None:
    migrate()
    if settings.LOOPBACK and not Person.objects.exists():
        fill_demo()
    click.echo(f"Workspace Tools is at {settings.BASE_URL} (Ctrl-C ends it)")
    workers = settings.SERVER_WORKERS if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") else 1
    try:
        run(
            "workspace.asgi:application",
            factory=True,
            host=settings.SERVER_HOST,
            port=settings.SERVER_PORT,
            workers=workers,
        )
    except PortTaken as taken:
        raise click.ClickException(f"{taken} Choose another: PORT=8001 bin/serve") from None


def work() -> None:
    from workspace.delivery.worker import Worker

    done = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: done.set())
    worker = Worker()
    worker.start()
    click.echo("Sending what waits in the outbox (Ctrl-C ends it)")
    done.wait()
    worker.stop()


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
