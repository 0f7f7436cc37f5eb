"""Tools for inviting friends: the invite link with its results, and emails."""

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
from workspace.billing import invite_rewards, messages
from workspace.billing.invite_views import inviter_first_name
from workspace.billing.models import InviteMail
from workspace.billing.models.invite import INVITER
from workspace.delivery import mail
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.owner_translation import owner_gettext_lazy
from workspace.publishing.guest_language import guest_language
from workspace.publishing.shared_item_arguments import clean_email
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Line, Lines

MAX_FRIENDS = 200
FINAL_NOTE = "Sent emails can't be recalled"
_STATE_LABELS = {
    "joined": owner_gettext_lazy("joined"),
    "earned": owner_gettext_lazy("paying; you earned a free month"),
    "held": owner_gettext_lazy("paying; your free month is under review"),
    "denied": owner_gettext_lazy("paying; no free month"),
    "reversed": owner_gettext_lazy("joined; their payment was refunded"),
}

Address = Annotated[str, Line(254), AfterValidator(clean_email)]
Addresses = Annotated[
    list[Address], Field(min_length=1, max_length=10, description="Email addresses of your friends, up to 20 a day.")
]
Message = Annotated[str, Lines(500), Field(description="Personal message shown above the invitation. Optional.")]


class FriendData(TypedDict):
    """A friend who was invited. `friend` is the name of their business."""

    friend: str
    joined_at: str
    paid_at: str | None
    state: Annotated[str, Field(description="joined, earned, held, denied or reversed.")]
    month: Annotated[
        str,
        Field(description="State of your free month: banked, sending, credited, held or gone. Empty if there is none."),
    ]


class InviteLink(TypedDict):
    invite_url: str
    code: str
    friends_joined: int
    friends_paid: int
    free_months_earned: int
    free_months_left_this_year: int
    banked: Annotated[int, Field(description="Free months saved until you start a paid plan.")]
    history: list[FriendData]


class InvitesSent(TypedDict):
    sent: list[str]
    left_today: int


def invite_url(account: Account) -> str:
    return f"{settings.BASE_URL}/i/{account.invite_code}"


@box.tool(
    "svc_invite_link",
    title="Get your invite link",
    about="Get the account's invite link and a list of the friends who joined through it. When a friend starts a "
    "paid plan, you both get a free month. You can earn at most 12 free months a year.",
    short="Get your invite link, friends who joined and free months earned.",
    synonyms="referral, refer a friend, affiliate, invitation, recommend, reward, empfehlen, freunde werben, "
    "einladungslink, gratismonat, recomendar, invitar amigos, enlace de invitación, mes gratis",
    reads=True,
)
def get_link(account: Account) -> Answer[InviteLink]:
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
        f"Your invite link: {data['invite_url']} (code {data['code']})",
        "",
        f"- friends joined: {data['friends_joined']}",
        f"- friends on a paid plan: {paid}",
        f"- free months earned: {data['free_months_earned']}"
        + (f", {data['banked']} of them saved until you start a paid plan" if data["banked"] else ""),
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


@box.tool(
    "svc_invite_send",
    title="Invite friends by email",
    about="Email your invite link to friends. Each address is emailed only once and deleted after 30 days.",
    short="Email your invite link to friends.",
    synonyms="referral, refer a friend, recommend, freunde einladen, empfehlung senden, invitar amigos por "
    "correo, recomendar, invite a colleague, invite someone, tell a friend",
    final=FINAL_NOTE,
    sends=True,
)
def send(account: Account, emails: Addresses, message: Message = "") -> Answer[InvitesSent]:
    wanted = list(dict.fromkeys(one.strip() for one in emails))
    known = {codes.normalize_email(one) for one in account.invite_mails.values_list("email", flat=True)}
    mine = codes.normalize_email(account.owner.email)
    new: dict[str, str] = {}
    for one in wanted:
        folded = codes.normalize_email(one)
        if folded not in known and folded != mine:
            new.setdefault(folded, one)
    if not new:
        raise OperationNotAllowedError(messages.ALREADY_INVITED)
    sent = account.invite_mails.filter(sent_at__gt=get_limit("friend-invitation").window_start())
    allowance = consume("friend-invitation", used=sent.count(), amount=len(new))
    if not allowance:
        raise OperationNotAllowedError(messages.DAILY_INVITATIONS(most=allowance.limit, left=allowance.remaining))
    InviteMail.objects.bulk_create(InviteMail(account=account, email=one) for one in new.values())
    name = inviter_first_name(account)
    context: dict[str, object] = {
        "business": account.name,
        "first_name": name,
        "message": message,
        "url": invite_url(account),
    }
    context |= {"code": account.invite_code, "is_paid_for": settings.PAYMENTS}
    for one in new.values():  # in the language of the account's guests, which is probably also the friends' language
        mail.send(
            "invitation", one, context, account=account, reply_to=account.owner.email, language=guest_language(account)
        )
    journal.mark_irreversible(FINAL_NOTE)
    data: InvitesSent = {"sent": list(new.values()), "left_today": allowance.remaining}
    skipped = len(wanted) - len(new)
    lines = [f"Sent to {', '.join(escape_markdown(one) for one in data['sent'])}. {data['left_today']} left today."]
    if skipped:
        lines.append(f"{format_count(skipped, 'address', 'addresses')} skipped: already invited or your own.")
    return Answer(data, "\n".join(lines))
