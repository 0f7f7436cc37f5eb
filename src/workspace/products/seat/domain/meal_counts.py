"""The meal counts for the kitchen. All files and PDFs use these numbers.

For each course, the meals and the guests without a meal add up to the number of attending guests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest


@dataclass(frozen=True, slots=True)
class CourseCounts:
    """The meals of one course.

    `meals` are in the order of the chart's choices, followed by other words, most frequent first. `by_table` is keyed
    by table id, with an empty key for guests without a table. `without_choice` are the guests who have not chosen.
    """

    name: str
    meals: tuple[str, ...]
    by_table: dict[str, Counter[str]]
    totals: Counter[str]
    without_choice: tuple[PrintGuest, ...]

    @property
    def total(self) -> int:
        return sum(self.totals.values()) + len(self.without_choice)

    def count_missing_at(self, table: str) -> int:
        return sum(guest.table == table for guest in self.without_choice)

    def count_at(self, table: str) -> int:
        """Return the total number of guests at a table."""
        return sum(self.by_table.get(table, Counter()).values()) + self.count_missing_at(table)


@dataclass(frozen=True, slots=True)
class MealCounts:
    """The meals of all courses.

    `needs` are guests with a diet, a special chair or a note, ordered by table. `without_table` is the number of
    attending guests without a table.
    """

    courses: tuple[CourseCounts, ...]
    diets: Counter[str]
    needs: tuple[PrintGuest, ...]
    without_table: int


def count_meals(chart: PrintChart, meal: str = "Meal") -> MealCounts:
    """Count the meals of all attending guests.

    If the chart has no courses, count a single course named `meal`.
    """
    people = sort_by_table(chart)
    names = list(chart.courses) or ([meal] if any(person.meals for person in people) else [])
    return MealCounts(
        courses=tuple(_count_course(chart, people, number, name) for number, name in enumerate(names)),
        diets=Counter(diet for person in people for diet in list_diets(person)),
        needs=tuple(person for person in people if person.diet or person.notes or person.chair),
        without_table=sum(not person.table for person in people),
    )


def list_diets(guest: PrintGuest) -> list[str]:
    """Return a guest's diets without duplicates: first the chosen ones, then those named in the notes."""
    return list(dict.fromkeys([*guest.diet, *guest.diets_in_notes]))


def get_meal(guest: PrintGuest, course: int) -> str:
    """Return the guest's meal, or an empty string if none was chosen."""
    return guest.meals[course] if course < len(guest.meals) else ""


def sort_by_table(chart: PrintChart) -> list[PrintGuest]:
    """Return the guests ordered by table, then by chair. Guests without a table come last."""
    order = {table.id: number for number, table in enumerate(chart.tables)}
    last = len(order)
    return sorted(chart.guests, key=lambda guest: (order.get(guest.table, last), guest.seat or 10**6, guest.name))


def _count_course(chart: PrintChart, people: Sequence[PrintGuest], number: int, name: str) -> CourseCounts:
    by_table: dict[str, Counter[str]] = {}
    for person in people:
        if meal := get_meal(person, number):
            by_table.setdefault(person.table, Counter())[meal] += 1
    totals = sum(by_table.values(), Counter())
    choices = list(chart.choices[number]) if number < len(chart.choices) else []
    others = sorted(set(totals) - set(choices), key=lambda word: (-totals[word], word))
    without = tuple(person for person in people if not get_meal(person, number))
    return CourseCounts(name, (*choices, *others), by_table, totals, without)
