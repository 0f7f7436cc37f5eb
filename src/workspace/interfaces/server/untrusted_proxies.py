"""Detection of untrusted proxies.

If a proxy is missing in the settings, all visitors share one address and its rate limits.
"""

from collections.abc import Callable
from ipaddress import ip_network

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.client_address import parse_address

# Private networks, to which an instance's own proxy belongs. Clients elsewhere may have forged the headers.
PRIVATE_NETWORKS = [
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
PUBLIC_INTERNET = "the public internet"


class UntrustedProxyMonitor:
    """Detects forwarding headers from untrusted peers.

    For each network, it writes one log line and calls `tell` with the network's name, once in the life of the process.
    """

    def __init__(self, report_network: Callable[[str], None]) -> None:
        self._notify = report_network
        self._reported: set[str] = set()

    def report_peer(self, peer: str) -> None:
        """Report the network of this peer, if it was not reported before."""
        network = describe_network(peer)
        if network in self._reported:
            return
        self._reported.add(network)
        log.warning(
            "forwarded_headers_ignored",
            peer=f"a peer in {network}",
            advice="If it is your proxy, name its network in WORKSPACE_TRUSTED_PROXIES: until then all its visitors "
            "count as one. If it is not, somebody made the headers up, and nothing is wrong",
        )
        self._notify(network)


def describe_network(peer: str) -> str:
    """Return the network of an address as text, which does not identify a machine."""
    address = parse_address(peer)
    if address is None:
        return "a local socket"
    return next((str(network) for network in PRIVATE_NETWORKS if address in network), PUBLIC_INTERNET)
