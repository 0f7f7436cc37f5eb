"""Dependencies between fields: within a page in any order without cycles, and otherwise on earlier pages."""

from __future__ import annotations

from typing import Any, Protocol

from workspace.products.form import messages
from workspace.products.form.rules.condition_parser import Condition, referenced_fields
from workspace.products.form.rules.field_input import FieldInput
from workspace.tools.object_parser import Issues


class _Page(Protocol):
    key: str
    fields: list[FieldInput]


class FieldOrdering:
    """Collects the dependencies between fields, reports invalid ones, and orders the fields of each page."""

    def __init__(self, pages: Any, issues: Issues) -> None:
        self.issues = issues
        self.place: dict[str, int] = {field.key: number for number, page in enumerate(pages) for field in page.fields}
        self.pages: dict[str, int] = {page.key: number for number, page in enumerate(pages)}
        self.edges: dict[str, dict[str, str]] = {}  # field → the field it needs → the path at which that is declared

    @staticmethod
    def list_required_keys(condition: Condition) -> list[str]:
        return sorted(referenced_fields(condition))

    def require_field(self, field_input: FieldInput, key: str, path: str) -> None:
        if key not in self.place:
            return
        if self.place[key] > self.place[field_input.key]:
            self.issues.add(path, messages.LATER_PAGE(key=key))
        elif self.place[key] == self.place[field_input.key]:
            self.edges.setdefault(field_input.key, {}).setdefault(key, path)

    def check_page_condition(self, page: _Page, condition: Condition, path: str) -> None:
        for key in self.list_required_keys(condition):
            if self.place.get(key, -1) > self.pages[page.key]:
                self.issues.add(path, messages.LATER_PAGE(key=key))

    def order_fields(self, page: _Page) -> list[str]:
        """Return the page's keys so that each field follows those it depends on, otherwise in the order of display."""
        waiting = [field.key for field in page.fields]
        result: dict[str, None] = {}
        while waiting:
            free = [key for key in waiting if all(need in result for need in self.edges.get(key, ()))]
            if not free:
                self._report_cycle(waiting)
                break
            # in each round, fields before the first blocked one keep their order
            for key in waiting:
                if all(need in result for need in self.edges.get(key, ())):
                    result[key] = None
            waiting = [key for key in waiting if key not in result]
        return [*result, *waiting]

    def _report_cycle(self, waiting: list[str]) -> None:
        """Follow the dependencies until a field appears again, and report the cycle."""
        seen: list[str] = []
        key = waiting[0]
        while key not in seen:
            seen.append(key)
            key = next(need for need in self.edges[key] if need in waiting)
        circle = [*seen[seen.index(key) :], key]
        path = self.edges[circle[0]][circle[1]]
        self.issues.add(path.removesuffix(".field"), messages.DEPENDS_ON_ITSELF(cycle=" → ".join(circle)))
