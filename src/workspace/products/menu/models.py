"""A menu for guests who scan a QR code at the table, with its sections and dishes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NotRequired

from django.db import models
from django.utils.translation import gettext_noop
from typing_extensions import TypedDict, override

from workspace.accounts.models import Account, Upload
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.money import to_wire_number
from workspace.lib.weekly_hours import Window, is_within_hours, next_occurrence
from workspace.products.menu import messages
from workspace.products.menu.rules.diets_and_allergens import FOOD_TRADES, free_allergens, list_warnings, suitable_diets
from workspace.products.menu.rules.theme import AS_BRAND
from workspace.products.menu.rules.translations import Translations
from workspace.publishing.models import Publication, PublishedItem, SoftDeleted, picture_restorers
from workspace.storage import journal

KIND = "menu"
DEFAULT_CURRENCY = "USD"


class Choice(TypedDict):
    """A variant or an add-on, as it is stored."""

    name: str
    minor: int  # in minor units of the menu's currency: cents, fils, yen
    translations: NotRequired[Translations]


def default_currency(account: Account) -> str:
    """Return the default currency of a new menu."""
    return Brand.for_account(account).currency or DEFAULT_CURRENCY


def _menu_id() -> str:
    return new_id("menu")


def _section_id() -> str:
    return new_id("sec")


def _item_id() -> str:
    return new_id("item")


class Menu(PublishedItem):
    kind = KIND
    CALL, PRICES_CALL = gettext_noop("See our menu"), gettext_noop("See our prices")
    pictures = ("logo",)
    journal_displayed_fields = {**PublishedItem.journal_displayed_fields, "logo": ("logo_id", None)}
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_menu_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="menus")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="menu")
    restaurant_name = models.CharField(max_length=120)
    currency = models.CharField(max_length=3, default=DEFAULT_CURRENCY)
    address = models.TextField(blank=True)
    intro = models.TextField(blank=True)
    theme = models.CharField(max_length=20, default=AS_BRAND)
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)
    # original language first; empty to use the brand's languages
    languages: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    translations: models.JSONField[Translations, Translations] = models.JSONField(default=dict, blank=True)
    # HH:MM in the account's time zone; empty if sold-out items stay sold out until someone changes that
    sold_out_resets_at = models.CharField(max_length=5, blank=True)

    def __str__(self) -> str:
        return self.restaurant_name

    @property
    def is_food(self) -> bool:
        """True if guests see diets and allergens.

        They do if the business sells food, or if any item declares diets or allergens. For a salon or a studio, the
        menu is a price list. This runs up to two queries.
        """
        if Brand.for_account(self.account).trade in FOOD_TRADES:
            return True
        return self.items().exclude(tags=[], allergens={}, allergens_checked=False).exists()

    @property
    def noun(self) -> str:
        return "menu" if self.is_food else "price list"

    @property
    def call_to_action(self) -> str:
        return self.CALL if self.is_food else self.PRICES_CALL

    def is_served(self, now: datetime) -> bool:
        return is_within_hours(self.hours, now, self.account.zone)

    def next_sold_out_reset(self) -> datetime | None:
        """Return when an item that sells out now becomes available again, or None if it does not."""
        if not self.sold_out_resets_at:
            return None
        return next_occurrence(self.sold_out_resets_at, clock.now(), self.account.zone)

    def items(self) -> models.QuerySet[Item]:
        """Return all items in order, with their sections loaded."""
        result = Item.objects.filter(section__menu=self, section__binned_at=None)
        return result.select_related("section").order_by("section__position", "section_id", "position", "id")

    def first_photo(self) -> str | None:
        """Return the id of the first photo that guests see, or None."""
        if not self.account.limits(KIND).photos:
            return None
        seen = self.items().filter(hidden=False, section__hidden=False).exclude(photo=None)
        return seen.values_list("photo_id", flat=True).first()

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).menus
        if wanted and most is not None and cls.is_full(account, most, wanted):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.MENU_LIMIT(most=most, way_out=way_out))

    @override
    def check_part_limits(self, *, sections: int = 0, items: int = 0) -> None:
        """Raise OperationNotAllowedError if the plan does not allow this many additional parts.

        Without arguments, check the current menu.
        """
        limits, as_it_is = self.account.limits(KIND), not sections and not items
        for text, most, more, present in (
            (messages.SECTION_LIMIT, limits.sections, sections, self.sections),
            (messages.ITEM_LIMIT, limits.items, items, self.items()),
        ):
            if (more or as_it_is) and present.count() + more > most:
                way_out = self.account.with_upgrade_hint(KIND, "delete some")
                raise OperationNotAllowedError(text(most=most, way_out=way_out))

    def release_files(self) -> None:
        release_photos(Item._base_manager.filter(section__menu=self))
        super().release_files()


class Section(SoftDeleted):
    """A section of a menu, such as starters, mains, or a lunch that is served until half past two."""

    journal_item_path = "menu"

    id = models.CharField(primary_key=True, max_length=40, default=_section_id, editable=False)
    menu = models.ForeignKey(Menu, on_delete=models.CASCADE, related_name="sections")
    name = models.CharField(max_length=80)
    description = models.TextField(blank=True)
    translations: models.JSONField[Translations, Translations] = models.JSONField(default=dict, blank=True)
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)
    hidden = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["menu", "position", "id"], name="menu_sections_in_their_order")]

    def __str__(self) -> str:
        return self.name

    def is_served(self, now: datetime) -> bool:
        return is_within_hours(self.hours, now, self.menu.account.zone)

    def purge(self) -> None:
        release_photos(Item._base_manager.filter(section=self))
        self.delete()


class Item(SoftDeleted):
    """A dish or drink.

    Guests see undeclared allergens as unknown. Only `allergens_checked`, or a tag such as gluten-free, declares an item
    free of an allergen.
    """

    journal_item_path = "section__menu"
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "section": ("section_id", None),
        "price_minor": ("price", None),
        "tags": ("dietary_tags", None),
        "photo": ("photo_id", None),
        "marked_sold_out": ("sold_out", None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_item_id, editable=False)
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    translations: models.JSONField[Translations, Translations] = models.JSONField(default=dict, blank=True)
    price_minor = models.PositiveIntegerField(null=True, blank=True)
    price_from = models.BooleanField(default=False)  # the price is the lowest one: "from 8"
    price_note = models.CharField(max_length=60, blank=True)  # shown instead of all prices
    tags: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    # contains or may_contain by allergen; a missing allergen is not declared
    allergens: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    allergens_checked = models.BooleanField(default=False)  # whether it contains no allergens other than those declared
    variants: models.JSONField[list[Choice], list[Choice]] = models.JSONField(default=list, blank=True)
    add_ons: models.JSONField[list[Choice], list[Choice]] = models.JSONField(default=list, blank=True)
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    marked_sold_out = models.BooleanField(default=False)
    sold_out_until = models.DateTimeField(null=True, blank=True)  # None: until someone changes it
    hidden = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["section", "position", "id"], name="menu_items_in_their_order")]

    def __str__(self) -> str:
        return self.name

    def is_sold_out(self, now: datetime) -> bool:
        return self.marked_sold_out and (self.sold_out_until is None or now < self.sold_out_until)

    @property
    def suitable_diets(self) -> list[str]:
        """The diets that guests see."""
        return suitable_diets(self.tags, self.allergens)

    @property
    def free_allergens(self) -> list[str]:
        """The allergens that the item is declared to be free of."""
        return free_allergens(self.tags, self.allergens, self.allergens_checked)

    @property
    def warnings(self) -> list[str]:
        return list_warnings(self.name, self.tags, self.allergens)

    def _format_price(self, minor: int | None) -> float | None:
        return to_wire_number(minor, self.section.menu.currency)

    def _format_choices(self, choices: Sequence[Choice]) -> list[dict[str, Any]]:
        currency = self.section.menu.currency
        return [
            {"name": choice["name"], "price": to_wire_number(choice["minor"], currency)}
            | ({"translations": choice["translations"]} if choice.get("translations") else {})
            for choice in choices
        ]

    journal_value_formatters = {
        "price_minor": _format_price,
        "variants": _format_choices,
        "add_ons": _format_choices,
    }

    def attach_image(self, upload_id: str, path: str = "photo_id") -> None:
        """Set one of the account's pictures as the photo (none for an empty id). Release the previous photo.

        Raise InvalidInputError at the path if there is no such picture.
        """
        if upload_id == (self.photo_id or ""):
            return
        photo = claim_photos(self.section.menu.account, [(upload_id, path)])[upload_id] if upload_id else None
        if self.photo is not None:
            self.photo.release()
        journal.update_row(self, photo=photo)

    def _restore_photo(self, upload_id: str | None) -> None:
        self.attach_image(upload_id or "")

    journal_field_restorers = {"photo": _restore_photo}

    @staticmethod
    def _restore_from_bin(pairs: Sequence[tuple[Item, datetime | None]]) -> None:
        back = [item.section_id for item, moment in pairs if moment is None]
        section = Section._base_manager.filter(pk__in=back).exclude(binned_at=None).first()
        if section is not None:
            raise OperationNotAllowedError(messages.SECTION_IS_DELETED(name=section.name))
        journal.update_rows((item, {"binned_at": moment}) for item, moment in pairs)

    journal_bulk_restorers = {"binned_at": _restore_from_bin}

    def purge(self) -> None:
        release_photos(Item._base_manager.filter(pk=self.pk))
        self.delete()


def claim_photos(account: Account, requested: Sequence[tuple[str, str]]) -> dict[str, Upload]:
    """Return pictures by id, and count one use of each.

    `requested` contains pairs of an id and the path of the argument. Raise ToolError if the plan does not include
    photos, and InvalidInputError at the path of each missing picture.
    """
    if requested and not account.limits(KIND).photos:
        raise OperationNotAllowedError(messages.NO_PHOTOS(upgrade=account.upgrade_hint(KIND)))
    return Upload.claim_many(account, requested)


def release_photos(items: models.QuerySet[Item]) -> None:
    """Release the photos of items. Call it before the items are deleted permanently."""
    Upload.release_many(list(items.exclude(photo=None).values_list("photo_id", flat=True)))
