"""What the operator's mail server found about a sender (Authentication-Results, RFC 8601).

Anybody can write this header into a mail. So only the first one that carries the name of the operator's own server
counts: that server removes others under its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"\([^()]*\)")
_PASS = re.compile(r"(dmarc|dkim|spf)\s*=\s*pass\b", re.IGNORECASE)
_DOMAIN = re.compile(r"\b(header\.from|header\.d|smtp\.mailfrom)\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
_NAMED_BY = {"dmarc": "header.from", "dkim": "header.d", "spf": "smtp.mailfrom"}


def has_passed(results: Sequence[str], server: str, sender: str) -> bool:
    """Tell whether `server` proved the sender's domain: by DMARC, or by DKIM or SPF of that domain."""
    domain = sender.rpartition("@")[2].lower()
    if not server or not domain:
        return False
    for text in results:
        name, _, found = _COMMENT.sub(" ", text).partition(";")
        if name.split()[:1] == [server]:
            return any(_proves(one.strip(), domain) for one in found.split(";"))
    return False


def _proves(result: str, domain: str) -> bool:
    passed = _PASS.match(result)
    if passed is None:
        return False
    method = passed[1].lower()
    named = {name.lower(): value.lower().rpartition("@")[2] for name, value in _DOMAIN.findall(result)}
    proved = named.get(_NAMED_BY[method], domain if method == "dmarc" else "")
    return bool(proved) and (domain == proved or domain.endswith(f".{proved}"))
