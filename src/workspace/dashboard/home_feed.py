"""What happened since yesterday, for the home page: submissions and busy days, grouped by kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.insights.recent_activity import ActivityEntry, Peak
from workspace.lib import clock
from workspace.owner_translation import OwnerText
from workspace.publishing import icons, items
from workspace.publishing.submissions import Submission, SubmissionAction

MAX_SHOWN, MAX_EARLIER = 2, 3  # entries of a group before it must be expanded, and earlier entries
_MAX_NOTE_LENGTH = 240  # characters


@dataclass(frozen=True, slots=True)
class FeedItem:
    """A line of the feed.

    `contact_links` contains URLs for contacting the guest, with labels. `acts` are posted to `act_url`.
    """

    at: datetime
    icon: SafeString
    who: str
    action: str
    thing: str
    page: str
    when: str
    note: str = ""
    rating: int = 0
    is_waiting: bool = False
    contact_links: tuple[tuple[str, str, str], ...] = ()
    acts: tuple[SubmissionAction, ...] = ()
    act_url: str = ""

    @property
    def stars(self) -> str:
        """The rating as a row of five stars, or an empty string if there is no rating."""
        return "★" * self.rating + "☆" * (5 - self.rating) if self.rating else ""


@dataclass(slots=True)
class FeedGroup:
    """The new entries of one kind, newest first. All but the first few must be expanded."""

    title: OwnerText
    page: str
    entries: list[FeedItem] = field(default_factory=list)

    @property
    def first_entries(self) -> list[FeedItem]:
        """The entries that are always visible."""
        return self.entries[:MAX_SHOWN]

    @property
    def more_entries(self) -> list[FeedItem]:
        """The entries that must be expanded."""
        return self.entries[MAX_SHOWN:]


def group_news(
    account: Account, activity: list[ActivityEntry], peaks: list[Peak]
) -> tuple[list[FeedGroup], list[FeedItem]]:
    """Return the entries since yesterday, grouped by kind, latest first, and earlier ones if there are few."""
    yesterday = datetime.combine(clock.today(account.time_zone) - timedelta(days=1), time.min, account.zone)
    groups: dict[str, FeedGroup] = {}
    earlier = []
    for entry in activity:
        if entry.at < yesterday:
            earlier.append(present_activity(entry, account.zone))
            continue
        group = groups.setdefault(entry.source.kind, FeedGroup(entry.source.title, entry.source.page))
        group.entries.append(present_activity(entry, account.zone))
    if peaks:
        busy = [_present_peak(one, account.zone) for one in peaks]
        groups["busy"] = FeedGroup(gettext("Busy days"), "", busy)
    count = sum(len(group.entries) for group in groups.values())
    return list(groups.values()), earlier[: max(0, MAX_EARLIER - count)]


def present_activity(entry: ActivityEntry, zone: Any) -> FeedItem:
    """Format a submission as one line, with times in the given time zone."""
    left = entry.submission
    note = left.get("note", "").strip()
    return FeedItem(
        at=entry.at,
        icon=icons.render_icon(entry.product.icon),
        who=left["name"] or gettext("Someone"),
        action=entry.source.action_phrase or f"left a {entry.source.noun}",
        thing=entry.thing,
        page=left["page"],
        when=_format_when(entry.at, zone),
        note=f"{note[:_MAX_NOTE_LENGTH].rstrip()} …" if len(note) > _MAX_NOTE_LENGTH else note,
        rating=left.get("rating", 0),
        is_waiting=entry.is_waiting,
        contact_links=_contact_links(left),
        acts=tuple(act for act in entry.source.actions if entry.is_waiting or not act.only_waiting),
        act_url=f"/app/act/{entry.source.kind}/{left['id']}",
    )


def _contact_links(submission: Submission) -> tuple[tuple[str, str, str], ...]:
    email, call_url = submission.get("email", ""), build_call_url(submission.get("phone", ""))
    mail = (("mail", f"mailto:{quote(email, safe='@+')}", gettext("Reply")),) if email else ()
    return (*mail, *((("phone", call_url, gettext("Call")),) if call_url else ()))


def build_call_url(phone: str) -> str:
    """Return the `tel:` URL of a phone number, or "" if the number is too short."""
    digits = re.sub(r"[^\d+]", "", phone)
    return f"tel:{digits}" if len(digits) > 3 else ""


def _present_peak(peak: Peak, zone: Any) -> FeedItem:
    today = clock.today(zone.key)
    return FeedItem(
        at=datetime.combine(peak.day, time.min, zone),
        icon=icons.render_icon("chart"),
        who=peak.thing.title,
        action=_format_peak(peak, is_today=peak.day == today),
        thing="",
        page=urlsplit(peak.thing.page).path,
        when=gettext("Today") if peak.day == today else gettext("Yesterday"),
    )


def _format_peak(peak: Peak, *, is_today: bool) -> str:
    """Describe a busy day, and how much busier than usual it was."""
    is_scan = items.get_manifest(peak.thing.kind).visit_event == "scan"
    values = {"count": f"{peak.visits:,}", "ratio": f"{peak.visits / peak.usual:.0f}" if peak.usual else ""}
    if not peak.usual:
        if is_scan:
            text = gettext("had %(count)s scans today") if is_today else gettext("had %(count)s scans yesterday")
        else:
            text = gettext("had %(count)s views today") if is_today else gettext("had %(count)s views yesterday")
    elif is_scan:
        text = (
            gettext("had %(count)s scans today, %(ratio)s times as many as usual")
            if is_today
            else gettext("had %(count)s scans yesterday, %(ratio)s times as many as usual")
        )
    else:
        text = (
            gettext("had %(count)s views today, %(ratio)s times as many as usual")
            if is_today
            else gettext("had %(count)s views yesterday, %(ratio)s times as many as usual")
        )
    return text % values


def _format_when(at: datetime, zone: Any) -> str:
    there = at.astimezone(zone)
    days = (clock.today(zone.key) - there.date()).days
    day = {0: gettext("Today"), 1: gettext("Yesterday")}.get(days, f"{there.day} {there:%b}")
    return f"{day} {there:%H:%M}"
