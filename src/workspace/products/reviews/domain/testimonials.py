"""Saving of several testimonials of a page: new ones, changes and deletions, with few queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, NotFoundError, OperationNotAllowedError
from workspace.products.reviews.domain.queries import TESTIMONIAL_NOT_FOUND
from workspace.products.reviews.domain.submission import send_confirmation_links
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_IMPORT, SOURCE_MANUAL, build_search_text, with_search
from workspace.products.reviews.rules.fields import MAX_TAGS, SavedTestimonial, find_excerpt, format_tags
from workspace.storage import journal

PLAIN_FIELDS = ("name", "text", "rating", "source_name", "byline", "email", "relationship")
GUEST_FIELDS = ("name", "text", "rating", "source_name", "byline", "email", "written_on")
GUEST_FIELD_MESSAGE = "What a guest left on your page stays as they wrote it: leave this out"


class SkippedTestimonial(TypedDict):
    id: str | None
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class TestimonialEntry:
    """A testimonial to save, and its path in the arguments: `items.3` or `csv.3`."""

    path: str
    given: SavedTestimonial
    source: str = SOURCE_MANUAL


@dataclass(slots=True)
class SaveResult:
    created: list[Testimonial] = field(default_factory=list)
    changed: list[Testimonial] = field(default_factory=list)
    removed: list[Testimonial] = field(default_factory=list)
    skipped: list[SkippedTestimonial] = field(default_factory=list)


def build_entries(
    items: Sequence[SavedTestimonial], lines: Iterable[tuple[int, SavedTestimonial]]
) -> list[TestimonialEntry]:
    found = [TestimonialEntry(f"items.{number}", item) for number, item in enumerate(items)]
    return found + [TestimonialEntry(f"csv.{number}", line, SOURCE_IMPORT) for number, line in lines]


def save_testimonials(
    page: ReviewPage, entries: Sequence[TestimonialEntry], remove: Sequence[str], *, consented: bool | None
) -> SaveResult:
    """Save testimonials in the caller's transaction.

    `consented` is the default for entries without it. Raise InvalidInputError with every invalid entry, or
    NotFoundError for an id that is not on the page. In both cases, nothing was written.
    """
    present = _get_named(page, entries, remove)
    saving = _SaveOperation(page, present, consented)
    for entry in entries:
        saving.add_entry(entry)
    if saving.issues:
        raise InvalidInputError(saving.issues)
    return saving.write_changes([present[id] for id in dict.fromkeys(remove)])


def _get_named(page: ReviewPage, entries: Sequence[TestimonialEntry], remove: Sequence[str]) -> dict[str, Testimonial]:
    """Return the page's testimonials named in the call, by id."""
    named = [(f"{entry.path}.id", entry.given["id"]) for entry in entries if "id" in entry.given]
    named += [(f"remove.{number}", id) for number, id in enumerate(remove)]
    found = page.testimonials.select_related("photo").filter(pk__in=[id for _, id in named])
    present = {one.pk: one for one in found}
    seen: set[str] = set()
    for path, id in named:
        if id not in present:
            raise NotFoundError(f"{path}: {TESTIMONIAL_NOT_FOUND}" if len(named) > 1 else TESTIMONIAL_NOT_FOUND)
        if id in seen:
            raise InvalidInputError.at_path(path, "Named twice")
        seen.add(id)
        present[id].page, present[id].account = page, page.account
    return present


