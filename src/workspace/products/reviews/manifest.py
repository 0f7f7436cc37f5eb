"""The manifest of reviews: pages where guests leave testimonials, with a wall and a widget that show them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop, owner_ngettext
from workspace.products.reviews.api import export_tools, serializers, stats_tools, testimonial_tools, tools
from workspace.products.reviews.domain.erasure import erase_testimonials, mark_pages_changed
from workspace.products.reviews.domain.queries import testimonials_for
from workspace.products.reviews.domain.submission import REVIEW_NOTIFICATION
from workspace.products.reviews.hooks import demo, live_block, starter_content
from workspace.products.reviews.hooks.takeout import TAKEOUT_TABLES
from workspace.products.reviews.models import KIND, ReviewPage, Status, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_PAGE
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table
from workspace.publishing.submissions import Submission, SubmissionAction, SubmissionSource
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """The limits of a plan. None means unlimited.

    `shown` is the number of testimonials shown on a wall. `made_with` says whether the widget names this service. A
    plan limits only what is shown, and nothing is deleted.
    """

    pages: int | None
    shown: int | None
    made_with: bool
    history_days: int


def _format_waiting(account: Account) -> str:
    count = testimonials_for(account).filter(status=Status.PENDING).count()
    text = owner_ngettext("%(count)s review to approve", "%(count)s reviews to approve", count)
    return text % {"count": f"{count:,}"} if count else ""


def _moderation_arguments(submission: Submission, action: str) -> dict[str, str]:
    return {"page_id": submission["thing_id"], "item_id": submission["id"], "action": action}


PRODUCT = Manifest(
    key=KIND,
    slug="reviews",
    title=owner_gettext_noop("Reviews"),
    noun="review page",
    summary=owner_gettext_lazy("Collect reviews and show them on your website"),
    public_prefix="/r/",
    icon="review",
    group=ProductGroup.VISIBILITY,
    trades=starter_content.TRADES,
    tab_places={"cafe": 2, "restaurant": 2, "salon": 2, "shop": 2},
    plans={
        "free": Plan(0, ReviewLimits(pages=1, shown=25, made_with=True, history_days=30)),
        "pro": Plan(9, ReviewLimits(pages=None, shown=None, made_with=False, history_days=400)),
    },
    takeout=TAKEOUT_TABLES,
    tools=tools_from_modules(tools, testimonial_tools, stats_tools, export_tools),
    models=[ReviewPage],
    upload_paths=("",),
    privacy=[
        item_table(ReviewPage, "review page", dashboard_path="/app/reviews"),
        PersonalTable(
            model=Testimonial,
            noun="testimonial",
            rows=lambda account: Testimonial._base_manager.filter(account=account).select_related("page__publication"),
            identity_columns=("email",),
            delete_rows=erase_testimonials,
            after_erase=lambda account, results: mark_pages_changed(results),
            image_columns=("photo",),
            page_url=lambda item: f"/app/reviews/{item.page_id}/items/{item.pk}",
            lock_path="page__publication",
        ),
    ],
    search_fields=("title", "intro"),
    first_task=owner_gettext_lazy("Collect your first review"),
    search_words="testimonials stars rating feedback widget google",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a review page"), None, "new make testimonials feedback"),
        SearchCommand(owner_gettext_lazy("Approve reviews"), "items", "testimonials moderate hide"),
        SearchCommand(owner_gettext_lazy("Embed reviews on a website"), "share", "widget embed testimonials html"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    notifications=[REVIEW_NOTIFICATION],
    submissions=[
        SubmissionSource(
            kind="testimonial",
            noun="testimonial",
            title=owner_gettext_noop("Reviews"),
            page="/app/reviews",
            rows=testimonials_for,
            from_guests=Q(source=SOURCE_PAGE, suspicion=""),
            item_column="page",
            serialize=serializers.review_submissions,
            waiting_filter=Q(status=Status.PENDING, consented_at__isnull=False),  # only these need a decision
            waiting_reason="for your approval",
            word="review",
            action_phrase="left a review",
            actions=[
                SubmissionAction(
                    name="approve",
                    label=owner_gettext_lazy("Approve"),
                    tool=tools.approve,
                    arguments=lambda left: _moderation_arguments(left, "approve"),
                    done_message=owner_gettext_lazy("Review approved."),
                    only_waiting=True,
                ),
                SubmissionAction(
                    name="hide",
                    label=owner_gettext_lazy("Hide"),
                    tool=tools.approve,
                    arguments=lambda left: _moderation_arguments(left, "hide"),
                    done_message=owner_gettext_lazy("Review hidden."),
                    icon="eye",
                    only_waiting=True,
                ),
                SubmissionAction(
                    name="delete",
                    label=owner_gettext_lazy("Delete"),
                    tool=testimonial_tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    done_message=owner_gettext_lazy("Review deleted. You can restore it for 30 days."),
                    icon="bin",
                ),
            ],
        )
    ],
    home_summary=_format_waiting,
    live_block=(live_block.TITLE, live_block.build_block),
)
