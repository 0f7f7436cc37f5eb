"""A menu as guests see it at a given time: without hidden items, with sold-out items marked, and prices as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from workspace.lib.weekly_hours import earliest_moment, next_change
from workspace.products.menu.api.serializers import format_price, format_short_price
from workspace.products.menu.domain.queries import sections_for
from workspace.products.menu.models import KIND, Choice, Item, Menu, Section
from workspace.products.menu.public.dietary_filter import DietaryFilter
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, CONTAINS, MAY_CONTAIN, Allergen
from workspace.publishing.diets import DIETS, Diet
from workspace.publishing.language import format_amount, format_week_hours, join_words
from workspace.publishing.locale import LocalizedText, current_locale, localize_text
from workspace.storage.files.images import image_url


@dataclass(frozen=True, slots=True)
class DishView:
    """A dish.

    `price` is the note if the owner wrote one. `price_in_short` is used where no variants are shown. `diets` are those
    to show, `suitable` are all that apply, and `free` are the allergens that it is declared free of.
    """

    item: Item
    name: LocalizedText
    description: LocalizedText
    price: str
    price_in_short: str
    variants: tuple[tuple[LocalizedText, str], ...]
    add_ons: tuple[tuple[LocalizedText, str], ...]
    diets: tuple[Diet, ...]
    suitable: tuple[str, ...]
    contains: tuple[Allergen, ...]
    may_contain: tuple[Allergen, ...]
    free: tuple[str, ...]
    sold_out: bool
    photo: str
    photo_large: str
    photo_whole: str
    is_excluded: bool
    note: str

    @property
    def contained_keys(self) -> str:
        """The keys of contained allergens, separated by spaces."""
        return " ".join(allergen.key for allergen in self.contains)

    @property
    def possible_keys(self) -> str:
        """The keys of allergens that may be present in traces, separated by spaces."""
        return " ".join(allergen.key for allergen in self.may_contain)

    @property
    def declaration(self) -> str:
        """The sentences that say which allergens the dish contains or may contain, and whether this was checked."""
        language, sentences = current_locale().language, []
        if self.contains:
            what = join_words([allergen.name for allergen in self.contains], language)
            sentences.append(gettext("Contains %(what)s.") % {"what": what})
        if self.may_contain:
            what = join_words([allergen.name for allergen in self.may_contain], language)
            sentences.append(gettext("May contain %(what)s.") % {"what": what})
        if self.item.allergens_checked:
            is_rest = self.contains or self.may_contain
            sentences.append(
                gettext("Checked: contains no other allergens.")
                if is_rest
                else gettext("Checked: contains none of the 14 allergens.")
            )
        return " ".join(sentences)

    @property
    def allergen_marks(self) -> list[tuple[Allergen, str]]:
        """The marks of the 14 allergens in a row of the matrix: contains, may_contain, free or an empty string."""
        free = dict.fromkeys(self.free, "free")
        return [
            (allergen, self.item.allergens.get(allergen.key, free.get(allergen.key, "")))
            for allergen in ALLERGENS.values()
        ]


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section with its dishes. `number` is counted from 1 over the whole page."""

    section: Section
    name: LocalizedText
    description: LocalizedText
    number: int
    hours: str
    is_served: bool
    dishes: tuple[DishView, ...]

    @property
    def is_excluded(self) -> bool:
        return all(dish.is_excluded for dish in self.dishes)


@dataclass(frozen=True, slots=True)
class MenuView:
    """A menu at a given time.

    `now` are the sections served at this time, and `later` the others. `fresh_until` is when this changes. `is_food`
    says whether diets and allergens are shown.
    """

    menu: Menu
    intro: LocalizedText
    is_served: bool
    hours: str
    is_food: bool
    now: tuple[SectionView, ...]
    later: tuple[SectionView, ...]
    fresh_until: datetime | None

    @property
    def sections(self) -> list[SectionView]:
        """All sections, in the owner's order."""
        return sorted([*self.now, *self.later], key=lambda course: course.number)

    @property
    def dishes(self) -> list[DishView]:
        return [dish for course in self.sections for dish in course.dishes]

    @property
    def diets(self) -> list[Diet]:
        """The diets for which at least one dish is suitable."""
        results = {key for dish in self.dishes for key in dish.suitable}
        return [diet for key, diet in DIETS.items() if key in results]

    @property
    def undeclared_count(self) -> int:
        """The number of dishes without a declaration of allergens. The page shows it once, above all dishes."""
        return sum(not (dish.contains or dish.may_contain or dish.item.allergens_checked) for dish in self.dishes)

    @property
    def excluded_count(self) -> int:
        return sum(dish.is_excluded for dish in self.dishes)