class _SaveOperation:
    def __init__(self, page: ReviewPage, present: dict[str, Testimonial], consented: bool | None) -> None:
        self.page, self.present, self.consented = page, present, consented
        self.issues: list[Issue] = []
        self.outcome = SaveResult()
        self.changes: list[tuple[Testimonial, dict[str, Any]]] = []
        self.photos: list[tuple[Testimonial, str, str]] = []

    def add_entry(self, entry: TestimonialEntry) -> None:
        one = self.present.get(entry.given.get("id", ""))
        if one is None:
            self._build_new(entry)
        else:
            self._collect_changes(entry, one)

    def _add_issue(self, entry: TestimonialEntry, name: str, message: str) -> None:
        self.issues.append(Issue(f"{entry.path}.{name}", message))

    def _build_new(self, entry: TestimonialEntry) -> None:
        given = entry.given
        for name in ("name", "text"):
            if name not in given:
                self._add_issue(entry, name, "Required")
                return
        one = Testimonial(account=self.page.account, page=self.page, source=entry.source, name="", text="")
        for name, value in self._resolve_fields(entry, one, bool(given.get("consented", self.consented))).items():
            setattr(one, name, value)
        one.search = build_search_text(one)
        self.outcome.created.append(one)
        if photo_id := given.get("photo_id"):
            self.photos.append((one, photo_id, f"{entry.path}.photo_id"))

    def _collect_changes(self, entry: TestimonialEntry, one: Testimonial) -> None:
        given = entry.given
        if not one.is_owner_added:
            for name in GUEST_FIELDS:
                if name in given and not _is_same(one, name, given[name]):  # type: ignore[literal-required]
                    self._add_issue(entry, name, GUEST_FIELD_MESSAGE)
            if given.get("photo_id"):
                self._add_issue(
                    entry, "photo_id", "A guest's photo can be taken away, by an empty text, and not replaced"
                )
            if given.get("consented") and one.consented_at is None:
                self._add_issue(
                    entry, "consented", "Consent to words left on your page is the guest's own: leave this out"
                )
                return
        consented = given.get("consented", self.consented if one.is_owner_added else None)
        action = given.get("action", "hide")
        if action in ("approve", "feature") and not (one.consented_at if consented is None else consented):
            self.outcome.skipped.append({"id": one.pk, "name": one.name, "message": one.consent_problem})
            return
        self.changes.append((one, self._resolve_fields(entry, one, consented)))
        if "photo_id" in given:
            self.photos.append((one, given["photo_id"], f"{entry.path}.photo_id"))

    def _resolve_fields(self, entry: TestimonialEntry, one: Testimonial, consented: bool | None) -> dict[str, Any]:
        """Return the fields that an entry sets, named as in the model."""
        given = entry.given
        fields: dict[str, Any] = {name: given[name] for name in PLAIN_FIELDS if name in given}  # type: ignore[literal-required]
        if "written_on" in given and not _is_same(one, "written_on", given["written_on"]):
            fields["written_at"] = _noon_of_day(self.page, given["written_on"])
        if "excerpt" in given or "text" in given:
            fields["excerpt"] = self._resolve_excerpt(entry, one)
        if "tags" in given or "add_tags" in given:
            tags = [*given.get("tags", one.tag_list), *given.get("add_tags", ())]
            fields["tags"] = format_tags(list(dict.fromkeys(tags))[:MAX_TAGS])
        if "reply" in given:
            fields |= one.reply_fields(given["reply"])
        if consented is not None:
            fields |= one.owner_consent_fields() if consented else one.withdrawal_fields()
        if "action" in given:
            try:
                fields |= one.decision_fields(given["action"], fields)
            except OperationNotAllowedError:
                self._add_issue(entry, "consented", f"True if {given.get('name', one.name)} agreed to have it shown")
        return fields

    def _resolve_excerpt(self, entry: TestimonialEntry, one: Testimonial) -> str:
        excerpt = entry.given.get("excerpt", one.excerpt)
        try:
            return find_excerpt(entry.given.get("text", one.text), excerpt)
        except ValueError as problem:
            self._add_issue(entry, "excerpt", str(problem))
            return excerpt

    def write_changes(self, remove: list[Testimonial]) -> SaveResult:
        outcome, page = self.outcome, self.page
        journal.set_item(KIND, page.pk)
        waited = {one.pk for one, _ in self.changes if one.suspicion}
        photos = {one.pk: fields for one, fields in Testimonial.photo_fields(page.account, self.photos)}
        if outcome.created:
            for one in outcome.created:
                one.photo = photos.get(one.pk, {}).get("photo")
            Testimonial.objects.bulk_create(outcome.created)
            journal.record_new_rows(*outcome.created)
        changes = [(one, with_search(one, {**fields, **photos.get(one.pk, {})})) for one, fields in self.changes]
        binned = [(one, {"binned_at": clock.now()}) for one in remove]
        changed = {one.pk for one in journal.update_rows([*changes, *binned])}
        outcome.changed = [one for one, _ in self.changes if one.pk in changed]
        outcome.removed = remove
        if outcome.created or outcome.changed or remove:
            page.mark_changed()
        # it was not sent while the testimonial looked like spam
        send_confirmation_links(page, [one for one in outcome.changed if one.pk in waited and not one.suspicion])
        return outcome


def split_known_lines(
    page: ReviewPage, lines: Sequence[tuple[int, SavedTestimonial]]
) -> tuple[list[tuple[int, SavedTestimonial]], list[SkippedTestimonial]]:
    """Return the new lines, each once, and the skipped ones, so that a file can be sent twice."""
    names = [line["name"] for _, line in lines]
    present = set(page.testimonials.filter(name__in=names).values_list("name", "text"))
    new: list[tuple[int, SavedTestimonial]] = []
    skipped: list[SkippedTestimonial] = []
    for number, line in lines:
        key = (line["name"], line["text"])
        if key in present:
            skipped.append({"id": None, "name": line["name"], "message": f"Line {number}: it is there already"})
        else:
            present.add(key)
            new.append((number, line))
    return new, skipped


def _is_same(one: Testimonial, name: str, value: Any) -> bool:
    if name == "written_on":
        return bool(one.written_at.astimezone(one.account.zone).date() == value)
    return bool(getattr(one, name) == value)


def _noon_of_day(page: ReviewPage, day: date) -> datetime:
    """Return noon of the day in the account's time zone, which is the same day in most other zones."""
    return datetime.combine(day, time(12), page.account.zone).astimezone(UTC)
