"""Saving several testimonials of a page: new ones, changes and deletions, with few queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, NotFoundError, OperationNotAllowedError
from workspace.lib.messages import Message
from workspace.products.reviews import messages
from workspace.products.reviews.domain.submission import send_confirmation_links
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_IMPORT, SOURCE_MANUAL, build_search_text, with_search
from workspace.products.reviews.rules.testimonial_fields import MAX_TAGS, SavedTestimonial, find_excerpt, format_tags
from workspace.storage import journal

PLAIN_FIELDS = ("name", "text", "rating", "source_name", "byline", "email", "relationship")
GUEST_FIELDS = ("name", "text", "rating", "source_name", "byline", "email", "written_on")


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
    entries = [TestimonialEntry(f"items.{number}", item) for number, item in enumerate(items)]
    return entries + [TestimonialEntry(f"csv.{number}", line, SOURCE_IMPORT) for number, line in lines]


def save_testimonials(
    page: ReviewPage, entries: Sequence[TestimonialEntry], remove: Sequence[str], *, consented: bool | None
) -> SaveResult:
    """Save testimonials in the caller's transaction.

    `consented` is the default for entries that do not specify it. Raise InvalidInputError with every invalid entry, or
    NotFoundError for an id that is not on the page. In both cases, nothing is written.
    """
    present = _get_named(page, entries, remove)
    saving = _SaveOperation(page, present, consented)
    for entry in entries:
        saving.add_entry(entry)
    if saving.issues:
        raise InvalidInputError(saving.issues)
    return saving.write_changes([present[id] for id in dict.fromkeys(remove)])


def _get_named(page: ReviewPage, entries: Sequence[TestimonialEntry], remove: Sequence[str]) -> dict[str, Testimonial]:
    """Return the page's testimonials that are named in the call, by id."""
    named = [(f"{entry.path}.id", entry.given["id"]) for entry in entries if "id" in entry.given]
    named += [(f"remove.{number}", id) for number, id in enumerate(remove)]
    testimonials = page.testimonials.select_related("photo").filter(pk__in=[id for _, id in named])
    present = {testimonial.pk: testimonial for testimonial in testimonials}
    seen: set[str] = set()
    for path, id in named:
        if id not in present:
            missing = messages.TESTIMONIAL_NOT_FOUND
            raise NotFoundError(f"{path}: {missing}" if len(named) > 1 else missing)
        if id in seen:
            raise InvalidInputError.at_path(path, messages.TESTIMONIAL_REPEATED)
        seen.add(id)
        present[id].page, present[id].account = page, page.account
    return present