def build_view(menu: Menu, moment: datetime, dietary_filter: DietaryFilter | None = None) -> MenuView:
    zone = menu.account.zone
    photos = menu.account.limits(KIND).photos
    courses: list[SectionView] = []
    edges = [next_change(menu.hours, moment, zone)]
    for section in sections_for(menu):
        items = [item for item in section.items.all() if not item.hidden]
        if section.hidden or not items:
            continue
        edges.append(next_change(section.hours, moment, zone))
        edges += [item.sold_out_until for item in items if item.is_sold_out(moment)]
        dishes = tuple(
            _build_dish(item, menu.currency, moment, dietary_filter or DietaryFilter(), photos) for item in items
        )
        hours = format_week_hours(section.hours, current_locale().language)
        words = _localize_field(section, "name"), _localize_field(section, "description")
        courses.append(SectionView(section, *words, len(courses) + 1, hours, section.is_served(moment), dishes))
    return MenuView(
        menu=menu,
        intro=_localize_field(menu, "intro"),
        is_served=menu.is_served(moment),
        hours=format_week_hours(menu.hours, current_locale().language),
        is_food=menu.is_food,
        now=tuple(course for course in courses if course.is_served),
        later=tuple(course for course in courses if not course.is_served),
        fresh_until=earliest_moment(edges),
    )


def _build_dish(item: Item, currency: str, moment: datetime, dietary_filter: DietaryFilter, photos: bool) -> DishView:
    suitable = item.suitable_diets
    free = item.free_allergens
    verdict = dietary_filter.check_dish(suitable, item.allergens, free)
    implied = {other for key in suitable for other in DIETS[key].implies}
    name, description, price_note = (_localize_field(item, field) for field in ("name", "description", "price_note"))
    return DishView(
        item=item,
        name=name,
        description=description,
        price=price_note or format_price(item, currency, _format_price),
        price_in_short=price_note or format_short_price(item, currency, _format_price),
        # a note replaces all prices of the dish
        variants=_present_choices(item.variants, "" if item.price_note else currency),
        add_ons=_present_choices(item.add_ons, currency),
        diets=tuple(DIETS[key] for key in suitable if key not in implied),
        suitable=tuple(suitable),
        contains=_allergens_in_state(item, CONTAINS),
        may_contain=_allergens_in_state(item, MAY_CONTAIN),
        free=tuple(free),
        sold_out=item.is_sold_out(moment),
        photo=image_url(item.photo_id, 192) if photos and item.photo_id else "",
        photo_large=image_url(item.photo_id, 384) if photos and item.photo_id else "",
        photo_whole=image_url(item.photo_id, 768) if photos and item.photo_id else "",
        is_excluded=verdict.is_excluded or not dietary_filter.matches_text(name, description),
        note=verdict.note,
    )


def _allergens_in_state(item: Item, state: str) -> tuple[Allergen, ...]:
    return tuple(allergen for key, allergen in ALLERGENS.items() if item.allergens.get(key) == state)


def _present_choices(choices: Sequence[Choice], currency: str) -> tuple[tuple[LocalizedText, str], ...]:
    return tuple(
        (
            localize_text(choice["name"], choice.get("translations", {}), "name"),
            _format_price(choice["minor"], currency) if currency else "",
        )
        for choice in choices
    )


def _localize_field(part: Menu | Section | Item, field: str) -> LocalizedText:
    return localize_text(getattr(part, field), part.translations, field)


def _format_price(minor: int, currency: str) -> str:
    return format_amount(minor, currency, current_locale().number_locale)
