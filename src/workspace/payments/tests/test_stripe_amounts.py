"""What leaves for Stripe is in its units, which are not always ours."""

from __future__ import annotations

from contextlib import suppress

import pytest

from workspace.lib.money import CURRENCIES
from workspace.payments.stripe_amounts import AmountNotSupportedError, from_stripe, to_stripe


@pytest.mark.parametrize(
    ("minor", "currency", "units"),
    [
        (1050, "EUR", 1050),
        (500, "JPY", 500),
        (5, "ISK", 500),  # two decimals there, always 00
        (500, "MGA", 5),  # none there
        (5120, "KWD", 5120),  # fils, of which the last is 0
        (17550, "HUF", 17550),
    ],
)
def test_an_amount_there_and_back(minor: int, currency: str, units: int) -> None:
    assert to_stripe(minor, currency) == units
    assert from_stripe(units, currency) == minor


@pytest.mark.parametrize(
    ("minor", "currency"),
    [(5124, "KWD"), (550, "MGA"), (5000, "UGX"), (5000, "KPW"), (0, "EUR"), (100_000_000, "EUR"), (1_000_000, "ISK")],
)
def test_what_cannot_be_charged_exactly_is_not_charged(minor: int, currency: str) -> None:
    with pytest.raises(AmountNotSupportedError):
        to_stripe(minor, currency)


def test_every_currency_comes_back_as_it_left_or_is_refused() -> None:
    for currency in CURRENCIES:
        with suppress(AmountNotSupportedError):
            assert from_stripe(to_stripe(12000, currency), currency) == 12000
