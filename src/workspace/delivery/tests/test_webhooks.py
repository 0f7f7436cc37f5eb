"""Webhooks with real receivers that verify, fail, hang, redirect, are gone or are inside the network."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from standardwebhooks import WebhookVerificationError

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.delivery import mail, webhooks
from workspace.delivery.models import Delivery, Endpoint, Message
from workspace.delivery.models.webhook import SECRET_PURPOSE
from workspace.delivery.webhooks import worker
from workspace.delivery.webhooks.worker import RETRY_DELAYS, WebhookWorker
from workspace.http_client.client import fetch
from workspace.lib import clock
from workspace.storage import encryption
from workspace.storage.database.transactions import dry_run_transaction, write_transaction
from workspace.testing.api import make_account
from workspace.testing.raw_web_server import Act, serving
from workspace.testing.webhook_receiver import Receiver, receiving

LOOPBACK = ["127.0.0.0/8"]
ANSWERED = webhooks.Event("tests.answered", "Answers", "Somebody answered", product="form")


@dataclass(frozen=True)
class Limits:
    webhooks: bool


@pytest.fixture(autouse=True)
def _event(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    offered = {"free": plans.Plan(0, Limits(False)), "pro": plans.Plan(12, Limits(True))}
    monkeypatch.setitem(plans.PRODUCTS, "form", plans.Product("form", "Forms", "", "/f/", offered))
    monkeypatch.setattr(webhooks, "_events", {})
    webhooks.register_event(ANSWERED)
    settings.WEBHOOK_NETWORKS = LOOPBACK


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def endpoint(account: Account, receiver: Receiver) -> Endpoint:
    return Endpoint.open(account, receiver.url)


def emit(account: Account, number: int = 1, **more: Any) -> int:
    with write_transaction():
        return webhooks.emit_event(account, ANSWERED.name, {"number": number, "name": "Zoë"}, **more)


def log(endpoint: Endpoint) -> list[tuple[str, int, int | None]]:
    return list(endpoint.messages.order_by("id").values_list("state", "attempts", "status"))


def secret_of(endpoint: Endpoint) -> str:
    return encryption.decrypt_secret(Endpoint.objects.get(pk=endpoint.pk).secret, endpoint.account_id, SECRET_PURPOSE)


def mails() -> list[str]:
    return [mail.parse_message(one)["Subject"] for one in Delivery.objects.filter(kind=mail.KIND)]


def pause_between(time_machine: Any, tries: int) -> None:
    """Wait as long as the longest delay with jitter."""
    time_machine.move_to(clock.now() + timedelta(seconds=RETRY_DELAYS[tries - 1] * 1.2 + 1))


def test_an_event_arrives_with_a_signature_that_another_library_verifies(
    account: Account, receiver: Receiver, endpoint: Endpoint
) -> None:
    assert emit(account) == 1 and receiver.got == []
    WebhookWorker().run_once()
    told = receiver.verified(endpoint.reveal_secret())
    assert told["type"] == ANSWERED.name and told["data"] == {"number": 1, "name": "Zoë"}
    assert told["timestamp"].endswith("Z") and receiver.ids == [Message.objects.get().pk]
    assert log(endpoint) == [("delivered", 1, 204)]
    with pytest.raises(WebhookVerificationError):
        receiver.verified("whsec_" + "A" * 44)
    assert not WebhookWorker().run_once() and len(receiver.got) == 1


def test_nothing_is_sent_from_a_rolled_back_transaction(
    account: Account, receiver: Receiver, endpoint: Endpoint
) -> None:
    with dry_run_transaction():
        assert webhooks.emit_event(account, ANSWERED.name, {}) == 1
    WebhookWorker().run_once()
    assert receiver.got == [] and not Message.objects.exists()


def test_an_event_is_sent_to_endpoints_that_accept_it_if_the_plan_allows(account: Account, receiver: Receiver) -> None:
    Endpoint.open(account, receiver.url, thing_id="form_1")
    Endpoint.open(account, receiver.url, events=["tests.other"])
    Endpoint.open(make_account(), receiver.url)
    lead = Endpoint.open(account, receiver.url, events=[ANSWERED.name])
    assert [emit(account, item_id="form_1"), emit(account, item_id="form_2"), emit(account)] == [2, 1, 1]
    webhooks.update_endpoint(lead, live=False)
    assert emit(account) == 0
    small = make_account(form="free")
    Endpoint.open(small, receiver.url)
    assert emit(small) == 0
    with pytest.raises(ValueError, match="is not registered"):
        webhooks.emit_event(account, "tests.unknown", {})


def test_a_replaced_secret_signs_beside_the_new_one_for_a_day(
    account: Account, receiver: Receiver, endpoint: Endpoint, time_machine: Any
) -> None:
    former = endpoint.reveal_secret()
    assert endpoint.reveal_secret() == "", "it is shown once"
    endpoint.rotate_secret()
    emit(account)
    WebhookWorker().run_once()
    assert receiver.verified(former) == receiver.verified(secret_of(endpoint))
    time_machine.move_to(clock.now() + timedelta(days=1, minutes=1))
    emit(account)
    WebhookWorker().run_once()
    receiver.verified(secret_of(endpoint))
    with pytest.raises(WebhookVerificationError):
        receiver.verified(former)


def test_a_failing_message_is_tried_ten_times_with_one_id_and_then_reported(
    account: Account, receiver: Receiver, endpoint: Endpoint, time_machine: Any
) -> None:
    receiver.answers = [(500, {})] * 10
    emit(account)
    for tries in range(1, 11):
        WebhookWorker().run_once()
        assert len(receiver.got) == tries
        WebhookWorker().run_once()
        assert len(receiver.got) == tries, "not before its time"
        if tries < 10:
            assert log(endpoint) == [("waiting", tries, 500)]
            pause_between(time_machine, tries)
    assert log(endpoint) == [("failed", 10, 500)] and len(set(receiver.ids)) == 1
    receiver.verified(secret_of(endpoint))  # with the time of this attempt
    webhooks.resend(Message.objects.get())
    WebhookWorker().run_once()
    assert log(endpoint) == [("delivered", 11, 204)] and len(set(receiver.ids)) == 1


def test_a_retry_after_header_is_respected(
    account: Account, receiver: Receiver, endpoint: Endpoint, time_machine: Any
) -> None:
    receiver.answers = [(503, {"Retry-After": "3600"}), (429, {"Retry-After": "soon"})]
    emit(account)
    WebhookWorker().run_once()
    pause_between(time_machine, 1)
    WebhookWorker().run_once()
    assert len(receiver.got) == 1
    time_machine.move_to(clock.now() + timedelta(hours=1))
    WebhookWorker().run_once()
    assert len(receiver.got) == 2 and Message.objects.get().next_at < clock.now() + timedelta(minutes=6)


def test_a_redirect_is_a_failure_and_is_not_followed(account: Account, receiver: Receiver, endpoint: Endpoint) -> None:
    with receiving() as other:
        receiver.answers = [(307, {"Location": other.url})]
        emit(account)
        WebhookWorker().run_once()
        assert other.got == []
    assert log(endpoint) == [("waiting", 1, 307)]
    assert "Enter the final address" in Message.objects.get().problem


def test_a_receiver_that_is_gone_gets_nothing_more_and_the_owner_is_notified(
    account: Account, receiver: Receiver, endpoint: Endpoint
) -> None:
    emit(account, 1)
    emit(account, 2)
    receiver.answers = [(410, {})]
    WebhookWorker().run_once()
    assert log(endpoint) == [("failed", 1, 410), ("stopped", 0, None)]
    assert mails() == ["Your webhook was turned off"] and emit(account) == 0
    WebhookWorker().run_once()
    assert len(receiver.got) == 1
    webhooks.update_endpoint(Endpoint.objects.get(), live=True)
    assert emit(account) == 1


def test_an_endpoint_that_fails_for_five_days_is_disabled_and_one_success_resets_the_count(
    account: Account, receiver: Receiver, endpoint: Endpoint, time_machine: Any
) -> None:
    for day in range(8):
        receiver.answers = [(204 if day == 1 else 500, {})]
        Delivery.objects.all().delete()  # one attempt per day, to keep the test short
        if emit(account, day):
            WebhookWorker().run_once()
        assert bool(mails()) == (day == 7), day
        time_machine.move_to(clock.now() + timedelta(days=1, minutes=1))
    assert Endpoint.objects.get().disabled == "failing" and emit(account) == 0


def test_a_failure_long_after_another_starts_a_new_streak(
    account: Account, receiver: Receiver, endpoint: Endpoint, time_machine: Any
) -> None:
    receiver.answers = [(500, {}), (500, {})]
    emit(account)
    WebhookWorker().run_once()
    Delivery.objects.all().delete()
    time_machine.move_to(clock.now() + timedelta(days=20))
    emit(account)
    WebhookWorker().run_once()
    assert Endpoint.objects.get().is_active and mails() == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "[64:ff9b::7f00:1]", "10.0.0.1"]
)
def test_internal_addresses_are_never_called(host: str, account: Account, receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = []
    with pytest.raises(ValueError, match="public internet"):
        webhooks.clean_url(f"https://{host}/hook")
    Endpoint.open(account, f"http://{host}:{receiver.url.rpartition(':')[2]}")
    Endpoint.open(account, f"https://{host}/")  # like a name that resolves to an internal address since it was saved
    emit(account)
    WebhookWorker().run_once()
    assert receiver.got == []
    assert all("public internet" in one.problem or "Port" in one.problem for one in Message.objects.all())


def test_a_hanging_receiver_delays_no_other(
    account: Account, receiver: Receiver, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = threading.Event()

    def hang(connection: socket.socket) -> None:
        hangs.wait(60)

    with serving(hang) as peer:
        slow = Endpoint.open(account, f"http://127.0.0.1:{peer.port}/")

        def fetch_quickly(method: str, url: str, *given: Any, **more: Any) -> Any:
            """Use a short time limit only for the hanging receiver, because others may be slow on a busy machine."""
            return fetch(method, url, *given, **(more | {"seconds": 0.3} if url == slow.url else more))

        monkeypatch.setattr(worker, "fetch", fetch_quickly)
        for number in range(3):
            emit(account, number)
        WebhookWorker().run_once()
        assert len(peer.asked) == 1, "it is not asked again at once"
        assert [json.loads(body)["data"]["number"] for _, body in receiver.got] == [0, 1, 2]
        hangs.set()
    assert log(slow) == [("waiting", 1, None), ("waiting", 0, None), ("waiting", 0, None)]
    assert "No complete response" in slow.messages.order_by("id")[0].problem
    assert not WebhookWorker().run_once()


def test_an_endless_response_is_not_read(account: Account) -> None:
    with serving(_endless()) as peer:
        endpoint = Endpoint.open(account, f"http://127.0.0.1:{peer.port}/")
        emit(account)
        WebhookWorker().run_once()
        assert log(endpoint) == [("delivered", 1, 200)]


def _endless() -> Act:
    def send_endlessly(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:  # until the other side closes the connection
            connection.sendall(b"x" * 65536)

    return send_endlessly


def test_the_secret_is_stored_only_encrypted(
    account: Account, receiver: Receiver, endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    receiver.answers = [(500, {})]
    emit(account)
    WebhookWorker().run_once()
    secret = secret_of(endpoint)
    stored = [list(model.objects.values()) for model in (Endpoint, Message, Delivery)]
    assert secret.removeprefix("whsec_") not in repr(stored) + caplog.text
    assert "Zoë" not in caplog.text and receiver.url not in caplog.text
