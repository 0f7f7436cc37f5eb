"""Canonical N-Quads of a badge, built by hand with the terms that our badges use.

The term URLs come from the specifications of the two contexts. It uses no JSON-LD processor, and shares no code with
the signer.
"""

from __future__ import annotations

import hashlib
from typing import Any

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"
CRED = "https://www.w3.org/2018/credentials#"
SEC = "https://w3id.org/security#"
OB = "https://purl.imsglobal.org/spec/vc/ob/vocab.html#"
STATUS = "https://www.w3.org/ns/credentials/status#"
SCHEMA = "https://schema.org/"
# the context of Open Badges writes this URL with https, and in one place uses a name that it never defines
OB_XSD = "https://www.w3.org/2001/XMLSchema#"
ID, DAY, BOOL, STRING = "id", f"{XSD}dateTime", f"{OB_XSD}boolean", f"{XSD}string"

TYPES = {
    "VerifiableCredential": CRED, "OpenBadgeCredential": OB, "Profile": OB, "AchievementSubject": OB,
    "IdentityObject": OB, "Achievement": OB, "DataIntegrityProof": SEC, "BitstringStatusListEntry": STATUS,
    "BitstringStatusListCredential": STATUS, "BitstringStatusList": STATUS,
}  # fmt: skip
# by the type of the parent (`*` for any): the URL and the kind of the value
WORDS: dict[tuple[str, str], tuple[str, str]] = {
    ("VerifiableCredential", "name"): (f"{SCHEMA}name", STRING),
    ("VerifiableCredential", "issuer"): (f"{CRED}issuer", ID),
    ("VerifiableCredential", "validFrom"): (f"{CRED}validFrom", DAY),
    ("VerifiableCredential", "validUntil"): (f"{CRED}validUntil", DAY),
    ("VerifiableCredential", "awardedDate"): (f"{OB}awardedDate", "xsd:dateTime"),
    ("VerifiableCredential", "credentialSubject"): (f"{CRED}credentialSubject", ID),
    ("VerifiableCredential", "credentialStatus"): (f"{CRED}credentialStatus", ID),
    ("Profile", "name"): (f"{SCHEMA}name", STRING),
    ("Profile", "url"): (f"{SCHEMA}url", f"{OB_XSD}anyURI"),
    ("AchievementSubject", "identifier"): (f"{OB}identifier", ID),
    ("AchievementSubject", "achievement"): (f"{OB}achievement", ID),
    ("IdentityObject", "identityType"): (f"{OB}identityType", STRING),
    ("IdentityObject", "hashed"): (f"{OB}hashed", BOOL),
    ("IdentityObject", "salt"): (f"{OB}salt", STRING),
    ("IdentityObject", "identityHash"): (f"{OB}identityHash", STRING),
    ("Achievement", "achievementType"): (f"{OB}achievementType", STRING),
    ("Achievement", "name"): (f"{SCHEMA}name", STRING),
    ("Achievement", "description"): (f"{SCHEMA}description", STRING),
    ("Achievement", "tag"): (f"{SCHEMA}keywords", STRING),
    ("Achievement", "criteria"): (f"{OB}Criteria", ID),
    ("", "narrative"): (f"{OB}narrative", STRING),
    ("BitstringStatusListEntry", "statusPurpose"): (f"{STATUS}statusPurpose", STRING),
    ("BitstringStatusListEntry", "statusListIndex"): (f"{STATUS}statusListIndex", STRING),
    ("BitstringStatusListEntry", "statusListCredential"): (f"{STATUS}statusListCredential", ID),
    ("BitstringStatusList", "statusPurpose"): (f"{STATUS}statusPurpose", STRING),
    ("BitstringStatusList", "encodedList"): (f"{STATUS}encodedList", f"{SEC}multibase"),
    ("DataIntegrityProof", "cryptosuite"): (f"{SEC}cryptosuite", f"{SEC}cryptosuiteString"),
    ("DataIntegrityProof", "created"): ("http://purl.org/dc/terms/created", DAY),
    ("DataIntegrityProof", "verificationMethod"): (f"{SEC}verificationMethod", ID),
    ("DataIntegrityProof", "proofPurpose"): (f"{SEC}proofPurpose", SEC),
}


def quads(document: dict[str, Any]) -> bytes:
    lines: list[tuple[str, str, str]] = []
    _node(document, lines, [0])
    blank = sorted({term for line in lines for term in (line[0], line[2]) if term.startswith("_:")})
    # RDFC-1.0, 4.6: our nodes all differ, so the hashes of their own quads identify them
    hashes = {value: _first_degree(value, lines) for value in blank}
    assert len(set(hashes.values())) == len(blank)
    by_name = {value: f"_:c14n{n}" for n, value in enumerate(sorted(blank, key=hashes.__getitem__))}
    return "".join(sorted(f"{by_name.get(s, s)} {p} {by_name.get(o, o)} .\n" for s, p, o in lines)).encode()


def _first_degree(value: str, lines: list[tuple[str, str, str]]) -> str:
    def format_term(term: str) -> str:
        return term if not term.startswith("_:") else "_:a" if term == value else "_:z"

    texts = sorted(f"{format_term(s)} {p} {format_term(o)} .\n" for s, p, o in lines if value in (s, o))
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def _node(node: dict[str, Any], lines: list[tuple[str, str, str]], count: list[int]) -> str:
    if "id" in node:
        subject = f"<{node['id']}>"
    else:
        subject = f"_:b{count[0]}"
        count[0] += 1
    types = node.get("type", [])
    types = [types] if isinstance(types, str) else types
    lines.extend((subject, f"<{RDF}>", f"<{TYPES[item]}{item}>") for item in types)
    for word, value in node.items():
        if word in ("id", "type", "@context"):
            continue
        predicate, kind = WORDS[types[0] if types else "", word]
        for item in value if isinstance(value, list) else [value]:
            lines.append((subject, f"<{predicate}>", _object(item, kind, lines, count)))
    return subject


def _object(value: Any, kind: str, lines: list[tuple[str, str, str]], count: list[int]) -> str:
    if isinstance(value, dict):
        return _node(value, lines, count)
    if kind == ID:
        return f"<{value}>"
    if kind.endswith("#"):
        return f"<{kind}{value}>"
    text = str(value).lower() if kind == BOOL else value
    for plain, escaped in (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ('"', '\\"'), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"' if kind == STRING else f'"{text}"^^<{kind}>'
