"""The payment providers that accounts can connect.

A provider needs a module next to this one, whose class implements `provider.Provider`, and a line in PROVIDERS.
"""

from __future__ import annotations

from workspace.payments.provider import Provider
from workspace.payments.stripe import StripeProvider

# In the order in which they are offered. A provider may be removed only if no account has connected it.
PROVIDERS: list[Provider] = [
    StripeProvider(),
]


def find_provider(name: str) -> Provider | None:
    """Return the provider with this name, or None."""
    return next((one for one in PROVIDERS if one.name == name), None)


def get_provider(name: str) -> Provider:
    """Return the provider with this name. Raise KeyError if there is none."""
    found = find_provider(name)
    if found is None:
        raise KeyError(name)
    return found


def get_title(name: str) -> str:
    """Return the title of a provider, even if it has been removed."""
    found = find_provider(name)
    return name.capitalize() if found is None else found.title


def list_titles() -> str:
    """Return the titles of all providers as a phrase, such as `Stripe or Adyen`."""
    return " or ".join(one.title for one in PROVIDERS)
