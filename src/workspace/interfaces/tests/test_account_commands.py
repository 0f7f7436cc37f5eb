"""The administrator's commands for accounts, API keys and emails, as typed in a shell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.core.mail import EmailMessage
from django.test import Client

from workspace.accounts.models import Account, ApiKey, Person
from workspace.delivery.models import Delivery, DeliveryState
from workspace.interfaces.admin_cli.__main__ import main
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def run_command(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="bin/workspace")


def run_json(*words: str) -> Any:
    done = run_command(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_accounts_are_found_by_part_of_a_name_in_any_case_or_of_an_email(api: Api) -> None:
    Account.open(Person.objects.create_user("marta@elsewhere.example"), name="CAFÉ Mitte")
    assert [one["name"] for one in run_json("account", "list", "-q", "café m")] == ["CAFÉ Mitte"]
    assert [one["name"] for one in run_json("account", "list", "-q", "elsewhere")] == ["CAFÉ Mitte"]
    assert len(run_json("account", "list")) == 2
    assert "No accounts found" in run_command("account", "list", "-q", "nobody").output


def test_usage_shows_numbers_and_no_content_of_pages(api: Api) -> None:
    api.run("svc_qr_create", name="Secret plans", target_url="example.com")
    found = run_json("account", "usage", api.account.pk)
    assert found["things"] == {"qr": 1}
    assert found["keys"] == 1 and found["parked"] == 0 and found["visits"] == 0
    assert "Secret" not in json.dumps(found)
    assert api.account.name in run_command("account", "usage", api.account.owner.email).output


def test_a_suspended_account_is_unavailable_until_it_is_resumed(api: Api) -> None:
    address = api.run("svc_qr_create", name="Door", target_url="example.com")["printed_url"]
    banned = api.run("svc_qr_create", name="Bad", target_url="example.org")["printed_url"]
    assert run_command("ban", banned, "--reason", "Phishing").exit_code == 0
    guest = Client()
    assert guest.get(address).status_code == 302
    assert run_command("account", "suspend", api.account.pk, "--reason", "Unpaid").exit_code == 0
    assert guest.get(address).status_code == 404
    assert api.get("me")[0] == 401
    assert "already" in run_command("account", "suspend", api.account.pk, "--reason", "x").output
    assert ": Unpaid" in run_command("account", "usage", api.account.pk).output
    assert run_json("account", "list")[0]["suspended_for"] == "Unpaid"
    assert "with 1 public pages" in run_command("account", "resume", api.account.pk).output
    assert "Unpaid" not in run_command("account", "usage", api.account.pk).output
    assert guest.get(address).status_code == 302
    assert guest.get(banned).status_code == 404, "what was banned for itself stays so"
    assert api.get("me")[0] == 200


def test_a_person_who_lost_their_mailbox_signs_in_with_another_email(api: Api, mailoutbox: list[EmailMessage]) -> None:
    person = api.account.owner
    before = person.email
    Person.objects.create_user("taken@example.com")
    assert "Someone else" in run_command("account", "change-email", before, "taken@example.com").output
    assert "not an email" in run_command("account", "change-email", before, "nowhere").output
    assert "already" in run_command("account", "change-email", before, before).output and not mailoutbox
    assert run_command("account", "change-email", before, "New@Example.com").exit_code == 0
    person.refresh_from_db()
    assert person.email == "new@example.com"
    assert {one.to[0] for one in mailoutbox} == {before, "new@example.com"}


def test_a_leaked_key_is_revoked_by_its_secret(api: Api) -> None:
    key, secret = ApiKey.create(api.account, name="Leaked")
    assert [one["name"] for one in run_json("key", "list", api.account.pk)] == ["Leaked", "Tests"]
    assert "Leaked" in run_command("key", "revoke", secret).output
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert "Key not found" in run_command("key", "revoke", "key_nothing").output
    assert secret not in run_command("key", "list", api.account.pk).output


def test_failed_emails_are_listed_and_sent_again(api: Api) -> None:
    parked = Delivery.objects.create(
        kind="mail", payload={"to": []}, state=DeliveryState.PARKED, last_error="550 no such user"
    )
    assert [one["id"] for one in run_json("mail", "failed")] == [parked.pk]
    assert run_command("mail", "resend").exit_code == 2
    assert "1 will be sent again" in run_command("mail", "resend", parked.pk).output
    assert run_command("mail", "resend", parked.pk).exit_code == 1
    assert "0 will be" in run_command("mail", "resend", "--all").output


def test_an_account_is_deleted_after_a_confirmation(api: Api) -> None:
    refused = CliRunner().invoke(main, ["account", "delete", api.account.pk], input="n\n")
    assert refused.exit_code == 1 and Account.objects.exists()
    assert run_command("account", "delete", api.account.pk, "--yes").exit_code == 0
    assert not Account.objects.exists()
