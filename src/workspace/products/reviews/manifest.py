"""Reviews: pages where guests leave testimonials, with the wall and the widget that show them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.accounts.privacy.data_subjects import Held
from workspace.products.reviews.api import serializers, testimonial_tools, tools
from workspace.products.reviews.domain.erasure import erase, touch_pages
from workspace.products.reviews.domain.queries import testimonials_of
from workspace.products.reviews.domain.submission import RECEIVED
from workspace.products.reviews.hooks import demo, live_block, starter
from workspace.products.reviews.hooks.takeout import CARRIED
from workspace.products.reviews.models import KIND, ReviewPage, Status, Testimonial
from workspace.products.reviews.models.testimonial import PAGE
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.privacy import thing
from workspace.publishing.submissions import Act, Arrivals, Left
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """`shown`: testimonials that a wall shows at most; `made_with`: whether the widget says what it is made with. A
    plan decides what is shown: nothing is lost. None is unlimited."""

    pages: int | None
    shown: int | None
    made_with: bool
    history_days: int


def _waiting(account: Account) -> str:
    count = testimonials_of(account).filter(status=Status.PENDING).count()
    return f"{count:,} waiting for you" if count else ""


def _moderate(left: Left, action: str) -> dict[str, str]:
    return {"page_id": left["thing_id"], "item_id": left["id"], "action": action}


PRODUCT = Manifest(
    key=KIND,
    word="reviews",
    title="Reviews",
    noun="review page",
    about="Collect testimonials and show them",
    path="/r/",
    icon="review",
    group=Group.FOUND,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, ReviewLimits(pages=1, shown=25, made_with=True, history_days=30)),
        "pro": Plan(9, ReviewLimits(pages=None, shown=None, made_with=False, history_days=400)),
    },
    carried=CARRIED,
    tools=tools_in(tools, testimonial_tools),
    things=[ReviewPage],
    guests_send_files=("",),
    personal=[
        thing(ReviewPage, "review page", home="/app/reviews"),
        Held(
            model=Testimonial,
            noun="testimonial",
            rows=lambda account: Testimonial._base_manager.filter(account=account).select_related("page__publication"),
            theirs=("email",),
            drop=erase,
            settle=lambda account, found: touch_pages(found),
            pictures=("photo",),
            page=lambda one: f"/app/reviews/{one.page_id}/items/{one.pk}",
            under="page__publication",
        ),
    ],
    searched=("title", "intro"),
    first_step="Collect your first review",
    demo=demo.fill,
    example=starter.example,
    news=[RECEIVED],
    arrivals=[
        Arrivals(
            kind="testimonial",
            noun="testimonial",
            title="Reviews",
            page="/app/reviews",
            rows=testimonials_of,
            came=Q(source=PAGE, suspicion=""),
            of="page",
            told=serializers.left,
            waits=Q(status=Status.PENDING, consented_at__isnull=False),  # only then is there something to decide
            waiting="for your decision",
            word="review",
            did="left a review",
            acts=[
                Act(
                    name="approve",
                    label="Approve",
                    tool=tools.approve,
                    arguments=lambda left: _moderate(left, "approve"),
                    told="Approved. Guests see it now.",
                    only_waiting=True,
                ),
                Act(
                    name="hide",
                    label="Hide",
                    tool=tools.approve,
                    arguments=lambda left: _moderate(left, "hide"),
                    told="Hidden. Guests do not see it.",
                    icon="eye",
                    only_waiting=True,
                ),
                Act(
                    name="delete",
                    label="Delete",
                    tool=testimonial_tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    told="Deleted. For 30 days it can be brought back.",
                    icon="bin",
                ),
            ],
        )
    ],
    summary=_waiting,
    live=(live_block.TITLE, live_block.newest),
)
