"""Business cards: a page that guests save to their contacts, and on which they can leave their own details."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.card.api import lead_tools, serializers, tools
from workspace.products.card.domain.leads import erase_leads_permanently, leads_for
from workspace.products.card.hooks import demo, starter_content
from workspace.products.card.hooks.takeout import TAKEOUT_TABLES
from workspace.products.card.models import KIND, Card, Lead
from workspace.products.card.public.lead_form_views import LEAD_NOTIFICATION
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table
from workspace.publishing.submissions import SubmissionAction, SubmissionSource
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class CardLimits:
    """The limits of a plan. None means unlimited.

    `lead_capture` means that the plan shows the lead form. A card's flag can be set on any plan.
    """

    cards: int | None
    lead_capture: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="card",
    title=owner_gettext_noop("Business cards"),
    noun="business card",
    short=owner_gettext_noop("Cards"),
    summary=owner_gettext_lazy("A card that guests save to their contacts"),
    public_prefix="/c/",
    icon="card",
    group=ProductGroup.VISIBILITY,
    trades=starter_content.TRADES,
    tab_places={"freelancer": 3, "other": 1},
    plans={
        "free": Plan(0, CardLimits(cards=2, lead_capture=False, history_days=30)),
        "pro": Plan(6, CardLimits(cards=10, lead_capture=True, history_days=400)),
        "team": Plan(19, CardLimits(cards=None, lead_capture=True, history_days=400)),
    },
    takeout=TAKEOUT_TABLES,
    tools=tools_from_modules(tools, lead_tools),
    models=[Card],
    privacy=[
        item_table(
            Card,
            "business card",
            identity_columns=("email", "more_emails", "phone", "more_phones"),
            dashboard_path="/app/card",
        ),
        PersonalTable(
            model=Lead,
            noun="lead",
            rows=lambda account: leads_for(account, binned=True).select_related("card"),
            identity_columns=("email", "phone"),
            delete_rows=erase_leads_permanently,
            page_url=lambda lead: f"/app/card/{lead.card_id}/leads",
            lock_path="card__publication",
        ),
    ],
    search_fields=(
        "full_name",
        "title",
        "company",
        "phone",
        "more_phones",
        "email",
        "more_emails",
        "website",
        "address",
        "bio",
        "links",
    ),
    first_task=owner_gettext_lazy("Create your business card"),
    search_words="vcard contact card leads crm digital nfc",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a business card"), None, "new make vcard contact"),
        SearchCommand(owner_gettext_lazy("View leads"), "leads", "contacts crm export"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    notifications=[LEAD_NOTIFICATION],
    submissions=[
        SubmissionSource(
            kind="lead",
            noun="lead",
            title=owner_gettext_noop("Leads"),
            page="/app/card",
            rows=leads_for,
            item_column="card",
            serialize=serializers.lead_submissions,
            is_contact=True,
            action_phrase="left their details",
            actions=[
                SubmissionAction(
                    name="delete",
                    label=owner_gettext_lazy("Delete"),
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    done_message=owner_gettext_lazy("Lead deleted. You can restore it for 30 days."),
                    icon="bin",
                )
            ],
        )
    ],
)
