"""Link pages: a person or a business in one column of elements, mostly buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import models
from django.utils.translation import gettext_noop
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.links import messages
from workspace.products.links.rules.themes import AS_BRAND
from workspace.publishing import positions
from workspace.publishing.models import Publication, PublishedItem, picture_restorers
from workspace.storage import journal
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.compiled_write import update_by_key
from workspace.storage.journal import Journaled

KIND = "link"
CLICK = "click"
MAX_BUTTONS = 100  # per page, on every plan
MAX_OTHER_ELEMENTS = 50  # headings, texts and live blocks of a page


def _page_id() -> str:
    return new_id("page")


def _element_id() -> str:
    return new_id("lnk")


class Page(PublishedItem):
    kind = KIND
    call_to_action = gettext_noop("All our links")
    pictures = ("avatar", "share_image")
    LINKS_TO_STARTERS = True
    journal_displayed_fields = {
        **PublishedItem.journal_displayed_fields,
        "avatar": ("avatar_id", None),
        "share_image": ("share_image_id", None),
    }
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_page_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="link_pages")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="link_page")
    title = models.CharField(max_length=80)
    bio = models.CharField(max_length=300, blank=True)
    theme = models.CharField(max_length=20, default=AS_BRAND)
    avatar = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    social_profiles: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, blank=True
    )
    # the share preview; the default is the page's title, bio and avatar
    share_title = models.CharField(max_length=90, blank=True)
    share_description = models.CharField(max_length=200, blank=True)
    share_image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return self.title

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).pages
        if most is not None and cls.is_full(account, most, wanted):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.PAGE_LIMIT(most=most, way_out=way_out))

    def release_files(self) -> None:
        shown = Element.objects.filter(page=self).exclude(image=None)
        Upload.release_many(list(shown.values_list("image_id", flat=True)))
        super().release_files()

    def add_elements(self, elements: Sequence[Element]) -> None:
        """Add elements to a new page.

        They are not recorded in the journal, because undoing the creation of the page deletes them, too.
        """
        self._append_elements(elements)
        self.check_part_limits()

    def copy_elements(self) -> list[Element]:
        """Return unsaved copies of the elements for another page, in order. Claim their pictures."""
        its_own = ("id", "page", "position", "created_at")
        names = [field.attname for field in Element._meta.concrete_fields if field.name not in its_own]
        elements = list(self.elements.all())
        shown = [(element.image_id, "copy_of") for element in elements if element.image_id]
        Upload.claim_many(self.account, shown)
        return [Element(**{name: getattr(element, name) for name in names}) for element in elements]

    def save_elements(
        self,
        *,
        new: Sequence[Element] = (),
        changes: Iterable[tuple[Element, dict[str, Any]]] = (),
        elements: Sequence[Element] = (),
        order: Sequence[str] = (),
    ) -> None:
        """Remove, change, add and order elements, with a few queries.

        New elements are added at the end. Those in `order` come first, and the others follow in their previous order.
        Raise OperationNotAllowedError if the page has too many.
        """
        journal.set_item(self.kind, self.pk)
        delete_elements(elements)
        changed = journal.update_rows(changes)
        self._append_elements(new)
        journal.record_new_rows(*new)
        moved = bool(order) and self._reorder_elements(order)
        if new:
            self.check_part_limits()
        if elements or changed or new or moved:
            self.mark_changed()

    def _append_elements(self, new: Sequence[Element]) -> None:
        start = positions.next_position(self.elements.all()) if new else 0
        for offset, element in enumerate(new):
            element.page, element.position = self, start + offset
        Element.objects.bulk_create(new)

    def _reorder_elements(self, first: Sequence[str]) -> bool:
        rest = [id for id in self.elements.order_by("position", "id").values_list("pk", flat=True) if id not in first]
        return positions.reorder_parts(self.elements.all(), [*first, *rest], path="order", noun="element of this page")

    @classmethod
    def remove_elements(cls, elements: Sequence[Element]) -> None:
        """Remove elements from any pages of a single account, with a few queries."""
        pages = {element.page_id: element.page for element in elements}
        if pages:
            journal.set_item(KIND, next(iter(pages)))
            delete_elements(elements)
            cls.mark_many_changed(list(pages.values()))

    @override
    def check_part_limits(self) -> None:
        """Raise OperationNotAllowedError if there are too many elements. This check also runs after an undo."""
        counts = Counter(Element.objects.filter(page=self).order_by().values_list("kind", flat=True))
        buttons = counts.pop(ElementKind.LINK, 0)
        if buttons > MAX_BUTTONS:
            raise OperationNotAllowedError(messages.BUTTON_LIMIT(most=MAX_BUTTONS))
        if counts.total() > MAX_OTHER_ELEMENTS:
            raise OperationNotAllowedError(messages.OTHER_ELEMENT_LIMIT(most=MAX_OTHER_ELEMENTS))


class ElementKind(StrEnum):
    """The kinds of elements: a button, a heading, a text, or a live block of another product."""

    LINK = "link"
    HEADING = "heading"
    TEXT = "text"
    LIVE = "live"


class Element(Journaled):
    journal_item_path = "page"
    journal_displayed_fields = {
        "page": ("page_id", None),
        "live_block_kind": None,
        "live_block_item_id": ("thing", None),
        "created_at": None,
        "image": ("image_id", None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_element_id, editable=False)
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="elements")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    title = models.CharField(max_length=120, blank=True)  # of a button or heading; an untitled button shows its URL
    url = models.CharField(max_length=2048, blank=True)
    icon = models.CharField(max_length=16, blank=True)
    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    text = models.CharField(max_length=1000, blank=True)
    live_block_kind = models.CharField(max_length=20, blank=True)
    live_block_item_id = models.CharField(max_length=40, blank=True)
    is_on = models.BooleanField(default=True)
    shows_from = models.DateTimeField(null=True, blank=True)
    shows_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["page", "position", "id"], name="links_elements_in_order")]

    def __str__(self) -> str:
        return self.title or self.url or self.text or self.live_block_item_id

    def is_visible(self, now: datetime) -> bool:
        """Return whether guests see the element at this time. It is hidden from `shows_until` on."""
        started = self.shows_from is None or self.shows_from <= now
        ended = self.shows_until is not None and self.shows_until <= now
        return self.is_on and started and not ended

    def _restore_image(self, upload_id: str | None) -> None:
        before, after = self.image_id, upload_id or None
        picture = Upload.claim(self.page.account, after, "image_id") if after else None
        Upload.release_many([before] if before else [])
        journal.update_row(self, image=picture)

    journal_field_restorers = {"image": _restore_image}

    @override
    @classmethod
    def complete_restored_many(cls, elements: Sequence[Element]) -> None:
        shown = [(element.image_id, "") for element in elements if element.image_id]
        if shown:
            Upload.claim_many(elements[0].page.account, shown)

    @override
    @classmethod
    def undo_creation_many(cls, elements: Sequence[Element]) -> None:
        delete_elements(elements)

    def next_change(self, now: datetime) -> datetime | None:
        """Return the time when the schedule next shows or hides the element, or None."""
        edges = [edge for edge in (self.shows_from, self.shows_until) if edge is not None and edge > now]
        return min(edges) if edges and self.is_on else None


def delete_elements(elements: Sequence[Element]) -> None:
    """Delete elements and release their pictures."""
    Upload.release_many([element.image_id for element in elements if element.image_id])
    journal.delete_rows(*elements)


def on_live_block_change(account: Account | str, kind: str) -> None:
    """Mark the pages with live blocks of this kind as changed."""
    account_id = account if isinstance(account, str) else account.pk
    shown = {id for (id,) in _LIVE_PAGES.fetch_rows(account=account_id, kind=kind)}
    update_by_key(Publication, sorted(shown), increased=("version",))


_LIVE_PAGES = CompiledQuery(
    lambda: Element.objects.filter(
        page__account_id=parameter("account"), kind=ElementKind.LIVE, live_block_kind=parameter("kind")
    ).values_list("page__publication_id")
)
