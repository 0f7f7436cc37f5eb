"""Verification of a sender by the administrator's mail server (Authentication-Results, RFC 8601).

Anyone can write this header into an email. Therefore, only the first header with the name of the administrator's own
server counts, because that server removes others with its name. The server also quotes values that the sender chose,
such as an address, so quoted text and comments never count as a result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_DOMAIN_PROPERTIES = {"dmarc": "header.from", "dkim": "header.d", "spf": "smtp.mailfrom"}
_TOKEN = re.compile(r"""(?P<quoted>"(?:[^"\\]|\\.)*+")|(?P<space>\s++)|(?P<end>;)|[^\s"()\\;]++""", re.DOTALL)
_COMMENT_PART = re.compile(r"""[^()"\\]++|\\.|[()"]""", re.DOTALL)
_QUOTED_DOMAIN = re.compile(r'"[A-Za-z0-9._-]+"')


class _MalformedError(ValueError):
    pass


def is_sender_verified(results: Sequence[str], server: str, sender: str) -> bool:
    """Return whether `server` verified the sender's domain, either by DMARC or by DKIM or SPF for that domain."""
    domain = sender.rpartition("@")[2].lower()
    server = server.lower()  # host names are compared without case (RFC 8601, section 2.2; RFC 5321, section 2.4)
    if not server or not domain:
        return False
    for text in results:
        try:
            name, *found = _split_parts(text)
        except _MalformedError:
            return False
        if [word.lower() for word in name[:1]] == [server]:
            return any(_is_domain_verified(one, domain) for one in found)
    return False


def _is_domain_verified(result: Sequence[str], domain: str) -> bool:
    pairs = [(name.lower(), value.lower()) for name, _, value in (one.partition("=") for one in _join_pairs(result))]
    method, verdict = pairs[0] if pairs else ("", "")
    if method not in _DOMAIN_PROPERTIES or verdict != "pass":
        return False
    named = {value for name, value in pairs[1:] if name == _DOMAIN_PROPERTIES[method]}
    if not named:
        return method == "dmarc"
    proved = _get_domain(named.pop())
    return not named and bool(proved) and (domain == proved or domain.endswith(f".{proved}"))


def _get_domain(value: str) -> str:
    domain = value.rpartition("@")[2]
    return domain[1:-1] if _QUOTED_DOMAIN.fullmatch(domain) else domain


def _join_pairs(words: Sequence[str]) -> list[str]:
    """Join `name = value` if there is white space or a comment next to the equals sign."""
    found: list[str] = []
    for word in words:
        last = found[-1] if found else ""
        opens = last.endswith("=") and last.count("=") == 1 and "=" not in word
        if opens or (last and "=" not in last and word.startswith("=")):
            found[-1] += word
        else:
            found.append(word)
    return found


def _split_parts(text: str) -> list[list[str]]:
    """Return the words between the semicolons.

    Comments end words. Quoted text remains only where it can be a domain. Raise _MalformedError for an open quote or
    comment, and for characters that are allowed only inside them.
    """
    parts, word, place = [list[str]()], list[str](), 0

    def end_word() -> None:
        if word:
            parts[-1].append("".join(word))
            word.clear()

    while place < len(text):
        if text[place] == "(":
            place = _find_comment_end(text, place)
            end_word()
            continue
        token = _TOKEN.match(text, place)
        if token is None:
            raise _MalformedError
        place = token.end()
        if token["space"]:
            end_word()
        elif token["end"]:
            end_word()
            parts.append([])
        elif token["quoted"]:
            word.append(token[0] if _QUOTED_DOMAIN.fullmatch(token[0]) else '""')
        else:
            word.append(token[0])
    end_word()
    return parts


def _find_comment_end(text: str, place: int) -> int:
    """Return the end of a comment.

    Raise _MalformedError if it contains an odd number of quotes. A careless server may have quoted an address there,
    whose parenthesis does not end the comment.
    """
    depth = quotes = 0
    while part := _COMMENT_PART.match(text, place):
        place = part.end()
        depth += (part[0] == "(") - (part[0] == ")")
        quotes += part[0] == '"'
        if not depth:
            if quotes % 2:
                raise _MalformedError
            return place
    raise _MalformedError