class _SaveOperation:
    def __init__(self, page: ReviewPage, existing: dict[str, Testimonial], consented: bool | None) -> None:
        self.page, self.present, self.consented = page, existing, consented
        self.issues: list[Issue] = []
        self.outcome = SaveResult()
        self.changes: list[tuple[Testimonial, dict[str, Any]]] = []
        self.photos: list[tuple[Testimonial, str, str]] = []

    def add_entry(self, entry: TestimonialEntry) -> None:
        testimonial = self.present.get(entry.given.get("id", ""))
        if testimonial is None:
            self._build_new(entry)
        else:
            self._collect_changes(entry, testimonial)

    def _add_issue(self, entry: TestimonialEntry, name: str, message: str | Message) -> None:
        self.issues.append(Issue(f"{entry.path}.{name}", message))

    def _build_new(self, entry: TestimonialEntry) -> None:
        saved_testimonial = entry.given
        for name in ("name", "text"):
            if name not in saved_testimonial:
                self._add_issue(entry, name, messages.REQUIRED)
                return
        testimonial = Testimonial(account=self.page.account, page=self.page, source=entry.source, name="", text="")
        for name, value in self._resolve_fields(
            entry, testimonial, bool(saved_testimonial.get("consented", self.consented))
        ).items():
            setattr(testimonial, name, value)
        testimonial.search = build_search_text(testimonial)
        self.outcome.created.append(testimonial)
        if photo_id := saved_testimonial.get("photo_id"):
            self.photos.append((testimonial, photo_id, f"{entry.path}.photo_id"))

    def _collect_changes(self, entry: TestimonialEntry, testimonial: Testimonial) -> None:
        saved_testimonial = entry.given
        if not testimonial.is_owner_added:
            for name in GUEST_FIELDS:
                if name in saved_testimonial and not _is_same(testimonial, name, saved_testimonial[name]):  # type: ignore[literal-required]
                    self._add_issue(entry, name, messages.WRITTEN_BY_GUEST)
            if saved_testimonial.get("photo_id"):
                self._add_issue(entry, "photo_id", messages.PHOTO_OF_GUEST)
            if saved_testimonial.get("consented") and testimonial.consented_at is None:
                self._add_issue(entry, "consented", messages.CONSENT_OF_GUEST)
                return
        consented = saved_testimonial.get("consented", self.consented if testimonial.is_owner_added else None)
        action = saved_testimonial.get("action", "hide")
        if action in ("approve", "feature") and not (testimonial.consented_at if consented is None else consented):
            self.outcome.skipped.append(
                {"id": testimonial.pk, "name": testimonial.name, "message": str(testimonial.consent_problem)}
            )
            return
        self.changes.append((testimonial, self._resolve_fields(entry, testimonial, consented)))
        if "photo_id" in saved_testimonial:
            self.photos.append((testimonial, saved_testimonial["photo_id"], f"{entry.path}.photo_id"))

    def _resolve_fields(
        self, entry: TestimonialEntry, testimonial: Testimonial, consented: bool | None
    ) -> dict[str, Any]:
        """Return the fields that an entry sets, with the model's names."""
        saved_testimonial = entry.given
        fields: dict[str, Any] = {name: saved_testimonial[name] for name in PLAIN_FIELDS if name in saved_testimonial}  # type: ignore[literal-required]
        if "written_on" in saved_testimonial and not _is_same(
            testimonial, "written_on", saved_testimonial["written_on"]
        ):
            fields["written_at"] = _noon_of_day(self.page, saved_testimonial["written_on"])
        if "excerpt" in saved_testimonial or "text" in saved_testimonial:
            fields["excerpt"] = self._resolve_excerpt(entry, testimonial)
        if "tags" in saved_testimonial or "add_tags" in saved_testimonial:
            tags = [*saved_testimonial.get("tags", testimonial.tag_list), *saved_testimonial.get("add_tags", ())]
            fields["tags"] = format_tags(list(dict.fromkeys(tags))[:MAX_TAGS])
        if "reply" in saved_testimonial:
            fields |= testimonial.reply_fields(saved_testimonial["reply"])
        if consented is not None:
            fields |= testimonial.owner_consent_fields() if consented else testimonial.withdrawal_fields()
        if "action" in saved_testimonial:
            try:
                fields |= testimonial.decision_fields(saved_testimonial["action"], fields)
            except OperationNotAllowedError:
                name = saved_testimonial.get("name", testimonial.name)
                self._add_issue(entry, "consented", messages.CONSENT_NEEDED(name=name))
        return fields

    def _resolve_excerpt(self, entry: TestimonialEntry, testimonial: Testimonial) -> str:
        excerpt = entry.given.get("excerpt", testimonial.excerpt)
        try:
            return find_excerpt(entry.given.get("text", testimonial.text), excerpt)
        except ValueError as problem:
            self._add_issue(entry, "excerpt", str(problem))
            return excerpt

    def write_changes(self, remove: list[Testimonial]) -> SaveResult:
        outcome, page = self.outcome, self.page
        journal.set_item(KIND, page.pk)
        waited = {testimonial.pk for testimonial, _ in self.changes if testimonial.suspicion}
        photos = {testimonial.pk: fields for testimonial, fields in Testimonial.photo_fields(page.account, self.photos)}
        if outcome.created:
            for testimonial in outcome.created:
                testimonial.photo = photos.get(testimonial.pk, {}).get("photo")
            Testimonial.objects.bulk_create(outcome.created)
            journal.record_new_rows(*outcome.created)
        changes = [
            (testimonial, with_search(testimonial, {**fields, **photos.get(testimonial.pk, {})}))
            for testimonial, fields in self.changes
        ]
        binned = [(testimonial, {"binned_at": clock.now()}) for testimonial in remove]
        changed = {row.pk for row in journal.update_rows([*changes, *binned])}
        outcome.changed = [testimonial for testimonial, _ in self.changes if testimonial.pk in changed]
        outcome.removed = remove
        if outcome.created or outcome.changed or remove:
            page.mark_changed()
        # it was not sent while the testimonial looked like spam
        send_confirmation_links(
            page,
            [testimonial for testimonial in outcome.changed if testimonial.pk in waited and not testimonial.suspicion],
        )
        return outcome


def split_known_lines(
    page: ReviewPage, lines: Sequence[tuple[int, SavedTestimonial]]
) -> tuple[list[tuple[int, SavedTestimonial]], list[SkippedTestimonial]]:
    """Return the new lines without duplicates, and the skipped ones, so that a file can be imported twice."""
    names = [line["name"] for _, line in lines]
    present = set(page.testimonials.filter(name__in=names).values_list("name", "text"))
    new: list[tuple[int, SavedTestimonial]] = []
    skipped: list[SkippedTestimonial] = []
    for number, line in lines:
        key = (line["name"], line["text"])
        if key in present:
            message = str(messages.ALREADY_ON_PAGE(number=number))
            skipped.append({"id": None, "name": line["name"], "message": message})
        else:
            present.add(key)
            new.append((number, line))
    return new, skipped


def _is_same(testimonial: Testimonial, name: str, value: Any) -> bool:
    if name == "written_on":
        return bool(testimonial.written_at.astimezone(testimonial.account.zone).date() == value)
    return bool(getattr(testimonial, name) == value)


def _noon_of_day(page: ReviewPage, day: date) -> datetime:
    """Return noon of the day in the account's time zone. This is on the same day in most other zones."""
    return datetime.combine(day, time(12), page.account.zone).astimezone(UTC)
