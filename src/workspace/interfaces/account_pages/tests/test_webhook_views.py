from __future__ import annotations

import re

from django.test import Client

from workspace.accounts.models import Account, Membership
from workspace.dashboard.session import ACCOUNT_KEY
from workspace.delivery.models import Endpoint, Message
from workspace.testing.sign_in import go_stale, make_person, sign_in

PAGE = "/app/account/webhooks"


def main(browser: Client, path: str = "") -> str:
    return browser.get(PAGE + path).content.decode().split("<main")[1]


def set_up(browser: Client) -> Endpoint:
    answer = browser.post(PAGE, {"url": "https://example.com/hooks"})
    assert answer.status_code == 302, answer.content.decode()
    return Endpoint.objects.get()


def test_a_webhook_is_created_tested_paused_and_deleted(browser: Client) -> None:
    assert "Add a webhook" in main(browser)
    hook = set_up(browser)
    assert "https://example.com/hooks" in main(browser)
    browser.post(f"{PAGE}/{hook.pk}/test")
    page = main(browser, f"/{hook.pk}")
    assert "webhook.test" in page and "Waiting" in page and "Resend" in page
    sent = Message.objects.get()
    assert browser.post(f"{PAGE}/{hook.pk}/again", {"delivery_id": sent.pk}).status_code == 303
    browser.post(f"{PAGE}/{hook.pk}/off")
    page = main(browser, f"/{hook.pk}")
    assert "Turn on" in page and "Resend" not in page and "Stopped" in page
    wrong = browser.post(f"{PAGE}/{hook.pk}", {"url": "https://10.0.0.1/x"})
    assert wrong.status_code == 422 and "public internet" in wrong.content.decode()
    assert browser.post(f"{PAGE}/{hook.pk}/unknown").status_code == 404
    assert "is deleted" in main(browser, f"/{hook.pk}/remove")
    browser.post(f"{PAGE}/{hook.pk}/remove")
    assert not Endpoint.objects.exists()


def test_its_secret_is_shown_once_to_an_owner_with_a_recent_sign_in(browser: Client) -> None:
    hook = set_up(browser)
    account = Account.objects.get()
    member = make_person("member@example.com")
    Membership.objects.create(account=account, person=member, role=Membership.EDITOR)
    theirs = sign_in(member)
    session = theirs.session
    session[ACCOUNT_KEY] = account.pk
    session.save()
    assert "https://example.com/hooks" in main(theirs, f"/{hook.pk}")
    refused = theirs.post(f"{PAGE}/{hook.pk}/secret")
    assert refused.status_code == 403 and "whsec_" not in refused.content.decode()
    go_stale(browser)
    assert browser.post(f"{PAGE}/{hook.pk}/secret").status_code == 302
    assert not Endpoint.objects.get().secret_shown
    fresh = sign_in(account.owner)
    answer = fresh.post(f"{PAGE}/{hook.pk}/secret")
    found = re.search(r'id="secret">(whsec_[\w+/=]+)<', answer.content.decode())
    assert found and answer["Cache-Control"] == "no-store"
    assert fresh.post(f"{PAGE}/{hook.pk}/secret").status_code == 303
    fresh.post(f"{PAGE}/{hook.pk}/rotate")
    again = re.search(r"whsec_[\w+/=]+", fresh.post(f"{PAGE}/{hook.pk}/secret").content.decode())
    assert again and again[0] != found[1]


def test_webhooks_of_another_account_are_inaccessible(browser: Client) -> None:
    hook = set_up(browser)
    other = sign_in(make_person("other@example.com"))
    for path in ("", "/secret", "/test", "/remove", "/rotate"):
        answer = other.post(f"{PAGE}/{hook.pk}{path}")
        assert answer.status_code == 404, path
    assert other.get(f"{PAGE}/{hook.pk}").status_code == 404
