"""What the kitchen cooks for whom, counted once: files and papers are made of these numbers and of no others. Of each
course, all meals and who has none are together everybody who comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat.domain.pdf.types import Chart, Seated


@dataclass(frozen=True, slots=True)
class Course:
    """`meals` in the order of the chart's choices, other words behind them, the most wanted first; `by_table` by the
    tables' ids, the empty one for who has none; `without` are those who have not chosen."""

    name: str
    meals: tuple[str, ...]
    by_table: dict[str, Counter[str]]
    totals: Counter[str]
    without: tuple[Seated, ...]

    @property
    def total(self) -> int:
        return sum(self.totals.values()) + len(self.without)

    def missing_at(self, table: str) -> int:
        return sum(one.table == table for one in self.without)

    def count_at(self, table: str) -> int:
        """Of all who sit there."""
        return sum(self.by_table.get(table, Counter()).values()) + self.missing_at(table)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """`needs` are guests with a diet, a chair of their own or a note, in the order of the tables; `loose` how many come
    and have no table."""

    courses: tuple[Course, ...]
    diets: Counter[str]
    needs: tuple[Seated, ...]
    loose: int


def kitchen(chart: Chart, meal: str = "Meal") -> Kitchen:
    """Of everybody who comes. `meal` is what the only course is called where a chart names none."""
    people = in_order(chart)
    names = list(chart.courses) or ([meal] if any(one.meals for one in people) else [])
    return Kitchen(
        courses=tuple(_course(chart, people, number, name) for number, name in enumerate(names)),
        diets=Counter(diet for one in people for diet in diets_of(one)),
        needs=tuple(one for one in people if one.diet or one.notes or one.chair),
        loose=sum(not one.table for one in people),
    )


def diets_of(guest: Seated) -> list[str]:
    """Return a guest's diets, each once: those that were chosen, then those that the notes name."""
    return list(dict.fromkeys([*guest.diet, *guest.noted]))


def meal_of(guest: Seated, course: int) -> str:
    """Empty for who has not chosen."""
    return guest.meals[course] if course < len(guest.meals) else ""


def in_order(chart: Chart) -> list[Seated]:
    """As waiters go: table by table, chair by chair; behind them who has no table."""
    order = {table.id: number for number, table in enumerate(chart.tables)}
    last = len(order)
    return sorted(chart.guests, key=lambda one: (order.get(one.table, last), one.seat or 10**6, one.name))


def _course(chart: Chart, people: Sequence[Seated], number: int, name: str) -> Course:
    by_table: dict[str, Counter[str]] = {}
    for one in people:
        if meal := meal_of(one, number):
            by_table.setdefault(one.table, Counter())[meal] += 1
    totals = sum(by_table.values(), Counter())
    choices = list(chart.choices[number]) if number < len(chart.choices) else []
    others = sorted(set(totals) - set(choices), key=lambda word: (-totals[word], word))
    without = tuple(one for one in people if not meal_of(one, number))
    return Course(name, (*choices, *others), by_table, totals, without)
