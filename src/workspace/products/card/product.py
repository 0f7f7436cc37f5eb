"""Business cards: a page that guests save to their contacts, and on which they leave their own details."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.personal import Held
from workspace.accounts.plans import Plan
from workspace.products.card import demo, example, lead_tools, rows, tools
from workspace.products.card.carried import CARRIED
from workspace.products.card.exchange import LEADS
from workspace.products.card.leads import erase_leads, leads_of
from workspace.products.card.models import KIND, Card, Lead
from workspace.publishing.arrivals import Act, Arrivals
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.personal import thing
from workspace.toolkit.tool import tools_in


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
    trades=example.TRADES,
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
    example=example.example,
    news=[LEADS],
    arrivals=[
        Arrivals(
            kind="lead",
            noun="lead",
            title="Contacts",
            page="/app/card",
            rows=leads_of,
            of="card",
            told=rows.left,
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
