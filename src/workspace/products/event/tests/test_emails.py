"""Emails to the owner: a program is published, a credit is spent, an import causes conflicts."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts import event_credits
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.delivery import mail, notifications
from workspace.delivery.models import Delivery
from workspace.products.event.api import part_tools, tools
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db

TABLE = """day;start;end;title;location
2037-05-15;9:00;10:00;Opening & greetings;Hall
2037-05-15;9:30;10:30;Boats;Hall
2037-05-15;11:00;12:00;Knots;Hall
"""


def subjects() -> list[str]:
    return [str(mail.parse_message(row)["Subject"]) for row in Delivery.objects.order_by("id")]


def texts(which: str = "plain") -> str:
    last = mail.parse_message(Delivery.objects.order_by("id").last()).get_body((which,))
    return str(last.get_content())


def draft(account: Account) -> str:
    return str(execute_tool(tools.create, Caller(account), {"title": "Harbour & Sea"}).data["id"])


def publish(account: Account, id: str, on: bool = True, **more: Any) -> None:
    execute_tool(tools.edit, Caller(Account.objects.get(pk=account.pk)), {"event_id": id, "published": on, **more})


def import_sessions(account: Account, id: str, csv: str, **how: Any) -> None:
    execute_tool(part_tools.save_sessions, Caller(account), {"event_id": id, "csv": csv, **how})


def test_publishing_sends_one_email_with_the_link_the_qr_code_and_the_calendar() -> None:
    account = make_account()
    id = draft(account)
    publish(account, id, dry_run=True)
    assert subjects() == [], "nothing was published"
    publish(account, id)
    publish(account, id)
    publish(account, id, on=False)
    publish(account, id)
    assert subjects() == ["Published: Harbour & Sea"]
    url = account.events.get().public_url
    assert f"{url}\r\n" in texts() and f"/app/event/{id}/share" in texts() and f"{url}.ics" in texts()
    assert "credit" not in texts()
    assert f'src="{url}.png?size=400"' in texts("html")


def test_a_spent_credit_is_reported_in_one_email_with_the_remaining_credits() -> None:
    account = make_account(program="free")
    with write_transaction():
        event_credits.grant_credits(account, 2, "payment:1", "Bought")
    publish(account, draft(account))
    assert subjects() == ["Published with one event credit: Harbour & Sea"]
    assert "You have 1 credit left." in texts() and "You have 1 credit left." in texts("html")
    with write_transaction():
        notifications.set_switches(account, {"event.credit": False})
    publish(account, draft(account))
    assert len(subjects()) == 2, "who wants no mail about credits still reads that it is published"
    with write_transaction():
        notifications.set_switches(account, {"event.published": False})
        event_credits.grant_credits(account, 1, "payment:2", "Bought")
    publish(account, draft(account))
    assert len(subjects()) == 2


def test_only_new_conflicts_of_an_import_are_reported() -> None:
    account = make_account()
    id = draft(account)
    import_sessions(account, id, TABLE, dry_run=True)
    assert subjects() == []
    import_sessions(account, id, TABLE)
    assert subjects() == ["Harbour & Sea: 1 schedule conflict after an import"]
    assert "“Opening & greetings” (09:00–10:00) and “Boats” (09:30–10:30)" in texts()
    assert f"/app/event/{id}" in texts() and "Opening &amp; greetings" in texts("html")
    import_sessions(account, id, TABLE, match=True)
    assert len(subjects()) == 1, "it was there before"
    import_sessions(
        account,
        id,
        "day;start;end;title;location\n2037-05-15;11:30;12:30;Soup;Hall\n2037-05-15;11:30;12:30;مرحبا;Hall\n",
    )
    assert len(subjects()) == 2
    assert "“\u2068مرحبا\u2069” (11:30–12:30)" in texts(), "it does not turn the words around it"
    assert "Soup" in texts() and "Opening" not in texts()
