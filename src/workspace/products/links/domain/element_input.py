"""Validating a page's elements: the fields of each kind, live blocks and schedules.

All errors are reported together, each at its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.messages import Message
from workspace.products.links import messages
from workspace.products.links.models import Element, ElementKind
from workspace.products.links.rules.element_fields import ElementFields
from workspace.products.links.rules.schedule import parse_schedule_time
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import BlockChoice

KIND_FIELDS = {
    ElementKind.LINK: ("title", "url", "icon", "image_id"),
    ElementKind.HEADING: ("title",),
    ElementKind.TEXT: ("text",),
    ElementKind.LIVE: ("thing",),
}
REQUIRED_FIELDS = {
    ElementKind.LINK: "url",
    ElementKind.HEADING: "title",
    ElementKind.TEXT: "text",
    ElementKind.LIVE: "thing",
}
COMMON_FIELDS = ("id", "kind", "is_on", "shows_from", "shows_until")  # fields of every kind


@dataclass(slots=True)
class ElementChanges:
    """The changes to make: new elements, and changes of existing ones."""

    new: list[Element] = field(default_factory=list)
    changes: list[tuple[Element, dict[str, Any]]] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    # element, fields, id of the upload, and path
    images: list[tuple[Element, dict[str, Any], str, str]] = field(default_factory=list)

    def add_issue(self, path: str, message: str | Message) -> None:
        self.issues.append(Issue(path, message))

    def raise_issues(self) -> None:
        """Raise InvalidInputError with all issues, if there are any."""
        if self.issues:
            raise InvalidInputError(self.issues)

    def claim_images(self, account: Account) -> None:
        """Claim the pictures that are used from now on, and release the pictures that they replace.

        Raise InvalidInputError at the path of each missing picture.
        """
        requested = [image for image in self.images if image[2] != (image[0].image_id or "")]
        uploads = Upload.claim_many(account, [(id, path) for _, _, id, path in requested if id])
        Upload.release_many([element.image_id for element, *_ in requested if element.image_id])
        for element, fields, id, _ in requested:
            if element._state.adding:
                element.image = uploads.get(id)
            else:
                fields["image"] = uploads.get(id)


def parse_elements(
    account: Account, items: Sequence[ElementFields], path: str, existing: Mapping[str, Element] | None = None
) -> ElementChanges:
    """Return the changes, including their `issues`. `existing` are the page's elements by id."""
    changes = ElementChanges()
    known = {
        choice.id: choice
        for choice in live_blocks.list_choices(account, {item["thing"] for item in items if "thing" in item})
    }
    seen: set[str] = set()
    for number, item in enumerate(items):
        at, id = f"{path}.{number}", str(item.get("id", ""))
        element = (existing or {}).get(id)
        if id and element is None:
            changes.add_issue(f"{at}.id", messages.ELEMENT_NOT_FOUND)
        elif id in seen:
            changes.add_issue(f"{at}.id", messages.ELEMENT_REPEATED)
        elif element is not None and item.get("kind", element.kind) != element.kind:
            changes.add_issue(f"{at}.kind", messages.KIND_IS_FIXED(kind=element.kind))
        else:
            _parse_element(changes, account, item, at, element, known)
        seen |= {id} - {""}
    return changes


def _parse_element(
    changes: ElementChanges,
    account: Account,
    item: ElementFields,
    path: str,
    element: Element | None,
    known: Mapping[str, BlockChoice],
) -> None:
    kind = ElementKind(element.kind if element else item.get("kind", ElementKind.LINK))
    needed = REQUIRED_FIELDS[kind]
    fields = _parse_fields(changes, account, item, path, element, known)
    if element is None and needed not in item:
        changes.add_issue(f"{path}.{needed}", messages.FIELD_NEEDED)
    made = element or Element(kind=kind)
    begin, end = (fields.get(name, getattr(made, name)) for name in ("shows_from", "shows_until"))
    if begin is not None and end is not None and end <= begin:
        changes.add_issue(f"{path}.shows_until", messages.END_BEFORE_START)
    if element is None:
        made = Element(kind=kind, **fields)
        changes.new.append(made)
    else:
        changes.changes.append((element, fields))
    if "image_id" in item:
        changes.images.append((made, fields, item["image_id"], f"{path}.image_id"))


def _parse_fields(
    changes: ElementChanges,
    account: Account,
    item: ElementFields,
    path: str,
    element: Element | None,
    known: Mapping[str, BlockChoice],
) -> dict[str, Any]:
    kind = ElementKind(element.kind if element else item.get("kind", ElementKind.LINK))
    needed = REQUIRED_FIELDS[kind]
    fields: dict[str, Any] = {}
    for name, value in item.items():
        if name not in (*COMMON_FIELDS, *KIND_FIELDS[kind]):
            text = messages.FIELD_NOT_ALLOWED if element or "kind" in item else messages.FIELD_NOT_ALLOWED_BY_DEFAULT
            changes.add_issue(f"{path}.{name}", text(kind=kind, allowed=", ".join(KIND_FIELDS[kind])))
        elif name == needed and value == "":
            changes.add_issue(f"{path}.{name}", messages.FIELD_EMPTY)
        elif name == "thing":
            if choice := known.get(str(value)):
                fields["live_block_item_id"], fields["live_block_kind"] = choice.id, choice.kind
            else:
                changes.add_issue(f"{path}.thing", _unknown_source())
        elif name in ("shows_from", "shows_until"):
            fields[name] = parse_schedule_time(str(value), account.zone)
        elif name not in ("id", "kind", "image_id"):
            fields[name] = value
    return fields


def _unknown_source() -> Message:
    kinds = ", ".join(title.lower() for title in live_blocks.list_kinds().values())
    return messages.UNKNOWN_SOURCE(kinds=kinds) if kinds else messages.NO_LIVE_BLOCKS
