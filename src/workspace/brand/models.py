"""The brand of a business, set once for all its pages, QR codes, PDFs and emails."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import models
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.brand.fonts import SYSTEM
from workspace.brand.style import DEFAULT_COLOR, Style
from workspace.lib.weekly_hours import Window, format_hours
from workspace.owner_translation import owner_gettext_lazy
from workspace.storage import journal
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.files.images import image_url
from workspace.storage.journal import Journaled

TRADES = {
    "cafe": owner_gettext_lazy("Café"),
    "restaurant": owner_gettext_lazy("Restaurant"),
    "salon": owner_gettext_lazy("Salon"),
    "studio": owner_gettext_lazy("Studio"),
    "trainer": owner_gettext_lazy("Trainer"),
    "freelancer": owner_gettext_lazy("Freelancer"),
    "events": owner_gettext_lazy("Events"),
    "shop": owner_gettext_lazy("Shop"),
    "other": owner_gettext_lazy("Other"),
}
LOGO_WIDTH, PICTURE_WIDTH = 384, 768


class Brand(Journaled):
    """The brand of an account.

    A row exists only while something is set, but `Brand.for_account(account)` always returns a brand. The business name
    is stored in the account. `version` is a hash of all other columns, for cache keys.
    """

    pictures = ("logo", "image")
    journal_displayed_fields = {
        "logo": ("logo_id", None),
        "image": ("image_id", None),
        "version": None,
        "qr_style_source_id": ("qr_style_from", None),
        "corner_style": ("corners", None),
    }

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="brand")
    # RESTRICT, unlike PROTECT, allows deleting an account together with its images.
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    colors: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)  # none, one or two
    fonts = models.CharField(max_length=20, default=SYSTEM)
    corner_style = models.CharField(max_length=20, default="soft")
    slogan = models.CharField(max_length=160, blank=True)
    address = models.CharField(max_length=300, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)
    country = models.CharField(max_length=2, blank=True)  # ISO 3166
    currency = models.CharField(max_length=3, blank=True)
    languages: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    trade = models.CharField(max_length=20, blank=True)
    qr_style_source_id = models.CharField(max_length=40, blank=True)  # id of the QR code whose style all others use
    version = models.CharField(max_length=16, blank=True, default="")

    def __str__(self) -> str:
        return f"The brand of {self.account_id}"

    @classmethod
    def for_account(cls, account: Account) -> Brand:
        """Return the account's brand, or an unsaved one if nothing is set.

        It runs one query, or none if the account was loaded with `select_related("brand")`.
        """
        came = account._state.fields_cache
        found: Brand | None = came["brand"] if "brand" in came else _BRAND.fetch_first(account=account.pk)
        if found is None:
            return cls(account=account)
        found.account = account  # so that the account caches its brand, too
        return found

    @classmethod
    def qr_style_for(cls, account: Account) -> tuple[str, list[str]]:
        """Return the brand's colors, and the id of the QR code that defines the style of the others.

        Run at most one query.
        """
        if "brand" in account._state.fields_cache:
            known = cls.for_account(account)
            return known.qr_style_source_id, known.colors
        return next(iter(_QR_STYLE.fetch_rows(account=account.pk)), ("", []))

    @property
    def style(self) -> Style:
        color, accent = [*self.colors, "", ""][:2]
        return Style(color or DEFAULT_COLOR, accent, self.fonts, self.corner_style)

    def style_with_color(self, color: str) -> Style:
        """Return the style of a page with its own color, or the brand's style if the color is empty."""
        return replace(self.style, color=color, accent="") if color else self.style

    @property
    def name(self) -> str:
        return self.account.name if self.account_id else ""

    @property
    def logo_url(self) -> str:
        """The path of the logo, or ""."""
        return image_url(self.logo_id, LOGO_WIDTH) if self.logo_id else ""

    @property
    def image_url(self) -> str:
        return image_url(self.image_id, PICTURE_WIDTH) if self.image_id else ""

    @property
    def hours_text(self) -> str:
        return format_hours(self.hours)

    def edit(self, **changes: Any) -> None:
        """Apply an owner's values. They include `logo_id` and `image_id`, where "" means none.

        Raise InvalidInputError if an image does not exist.
        """
        if not changes:
            return
        if self._state.adding:
            self.save(force_insert=True)  # it is the same brand as before, so the journal does not record it
        fields = self._claim_images(changes)
        if journal.update_row(self, **fields):
            self.mark_many_changed([self])

    def _claim_images(self, changes: dict[str, Any]) -> dict[str, Any]:
        """Claim the uploads of new image ids, and release the uploads that they replace."""
        fields = dict(changes)
        for name in self.pictures:
            id, earlier = fields.pop(f"{name}_id", None), getattr(self, f"{name}_id")
            if id is None or id == (earlier or ""):
                continue
            fields[name] = Upload.claim(self.account, id, f"{name}_id") if id else None
            if earlier:
                Upload.release_many([earlier])
        return fields

    def _restore_logo(self, upload_id: str | None) -> None:
        self.edit(logo_id=upload_id or "")

    def _restore_image(self, upload_id: str | None) -> None:
        self.edit(image_id=upload_id or "")

    journal_field_restorers = {"logo": _restore_logo, "image": _restore_image}

    @override
    @classmethod
    def mark_many_changed(cls, brands: Sequence[Brand]) -> None:
        """Update the version stamps, so that pages are rendered again on the next load.

        A brand without any values is deleted.
        """
        nothing = cls()._compute_stamp()
        for brand in brands:
            brand.version = brand._compute_stamp()
            if brand.version == nothing:
                cls.objects.filter(pk=brand.pk).delete()
                brand._state.adding = True
            else:
                brand.save(update_fields=["version"])

    def _compute_stamp(self) -> str:
        columns = [field.attname for field in self._meta.concrete_fields if field.name not in ("account", "version")]
        content = json.dumps([getattr(self, column) for column in columns])
        return hashlib.sha256(content.encode()).hexdigest()[:16]


_QR_STYLE = CompiledQuery(
    lambda: Brand.objects.filter(account_id=parameter("account")).values_list("qr_style_source_id", "colors")
)
_BRAND = CompiledQuery(lambda: Brand.objects.filter(account_id=parameter("account")))
