"""Saving many testimonials of a page at once: new ones, what changes of others, and those that go, by a few queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.errors import InvalidInput, Issue, NotFound, ToolError
from workspace.products.reviews.domain.queries import MISSING
from workspace.products.reviews.domain.submission import send_links
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import IMPORT, MANUAL, searchable, with_search
from workspace.products.reviews.rules.fields import MOST_TAGS, Saved, part_of, tags_text
from workspace.storage import journal

PLAIN = ("name", "text", "rating", "source_name", "byline", "email", "relationship")
GUESTS_OWN = ("name", "text", "rating", "source_name", "byline", "email", "written_on")
KEPT = "What a guest left on your page stays as they wrote it: leave this out"


class Skipped(TypedDict):
    id: str | None
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be saved, and where the caller wrote it: `items.3` or `csv.3`."""

    path: str
    given: Saved
    source: str = MANUAL


@dataclass(slots=True)
class Outcome:
    made: list[Testimonial] = field(default_factory=list)
    changed: list[Testimonial] = field(default_factory=list)
    removed: list[Testimonial] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def entries_of(items: Sequence[Saved], lines: Iterable[tuple[int, Saved]]) -> list[Entry]:
    found = [Entry(f"items.{number}", item) for number, item in enumerate(items)]
    return found + [Entry(f"csv.{number}", line, IMPORT) for number, line in lines]


def save(page: ReviewPage, entries: Sequence[Entry], remove: Sequence[str], *, consented: bool | None) -> Outcome:
    """In the caller's transaction. `consented` holds for entries that do not say it. Raises InvalidInput with every
    entry that is wrong, NotFound for an id that is none of the page's; then nothing was written."""
    present = _present(page, entries, remove)
    saving = _Saving(page, present, consented)
    for entry in entries:
        saving.take(entry)
    if saving.issues:
        raise InvalidInput(saving.issues)
    return saving.write([present[id] for id in dict.fromkeys(remove)])


def _present(page: ReviewPage, entries: Sequence[Entry], remove: Sequence[str]) -> dict[str, Testimonial]:
    """The page's testimonials that are named, by id."""
    named = [(f"{entry.path}.id", entry.given["id"]) for entry in entries if "id" in entry.given]
    named += [(f"remove.{number}", id) for number, id in enumerate(remove)]
    found = page.testimonials.select_related("photo").filter(pk__in=[id for _, id in named])
    present = {one.pk: one for one in found}
    seen: set[str] = set()
    for path, id in named:
        if id not in present:
            raise NotFound(f"{path}: {MISSING}" if len(named) > 1 else MISSING)
        if id in seen:
            raise InvalidInput.at(path, "Named twice")
        seen.add(id)
        present[id].page, present[id].account = page, page.account
    return present


