"""Amounts in Stripe's units, which differ from ISO 4217 for a few currencies.

See docs.stripe.com/currencies, as of November 2026.
"""

from __future__ import annotations

from workspace.lib.money import CURRENCIES, currency_decimals
from workspace.payment_clients.stripe import messages

# The króna has no minor units, but Stripe uses two decimals. The ariary has no decimals at Stripe.
_DECIMALS = {"ISK": 2, "MGA": 0}
# Stripe lists the Ugandan shilling without decimals, but the same page requires two. A charge that is 100 times too
# high is worse than none. Stripe does not support the other currencies, or no longer does.
_UNSUPPORTED_CURRENCIES = frozenset(
    {"UGX", "CUP", "ERN", "GHS", "IQD", "IRR", "KPW", "LYD", "SDG", "SSP", "SYP", "TMT", "VES", "ZWG"}
)
MAX_UNITS = 99_999_999  # eight digits


class AmountNotSupportedError(ValueError):
    """Stripe cannot charge exactly this amount. The message is human-readable."""


def to_stripe(amount: int, currency: str) -> int:
    """Convert minor units to Stripe's units. Raise AmountNotSupportedError if they cannot be converted exactly."""
    if currency not in CURRENCIES or currency in _UNSUPPORTED_CURRENCIES:
        raise AmountNotSupportedError(messages.CURRENCY_NOT_SUPPORTED(currency=currency))
    shift = _stripe_decimals(currency) - currency_decimals(currency)
    units, rest = (amount * _power_of_ten(shift), 0) if shift >= 0 else divmod(amount, _power_of_ten(-shift))
    if rest or (currency_decimals(currency) == 3 and units % 10):
        raise AmountNotSupportedError(messages.AMOUNT_TOO_PRECISE(currency=currency))
    if not 0 < units <= MAX_UNITS:
        raise AmountNotSupportedError(messages.AMOUNT_OUT_OF_RANGE)
    return units


def from_stripe(units: int, currency: str) -> int:
    shift = _stripe_decimals(currency) - currency_decimals(currency)
    return units // _power_of_ten(shift) if shift >= 0 else units * _power_of_ten(-shift)


def _power_of_ten(digits: int) -> int:
    """Return 10 to the power of a non-negative number."""
    return int(10**digits)


def _stripe_decimals(currency: str) -> int:
    return _DECIMALS.get(currency, currency_decimals(currency))
