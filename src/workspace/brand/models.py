"""A business's brand, set once: what all its pages, codes, papers and mails show unless they differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import models

from workspace.accounts.models import Account, Upload
from workspace.brand.fonts import SYSTEM
from workspace.brand.style import DEFAULT_COLOR, Style
from workspace.lib.weekly_hours import Window, format_hours
from workspace.storage import journal
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.files.images import image_url

TRADES = {
    "cafe": "Café",
    "restaurant": "Restaurant",
    "salon": "Salon",
    "studio": "Studio",
    "trainer": "Trainer",
    "freelancer": "Freelancer",
    "events": "Events",
    "shop": "Shop",
    "other": "Something else",
}
LOGO_WIDTH, PICTURE_WIDTH = 384, 768


class Brand(models.Model):
    """One row an account, there while it says something: `Brand.of(account)` is there always. The business's name is
    the account's. `version` follows from all the rest: pages are kept by it."""

    pictures = ("logo", "picture")
    JOURNAL_TOLD = {
        "logo": ("logo_id", None),
        "picture": ("picture_id", None),
        "version": None,
        "slogan": ("line", None),
        "qr_style_source_id": ("code_like", None),
        "corner_style": ("corners", None),
    }

    account = models.OneToOneField(Account, on_delete=models.CASCADE, primary_key=True, related_name="brand")
    # RESTRICT, unlike PROTECT, lets an account be deleted with its pictures
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    picture = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    colours: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)  # none, one or two
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
    qr_style_source_id = models.CharField(max_length=40, blank=True)  # the id of a QR code whose look all take
    version = models.CharField(max_length=16, blank=True, default="")

    def __str__(self) -> str:
        return f"The brand of {self.account_id}"

    @classmethod
    def for_account(cls, account: Account) -> Brand:
        """The account's, which is not stored while nothing is chosen. One query, none where the account came with
        it (`select_related("brand")`)."""
        came = account._state.fields_cache
        found: Brand | None = came["brand"] if "brand" in came else _BRAND.fetch_first(account=account.pk)
        if found is None:
            return cls(account=account)
        found.account = account  # which then knows its brand, too
        return found

    @classmethod
    def qr_style_for(cls, account: Account) -> tuple[str, list[str]]:
        """What codes take from it: the id of the one whose look all have, and the colours. One query, as
        `for_account`."""
        if "brand" in account._state.fields_cache:
            known = cls.for_account(account)
            return known.qr_style_source_id, known.colours
        return next(iter(_QR_STYLE.fetch_rows(account=account.pk)), ("", []))

    @property
    def style(self) -> Style:
        colour, accent = [*self.colours, "", ""][:2]
        return Style(colour or DEFAULT_COLOR, accent, self.fonts, self.corner_style)

    def style_with_color(self, colour: str) -> Style:
        """For a page that has a colour of its own; the brand's for an empty one."""
        return replace(self.style, colour=colour, accent="") if colour else self.style

    @property
    def name(self) -> str:
        return self.account.name if self.account_id else ""

    @property
    def logo_url(self) -> str:
        """Below the base URL; empty for none."""
        return image_url(self.logo_id, LOGO_WIDTH) if self.logo_id else ""

    @property
    def picture_url(self) -> str:
        return image_url(self.picture_id, PICTURE_WIDTH) if self.picture_id else ""

    @property
    def hours_text(self) -> str:
        return format_hours(self.hours)

    def edit(self, **given: Any) -> None:
        """What an owner gave, `logo_id` and `picture_id` among it, each empty for none. Raises InvalidInputError there
        for a picture that there is not."""
        if not given:
            return
        if self._state.adding:
            self.save(force_insert=True)  # as it was all along, so not noted
        fields = self._claim_images(given)
        if journal.update_row(self, **fields):
            self.mark_many_changed([self])

    def _claim_images(self, given: dict[str, Any]) -> dict[str, Any]:
        """With the pictures whose ids are given taken into use, and those that they replace released."""
        fields = dict(given)
        for name in self.pictures:
            id, earlier = fields.pop(f"{name}_id", None), getattr(self, f"{name}_id")
            if id is None or id == (earlier or ""):
                continue
            fields[name] = Upload.claim(self.account, id, f"{name}_id") if id else None
            if earlier:
                Upload.release_many([earlier])
        return fields

    def restore_logo(self, upload_id: str | None) -> None:
        self.edit(logo_id=upload_id or "")

    def restore_picture(self, upload_id: str | None) -> None:
        self.edit(picture_id=upload_id or "")

    @classmethod
    def mark_many_changed(cls, brands: Sequence[Brand]) -> None:
        """Whatever was drawn of the account is drawn anew at its next load. One that says nothing is no row."""
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
        told = json.dumps([getattr(self, column) for column in columns])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


_QR_STYLE = CompiledQuery(
    lambda: Brand.objects.filter(account_id=parameter("account")).values_list("qr_style_source_id", "colours")
)
_BRAND = CompiledQuery(lambda: Brand.objects.filter(account_id=parameter("account")))
