"""What the server has noticed of proxies that are not believed, since its last start: for `bin/workspace check`."""

from __future__ import annotations

from ipaddress import ip_network

from django.conf import settings

from workspace.interfaces.server.client_address import parse_networks
from workspace.interfaces.server.untrusted_proxies import PUBLIC
from workspace.storage.database.transactions import writing
from workspace.storage.models import Fact

FACT = "unheard-proxies"


def remember(network: str) -> None:
    with writing():
        known = (Fact.recall(FACT) or {"networks": []})["networks"]
        if network not in known:
            Fact.remember(FACT, {"networks": [*known, network]})


def forget() -> None:
    """At a start, which may bring the setting that was missing."""
    Fact.forget(FACT)


def own() -> list[str]:
    """Networks from which a proxy of one's own, most likely, is not believed."""
    trusted = parse_networks(" ".join(settings.TRUSTED_PROXIES))
    return [
        network
        for network in (Fact.recall(FACT) or {"networks": []})["networks"]
        if network != PUBLIC and not any(_overlap(network, str(one)) for one in trusted)
    ]


def from_outside() -> bool:
    """Whether such headers came from the public internet, where they may be anybody's."""
    return PUBLIC in (Fact.recall(FACT) or {"networks": []})["networks"]


def _overlap(one: str, other: str) -> bool:
    try:
        here, there = ip_network(one), ip_network(other)
    except ValueError:  # a local socket has no network
        return False
    return here.version == there.version and here.overlaps(there)
