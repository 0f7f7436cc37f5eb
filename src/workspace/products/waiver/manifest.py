"""Waivers: a text that people sign before they take part, on a phone or at the door, and which proves itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.lib import clock
from workspace.products.waiver.api import export_tools, signature_tools, tools
from workspace.products.waiver.domain.daily_digest import NEWS
from workspace.products.waiver.domain.signings import SIGNED, VOIDED
from workspace.products.waiver.hooks import demo, starter
from workspace.products.waiver.hooks.checkin import DOOR
from workspace.products.waiver.hooks.privacy import PERSONAL
from workspace.products.waiver.hooks.submissions import left, signed_of
from workspace.products.waiver.hooks.takeout import CARRIED
from workspace.products.waiver.models import KIND, Waiver
from workspace.publishing.manifest import Group, Manifest, Need
from workspace.publishing.submissions import Arrivals
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class WaiverLimits:
    """`monthly`: signatures in a month of the account's, beyond which its owner is told, and nobody is turned away;
    `webhooks`: whether signings are pushed. None is unlimited."""

    waivers: int | None
    monthly: int | None
    webhooks: bool


def _used(account: Account) -> dict[str, int]:
    begin = datetime.combine(clock.today(account.time_zone).replace(day=1), time.min, account.zone)
    return {"monthly": account.signatures.filter(created_at__gte=begin).count()}


def _needs(account: Account) -> Sequence[Need]:
    most = account.limits(KIND).monthly
    if most is None:
        return []
    made = _used(account)["monthly"]
    if made <= most:
        return []
    way_out = account.or_larger(KIND, "wait for the next month")
    return [Need(f"{made} people signed waivers this month, and your plan counts {most}: {way_out}", "/app/waiver")]


PRODUCT = Manifest(
    key=KIND,
    word="waiver",
    title="Waivers",
    noun="waiver",
    about="Waivers signed before people arrive",
    path="/w/",
    icon="waiver",
    group=Group.SIGNED,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, WaiverLimits(waivers=1, monthly=50, webhooks=False)),
        "pro": Plan(12, WaiverLimits(waivers=None, monthly=None, webhooks=True)),
    },
    tools=tools_in(tools, signature_tools, export_tools),
    things=[Waiver],
    carried=CARRIED,
    personal=PERSONAL,
    searched=("title", "text", "clauses", "questions"),
    first_step="Write your first waiver",
    demo=demo.fill,
    used=_used,
    example=starter.example,
    news=[NEWS],
    events=[SIGNED, VOIDED],
    needs=_needs,
    door=DOOR,
    arrivals=[
        Arrivals(
            kind="signature",
            noun="signature",
            title="Signatures",
            page="/app/waiver",
            rows=signed_of,
            of="waiver",
            told=left,
            did="signed a waiver",
        )
    ],
)
