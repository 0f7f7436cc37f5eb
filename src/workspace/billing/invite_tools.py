"""Tools to invite friends: the invite link with its results, and emails."""

from __future__ import annotations

from datetime import UTC
from typing import Annotated

from django.conf import settings
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from workspace.accounts import invites as codes
from workspace.accounts.account_tools import box
from workspace.accounts.models import Account, InvitePair
from workspace.accounts.models.invite_pair import COUNTED_STATES
from workspace.billing import invite_rewards
from workspace.billing.invite_views import inviter_first_name
from workspace.billing.models import InviteMail
from workspace.billing.models.invite import INVITER
from workspace.delivery import mail
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.publishing.guest_language import guest_language
from workspace.publishing.shared_item_arguments import clean_email
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line, Lines

MAX_FRIENDS = 200
FINAL_NOTE = "Mail that has left is not called back"
_STATE_LABELS = {
    "joined": "joined",
    "earned": "pays; you have a free month",
    "held": "pays; your month is being looked at",
    "denied": "pays; no month",
    "reversed": "joined; their payment went back",
}

Address = Annotated[str, Line(254), AfterValidator(clean_email)]
Addresses = Annotated[
    list[Address], Field(min_length=1, max_length=10, description="Friends' e-mail addresses; 20 a day")
]
Message = Annotated[str, Lines(500), Field(description="A few words of your own, above ours")]


class FriendData(TypedDict):
    """`friend` is the name of their business."""

    friend: str
    joined_at: str
    paid_at: str | None
    state: Annotated[str, Field(description="joined, earned, held, denied or reversed")]
    month: Annotated[str, Field(description="Of your month: banked, sending, credited, held, gone; empty for none")]


class InviteLink(TypedDict):
    invite_url: str
    code: str
    friends_joined: int
    friends_paid: int
    free_months_earned: int
    free_months_left_this_year: int
    banked: Annotated[int, Field(description="Free months that wait until you pay for a plan")]
    history: list[FriendData]


class InvitesSent(TypedDict):
    sent: list[str]
    left_today: int


def invite_url(account: Account) -> str:
    return f"{settings.BASE_URL}/i/{account.invite_code}"


@box.tool("svc_invite_link", title="Your invitation link", reads=True)
def get_link(account: Account) -> Answer[InviteLink]:
    """Your link for friends, and who came: both get a free month when one starts a paid plan, you 12 a year."""
    pairs = InvitePair.objects.filter(inviter=account, state__in=COUNTED_STATES)
    paid = pairs.exclude(paid_at=None).count()
    found = pairs.select_related("friend").prefetch_related("months").order_by("-created_at", "-id")[:MAX_FRIENDS]
    history = [_friend_data(pair) for pair in found]
    data: InviteLink = {
        "invite_url": invite_url(account),
        "code": account.invite_code,
        "friends_joined": pairs.count(),
        "friends_paid": paid,
        "free_months_earned": invite_rewards.count_earned(account),
        "free_months_left_this_year": invite_rewards.remaining_this_year(account, clock.now().astimezone(UTC)),
        "banked": invite_rewards.count_banked(account),
        "history": history,
    }
    lines = [
        f"Your invitation link: {data['invite_url']} (code {data['code']})",
        "",
        f"- friends joined: {data['friends_joined']}",
        f"- friends who pay: {paid}",
        f"- free months earned: {data['free_months_earned']}"
        + (f", of which {data['banked']} wait until you pay for a plan" if data["banked"] else ""),
        f"- free months left this year: {data['free_months_left_this_year']} of {invite_rewards.YEARLY_LIMIT}",
        *(_format_friend(one) for one in history),
    ]
    return Answer(data, "\n".join(lines))


def _friend_data(pair: InvitePair) -> FriendData:
    month = next((one for one in pair.months.all() if one.side == INVITER), None)
    return {
        "friend": pair.friend.name,
        "joined_at": clock.to_iso(pair.created_at) or "",
        "paid_at": clock.to_iso(pair.paid_at),
        "state": pair.state,
        "month": month.state if month else "",
    }


def _format_friend(friend: FriendData) -> str:
    return f"  - {escape_markdown(friend['friend'])}, {friend['joined_at'][:10]}: {_STATE_LABELS[friend['state']]}"


@box.tool("svc_invite_send", title="Invite friends by e-mail", final=FINAL_NOTE, sends=True)
def send(account: Account, emails: Addresses, message: Message = "") -> Answer[InvitesSent]:
    """Mail friends your invitation link, once each; we forget them after 30 days."""
    wanted = list(dict.fromkeys(one.strip() for one in emails))
    known = {codes.normalize_email(one) for one in account.invite_mails.values_list("email", flat=True)}
    mine = codes.normalize_email(account.owner.email)
    new: dict[str, str] = {}
    for one in wanted:
        folded = codes.normalize_email(one)
        if folded not in known and folded != mine:
            new.setdefault(folded, one)
    if not new:
        raise OperationNotAllowedError(
            "They have your invitation already: a second mail within 30 days would be a nuisance"
        )
    sent = account.invite_mails.filter(sent_at__gt=get_limit("friend-invitation").window_start())
    allowance = consume("friend-invitation", used=sent.count(), amount=len(new))
    if not allowance:
        raise OperationNotAllowedError(f"{allowance.limit} invitations a day by mail: {allowance.remaining} left today")
    InviteMail.objects.bulk_create(InviteMail(account=account, email=one) for one in new.values())
    name = inviter_first_name(account)
    context: dict[str, object] = {
        "business": account.name,
        "first_name": name,
        "message": message,
        "url": invite_url(account),
    }
    context |= {"code": account.invite_code, "is_paid_for": settings.PAYMENTS}
    for one in new.values():  # in the language of the account's guests, which is probably also that of its friends
        mail.send(
            "invitation", one, context, account=account, reply_to=account.owner.email, language=guest_language(account)
        )
    journal.mark_irreversible(FINAL_NOTE)
    data: InvitesSent = {"sent": list(new.values()), "left_today": allowance.remaining}
    skipped = len(wanted) - len(new)
    lines = [f"Sent to {', '.join(escape_markdown(one) for one in data['sent'])}. {data['left_today']} left today."]
    if skipped:
        lines.append(
            f"{format_count(skipped, 'address', 'addresses')} left out: they have your invitation, or it is you."
        )
    return Answer(data, "\n".join(lines))
