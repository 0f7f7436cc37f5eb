"""Serializers of templates and certificates, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.audit_trail import verification
from workspace.lib import clock
from workspace.products.certs.domain import emails, linkedin
from workspace.products.certs.domain.queries import templates_for
from workspace.products.certs.models import SIGNATURE_FIELDS, Certificate, State, Template
from workspace.publishing.serializers import ItemSummary, ItemUrls, item_summary, item_urls


class SignerData(TypedDict):
    name: str
    role: str
    image_id: str


class ElementData(TypedDict):
    """An element with a custom position, in percent of the page."""

    part: str
    x: float
    y: float
    width: float
    height: float
    align: NotRequired[str]
    size: NotRequired[float]
    color: NotRequired[str]
    bold: NotRequired[bool]
    text: NotRequired[str]


class LayoutData(TypedDict):
    """The layout of a template. If `colors` and `fonts` are empty, those of the brand are used."""

    design: str
    paper: str
    landscape: bool
    colors: list[str]
    fonts: str
    seal: str
    logo_id: str
    background_image_id: str
    elements: list[ElementData]


class TemplateSummary(ItemSummary):
    """A template. `public_url` is the page that explains its certificates."""

    name: str
    title: str
    organization: str
    signers: list[SignerData]
    layout: LayoutData
    issued: int


class TemplateDetail(TemplateSummary, ItemUrls):
    intro: str
    body: str
    description: str
    criteria: str
    skills: list[str]
    hours_label: str
    custom_label: str
    valid_months: int
    language: str
    mail_subject: str
    mail_text: str


class CertificateSummary(TypedDict):
    """A certificate.

    `pdf_url` works once the PDF is signed (`sealed`), usually within a minute.

    `mail` is queued, sent, bounced, kept (not sent, because there is no mail server), withdrawn, or empty if there is
    no email.
    """

    id: str
    code: str
    name: str
    course: str
    date: str
    hours: str
    custom: str
    state: str
    verify_url: str
    pdf_url: str
    template_id: str
    email: str
    mail: str
    sealed: bool
    expires_on: str
    issued_at: str | None


class CertificateDetail(CertificateSummary):
    """A certificate with all details.

    `holds` means that its record in the audit trail is intact. `replaced_by` is the code of its replacement.
    """

    title: str
    organization: str
    language: str
    reference: str
    revoked_at: NotRequired[str | None]
    reason: str
    replaced_by: str
    replaces: str
    batch_id: str
    record: str
    holds: bool
    pdf_sha256: str
    badge_url: Annotated[str, Field(description="URL of the Open Badge 3.0, once it is signed.")]
    linked_in_url: str


def template_summary(template: Template) -> TemplateSummary:
    images = [getattr(template, f"{name}_id") or "" for name in SIGNATURE_FIELDS]
    return {
        **item_summary(template),
        "name": template.name,
        "title": template.title,
        "organization": template.organization,
        "signers": [
            {"name": signer["name"], "role": signer.get("role", ""), "image_id": image}
            for signer, image in zip(template.signers, images, strict=False)
        ],
        "layout": {
            "design": template.design,
            "paper": template.paper,
            "landscape": template.landscape,
            "colors": template.colors,
            "fonts": template.fonts,
            "seal": template.seal,
            "logo_id": template.logo_id or "",
            "background_image_id": template.background_image_id or "",
            "elements": cast("list[ElementData]", template.elements),
        },
        "issued": getattr(template, "issued", 0),
    }


def template_detail(template: Template) -> TemplateDetail:
    return {
        **template_summary(template),
        **item_urls(template),
        "intro": template.intro,
        "body": template.body,
        "description": template.description,
        "criteria": template.criteria,
        "skills": template.skills,
        "hours_label": template.hours_label,
        "custom_label": template.custom_label,
        "valid_months": template.valid_months,
        "language": template.language,
        "mail_subject": template.mail_subject,
        "mail_text": template.mail_text,
    }


def list_template_summaries(account: Account, ids: Sequence[str]) -> list[TemplateSummary]:
    """Return templates by their ids, in any order."""
    return [template_summary(template) for template in templates_for.fetch_by_ids(ids, account)]


def certificate_summaries(results: Iterable[Certificate]) -> list[CertificateSummary]:
    """Return the summaries of certificates. The state of their emails needs one additional query."""
    certificates = list(results)
    mails = emails.email_states(certificates)
    return [certificate_summary(row, mails.get(row.pk, "")) for row in certificates]


def certificate_summary(row: Certificate, sent: str = "") -> CertificateSummary:
    return {
        "id": row.pk,
        "code": row.formatted_code,
        "name": row.name,
        "course": row.course,
        "date": row.date,
        "hours": row.hours,
        "custom": row.custom,
        "state": row.state.value,
        "verify_url": row.verify_url,
        "pdf_url": row.pdf_url,
        "template_id": row.template_id or "",
        "email": row.email,
        "mail": sent
        or ("queued" if row.is_emailed and row.sealed_at is None else "sent" if row.email_delivery_id else ""),
        "sealed": bool(row.pdf_key),
        "expires_on": row.expires_on.isoformat() if row.expires_on else "",
        "issued_at": clock.to_iso(row.created_at),
    }


def certificate_detail(row: Certificate) -> CertificateDetail:
    former = Certificate.objects.filter(account=row.account, replaced_by=row).first()
    certificate: CertificateDetail = {
        **certificate_summaries([row])[0],
        "title": row.title,
        "organization": row.organization,
        "language": row.language,
        "reference": row.reference,
        "reason": row.revoke_reason,
        "replaced_by": row.replaced_by.formatted_code if row.replaced_by else "",
        "replaces": former.formatted_code if former else "",
        "batch_id": row.batch,
        "record": row.record,
        "holds": bool(row.record) and not verification.verify_record(row.account, row.record),
        "pdf_sha256": row.pdf_sha256,
        "badge_url": row.badge_url,
        "linked_in_url": linkedin.add_to_profile_url(row) if row.state is State.VALID else "",
    }
    if row.revoked_at is not None:
        certificate["revoked_at"] = clock.to_iso(row.revoked_at)
    return certificate
