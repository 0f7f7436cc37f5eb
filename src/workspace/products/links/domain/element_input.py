"""What an owner gives of a page's elements, judged whole: which fields a kind has and needs, which thing a live block
may show, whether a schedule can be. Everything that is wrong is told at once, each at its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInput, Issue
from workspace.products.links.models import Element, Kind
from workspace.products.links.rules.schedule import edge
from workspace.products.links.rules.types import ElementFields
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import Choice

NAMES: dict[str, str] = {Kind.LINK: "button", Kind.HEADING: "heading", Kind.TEXT: "text", Kind.LIVE: "live block"}
TAKES = {
    Kind.LINK: ("title", "url", "icon", "picture_id"),
    Kind.HEADING: ("title",),
    Kind.TEXT: ("text",),
    Kind.LIVE: ("thing",),
}
NEEDS = {Kind.LINK: "url", Kind.HEADING: "title", Kind.TEXT: "text", Kind.LIVE: "thing"}
ALL = ("id", "kind", "is_on", "shows_from", "shows_until")  # what every kind takes


@dataclass(slots=True)
class Given:
    """What is to be done: new elements, and what changes of those that there are."""

    new: list[Element] = field(default_factory=list)
    changes: list[tuple[Element, dict[str, Any]]] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    pictures: list[tuple[Element, dict[str, Any], str, str]] = field(default_factory=list)  # with an id, and its path

    def refuse(self, path: str, message: str) -> None:
        self.issues.append(Issue(path, message))

    def check(self) -> None:
        """Raises InvalidInput for all that is wrong."""
        if self.issues:
            raise InvalidInput(self.issues)

    def dress(self, account: Account) -> None:
        """Take the pictures into use that are shown from now on, and release those that they replace. Raises
        InvalidInput at each that there is not."""
        wanted = [one for one in self.pictures if one[2] != (one[0].picture_id or "")]
        uploads = Upload.claim_many(account, [(id, path) for _, _, id, path in wanted if id])
        Upload.release_many([element.picture_id for element, *_ in wanted if element.picture_id])
        for element, fields, id, _ in wanted:
            if element._state.adding:
                element.picture = uploads.get(id)
            else:
                fields["picture"] = uploads.get(id)


def read(
    account: Account, items: Sequence[ElementFields], path: str, present: Mapping[str, Element] | None = None
) -> Given:
    """`present`: the elements of the page, by id. What is wrong stands in the answer's `issues`."""
    given = Given()
    known = {one.id: one for one in live_blocks.choices(account, {item["thing"] for item in items if "thing" in item})}
    seen: set[str] = set()
    for number, item in enumerate(items):
        at, id = f"{path}.{number}", str(item.get("id", ""))
        element = (present or {}).get(id)
        if id and element is None:
            given.refuse(f"{at}.id", "There is no such element on this page: svc_links_pages shows them with their ids")
        elif id in seen:
            given.refuse(f"{at}.id", "Named twice")
        elif element is not None and item.get("kind", element.kind) != element.kind:
            given.refuse(f"{at}.kind", f"A {NAMES[element.kind]} stays one: remove it and add another")
        else:
            _read_one(given, account, item, at, element, known)
        seen |= {id} - {""}
    return given


def _read_one(
    given: Given, account: Account, item: ElementFields, at: str, element: Element | None, known: Mapping[str, Choice]
) -> None:
    kind = Kind(element.kind if element else item.get("kind", Kind.LINK))
    needed = NEEDS[kind]
    fields = _read_fields(given, account, item, at, element, known)
    if element is None and needed not in item:
        given.refuse(f"{at}.{needed}", "Required")
    made = element or Element(kind=kind)
    begin, end = (fields.get(name, getattr(made, name)) for name in ("shows_from", "shows_until"))
    if begin is not None and end is not None and end <= begin:
        given.refuse(f"{at}.shows_until", "Choose an end that comes after the beginning")
    if element is None:
        made = Element(kind=kind, **fields)
        given.new.append(made)
    else:
        given.changes.append((element, fields))
    if "picture_id" in item:
        given.pictures.append((made, fields, item["picture_id"], f"{at}.picture_id"))


def _read_fields(
    given: Given, account: Account, item: ElementFields, at: str, element: Element | None, known: Mapping[str, Choice]
) -> dict[str, Any]:
    kind = Kind(element.kind if element else item.get("kind", Kind.LINK))
    needed = NEEDS[kind]
    fields: dict[str, Any] = {}
    for name, value in item.items():
        if name not in (*ALL, *TAKES[kind]):
            more = "" if element or "kind" in item else ": say which kind it is"
            given.refuse(f"{at}.{name}", f"A {NAMES[kind]} has none{more}")
        elif name == needed and value == "":
            given.refuse(f"{at}.{name}", "Must not be empty")
        elif name == "thing":
            if choice := known.get(str(value)):
                fields["thing"], fields["live"] = choice.id, choice.kind
            else:
                given.refuse(f"{at}.thing", f"Nothing of yours that a block can show: {_can_show()}")
        elif name in ("shows_from", "shows_until"):
            fields[name] = edge(str(value), account.zone)
        elif name not in ("id", "kind", "picture_id"):
            fields[name] = value
    return fields


def _can_show() -> str:
    kinds = ", ".join(title.lower() for title in live_blocks.kinds().values())
    return f"give the id of what has one of these: {kinds}" if kinds else "no tool here offers a block"
