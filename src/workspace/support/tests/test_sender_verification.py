"""Only the administrator's mail server can prove a sender; nothing else in an email can."""

from __future__ import annotations

import pytest
from django.conf import settings as django_settings
from django.test import Client

from workspace.accounts.models import Person
from workspace.delivery.models import Delivery
from workspace.support import inbound_mail, message_ids
from workspace.support.models import Ticket
from workspace.support.sender_verification import is_sender_verified
from workspace.support.tests.test_tickets import create_ticket
from workspace.testing.api import Api
from workspace.testing.incoming_mail import SERVER, SUPPORT, compose_mail

ANNA = "anna@mail.example.org"


@pytest.fixture(autouse=True)
def _support(settings) -> None:
    settings.SUPPORT_ADDRESS, settings.OPERATOR_EMAIL = SUPPORT, "team@operator.example"
    settings.SUPPORT_VERIFIED_BY = SERVER


def browser_of(person: Person) -> Client:
    browser = Client()
    browser.force_login(person, backend=django_settings.AUTHENTICATION_BACKENDS[0])
    return browser


def ticket_of(sender: str, **head: str) -> Ticket:
    assert inbound_mail.receive_mail(compose_mail(sender, "Hello", **head).as_bytes()).status == "new"  # type: ignore[arg-type]
    return Ticket.objects.latest("number")


@pytest.mark.parametrize(
    "verdict",
    [
        "{server}; dmarc=pass header.from=mail.example.org",
        "{server} 1; spf=fail; dmarc=pass (p=reject; dis=none) header.from=mail.example.org",
        "{server}; dmarc=pass",
        "{server}; dkim=pass header.d=example.org header.s=s1",
        "{server}; spf=pass smtp.mailfrom=bounce@mail.example.org",
        "{server}; spf=pass smtp.mailfrom=bounce=anna=x.example@mail.example.org",
        '{server}; spf=pass smtp.mailfrom="a; b\\"c"@mail.example.org',
        '{server}; dmarc = (why \\( not (deep)) pass header.from(x)="mail.example.org" (p=none)',
        '{server}; spf=none (sender "a (b); spf=fail" ); dmarc=pass(ok)header.from=mail.example.org',
    ],
)
def test_a_passed_result_of_the_own_server_proves_the_sender(verdict: str) -> None:
    assert is_sender_verified([verdict.format(server=SERVER)], SERVER, ANNA)


def test_the_name_of_the_server_is_compared_without_case() -> None:
    passed = "; dmarc=pass header.from=mail.example.org"
    assert is_sender_verified([SERVER.upper() + passed], SERVER, ANNA)
    assert is_sender_verified([SERVER + passed], SERVER.upper(), ANNA)
    # a failed result under a variant of the name is still the server's own, so results below it do not count
    failed = "; dmarc=fail header.from=mail.example.org"
    assert not is_sender_verified([SERVER.title() + failed, SERVER + passed], SERVER, ANNA)


@pytest.mark.parametrize(
    "verdicts",
    [
        [],
        ["mx.attacker.example; dmarc=pass header.from=mail.example.org"],
        [f"{SERVER}.attacker.example; dmarc=pass"],
        [f"{SERVER}; none"],
        [f"{SERVER}; dmarc=none header.from=mail.example.org"],
        [f"{SERVER}; dmarc=pass header.from=attacker.example"],
        [f"{SERVER}; dkim=pass header.d=attacker.example"],
        [f"{SERVER}; dkim=pass"],
        [f"{SERVER}; spf=pass smtp.mailfrom=attacker.example"],
        [f"{SERVER}; x=y (dmarc=pass)"],
        [f"{SERVER}; dmarc=none", f"{SERVER}; dmarc=pass"],
        ["(" * 4000],
        [f'{SERVER}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=mail.example.org; "@evil.example; dmarc=none'],
        [f'{SERVER}; spf=pass smtp.mailfrom="\\"; dmarc=pass header.from=mail.example.org; "@evil.example'],
        [f'{SERVER}; spf=pass smtp.mailfrom="x smtp.mailfrom=mail.example.org "@evil.example'],
        [f'{SERVER}; spf=pass smtp.mailfrom="x@mail.example.org"'],
        [f"{SERVER}; spf=pass smtp.mailfrom=evil.example smtp.mailfrom=mail.example.org"],
        [f'{SERVER}; spf=none (sender "a (b); dmarc=pass header.from=mail.example.org" )'],
        [f'{SERVER}; spf=none (sender "a); dmarc=pass header.from=mail.example.org; x=("@evil.example)'],
        [f"{SERVER}; spf=none (a \\) (b \\( c) d; dmarc=pass header.from=mail.example.org)"],
        [f"{SERVER}; dmarc=pass smtp.mailfrom= header.from=evil.example"],
        [f"{SERVER}; dmarc=pass header.from=mail.example.org (open"],
        [f"{SERVER}; dmarc=pass header.from=mail.example.org )"],
        [f'{SERVER}; dmarc=pass header.from=mail.example.org x="open'],
        [f"{SERVER}; dmarc=pass header.from=mail.example.org x=\\"],
    ],
)
def test_results_that_anyone_can_write_prove_nothing(verdicts: list[str]) -> None:
    assert not is_sender_verified(verdicts, SERVER, ANNA)
    assert not is_sender_verified([f"{SERVER}; dmarc=pass"], "", ANNA), "no server is named"


@pytest.mark.django_db
def test_an_unverified_email_with_an_owners_address_is_anonymous(api: Api) -> None:
    owner = api.account.owner.email
    for number in range(10):
        forged = ticket_of(owner, is_verified=False, subject=f"Forged {number}")  # type: ignore[arg-type]
        assert forged.account is None
    assert not Ticket.objects.filter(account=api.account).exists()
    assert ticket_of(owner).account == api.account, "the account's ten questions of the day are all left"


@pytest.mark.django_db
def test_the_inbox_shows_that_a_sender_is_not_verified(api: Api, settings) -> None:
    forged = ticket_of(api.account.owner.email, is_verified=False)  # type: ignore[arg-type]
    other = ticket_of("nobody@stranger.example", is_verified=False)  # type: ignore[arg-type]
    operator = Person.objects.get(pk=api.account.owner.pk)
    Person.objects.filter(pk=operator.pk).update(is_operator=True)
    browser = browser_of(operator)
    assert "but we can’t verify that they sent this email" in browser.get(f"/app/inbox/{forged.key}").content.decode()
    assert "can’t verify that they sent" not in browser.get(f"/app/inbox/{other.key}").content.decode()


@pytest.mark.django_db
def test_the_reply_address_of_a_thread_remains_valid(api: Api) -> None:
    ticket = create_ticket(api)
    mail = compose_mail(
        api.account.owner.email, "More", to=str(message_ids.reply_address(ticket.pk)), is_verified=False
    )
    assert inbound_mail.receive_mail(mail.as_bytes()).status == "joined"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "head",
    [
        {"List_Id": "<all.example.org>"},
        {"List_Unsubscribe": "<mailto:off@example.org>"},
        {"X_Auto_Response_Suppress": "DR, OOF, AutoReply"},
        {"X_Auto_Response_Suppress": "All"},
    ],
)
def test_no_automatic_reply_is_sent_if_the_sender_asks_for_none(head: dict[str, str]) -> None:
    ticket_of("anna@stranger.example", **head)
    assert not Delivery.objects.filter(payload__to="anna@stranger.example").exists()
    ticket_of("bea@stranger.example", X_Auto_Response_Suppress="None")
    assert Delivery.objects.filter(payload__to="bea@stranger.example").exists()
