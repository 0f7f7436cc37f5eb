"""Samples of payments, for the tests across all tools."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from workspace.lib import clock
from workspace.payments.models import Connection, Payment
from workspace.payments.models.connection import KEY_PURPOSE
from workspace.storage import encryption
from workspace.testing.api import Api

SAMPLES = {
    "svc_payments_list": lambda made: {},
    "svc_payments_refund": lambda made: {"payment_id": made["payment"], "amount": 10},
}


def create_samples(api: Api) -> dict[str, str]:
    return {"payment": _paid(api, 0).pk}


def _paid(api: Api, number: int) -> Payment:
    """Create a paid payment without contacting the provider."""
    sealed = encryption.encrypt_secret("sk_test_sample", api.account.pk, KEY_PURPOSE)
    Connection.objects.get_or_create(account=api.account, defaults={"provider": "stripe", "live": False, "key": sealed})
    return Payment.objects.create(
        account=api.account,
        provider="stripe",
        live=False,
        purpose="bid.deposit",
        subject=f"dec_{number}",
        title="Deposit",
        amount=5000,
        currency="EUR",
        email="payer@example.org",
        return_url="/",
        state="paid",
        session=f"cs_{number}",
        payment_intent=f"pi_{number}",
        expires_at=clock.now() + timedelta(hours=1),
        paid_at=clock.now(),
    )


def _create_payment(api: Api, number: int) -> Any:
    return _paid(api, number)


LISTS = {"svc_payments_list": _create_payment}
