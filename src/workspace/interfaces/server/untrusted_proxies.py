"""Proxies that are not believed: a forgotten setting makes one visitor of all, and of each address's limit one for
everybody."""

from collections.abc import Callable
from ipaddress import ip_network

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.client_address import parse_address

# Networks in which an own proxy sits. Who calls from anywhere else may have made the headers up.
OWN = [
    ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
]
PUBLIC = "the public internet"


class Unheard:
    """Notices forwarded headers from peers that are not trusted: one log line for each network, and one call of `tell`
    with its name, in the life of a process."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[str] = set()

    def notice(self, peer: str) -> None:
        network = network_of(peer)
        if network in self._told:
            return
        self._told.add(network)
        log.warning(
            "forwarded_headers_ignored",
            peer=f"a peer in {network}",
            advice="If it is your proxy, name its network in WORKSPACE_TRUSTED_PROXIES: until then all its visitors "
            "count as one. If it is not, somebody made the headers up, and nothing is wrong",
        )
        self._tell(network)


def network_of(peer: str) -> str:
    """The network of an address, in words that point at no machine."""
    address = parse_address(peer)
    if address is None:
        return "a local socket"
    return next((str(network) for network in OWN if address in network), PUBLIC)
