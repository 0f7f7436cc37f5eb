"""Invite links: who invited whom, and which sign-ups do not count as friends.

Rewards are in `billing/invite_rewards.py`. The code of a visited link is stored in a signed cookie with the time of the
click; the first link counts. Signing up creates the pair, so the email address may be confirmed in another browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from django.core import signing
from django.http import HttpRequest, HttpResponse

from workspace.accounts import messages
from workspace.accounts.models import Account, InvitePair, Membership, Person
from workspace.accounts.models.invite_pair import CAME, JOINED, REFUSED
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.messages import Message

COOKIE, SALT = "invited", "workspace.invited"
COOKIE_LIFETIME = timedelta(days=30)
CODE_ENTRY_PERIOD = timedelta(days=7)
_CODE_PATTERN = re.compile(r"[a-z0-9]{4,12}")
_DOTLESS_DOMAINS = frozenset(["gmail.com", "googlemail.com"])


def find_inviter(code: str) -> Account | None:
    """Return the account with this invite code, ignoring case, or None."""
    folded = code.strip().lower()
    if not _CODE_PATTERN.fullmatch(folded):
        return None
    return Account.objects.filter(invite_code=folded, banned_at=None).first()


def set_invite_cookie(request: HttpRequest, response: HttpResponse, inviter: Account) -> None:
    if code_from_cookie(request) is None:
        response.set_cookie(
            COOKIE,
            signing.dumps([inviter.invite_code], salt=SALT),
            max_age=COOKIE_LIFETIME,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )


def code_from_cookie(request: HttpRequest) -> str | None:
    """Return the code of the first invite link that this browser opened within the last 30 days, or None."""
    try:
        [code] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_LIFETIME)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return code if isinstance(code, str) else None


def record_invite(request: HttpRequest, account: Account) -> None:
    """Record who invited the account. Call it inside the transaction of the sign-up."""
    code = code_from_cookie(request)
    inviter = find_inviter(code) if code else None
    if inviter is not None:
        InvitePair.objects.create(friend=account, inviter=inviter)


def confirm_invites(person: Person) -> None:
    """Start counting the invited account. Call it inside the transaction that confirms the person's address."""
    for pair in InvitePair.objects.filter(friend__memberships__person=person, state=CAME).select_related("inviter"):
        pair.state = REFUSED if pair.inviter is None or has_common_member(pair.inviter, pair.friend) else JOINED
        pair.save(update_fields=["state"])


def redeem_code(account: Account, code: str) -> None:
    """Redeem a code that the owner enters within a week of signing up. Raise InvalidInputError if it is not valid."""
    inviter = find_inviter(code)
    if inviter is None:
        raise _code_error(messages.UNKNOWN_INVITE_CODE)
    if inviter.pk == account.pk:
        raise _code_error(messages.OWN_INVITE_CODE)
    pair = InvitePair.objects.filter(friend=account).first()
    if pair is not None:
        if pair.inviter_id == inviter.pk:
            return
        raise _code_error(messages.ALREADY_INVITED)
    if account.created_at < clock.now() - CODE_ENTRY_PERIOD:
        raise _code_error(messages.INVITE_CODE_TOO_LATE)
    if inviter.created_at > account.created_at:
        raise _code_error(messages.INVITER_IS_NEWER)
    if has_common_member(inviter, account):
        raise _code_error(messages.INVITER_IS_MEMBER)
    InvitePair.objects.create(friend=account, inviter=inviter, state=JOINED)


def _code_error(reason: Message) -> InvalidInputError:
    return InvalidInputError.at_path("invite_code", reason)


def has_common_member(account: Account, other: Account) -> bool:
    """Return whether two accounts share a member, or an email address that is the same after normalization."""
    own_emails, other_emails = _member_emails(account), _member_emails(other)
    if {person for person, _ in own_emails} & {person for person, _ in other_emails}:
        return True
    return bool(
        _normalize_emails(email for _, email in own_emails) & _normalize_emails(email for _, email in other_emails)
    )


def _member_emails(account: Account) -> list[tuple[int, str]]:
    return list(Membership.objects.filter(account=account).values_list("person_id", "person__email"))


def _normalize_emails(emails: Iterable[str]) -> set[str]:
    return {normalize_email(email) for email in emails}


def normalize_email(email: str) -> str:
    """Normalize an email address: drop the part after a plus sign, and for Gmail also the dots."""
    local, _, domain = email.strip().lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTLESS_DOMAINS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"
