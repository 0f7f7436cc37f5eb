from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from workspace.accounts.models import Person
from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.testing.api import make_account
from workspace.testing.smtp_sink import write_mail

pytestmark = [pytest.mark.django_db, pytest.mark.urls("workspace.delivery.urls")]


@pytest.fixture(autouse=True)
def development(settings: Any) -> None:
    settings.LOCAL, settings.SMTP_HOST = True, ""


def _operator() -> Client:
    client = Client()
    client.force_login(Person.objects.create_user("op@example.com", is_operator=True))
    return client


def test_the_newest_email_is_listed_first(client: Client) -> None:
    write_mail(subject="First <one>")
    write_mail(subject="Second")
    page = client.get("/outbox").content.decode()
    assert page.index("Second") < page.index("First &lt;one&gt;") and "guest@example.com" in page


def test_an_empty_outbox_shows_a_message(client: Client) -> None:
    assert "No emails yet" in client.get("/outbox").content.decode()


def test_an_email_shows_its_headers_and_clickable_links(client: Client) -> None:
    row = write_mail(subject="Zürich", body="Go to http://127.0.0.1:8000/confirm/abc-1?x=1&y=2\n<script>\n")
    page = client.get(f"/outbox/{row.id}").content.decode()
    assert "Zürich" in page and "Message-ID" in page and "&lt;script&gt;" in page
    assert re.search(r'<a href="http://127.0.0.1:8000/confirm/abc-1\?x=1&amp;y=2"', page)


def test_html_is_shown_in_a_sandboxed_frame(client: Client) -> None:
    message = EmailMultiAlternatives("Hi", "Hi", to=["a@example.com"])
    message.attach_alternative("<html><body><b>Hi</b><script>alert(1)</script></body></html>", "text/html")
    message.attach("Menü.pdf", b"%PDF", "application/pdf")
    [row] = mail.queue_message(message)
    page = client.get(f"/outbox/{row.id}").content.decode()
    assert f'src="/outbox/{row.id}/html"' in page and 'sandbox="allow-popups ' in page
    assert "Menü.pdf" in page and "<b>Hi</b>" not in page
    frame = client.get(f"/outbox/{row.id}/html")
    assert b"<b>Hi</b>" in frame.content and b'<base target="_blank">' in frame.content
    policy = frame.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy and "allow-scripts" not in policy
    assert "script-src" not in policy and frame.headers["Cache-Control"] == "no-store"


def test_an_email_without_html_has_no_frame(client: Client) -> None:
    row = write_mail()
    assert "<iframe" not in client.get(f"/outbox/{row.id}").content.decode()
    assert client.get(f"/outbox/{row.id}/html").status_code == 404


@pytest.mark.parametrize("path", ["/outbox", "/outbox/{id}", "/outbox/{id}/html", "/outbox/{id}/retry"])
def test_no_one_reads_emails_of_a_public_instance(client: Client, settings: Any, path: str) -> None:
    row = write_mail()
    path = path.format(id=row.id)
    ask = client.post if path.endswith("retry") else client.get
    settings.SMTP_HOST = "mail.example.com"
    assert ask(path).status_code == 404
    settings.SMTP_HOST, settings.LOCAL = "", False
    assert ask(path).status_code == 404
    person = Person.objects.create_user("someone@example.com")
    client.force_login(person)
    assert ask(path).status_code == 404


def test_a_neighbor_who_forges_the_host_header_sees_nothing(client: Client) -> None:
    assert client.get("/outbox", REMOTE_ADDR="192.168.1.7").status_code == 404
    assert client.get("/outbox", REMOTE_ADDR="::1").status_code == 200


def test_with_several_accounts_only_administrators_see_the_outbox(client: Client) -> None:
    row = write_mail()
    first = make_account()
    assert client.get("/outbox").status_code == 200, "one account reads its own mail"
    make_account()
    client.force_login(first.owner)
    for path in ("/outbox", f"/outbox/{row.id}", f"/outbox/{row.id}/html"):
        assert client.get(path).status_code == 404, path
    assert client.post(f"/outbox/{row.id}/retry").status_code == 404
    assert _operator().get("/outbox").status_code == 200


