"""What the kitchen cooks for whom, counted once: files and papers are made of these numbers and of no others. Of each
course, all meals and who has none are together everybody who comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat.domain.pdf.types import PrintChart, PrintGuest


@dataclass(frozen=True, slots=True)
class CourseCounts:
    """`meals` in the order of the chart's choices, other words behind them, the most wanted first; `by_table` by the
    tables' ids, the empty one for who has none; `without_choice` are those who have not chosen."""

    name: str
    meals: tuple[str, ...]
    by_table: dict[str, Counter[str]]
    totals: Counter[str]
    without_choice: tuple[PrintGuest, ...]

    @property
    def total(self) -> int:
        return sum(self.totals.values()) + len(self.without_choice)

    def count_missing_at(self, table: str) -> int:
        return sum(one.table == table for one in self.without_choice)

    def count_at(self, table: str) -> int:
        """Of all who sit there."""
        return sum(self.by_table.get(table, Counter()).values()) + self.count_missing_at(table)


@dataclass(frozen=True, slots=True)
class MealCounts:
    """`needs` are guests with a diet, a chair of their own or a note, in the order of the tables; `without_table` how
    many come and have no table."""

    courses: tuple[CourseCounts, ...]
    diets: Counter[str]
    needs: tuple[PrintGuest, ...]
    without_table: int


def count_meals(chart: PrintChart, meal: str = "Meal") -> MealCounts:
    """Of everybody who comes. `meal` is what the only course is called where a chart names none."""
    people = sort_by_table(chart)
    names = list(chart.courses) or ([meal] if any(one.meals for one in people) else [])
    return MealCounts(
        courses=tuple(_count_course(chart, people, number, name) for number, name in enumerate(names)),
        diets=Counter(diet for one in people for diet in list_diets(one)),
        needs=tuple(one for one in people if one.diet or one.notes or one.chair),
        without_table=sum(not one.table for one in people),
    )


def list_diets(guest: PrintGuest) -> list[str]:
    """Return a guest's diets, each once: those that were chosen, then those that the notes name."""
    return list(dict.fromkeys([*guest.diet, *guest.diets_in_notes]))


def get_meal(guest: PrintGuest, course: int) -> str:
    """Empty for who has not chosen."""
    return guest.meals[course] if course < len(guest.meals) else ""


def sort_by_table(chart: PrintChart) -> list[PrintGuest]:
    """As waiters go: table by table, chair by chair; behind them who has no table."""
    order = {table.id: number for number, table in enumerate(chart.tables)}
    last = len(order)
    return sorted(chart.guests, key=lambda one: (order.get(one.table, last), one.seat or 10**6, one.name))


def _count_course(chart: PrintChart, people: Sequence[PrintGuest], number: int, name: str) -> CourseCounts:
    by_table: dict[str, Counter[str]] = {}
    for one in people:
        if meal := get_meal(one, number):
            by_table.setdefault(one.table, Counter())[meal] += 1
    totals = sum(by_table.values(), Counter())
    choices = list(chart.choices[number]) if number < len(chart.choices) else []
    others = sorted(set(totals) - set(choices), key=lambda word: (-totals[word], word))
    without = tuple(one for one in people if not get_meal(one, number))
    return CourseCounts(name, (*choices, *others), by_table, totals, without)
