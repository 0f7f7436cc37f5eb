"""A waiver: a document with versions that people sign before they take part, at its own public URL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Max
from django.utils.translation import gettext_noop
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.audit_trail.canonical_json import hash_text, to_canonical_json
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.waiver import messages
from workspace.products.waiver.rules.signing_input import SigningTerms
from workspace.products.waiver.rules.validity import Span
from workspace.publishing.models import Embeddable, Publication
from workspace.storage import journal
from workspace.storage.journal import ChangeDisplay, Journaled

KIND = "waiver"
BODY_FORMAT = "workspace-tools waiver 1"
# content of a version: everything that a signer reads
VERSION_FIELDS = ("title", "text", "clauses", "questions", "marketing_opt_in")
WORDING_FIELDS = ("text", "clauses")  # changes to these require a decision whether people must sign again


def visible_value(name: str, value: Any) -> Any:
    """Return the value of a column as a signer sees it. Flags are visible only to the owner."""
    if name != "questions":
        return value
    return [{key: part for key, part in item.items() if key != "flag"} for item in value]


def _waiver_id() -> str:
    return new_id("wvr")


def usual_span() -> Span:
    return {"years": 1}


class Waiver(Embeddable):
    """A waiver.

    Its columns are those of the newest version. Signatures of versions below `required_version` are outdated.
    """

    kind = KIND
    call_to_action = gettext_noop("Read and sign")
    journal_displayed_fields = {
        **Embeddable.journal_displayed_fields,
        "archived_at": ("archived", bool),
        "signed_count": None,
        "kiosk": None,
        "reminders_enabled": ("remind", None),
    }

    COPY_EXCLUDED = frozenset(["version", "required_version", "signed_count", "archived_at"])

    id = models.CharField(primary_key=True, max_length=40, default=_waiver_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="waivers")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="waiver")
    title = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    clauses: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    questions: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    marketing_opt_in = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1)
    required_version = models.PositiveIntegerField(default=1)
    accepting = models.BooleanField(default=True)
    valid_for: models.JSONField[Span, Span] = models.JSONField(default=usual_span)
    age_of_majority = models.PositiveSmallIntegerField(default=18)
    minors = models.CharField(max_length=10, default="guardian")
    guardian_participates = models.CharField(max_length=4, default="ask")
    max_minors = models.PositiveSmallIntegerField(default=10)
    signature = models.CharField(max_length=7, default="either")
    email_required = models.BooleanField(default=True)
    phone_required = models.BooleanField(default=False)
    language = models.CharField(max_length=8, blank=True)
    reminders_enabled = models.BooleanField(default=False)  # whether signers are reminded two weeks before the end
    kiosk: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    redirect_url = models.CharField(max_length=2048, blank=True)
    signed_count = models.PositiveIntegerField(default=0)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta(Embeddable.Meta):
        verbose_name = "waiver"

    def __str__(self) -> str:
        return self.title

    @classmethod
    def create_waiver(cls, account: Account, **fields: Any) -> Waiver:
        """Create a waiver.

        Raise OperationNotAllowedError if the plan's limit is reached, or InvalidInputError if there is no text.
        """
        cls.check_quota(account)
        if not fields.get("text") and not fields.get("clauses"):
            raise InvalidInputError.at_path("text", messages.TEXT_OR_CLAUSES_NEEDED)
        waiver = cls.open(account, **fields)
        WaiverVersion.create_from(waiver)
        return waiver

    def edit(self, *, material: bool | None = None, **given: Any) -> None:
        """Save an owner's changes. Changed wording creates a new version.

        If the change is `material`, people who signed earlier versions must sign again. Raise InvalidInputError if
        `material` is missing.
        """
        wording = {
            name
            for name in VERSION_FIELDS
            if name in given and visible_value(name, given[name]) != visible_value(name, getattr(self, name))
        }
        if material is None and wording.intersection(WORDING_FIELDS):
            raise InvalidInputError.at_path("material", messages.MATERIAL_NEEDED)
        after = {name: given.get(name, getattr(self, name)) for name in WORDING_FIELDS}
        if not any(after.values()):
            raise InvalidInputError.at_path("clauses" if "clauses" in given else "text", messages.TEXT_OR_CLAUSES_LEFT)
        if wording:
            given["version"] = (self.versions.aggregate(last=Max("number"))["last"] or 0) + 1
            if material:
                given["required_version"] = given["version"]
        elif material:
            given["required_version"] = self.version
        super().edit(**given)
        if wording:
            WaiverVersion.create_from(self, material=bool(material))

    def build_terms(self, region: str) -> SigningTerms:
        return SigningTerms(
            version=self.version,
            clauses=self.clauses,
            questions=self.questions,
            age=self.age_of_majority,
            minors=self.minors,
            guardian=self.guardian_participates,
            max_minors=self.max_minors,
            signature=self.signature,
            email_required=self.email_required,
            phone_required=self.phone_required,
            region=region,
        )

    @override
    @classmethod
    def lock_many(cls, rows: Iterable[Waiver]) -> None:
        """Lock the publications, then the waivers, both ordered by id.

        Writes by guests use the same order, which prevents deadlocks.
        """
        if connection.features.has_select_for_no_key_update:
            waivers = list(rows)
            for model, ids in (
                (Publication, [waiver.publication_id for waiver in waivers]),
                (cls, [waiver.pk for waiver in waivers]),
            ):
                held = model._base_manager.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
                list(held.values_list("pk"))

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).waivers
        if most is not None and cls.is_full(account, most, wanted, archived_at=None):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.WAIVER_LIMIT(most=most, way_out=way_out))

    @classmethod
    def ids_with_guests(cls, things: Any) -> set[str]:
        """Return the ids of waivers that have guests, including signed waivers."""
        return super().ids_with_guests(things) | {item.pk for item in things if item.signed_count}


class WaiverVersion(Journaled):
    """A version, word for word. `body` is canonical JSON (RFC 8785), and `hash` its SHA-256."""

    journal_display = ChangeDisplay.NOWHERE  # it repeats the waiver's own text

    waiver = models.ForeignKey(Waiver, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    material = models.BooleanField(default=False)
    body = models.TextField()
    hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["waiver", "number"], name="one_waiver_version_a_number")]

    def __str__(self) -> str:
        return f"Version {self.number}"

    @classmethod
    def create_from(cls, waiver: Waiver, *, material: bool = False) -> WaiverVersion:
        data = {name: visible_value(name, getattr(waiver, name)) for name in VERSION_FIELDS}
        body = to_canonical_json({"format": BODY_FORMAT, "id": waiver.pk, "version": waiver.version, **data})
        waiver_version = cls(waiver=waiver, number=waiver.version, material=material, body=body, hash=hash_text(body))
        waiver_version.save(force_insert=True)
        journal.record_new_rows(waiver_version)
        return waiver_version

    @override
    @classmethod
    def undo_creation_many(cls, rows: Sequence[WaiverVersion]) -> None:
        """Delete versions when their creation is undone. Versions that someone has signed are kept."""
        for row in rows:
            if not row.waiver.signings.filter(version=row.number).exists():
                row.delete()

    @property
    def content(self) -> Mapping[str, Any]:
        result: dict[str, Any] = json.loads(self.body)
        return result