def test_an_administrator_sends_a_parked_email_again(settings: Any) -> None:
    settings.SMTP_HOST, settings.LOCAL = "mail.example.com", False
    row = write_mail()
    Delivery.objects.update(state=DeliveryState.PARKED, attempts=6, last_error="550 No such mailbox")
    operator = _operator()
    page = operator.get(f"/outbox/{row.id}").content.decode()
    assert "550 No such mailbox" in page and "Send again" in page
    outbox.wake_event.clear()
    assert operator.get(f"/outbox/{row.id}/retry").status_code == 405
    answer = operator.post(f"/outbox/{row.id}/retry")
    assert answer.status_code == 302 and answer.headers["Location"] == f"/outbox/{row.id}"
    row.refresh_from_db()
    assert (row.state, row.attempts) == (DeliveryState.WAITING, 0) and outbox.wake_event.is_set()
    assert "Send again" not in operator.get(f"/outbox/{row.id}").content.decode()


def test_a_retry_needs_a_csrf_token() -> None:
    row = write_mail()
    Delivery.objects.update(state=DeliveryState.PARKED)
    assert Client(enforce_csrf_checks=True).post(f"/outbox/{row.id}/retry").status_code == 403


def test_an_emptied_email_explains_why(client: Client) -> None:
    row = write_mail()
    Delivery.objects.update(payload=None, state=DeliveryState.SENT)
    assert "end of its retention period" in client.get(f"/outbox/{row.id}").content.decode()
    assert client.get(f"/outbox/{row.id}/html").status_code == 404
    assert client.get("/outbox").status_code == 200


def test_the_list_is_paginated_and_filtered(client: Client) -> None:
    rows = [write_mail(subject=f"Number {number:02}.") for number in range(52)]
    Delivery.objects.filter(pk=rows[0].pk).update(state=DeliveryState.PARKED)
    newest = client.get("/outbox").content.decode()
    order = sorted(row.pk for row in rows)
    assert order[-1] in newest and order[2] in newest and order[1] not in newest
    link = re.search(r'href="(\?before=[^"]+)"', newest)
    assert link
    older = client.get("/outbox" + link[1])
    assert order[1] in older.content.decode() and order[0] in older.content.decode()
    parked = client.get("/outbox?state=parked").content.decode()
    assert rows[0].pk in parked and rows[1].pk not in parked


def test_three_emails_cost_as_many_queries_as_one(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(2):
        write_mail()
        with django_assert_num_queries(2):  # whether there are several accounts, and the emails
            client.get("/outbox")


@pytest.mark.parametrize("path", ["/outbox/nothing", "/outbox/%00", "/outbox/a%00b/html", "/outbox/" + "x" * 3000])
def test_an_unknown_email_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_invalid_query_parameters_cause_no_error(client: Client) -> None:
    write_mail()
    assert client.get("/outbox?state=%00&before=%00%ff").status_code == 200


def test_a_malformed_email_is_still_shown(client: Client) -> None:
    raw = "Subject: =?x-none?q?=FF?=\r\nContent-Type: text/plain; charset=nonsense\r\n\r\ncaf\xe9\r\n"
    row = outbox.put("email", {"to": "a@example.com", "from": "b", "subject": "Odd", "message": raw})
    assert client.get(f"/outbox/{row.id}").status_code == 200


def test_the_email_comes_before_its_technical_headers(client: Client) -> None:
    row = write_mail(subject="Hello", body="Read me")
    Delivery.objects.update(state=DeliveryState.KEPT)
    page = client.get(f"/outbox/{row.id}").content.decode()
    first, folded = page.split("<details", 1)
    assert "guest@example.com" in first and "Read me" in first and "No mail server is set up" in first
    assert "Message-ID" in folded and "Message-ID" not in first
