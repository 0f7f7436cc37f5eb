"""Review pages where guests leave testimonials, with a wall and a widget that show them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_noop as _

from workspace.accounts.models import Account, Upload
from workspace.brand.models import Brand
from workspace.brand.style import Style
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.reviews import messages
from workspace.publishing.models import Embeddable, Publication

KIND = "review"
DEFAULT_CONSENT = _(
    "I agree that you publish my review with my name, rating and photo on your website, on this page and on your "
    "social media. I can withdraw this consent at any time."
)
DEFAULT_QUESTIONS = (_("What did you visit us for?"), _("What did you like best?"), _("Who would you recommend us to?"))
DEFAULT_THANK_YOU = _("Thank you! Your feedback means a lot to us.")
LAYOUTS = ("grid", "list", "carousel", "badge")  # of the widget; the first is the default
_DEFAULT_TEXTS = frozenset([DEFAULT_CONSENT, *DEFAULT_QUESTIONS, DEFAULT_THANK_YOU])


def _page_id() -> str:
    return new_id("rvp")


class ReviewPage(Embeddable):
    kind = KIND
    call_to_action = gettext_noop("Leave us a review")

    id = models.CharField(primary_key=True, max_length=40, default=_page_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="review_pages")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="review_page")
    title = models.CharField(max_length=100)
    intro = models.TextField(blank=True)
    questions: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    consent_text = models.TextField(default=DEFAULT_CONSENT)
    disclosure = models.TextField(blank=True)  # information for all readers: vouchers, relations
    thank_you = models.TextField(blank=True)
    color = models.CharField(max_length=7, blank=True)  # #rrggbb, or empty for the brand's color
    layout = models.CharField(max_length=10, default=LAYOUTS[0])  # one of LAYOUTS

    def __str__(self) -> str:
        return self.title

    @property
    def style(self) -> Style:
        """The brand's style, with the page's own color if it has one."""
        return Brand.for_account(self.account).style_with_color(self.color)

    @staticmethod
    def translate_default(text: str) -> str:
        """Return a text of the page for guests. Default text is translated; text that the owner wrote is not."""
        return gettext(text) if text in _DEFAULT_TEXTS else text

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).pages
        if most is not None and cls.is_full(account, most, wanted):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.PAGE_LIMIT(most=most, way_out=way_out))

    def release_files(self) -> None:
        photos = self.testimonials(manager="_base_manager").exclude(photo=None)
        Upload.release_many(list(photos.values_list("photo_id", flat=True)))
        super().release_files()

    def list_tags(self) -> list[str]:
        """Return all tags in use on the page, sorted."""
        # without the model's ordering, which would make every row distinct
        testimonials = self.testimonials.exclude(tags="").order_by().values_list("tags", flat=True).distinct()
        return sorted({tag for tags in testimonials for tag in tags.split("|") if tag})
