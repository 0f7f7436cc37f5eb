"""Demo data: a café's page with a dozen reviews: shown, pinned, pending and suspicious. They are the same each time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from workspace.accounts import demo
from workspace.accounts.models import Account, Upload
from workspace.analytics import demo_traffic
from workspace.lib import clock
from workspace.products.reviews.domain.wall_content import WALL_EVENT
from workspace.products.reviews.models import ReviewPage, Status, Testimonial
from workspace.products.reviews.models.page import DEFAULT_CONSENT, DEFAULT_QUESTIONS
from workspace.products.reviews.models.testimonial import (
    OWNER_CONSENT_TEXT,
    SOURCE_IMPORT,
    SOURCE_PAGE,
    build_search_text,
)
from workspace.publishing.models.visit import VIEW_EVENT

SAMPLE_DAYS = 40


@dataclass(frozen=True, slots=True)
class SampleReview:
    """A sample review.

    `days_ago` is the number of days since it was written. The other fields have the model's names.
    """

    name: str
    byline: str
    rating: int | None
    days_ago: int
    text: str
    status: str = "approved"
    is_pinned: bool = False
    is_confirmed: bool = True
    consents: bool = True
    relationship: str = "customer"
    suspicion: str = ""
    source_name: str = ""
    excerpt: str = ""
    reply: str = ""
    tags: str = ""
    photo: str = ""


SAMPLES = (
    SampleReview(
        "Ida Stern",
        "Linz",
        5,
        24,
        "We arrived soaked, with two tired children, and they brought us towels before we even sat down. "
        "Then the poppy-seed cake. I’ve thought about it every day since.",
        is_pinned=True,
        tags="|cake|service|",
        photo="ida",
        reply="Thank you, Ida! We bake the poppy-seed cake every Thursday.",
    ),
    SampleReview(
        "Tomás Reyes",
        "Cyclist",
        5,
        3,
        "Best flat white between Vienna and Linz. They filled my bottles, too.",
        photo="tomas-r",
    ),
    SampleReview(
        "Greta Hollmann",
        "Architect",
        4,
        9,
        "I work here most mornings. The light is beautiful, and no one minds if you stay for hours. "
        "On Saturdays it gets loud, so bring headphones. The soup changes every day and is always good.",
        excerpt="The light is beautiful, and no one minds if you stay for hours.",
        tags="|atmosphere|",
        photo="greta",
    ),
    SampleReview(
        "Yusuf A.", "", 5, 12, "They remembered my name the second time. That’s all I need from a café.", photo="yusuf"
    ),
    SampleReview(
        "Familie Brandl",
        "Krems",
        5,
        17,
        "Taufe mit 24 Gästen im Garten: alles auf die Minute, und die Torte war ein Gedicht. Danke!",
        tags="|parties|",
    ),
    SampleReview("Noor", "", 3, 20, "Lovely people, but we waited half an hour for two espressos.", "hidden", reply=""),
    SampleReview(
        "Peter Lang",
        "Bakery Lang",
        5,
        31,
        "We’ve baked their bread for six years. They care about quality and are a pleasure to work with.",
        relationship="partner",
        is_confirmed=False,
        photo="peter",
    ),
    SampleReview(
        "Clara", "", 4, 34, "Good oat milk, fair prices, and water for my dog.", is_confirmed=False, photo="clara"
    ),
    SampleReview("M. Okafor", "", 5, 90, "A small place with a big heart.", source_name="Guest book", photo="okafor"),
    SampleReview("Hannah Weiss", "Graz", 5, 140, "The only brunch my grandmother approves of.", source_name="Google"),
    SampleReview("Lukas", "", 2, 6, "The music was too loud to talk. The cake was fine.", "pending", consents=False),
    SampleReview(
        "Marie Dubois",
        "Lyon",
        5,
        1,
        "Un petit coin de paradis. The apricot tart!",
        "pending",
        tags="|cake|",
        photo="marie",
    ),
    SampleReview("Best Prices", "", 5, 2, "Cheap watches at https://watches.example", "pending", suspicion="links"),
)


def fill_account(account: Account) -> None:
    """Fill an account that has no review pages. Call it once."""
    page = ReviewPage.open(
        account,
        title="How was your experience?",
        intro="We read every review. It helps us improve, and it helps others find us.",
        questions=list(DEFAULT_QUESTIONS),
        disclosure="Some guests received a free coffee for their review, whatever they wrote.",
        thank_you="Thank you! Your words mean a lot to us. See you soon.",
        hosts=["www.example.com"],
    )
    Testimonial.objects.bulk_create([_build_testimonial(page, sample) for sample in reversed(SAMPLES)])
    page.mark_changed()
    demo_traffic.save_visits(
        demo_traffic.generate_visits(
            page.publication_id, {VIEW_EVENT: range(1, 9), WALL_EVENT: range(1, 5)}, days=SAMPLE_DAYS, seed=1912
        )
    )


def _build_testimonial(page: ReviewPage, sample: SampleReview) -> Testimonial:
    at = clock.now() - timedelta(days=sample.days_ago, hours=3)
    imported = bool(sample.source_name)
    testimonial = Testimonial(
        account=page.account,
        page=page,
        status=Status(sample.status),
        featured_at=at if sample.is_pinned else None,
        rating=sample.rating,
        text=sample.text,
        excerpt=sample.excerpt,
        name=sample.name,
        byline=sample.byline,
        email="" if imported else f"{sample.name.split()[0].lower().strip('.')}@example.com",
        verified_at=at if sample.is_confirmed and not imported and not sample.suspicion else None,
        consented_at=at if sample.consents else None,
        consent_text=(OWNER_CONSENT_TEXT if imported else DEFAULT_CONSENT) if sample.consents else "",
        relationship=sample.relationship,
        source=SOURCE_IMPORT if imported else SOURCE_PAGE,
        source_name=sample.source_name,
        suspicion=sample.suspicion,
        reply=sample.reply,
        replied_at=at if sample.reply else None,
        tags=sample.tags,
        written_at=at,
        created_at=at,
    )
    if sample.photo:
        testimonial.photo = Upload.claim(page.account, demo.create_image(page.account, sample.photo), "photo_id")
    testimonial.search = build_search_text(testimonial)
    return testimonial
