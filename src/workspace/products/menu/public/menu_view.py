"""A menu as guests see it at a moment: what is hidden is not in it, what is sold out is marked, prices are words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from workspace.lib.weekly_hours import earliest, next_edge
from workspace.products.menu.api.serializers import price_in_short, price_of
from workspace.products.menu.domain.queries import sections_of
from workspace.products.menu.models import KIND, Choice, Item, Menu, Section
from workspace.products.menu.public.dietary_filter import Wishes
from workspace.products.menu.rules.food import ALLERGENS, CONTAINS, MAY_CONTAIN, Allergen
from workspace.publishing.diets import DIETS, Diet
from workspace.publishing.language import amount, listed, week_hours
from workspace.publishing.locale import Worded, voice, worded
from workspace.storage.files.images import picture_url


@dataclass(frozen=True, slots=True)
class Dish:
    """`price` is the note where the owner gave one, `price_in_short` is for where no variants are shown. `diets` are
    those to show, `suitable` all that it fits, `free` the allergens of which it is declared free."""

    item: Item
    name: Worded
    description: Worded
    price: str
    price_in_short: str
    variants: tuple[tuple[Worded, str], ...]
    add_ons: tuple[tuple[Worded, str], ...]
    diets: tuple[Diet, ...]
    suitable: tuple[str, ...]
    contains: tuple[Allergen, ...]
    may_contain: tuple[Allergen, ...]
    free: tuple[str, ...]
    sold_out: bool
    photo: str
    photo_large: str
    photo_whole: str
    left_out: bool
    note: str

    @property
    def contains_words(self) -> str:
        return listed([one.name for one in self.contains], voice().language)

    @property
    def may_contain_words(self) -> str:
        return listed([one.name for one in self.may_contain], voice().language)

    @property
    def marks(self) -> list[tuple[Allergen, str]]:
        """A row of the allergen matrix: each of the 14 with contains, may_contain, free or nothing."""
        free = dict.fromkeys(self.free, "free")
        return [(one, self.item.allergens.get(one.key, free.get(one.key, ""))) for one in ALLERGENS.values()]


@dataclass(frozen=True, slots=True)
class Course:
    """A section with its dishes. `number` counts from 1 over the whole page."""

    section: Section
    name: Worded
    description: Worded
    number: int
    hours: str
    served: bool
    dishes: tuple[Dish, ...]

    @property
    def left_out(self) -> bool:
        return all(dish.left_out for dish in self.dishes)


@dataclass(frozen=True, slots=True)
class Board:
    """`now` and `later` are the courses that are served at the moment and those that are not; `fresh_until` is when
    this changes by itself; `food` whether diets and allergens are told."""

    menu: Menu
    intro: Worded
    served: bool
    hours: str
    food: bool
    now: tuple[Course, ...]
    later: tuple[Course, ...]
    fresh_until: datetime | None

    @property
    def courses(self) -> list[Course]:
        """All, in the owner's order."""
        return sorted([*self.now, *self.later], key=lambda course: course.number)

    @property
    def dishes(self) -> list[Dish]:
        return [dish for course in self.courses for dish in course.dishes]

    @property
    def diets(self) -> list[Diet]:
        """Those that at least one dish fits."""
        found = {key for dish in self.dishes for key in dish.suitable}
        return [diet for key, diet in DIETS.items() if key in found]

    @property
    def declares(self) -> bool:
        """Whether any dish says something of allergens: else the menu says once that none does."""
        return any(
            dish.contains or dish.may_contain or dish.free or dish.item.allergens_checked for dish in self.dishes
        )

    @property
    def left_out(self) -> int:
        return sum(dish.left_out for dish in self.dishes)


def board_of(menu: Menu, moment: datetime, wishes: Wishes | None = None) -> Board:
    zone = menu.account.zone
    photos = menu.account.limits(KIND).photos
    courses: list[Course] = []
    edges = [next_edge(menu.hours, moment, zone)]
    for section in sections_of(menu):
        items = [item for item in section.items.all() if not item.hidden]
        if section.hidden or not items:
            continue
        edges.append(next_edge(section.hours, moment, zone))
        edges += [item.sold_out_until for item in items if item.is_sold_out(moment)]
        dishes = tuple(_dish(item, menu.currency, moment, wishes or Wishes(), photos) for item in items)
        hours = week_hours(section.hours, voice().language)
        words = _words(section, "name"), _words(section, "description")
        courses.append(Course(section, *words, len(courses) + 1, hours, section.is_served(moment), dishes))
    return Board(
        menu=menu,
        intro=_words(menu, "intro"),
        served=menu.is_served(moment),
        hours=week_hours(menu.hours, voice().language),
        food=menu.is_food,
        now=tuple(course for course in courses if course.served),
        later=tuple(course for course in courses if not course.served),
        fresh_until=earliest(edges),
    )


def _dish(item: Item, currency: str, moment: datetime, wishes: Wishes, photos: bool) -> Dish:
    suitable = item.suitable
    free = item.free_of
    verdict = wishes.judge(suitable, item.allergens, free)
    implied = {other for key in suitable for other in DIETS[key].implies}
    name, description, price_note = (_words(item, field) for field in ("name", "description", "price_note"))
    return Dish(
        item=item,
        name=name,
        description=description,
        price=price_note or price_of(item, currency, _written),
        price_in_short=price_note or price_in_short(item, currency, _written),
        # a note stands in for every price of the dish
        variants=_choices(item.variants, "" if item.price_note else currency),
        add_ons=_choices(item.add_ons, currency),
        diets=tuple(DIETS[key] for key in suitable if key not in implied),
        suitable=tuple(suitable),
        contains=_in_state(item, CONTAINS),
        may_contain=_in_state(item, MAY_CONTAIN),
        free=tuple(free),
        sold_out=item.is_sold_out(moment),
        photo=picture_url(item.photo_id, 192) if photos and item.photo_id else "",
        photo_large=picture_url(item.photo_id, 384) if photos and item.photo_id else "",
        photo_whole=picture_url(item.photo_id, 768) if photos and item.photo_id else "",
        left_out=verdict.left_out or not wishes.finds(name, description),
        note=verdict.note,
    )


def _in_state(item: Item, state: str) -> tuple[Allergen, ...]:
    return tuple(one for key, one in ALLERGENS.items() if item.allergens.get(key) == state)


def _choices(choices: Sequence[Choice], currency: str) -> tuple[tuple[Worded, str], ...]:
    return tuple(
        (
            worded(choice["name"], choice.get("translations", {}), "name"),
            _written(choice["minor"], currency) if currency else "",
        )
        for choice in choices
    )


def _words(part: Menu | Section | Item, field: str) -> Worded:
    return worded(getattr(part, field), part.translations, field)


def _written(minor: int, currency: str) -> str:
    return amount(minor, currency, voice().locale)
