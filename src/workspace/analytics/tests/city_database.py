"""A city database in MaxMind's format (https://maxmind.github.io/MaxMind-DB/), small enough to write by hand."""

from __future__ import annotations

import struct
from ipaddress import IPv4Network, ip_network
from pathlib import Path
from typing import Any

_MARK = b"\xab\xcd\xefMaxMind.com"
_TEXT, _MAP, _UINT16, _UINT32, _UINT64, _ARRAY = 2, 7, 5, 6, 9, 11


def write_database(path: Path, places: dict[str, Any]) -> str:
    """Write a database from a mapping of networks to records, and return its path as text."""
    nodes: list[list[Any]] = [[None, None]]
    data = b""
    for network, record in places.items():
        bits = _bits(network)
        node = 0
        for bit in bits[:-1]:
            if nodes[node][bit] is None:
                nodes.append([None, None])
                nodes[node][bit] = len(nodes) - 1
            node = nodes[node][bit]
        nodes[node][bits[-1]] = ("data", len(data))
        data += _encode(record)
    count = len(nodes)

    def pointer(side: Any) -> bytes:
        number = count if side is None else side if isinstance(side, int) else count + 16 + side[1]
        return number.to_bytes(3, "big")

    tree = b"".join(pointer(left) + pointer(right) for left, right in nodes)
    about = _map(
        {
            "node_count": _encode_number(_UINT32, count),
            "record_size": _encode_number(_UINT16, 24),
            "ip_version": _encode_number(_UINT16, 6),
            "database_type": _encode("Test-City"),
            "languages": _control(_ARRAY, 1) + _encode("en"),
            "binary_format_major_version": _encode_number(_UINT16, 2),
            "binary_format_minor_version": _encode_number(_UINT16, 0),
            "build_epoch": _encode_number(_UINT64, 1_700_000_000),
            "description": _map({}),
        }
    )
    path.write_bytes(tree + bytes(16) + data + _MARK + about)
    return str(path)


def _bits(text: str) -> list[int]:
    network = ip_network(text)
    # IPv4 addresses are at ::/96
    length = network.prefixlen + (96 if isinstance(network, IPv4Network) else 0)
    number = int(network.network_address)
    return [(number >> (127 - place)) & 1 for place in range(length)]


def _encode(value: Any) -> bytes:
    if isinstance(value, dict):
        return _map({key: _encode(inner) for key, inner in value.items()})
    text = value.encode()
    return _control(_TEXT, len(text)) + text


def _map(members: dict[str, bytes]) -> bytes:
    return _control(_MAP, len(members)) + b"".join(_encode(key) + value for key, value in members.items())


def _encode_number(kind: int, number: int) -> bytes:
    digits = struct.pack(">Q", number).lstrip(b"\0")
    return _control(kind, len(digits)) + digits


def _control(kind: int, size: int) -> bytes:
    assert size < 29
    return bytes([kind << 5 | size]) if kind < 8 else bytes([size, kind - 7])
