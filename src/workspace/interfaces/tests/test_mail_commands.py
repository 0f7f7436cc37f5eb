"""Emails to support that a mail server pipes to the administrator's command, and how the administrator handles them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from workspace.interfaces.admin_cli.__main__ import main
from workspace.support.models import Ticket
from workspace.testing.incoming_mail import SUPPORT, compose_mail
from workspace.testing.rate_limits import set_limit

pytestmark = pytest.mark.django_db


def test_a_piped_email_is_stored_listed_and_accepted_if_it_was_withheld(settings, monkeypatch) -> None:
    mail = compose_mail("anna@stranger.example", "Is there a demo?", Authentication_Results="mx; spf=fail").as_bytes()
    run = CliRunner()
    assert run.invoke(main, ["mail", "receive"], input=mail).exit_code == 75, (
        "no address is set: it waits at the server"
    )
    settings.SUPPORT_ADDRESS = SUPPORT
    assert (
        "held (Probably forged: it failed"
        in run.invoke(main, ["mail", "receive", "--from", "a@b.example", "--to", SUPPORT], input=mail).output
    )
    assert "already received" in run.invoke(main, ["mail", "receive"], input=mail).output
    [row] = json.loads(run.invoke(main, ["mail", "inbox", "--held", "--json"]).output)
    assert (row["from"], row["outcome"], row["number"]) == ("anna@stranger.example", "held", None)
    done = run.invoke(main, ["mail", "accept", row["id"]])
    assert done.output == f"Accepted as ticket {Ticket.objects.get().number}.\n"
    assert run.invoke(main, ["mail", "accept", row["id"]]).exit_code == 1
    assert "new #" in run.invoke(main, ["mail", "inbox"]).output
    assert run.invoke(main, ["mail", "receive"], input=b"").exit_code == 65
    set_limit(monkeypatch, "support-email", 0)
    assert run.invoke(main, ["mail", "receive"], input=b"From: a@b.example\n\nHi").exit_code == 75
