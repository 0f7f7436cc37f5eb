"""Templates: the design and wording of certificates. A template's page explains what its certificates mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.ids import new_id
from workspace.publishing.models import Publication, PublishedItem, picture_restorers

KIND = "cert"
SIGNATURE_FIELDS = ("signature_1", "signature_2", "signature_3", "signature_4")
LAYOUT_FIELDS = (
    "design",
    "paper",
    "landscape",
    "colors",
    "fonts",
    "seal",
    "logo_id",
    "background_image_id",
    "elements",
)
_DISPLAYED_IMAGES = {name: (f"{name}_id", None) for name in ("logo", "background_image", *SIGNATURE_FIELDS)}


def _template_id() -> str:
    return new_id("ctm")


def _image_field() -> models.ForeignKey[Upload | None, Upload | None]:
    # RESTRICT, unlike PROTECT, allows deleting an account with its images
    return models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")


class Template(PublishedItem):
    """A template.

    `colors`, `fonts` and the logo default to those of the brand. The signature of `signers[n]` is `signature_{n + 1}`.
    `elements` are those placed by the owner (layout_elements.py), or empty for the positions of the design.
    `valid_months` 0 means unlimited. The default wording is used if `mail_subject` and `mail_text` are empty.
    """

    kind = KIND
    pictures = ("logo", "background_image", *SIGNATURE_FIELDS)
    journal_displayed_fields = {**PublishedItem.journal_displayed_fields, **_DISPLAYED_IMAGES}
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_template_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="cert_templates")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="cert_template")
    name = models.CharField(max_length=80)
    title = models.CharField(max_length=120)
    organization = models.CharField(max_length=120, blank=True)
    signers: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(default=list, blank=True)
    design = models.CharField(max_length=20, default="classic")
    paper = models.CharField(max_length=6, default="a4")
    landscape = models.BooleanField(default=True)
    colors: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    fonts = models.CharField(max_length=20, blank=True)
    seal = models.CharField(max_length=10, default="rosette")
    elements: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    logo = _image_field()
    background_image = _image_field()
    signature_1 = _image_field()
    signature_2 = _image_field()
    signature_3 = _image_field()
    signature_4 = _image_field()
    intro = models.CharField(max_length=200, blank=True)
    body = models.CharField(max_length=400, blank=True)
    description = models.CharField(max_length=600, blank=True)
    criteria = models.TextField(blank=True)
    skills: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    hours_label = models.CharField(max_length=40, blank=True)
    custom_label = models.CharField(max_length=40, blank=True)
    valid_months = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=35, blank=True)
    mail_subject = models.CharField(max_length=150, blank=True)
    mail_text = models.TextField(blank=True)

    class Meta(PublishedItem.Meta):
        verbose_name = "certificate template"

    def __str__(self) -> str:
        return self.name

    def add_derived_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Expand a layout into its columns, and store signers separately from the images of their signatures."""
        result = dict(fields)
        result.update(result.pop("layout", {}))
        if "signers" in result:
            signers = result["signers"]
            before = {
                signer["name"]: getattr(self, f"{name}_id")
                for signer, name in zip(self.signers, SIGNATURE_FIELDS, strict=False)
            }
            # earlier signers keep their signature if none is given, even at another position
            images = [signer.get("image_id", before.get(signer["name"]) or "") for signer in signers]
            result["signers"] = [
                {name: signer[name] for name in ("name", "role") if name in signer} for signer in signers
            ]
            for place, name in enumerate(SIGNATURE_FIELDS):
                result[f"{name}_id"] = images[place] if place < len(images) else ""
        return result

    @classmethod
    def open(cls, account: Account, **fields: Any) -> Template:
        with _translate_image_errors():
            return super().open(account, **fields)

    @classmethod
    def change_many(cls, wanted: Any, *, paths: Sequence[str] = ()) -> list[Template]:
        with _translate_image_errors():
            return super().change_many(wanted, paths=paths)


class _translate_image_errors:
    """Report a missing image at the caller's path. This is a context manager."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if isinstance(problem, InvalidInputError):
            paths = {f"{name}_id": f"signers.{place}.image_id" for place, name in enumerate(SIGNATURE_FIELDS)}
            paths |= {"logo_id": "layout.logo_id", "background_image_id": "layout.background_image_id"}
            raise InvalidInputError(
                [Issue(paths.get(issue.path, issue.path), issue.message) for issue in problem.issues]
            ) from None
