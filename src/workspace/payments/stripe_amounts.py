"""Stripe counts in units of its own, which are ISO 4217's but for a few currencies
(docs.stripe.com/currencies, read in November 2026)."""

from __future__ import annotations

from workspace.lib.money import CURRENCIES, currency_decimals

# The króna has no coins, but is still written with two decimals; the ariary has none there.
_DECIMALS = {"ISK": 2, "MGA": 0}
# Stripe lists the Ugandan shilling as without decimals and asks for two in the same page: a hundredfold charge is
# worse than none. The others it does not know, or not any more.
_UNSUPPORTED_CURRENCIES = frozenset(
    {"UGX", "CUP", "ERN", "GHS", "IQD", "IRR", "KPW", "LYD", "SDG", "SSP", "SYP", "TMT", "VES", "ZWG"}
)
MAX_UNITS = 99_999_999  # of its units, eight digits


class AmountNotSupportedError(ValueError):
    """Stripe cannot charge exactly this amount; the text is for people."""


def to_stripe(amount: int, currency: str) -> int:
    """Minor units as Stripe writes them. Raises AmountNotSupportedError."""
    if currency not in CURRENCIES or currency in _UNSUPPORTED_CURRENCIES:
        raise AmountNotSupportedError(f"Stripe takes no payments in {currency}")
    shift = _stripe_decimals(currency) - currency_decimals(currency)
    units, rest = (amount * _power_of_ten(shift), 0) if shift >= 0 else divmod(amount, _power_of_ten(-shift))
    if rest or (currency_decimals(currency) == 3 and units % 10):
        raise AmountNotSupportedError(f"Stripe takes no such small coins of {currency}: round the amount")
    if not 0 < units <= MAX_UNITS:
        raise AmountNotSupportedError("Stripe takes no payment of this size")
    return units


def from_stripe(units: int, currency: str) -> int:
    shift = _stripe_decimals(currency) - currency_decimals(currency)
    return units // _power_of_ten(shift) if shift >= 0 else units * _power_of_ten(-shift)


def _power_of_ten(digits: int) -> int:
    """Return 10 to the power of `digits`, which are not negative."""
    return int(10**digits)


def _stripe_decimals(currency: str) -> int:
    return _DECIMALS.get(currency, currency_decimals(currency))
