"""Business cards: a page that guests save to their contacts, and on which they leave their own details."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.accounts.privacy.data_subjects import Held
from workspace.products.card.api import lead_tools, serializers, tools
from workspace.products.card.domain.leads import erase_leads, leads_of
from workspace.products.card.hooks import demo, starter
from workspace.products.card.hooks.takeout import CARRIED
from workspace.products.card.models import KIND, Card, Lead
from workspace.products.card.public.exchange_views import LEADS
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.privacy import thing
from workspace.publishing.submissions import Act, Arrivals
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class CardLimits:
    """`lead_capture`: whether a card with the flag shows guests the form; the flag itself may be set on any plan. None
    is unlimited."""

    cards: int | None
    lead_capture: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="card",
    title="Business cards",
    noun="business card",
    short="Cards",
    about="A card that guests save to their contacts",
    path="/c/",
    icon="card",
    group=Group.FOUND,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, CardLimits(cards=2, lead_capture=False, history_days=30)),
        "pro": Plan(6, CardLimits(cards=10, lead_capture=True, history_days=400)),
        "team": Plan(19, CardLimits(cards=None, lead_capture=True, history_days=400)),
    },
    carried=CARRIED,
    tools=tools_in(tools, lead_tools),
    things=[Card],
    personal=[
        thing(Card, "business card", theirs=("email", "more_emails", "phone", "more_phones"), home="/app/card"),
        Held(
            model=Lead,
            noun="lead",
            rows=lambda account: leads_of(account, binned=True).select_related("card"),
            theirs=("email", "phone"),
            drop=erase_leads,
            page=lambda lead: f"/app/card/{lead.card_id}/leads",
            under="card__publication",
        ),
    ],
    searched=(
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
    first_step="Make your business card",
    demo=demo.fill,
    example=starter.example,
    news=[LEADS],
    arrivals=[
        Arrivals(
            kind="lead",
            noun="lead",
            title="Contacts",
            page="/app/card",
            rows=leads_of,
            of="card",
            told=serializers.left,
            is_contact=True,
            word="contact",
            did="left their details",
            acts=[
                Act(
                    name="delete",
                    label="Delete",
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    told="Deleted. For 30 days it can be brought back.",
                    icon="bin",
                )
            ],
        )
    ],
)
