"""Open Badges of certificates: other implementations verify them, and reject a badge with a changed word."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import Any

import base58
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from openbadgeslib.ob3.did import resolve_verification_method
from openbadgeslib.ob3.ldp import OB3LdpVerifier, verify_data_integrity_proof
from openbadgeslib.ob3.verifier import OB3VerificationError

from workspace.delivery.jobs.worker import JobWorker
from workspace.products.certs.domain.badges import issuers, proofs
from workspace.products.certs.models import Certificate, Issuer
from workspace.products.certs.tests.n_quads import quads
from workspace.publishing import file_verification
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db
WORLD = "https://tools.example.org"


@pytest.fixture
def api() -> Api:
    return make_api(make_account())


def fetched(api: Api, path: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(api.client.get(path, headers={"accept": "application/ld+json"}).content)
    return result


def badge(api: Api, *names: Any) -> list[dict[str, Any]]:
    """Issue certificates to these names, and return their badges as anyone can fetch them."""
    people = names or ({"name": "Zoë “O’Neil” \U0001f3c6", "email": "zoe@example.com", "expires_on": "2031-05-31"},)
    id = api.run("svc_certs_save_template", name="Sailing", criteria="Tie a bowline.\nTwice.", skills=["Knots"])["id"]
    result = api.run("svc_certs_issue", template_id=id, recipients=list(people), course="Knots & Bends")
    lane = JobWorker()
    while lane.run_once():
        pass
    return [fetched(api, f"/v/{row['code']}.json") for row in result["items"]]


def is_proof_valid(document: dict[str, Any], public: str) -> bool:
    """Verify a proof without our code: hash the N-Quads built by hand, and check the signature."""
    rest = {name: value for name, value in document.items() if name != "proof"}
    options = {name: value for name, value in document["proof"].items() if name != "proofValue"}
    digest = b"".join(hashlib.sha256(quads(item)).digest() for item in (options, rest))
    key = Ed25519PublicKey.from_public_bytes(base58.b58decode(public[1:])[2:])
    try:
        key.verify(base58.b58decode(document["proof"]["proofValue"][1:]), digest)
    except InvalidSignature:
        return False
    return True


def test_others_verify_a_badge_and_reject_a_changed_word(api: Api) -> None:
    (result,) = badge(api)
    did = result["issuer"]["id"]
    assert did.startswith("did:key:z6Mk"), "nobody could fetch a did:web from this machine"
    assert OB3LdpVerifier().verify(json.dumps(result)).achievement.name == "Knots & Bends"
    assert is_proof_valid(result, did.removeprefix("did:key:"))
    subject = result["credentialSubject"]
    by_mail = subject["identifier"][1]
    text = hashlib.sha256(f"zoe@example.com{by_mail['salt']}".encode()).hexdigest()
    assert by_mail["identityHash"] == f"sha256${text}" and "zoe@" not in json.dumps(result)
    assert result["validUntil"] == "2031-05-31T23:59:59Z"
    issuer = Issuer.objects.get()
    proofs.verify_proof(result, lambda method: issuers.find_public_key(issuer, method))
    for path, value in (
        (("credentialSubject", "identifier", 0, "identityHash"), "Mallory"),
        (("credentialSubject", "achievement", "name"), "Knots"),
        (("validUntil",), "2041-05-31T23:59:59Z"),
        (("credentialSubject", "achievement", "criteria", "narrative"), ""),
    ):
        changed = json.loads(json.dumps(result))
        at = changed
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        assert not is_proof_valid(changed, did.removeprefix("did:key:"))
        with pytest.raises(OB3VerificationError):
            verify_data_integrity_proof(changed, resolve_verification_method(result["proof"]["verificationMethod"]))
        with pytest.raises(proofs.ProofError):
            proofs.verify_proof(changed, lambda method: issuers.find_public_key(issuer, method))


def test_an_undefined_term_and_an_unknown_context_are_rejected(api: Api) -> None:
    (result,) = badge(api)
    issuer = Issuer.objects.get()

    def check(document: dict[str, Any]) -> None:
        proofs.verify_proof(document, lambda method: issuers.find_public_key(issuer, method))

    with pytest.raises(proofs.ProofError, match="unknownTerm"):
        check({**result, "unknownTerm": "with honours"})
    with pytest.raises(proofs.ProofError, match="unknown context"):
        check({**result, "@context": [*result["@context"], "https://example.com/more.json"]})
    with pytest.raises(proofs.ProofError, match="too large"):
        check({**result, "evidence": [{} for _ in range(80)]})
    with pytest.raises(proofs.ProofError, match="its issuer"):
        proofs.verify_proof(result, lambda method: None)


def test_the_status_list_changes_at_once_when_a_certificate_is_revoked_restored_or_replaced(api: Api) -> None:
    results = badge(api, *[f"Name {n}" for n in range(4)])
    entries = [item["credentialStatus"] for item in results]
    url = entries[0]["statusListCredential"]
    places = [int(entry["statusListIndex"]) for entry in entries]
    assert len(set(places)) == 4 and max(places) < 131_072 and sorted(places) != list(range(4))

    def ended() -> set[int]:
        document = fetched(api, url[url.index("/status") :])
        assert is_proof_valid(document, document["issuer"].removeprefix("did:key:")), "the list is signed too"
        told = document["credentialSubject"]["encodedList"]
        bits = gzip.decompress(base64.urlsafe_b64decode(told[1:] + "=="))
        assert told[0] == "u" and len(bits) * 8 == 131_072
        return {n * 8 + bit for n, byte in enumerate(bits) if byte for bit in range(8) if byte & (0x80 >> bit)}

    assert ended() == set()
    ids = [row.pk for row in Certificate.objects.order_by("name")]
    api.run("svc_certs_edit", ids=ids[:2], state="revoked")
    assert ended() == {places[0], places[1]}
    api.run("svc_certs_edit", ids=ids[:1], state="valid")
    api.run("svc_certs_edit", ids=ids[2:3], name="Name Two")
    assert ended() == {places[1], places[2]}


def test_on_a_public_instance_did_web_finds_the_keys_and_former_keys_remain(
    api: Api, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.BASE_URL = f"{WORLD}:8443"
    (first,) = badge(api, "Ada King")
    issuer = Issuer.objects.get()
    assert first["issuer"]["id"] == f"did:web:tools.example.org%3A8443:issuers:{issuer.pk}"
    issuers.rotate_key(issuer)
    (second,) = badge(api, "Ben Okafor")
    assert first["proof"]["verificationMethod"] != second["proof"]["verificationMethod"]
    document = fetched(api, f"/issuers/{issuer.pk}/did.json")
    assert document["id"] == first["issuer"]["id"] and len(document["verificationMethod"]) == 2
    for item in (first, second):
        method = item["proof"]["verificationMethod"]
        assert method in document["assertionMethod"]
        (key,) = [row["publicKeyMultibase"] for row in document["verificationMethod"] if row["id"] == method]
        assert is_proof_valid(item, key)
    assert issuers.get_signing_identity(issuer).verification_method == second["proof"]["verificationMethod"]


def test_an_authentic_badge_is_distinguished_from_a_changed_one(api: Api) -> None:
    (result,) = badge(api, "Ada King")
    told = file_verification.verify_file(b"\xef\xbb\xbf " + json.dumps(result).encode())
    assert (
        told.verdict == "genuine"
        and told.document is not None
        and told.document.is_valid
        and "Ada King" in told.document.what
    )
    assert "exactly the one" in file_verification.describe_verdict(told)
    for wrong in ({**result, "name": "Other"}, {**result, "unknownTerm": 1}):
        told = file_verification.verify_file(json.dumps(wrong).encode())
        assert (told.verdict, told.document) == ("changed", None)
        assert "Don’t trust it" in file_verification.describe_verdict(told)
    for foreign in (
        b"{}",
        b"{",
        b"{" * 40_000,
        b"[1]",
        json.dumps({**result, "id": "https://x/v/1/credential"}).encode(),
    ):
        told = file_verification.verify_file(foreign)
        words = "wasn’t signed here" if foreign[:1] == b"{" else "isn’t a PDF"
        assert told.verdict == "unknown" and words in file_verification.describe_verdict(told)
    api.run("svc_certs_edit", ids=[Certificate.objects.get().pk], state="revoked")
    told = file_verification.verify_file(json.dumps(result).encode())
    assert told.document is not None and not told.document.is_valid and "Revoked" in told.document.state


def test_an_achievement_is_available_at_its_url(api: Api) -> None:
    (result,) = badge(api, "Ada King")
    id = result["credentialSubject"]["achievement"]["id"]
    path = id[id.index("/a/") :]
    assert fetched(api, path)["id"] == id
    assert "/v/" in api.client.get(path)["Location"]
    assert [api.client.get(removed).status_code for removed in ("/a/ctm_x", "/issuers/x/did.json", "/status/9")] == [
        404
    ] * 3
