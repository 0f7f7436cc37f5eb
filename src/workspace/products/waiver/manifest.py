"""The manifest of waivers: a document that people sign before they take part, on a phone or on site, with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_gettext_noop
from workspace.products.waiver.api import export_tools, signature_tools, tools
from workspace.products.waiver.domain.daily_digest import SIGNED_NOTIFICATION
from workspace.products.waiver.domain.signings import SIGNED_EVENT, VOIDED_EVENT
from workspace.products.waiver.hooks import demo, starter_content
from workspace.products.waiver.hooks.checkin import CHECKIN_SOURCE
from workspace.products.waiver.hooks.privacy import PERSONAL_DATA
from workspace.products.waiver.hooks.submissions import signature_submissions, signatures_for
from workspace.products.waiver.hooks.takeout import TAKEOUT_TABLES
from workspace.products.waiver.models import KIND, Waiver
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand, TodoItem
from workspace.publishing.submissions import SubmissionSource
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class WaiverLimits:
    """The limits of a plan. None means unlimited.

    `monthly` is the number of the account's signatures per calendar month. Beyond it, the owner is notified, but
    signing continues. `webhooks` says whether webhooks are sent.
    """

    waivers: int | None
    monthly: int | None
    webhooks: bool


def _compute_usage(account: Account) -> dict[str, int]:
    begin = datetime.combine(clock.today(account.time_zone).replace(day=1), time.min, account.zone)
    return {"monthly": account.signatures.filter(created_at__gte=begin).count()}


def _list_todo_items(account: Account) -> Sequence[TodoItem]:
    most = account.limits(KIND).monthly
    if most is None:
        return []
    made = _compute_usage(account)["monthly"]
    if made <= most:
        return []
    way_out = account.with_upgrade_hint(KIND, owner_gettext("wait for the next month"))
    text = owner_gettext(
        "%(made)s people signed waivers this month. Your plan includes %(most)s. To collect more, %(way_out)s"
    )
    return [TodoItem(text % {"made": made, "most": most, "way_out": way_out}, "/app/waiver")]


PRODUCT = Manifest(
    key=KIND,
    slug="waiver",
    title=owner_gettext_noop("Waivers"),
    noun="waiver",
    summary=owner_gettext_lazy("Waivers that people sign before they arrive"),
    public_prefix="/w/",
    icon="waiver",
    group=ProductGroup.PAYMENTS,
    trades=starter_content.TRADES,
    tab_places={"studio": 2, "trainer": 3},
    plans={
        "free": Plan(0, WaiverLimits(waivers=1, monthly=50, webhooks=False)),
        "pro": Plan(12, WaiverLimits(waivers=None, monthly=None, webhooks=True)),
    },
    tools=tools_from_modules(tools, signature_tools, export_tools),
    models=[Waiver],
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    search_fields=("title", "text", "clauses", "questions"),
    first_task=owner_gettext_lazy("Create a waiver"),
    search_words="liability consent release signature sign e-signature kiosk minors",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a waiver"), None, "new make liability consent release"),
        SearchCommand(owner_gettext_lazy("View signatures"), "signatures", "signed participants export void"),
        SearchCommand(owner_gettext_lazy("Open the signing kiosk"), "kiosk", "tablet ipad"),
    ],
    demo=demo.fill_account,
    usage=_compute_usage,
    starter=starter_content.starter_for,
    notifications=[SIGNED_NOTIFICATION],
    events=[SIGNED_EVENT, VOIDED_EVENT],
    todo=_list_todo_items,
    checkin=CHECKIN_SOURCE,
    submissions=[
        SubmissionSource(
            kind="signature",
            noun="signature",
            title=owner_gettext_noop("Signatures"),
            page="/app/waiver",
            rows=signatures_for,
            item_column="waiver",
            serialize=signature_submissions,
            action_phrase="signed a waiver",
        )
    ],
)
