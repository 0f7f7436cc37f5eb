import pytest

from workspace.interfaces.server.client_address import find_client, parse_networks

TRUSTED = parse_networks("10.0.0.0/8, 127.0.0.1 fd00::/8")


def caller(peer, **headers):
    return find_client(
        peer, [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()], TRUSTED
    )


def test_without_a_trusted_proxy_the_peer_is_the_client():
    assert caller("203.0.113.9", x_forwarded_for="1.2.3.4").address == "203.0.113.9"


def test_the_rightmost_untrusted_address_is_the_client():
    assert caller("10.0.0.1", x_forwarded_for="6.6.6.6, 203.0.113.9, 10.2.2.2").address == "203.0.113.9"


def test_several_headers_count_as_one_list():
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"203.0.113.9")]
    assert find_client("10.0.0.1", headers, TRUSTED).address == "203.0.113.9"


def test_when_every_hop_is_trusted_the_first_is_the_client():
    assert caller("127.0.0.1", x_forwarded_for="10.1.1.1, 10.2.2.2").address == "10.1.1.1"


def test_only_the_nearest_hops_of_a_long_chain_are_read():
    chain = ", ".join(["203.0.113.9", *["10.1.1.1"] * 30_000])
    assert caller("10.0.0.1", x_forwarded_for=chain).address == "10.1.1.1"
    assert caller("10.0.0.1", x_forwarded_for="203.0.113.9" + ", 10.1.1.1" * 31).address == "203.0.113.9"


@pytest.mark.parametrize("junk", ["unknown", "", "1.2.3.4.5", "<script>", "_hidden", "1" * 60_000])
def test_addresses_left_of_an_invalid_hop_are_not_trusted(junk):
    assert caller("10.0.0.1", x_forwarded_for=f"6.6.6.6, {junk}, 10.3.3.3").address == "10.3.3.3"


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("2001:DB8::7", "2001:db8::7"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_addresses_are_parsed_in_every_notation(told, address):
    assert caller("::ffff:10.0.0.1", x_forwarded_for=told).address == address


def test_scheme_and_host_come_only_from_a_trusted_peer():
    told = {"x_forwarded_proto": "https", "x_forwarded_host": "shop.test"}
    assert (caller("10.0.0.1", **told).scheme, caller("10.0.0.1", **told).host) == ("https", b"shop.test")
    assert (caller("203.0.113.9", **told).scheme, caller("203.0.113.9", **told).host) == (None, None)


def test_invalid_schemes_and_hosts_are_ignored():
    strange = caller("10.0.0.1", x_forwarded_proto="javascript", x_forwarded_host="evil.test/path")
    assert (strange.scheme, strange.host) == (None, None)


def test_a_peer_without_an_ip_address_is_unknown():
    assert caller("unix:/run/socket").address == ""


def test_an_invalid_network_is_named_in_the_error():
    with pytest.raises(ValueError, match=r"'10\.0\.0'"):
        parse_networks("127.0.0.1, 10.0.0")
