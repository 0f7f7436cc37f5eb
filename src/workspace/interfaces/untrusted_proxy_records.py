"""Untrusted proxies that the server has detected since its last start, for `bin/workspace check`."""

from __future__ import annotations

from ipaddress import ip_network

from django.conf import settings

from workspace.interfaces.server.client_address import parse_networks
from workspace.interfaces.server.untrusted_proxies import PUBLIC_INTERNET
from workspace.storage.database.transactions import write_transaction
from workspace.storage.models import InstanceFact

FACT_NAME = "untrusted-proxies"


def record_network(network: str) -> None:
    with write_transaction():
        known = (InstanceFact.get_value(FACT_NAME) or {"networks": []})["networks"]
        if network not in known:
            InstanceFact.set_value(FACT_NAME, {"networks": [*known, network]})


def clear_networks() -> None:
    """Delete the recorded networks. This runs at every start, because the settings may have been corrected."""
    InstanceFact.delete_value(FACT_NAME)


def list_private_networks() -> list[str]:
    """Return private networks with a proxy that probably belongs to the instance but is not trusted."""
    trusted = parse_networks(" ".join(settings.TRUSTED_PROXIES))
    return [
        network
        for network in (InstanceFact.get_value(FACT_NAME) or {"networks": []})["networks"]
        if network != PUBLIC_INTERNET and not any(_networks_overlap(network, str(one)) for one in trusted)
    ]


def has_public_network() -> bool:
    """Return whether forwarding headers came from the public internet, where anyone can set them."""
    return PUBLIC_INTERNET in (InstanceFact.get_value(FACT_NAME) or {"networks": []})["networks"]


def _networks_overlap(first: str, other: str) -> bool:
    try:
        here, there = ip_network(first), ip_network(other)
    except ValueError:  # a local socket has no network
        return False
    return here.version == there.version and here.overlaps(there)
