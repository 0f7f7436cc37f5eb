"""Amounts are sent to Stripe in its units, which may differ from ours."""

from __future__ import annotations

from contextlib import suppress

import pytest

from workspace.lib.money import CURRENCIES
from workspace.payment_clients.stripe.amounts import AmountNotSupportedError, from_stripe, to_stripe


@pytest.mark.parametrize(
    ("minor", "currency", "units"),
    [
        (1050, "EUR", 1050),
        (500, "JPY", 500),
        (5, "ISK", 500),  # two decimals at Stripe, always 00
        (500, "MGA", 5),  # no decimals at Stripe
        (5120, "KWD", 5120),  # fils; the last digit is 0
        (17550, "HUF", 17550),
    ],
)
def test_an_amount_is_converted_in_both_directions(minor: int, currency: str, units: int) -> None:
    assert to_stripe(minor, currency) == units
    assert from_stripe(units, currency) == minor


@pytest.mark.parametrize(
    ("minor", "currency"),
    [(5124, "KWD"), (550, "MGA"), (5000, "UGX"), (5000, "KPW"), (0, "EUR"), (100_000_000, "EUR"), (1_000_000, "ISK")],
)
def test_an_amount_that_is_not_exact_is_rejected(minor: int, currency: str) -> None:
    with pytest.raises(AmountNotSupportedError):
        to_stripe(minor, currency)


def test_every_currency_converts_in_both_directions_or_is_rejected() -> None:
    for currency in CURRENCIES:
        with suppress(AmountNotSupportedError):
            assert from_stripe(to_stripe(12000, currency), currency) == 12000
