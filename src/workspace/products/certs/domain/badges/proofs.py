"""Signatures in JSON: W3C Data Integrity, cryptosuite `eddsa-rdfc-2022` (https://www.w3.org/TR/vc-di-eddsa/).

What is signed is what the JSON means: it is read as JSON-LD, with two contexts that lie here, and brought into one
order. A word that no context defines means nothing there and would be left out, so whoever reads refuses such words.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

CREDENTIALS = "https://www.w3.org/ns/credentials/v2"
BADGES = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"
SUITE = "eddsa-rdfc-2022"
_FILES = {CREDENTIALS: "credentials-v2.json", BADGES: "ob-v3p0-context-3.0.3.json"}
_ED25519 = b"\xed\x01"  # before a public key: https://github.com/multiformats/multicodec
_SIGNATURE = 64  # bytes
_MOST_OBJECTS = 60  # of what is verified; to bring many that are alike into an order takes for ever
# the reader keeps what it has made of contexts, and not for several threads at once
_reading = threading.Lock()


class NotGenuine(Exception):
    """Why a proof does not hold, in a few words for who looks into it."""


def multikey(key: Ed25519PublicKey) -> str:
    import base58

    return "z" + base58.b58encode(_ED25519 + key.public_bytes_raw()).decode()


def public_of(multikey: str) -> Ed25519PublicKey:
    """Raises NotGenuine."""
    raw = _bytes(multikey)
    if len(raw) != 34 or not raw.startswith(_ED25519):
        raise NotGenuine("the key is none of Ed25519")
    return Ed25519PublicKey.from_public_bytes(raw[2:])


def signed(document: dict[str, Any], key: Ed25519PrivateKey, method: str, at: datetime) -> dict[str, Any]:
    """The document with its proof; `method` is the address of the public key. About 5 ms; the first one in a process
    takes a third of a second longer. Raises NotGenuine for a word that no context defines."""
    import base58

    proof = {
        "type": "DataIntegrityProof",
        "cryptosuite": SUITE,
        "created": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "verificationMethod": method,
        "proofPurpose": "assertionMethod",
    }
    signature = key.sign(_digest(document, proof))
    return {**document, "proof": {**proof, "proofValue": "z" + base58.b58encode(signature).decode()}}


def check(document: dict[str, Any], key_of: Callable[[str], str | None]) -> None:
    """`key_of` answers the multikey at a verification method's address. Raises NotGenuine."""
    if _objects(document) > _MOST_OBJECTS:
        raise NotGenuine("it holds too much")
    contexts = document.get("@context")
    if not isinstance(contexts, list) or not all(isinstance(one, str) and one in _FILES for one in contexts):
        raise NotGenuine("it names a context that is not known here")
    rest = deepcopy(document)
    proof = rest.pop("proof", None)
    if not isinstance(proof, dict) or (proof.get("type"), proof.get("cryptosuite")) != ("DataIntegrityProof", SUITE):
        raise NotGenuine("there is no proof of the kind that is made here")
    signature = _bytes(str(proof.pop("proofValue", "")))
    found = key_of(str(proof.get("verificationMethod")))
    if found is None or proof.get("proofPurpose") != "assertionMethod":
        raise NotGenuine("its key is not one of its issuer's")
    if len(signature) != _SIGNATURE:
        raise NotGenuine("its signature is none")
    try:
        public_of(found).verify(signature, _digest(rest, proof))
    except InvalidSignature:
        raise NotGenuine("it is not what was signed") from None


def _digest(document: dict[str, Any], proof: dict[str, Any]) -> bytes:
    options = {"@context": document.get("@context"), **proof}
    return hashlib.sha256(_canonical(options)).digest() + hashlib.sha256(_canonical(document)).digest()


def _canonical(document: dict[str, Any]) -> bytes:
    """RDFC-1.0 as N-Quads."""
    from pyld import jsonld  # some megabytes, for those processes only that need it

    def dropped(word: Any) -> None:
        raise NotGenuine(f"no context defines {word}")

    try:
        with _reading:
            expanded = jsonld.expand(document, {"documentLoader": _load}, on_property_dropped=dropped)
            told = {"algorithm": "URDNA2015", "format": "application/n-quads", "documentLoader": _load}
            return str(jsonld.normalize(expanded, told)).encode()
    except jsonld.JsonLdError as problem:
        raise NotGenuine(f"it cannot be read: {problem.code or problem.type}") from None


def _load(address: str, options: Any = None) -> dict[str, Any]:
    """Of the two contexts that lie here; every other address is refused."""
    if address not in _FILES:
        raise NotGenuine(f"the context {address} is not known here")
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": address,
        "document": _context(address),
    }


@cache
def _context(address: str) -> Any:
    return json.loads((Path(__file__).with_name("contexts") / _FILES[address]).read_bytes())


def _bytes(text: str) -> bytes:
    """Of base 58 behind its mark; empty for what is none."""
    import base58

    try:
        return base58.b58decode(text[1:]) if text[:1] == "z" and len(text) < 200 else b""
    except ValueError:
        return b""


def _objects(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_objects, value.values()))
    return sum(map(_objects, value)) if isinstance(value, list) else 0