class _Saving:
    def __init__(self, page: ReviewPage, present: dict[str, Testimonial], consented: bool | None) -> None:
        self.page, self.present, self.consented = page, present, consented
        self.issues: list[Issue] = []
        self.outcome = Outcome()
        self.changes: list[tuple[Testimonial, dict[str, Any]]] = []
        self.photos: list[tuple[Testimonial, str, str]] = []

    def take(self, entry: Entry) -> None:
        one = self.present.get(entry.given.get("id", ""))
        if one is None:
            self._make(entry)
        else:
            self._change(entry, one)

    def _refuse(self, entry: Entry, name: str, message: str) -> None:
        self.issues.append(Issue(f"{entry.path}.{name}", message))

    def _make(self, entry: Entry) -> None:
        given = entry.given
        for name in ("name", "text"):
            if name not in given:
                self._refuse(entry, name, "Required")
                return
        one = Testimonial(account=self.page.account, page=self.page, source=entry.source, name="", text="")
        for name, value in self._fields(entry, one, bool(given.get("consented", self.consented))).items():
            setattr(one, name, value)
        one.search = searchable(one)
        self.outcome.made.append(one)
        if photo_id := given.get("photo_id"):
            self.photos.append((one, photo_id, f"{entry.path}.photo_id"))

    def _change(self, entry: Entry, one: Testimonial) -> None:
        given = entry.given
        if not one.is_brought:
            for name in GUESTS_OWN:
                if name in given and not _same(one, name, given[name]):  # type: ignore[literal-required]
                    self._refuse(entry, name, KEPT)
            if given.get("photo_id"):
                self._refuse(entry, "photo_id", "A guest's photo can be taken away, by an empty text, and not replaced")
            if given.get("consented") and one.consented_at is None:
                self._refuse(
                    entry, "consented", "Consent to words left on your page is the guest's own: leave this out"
                )
                return
        consented = given.get("consented", self.consented if one.is_brought else None)
        action = given.get("action", "hide")
        if action in ("approve", "feature") and not (one.consented_at if consented is None else consented):
            self.outcome.skipped.append({"id": one.pk, "name": one.name, "message": one.unconsented})
            return
        self.changes.append((one, self._fields(entry, one, consented)))
        if "photo_id" in given:
            self.photos.append((one, given["photo_id"], f"{entry.path}.photo_id"))

    def _fields(self, entry: Entry, one: Testimonial, consented: bool | None) -> dict[str, Any]:
        """What an entry sets, each name as the model has it."""
        given = entry.given
        fields: dict[str, Any] = {name: given[name] for name in PLAIN if name in given}  # type: ignore[literal-required]
        if "written_on" in given and not _same(one, "written_on", given["written_on"]):
            fields["written_at"] = _moment(self.page, given["written_on"])
        if "excerpt" in given or "text" in given:
            fields["excerpt"] = self._excerpt(entry, one)
        if "tags" in given or "add_tags" in given:
            tags = [*given.get("tags", one.tag_list), *given.get("add_tags", ())]
            fields["tags"] = tags_text(list(dict.fromkeys(tags))[:MOST_TAGS])
        if "reply" in given:
            fields |= one.replied(given["reply"])
        if consented is not None:
            fields |= one.vouched() if consented else one.withdrawn()
        if "action" in given:
            try:
                fields |= one.decided(given["action"], fields)
            except ToolError:
                self._refuse(entry, "consented", f"True if {given.get('name', one.name)} agreed to have it shown")
        return fields

    def _excerpt(self, entry: Entry, one: Testimonial) -> str:
        excerpt = entry.given.get("excerpt", one.excerpt)
        try:
            return part_of(entry.given.get("text", one.text), excerpt)
        except ValueError as problem:
            self._refuse(entry, "excerpt", str(problem))
            return excerpt

    def write(self, remove: list[Testimonial]) -> Outcome:
        outcome, page = self.outcome, self.page
        journal.about(KIND, page.pk)
        waited = {one.pk for one, _ in self.changes if one.suspicion}
        photos = {one.pk: fields for one, fields in Testimonial.worn(page.account, self.photos)}
        if outcome.made:
            for one in outcome.made:
                one.photo = photos.get(one.pk, {}).get("photo")
            Testimonial.objects.bulk_create(outcome.made)
            journal.add(*outcome.made)
        changes = [(one, with_search(one, {**fields, **photos.get(one.pk, {})})) for one, fields in self.changes]
        binned = [(one, {"binned_at": clock.now()}) for one in remove]
        changed = {one.pk for one in journal.change_many([*changes, *binned])}
        outcome.changed = [one for one, _ in self.changes if one.pk in changed]
        outcome.removed = remove
        if outcome.made or outcome.changed or remove:
            page.touched()
        # it was not sent while the words looked like spam
        send_links(page, [one for one in outcome.changed if one.pk in waited and not one.suspicion])
        return outcome


def unknown(page: ReviewPage, lines: Sequence[tuple[int, Saved]]) -> tuple[list[tuple[int, Saved]], list[Skipped]]:
    """The lines whose words the page does not have yet, each once, and the others: so that a file can be sent twice."""
    names = [line["name"] for _, line in lines]
    present = set(page.testimonials.filter(name__in=names).values_list("name", "text"))
    new: list[tuple[int, Saved]] = []
    skipped: list[Skipped] = []
    for number, line in lines:
        key = (line["name"], line["text"])
        if key in present:
            skipped.append({"id": None, "name": line["name"], "message": f"Line {number}: it is there already"})
        else:
            present.add(key)
            new.append((number, line))
    return new, skipped


def _same(one: Testimonial, name: str, value: Any) -> bool:
    if name == "written_on":
        return bool(one.written_at.astimezone(one.account.zone).date() == value)
    return bool(getattr(one, name) == value)


def _moment(page: ReviewPage, day: date) -> datetime:
    """Noon of the day in the account's zone, so that the day stays the same in most others."""
    return datetime.combine(day, time(12), page.account.zone).astimezone(UTC)
