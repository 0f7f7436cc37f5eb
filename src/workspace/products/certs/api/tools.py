"""Tools for certificates: templates, issuance and later changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NotRequired, Unpack

from django.utils.translation import gettext
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.documents import document_blocks
from workspace.documents.typesetter import typeset_document
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.certs import messages
from workspace.products.certs.api.arguments import (
    CertificateChanges,
    CertificateId,
    Course,
    Custom,
    DateText,
    Hours,
    Notify,
    Recipients,
    TemplateFields,
    TemplateId,
)
from workspace.products.certs.api.serializers import (
    CertificateDetail,
    CertificateSummary,
    TemplateDetail,
    TemplateSummary,
    certificate_detail,
    certificate_summaries,
    template_detail,
    template_summary,
)
from workspace.products.certs.api.text import (
    certificate_facts,
    format_certificate,
    format_template,
    template_detail_facts,
)
from workspace.products.certs.domain import corrections, issuance, pdf, previews
from workspace.products.certs.domain.queries import get_certificates, get_template, templates_for
from workspace.products.certs.domain.recipient_input import Recipient, find_mixed_script_texts, parse_day_text
from workspace.products.certs.domain.zip_download import filter_certificates
from workspace.products.certs.models import KIND, Template
from workspace.publishing.guest_language import guest_language
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Id, Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Certificates")


class TemplateList(TypedDict):
    total: int
    count: int
    offset: int
    has_more: bool
    items: list[TemplateSummary]
    left_this_month: Annotated[
        int | None, Field(description="Certificates that can still be issued this month. null means no limit.")
    ]


@box.tool(
    "svc_certs_templates",
    title="List certificate templates",
    about="List certificate templates, newest first. Also returns how many more certificates you can issue this month.",
    short="List certificate templates and this month's remaining certificates.",
    synonyms="diploma templates, how many certificates left, designs, vorlagen, zertifikatsvorlagen, plantillas de "
    "certificado, cuántos certificados quedan",
    reads=True,
    columns="name layout issued state slug",
)
def list_templates(account: Account) -> Answer[TemplateList]:
    rows = [template_summary(template) for template in templates_for.fetch(account)]
    left = issuance.remaining_this_month(account)
    head = f"{format_count(len(rows), 'template')}. {_format_remaining(left)}"
    data: TemplateList = {
        "total": len(rows),
        "count": len(rows),
        "offset": 0,
        "has_more": False,
        "items": rows,
        "left_this_month": left,
    }
    return Answer(data, "\n".join([head, "", *format_bullets(rows, format_template)]))


def _format_remaining(left: int | None) -> str:
    return "No monthly limit." if left is None else f"{left:,} more can be issued this month."


@box.tool(
    "svc_certs_list",
    title="List certificates",
    about="List issued certificates, newest first, with verification links, states and email delivery. To filter by "
    "state, pass a state in q, such as state:revoked.",
    short="List or search issued certificates.",
    synonyms="diplomas, who received, recipients, issued, find certificate, zertifikate, urkunden, empfänger, "
    "certificados emitidos, diplomas, destinatarios, quién recibió, certificates issued, issued last "
    "month, certificates of a course, ausgestellte zertifikate, certificados de un curso",
    reads=True,
    columns="name course date state id",
)
def list_certificates(
    account: Account,
    template_id: Annotated[Id, Field(description="Only certificates of this template.")] | None = None,
    q: Annotated[Query, Field(description="Part of a name or course, or a state such as state:revoked.")] | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[CertificateSummary]]:
    template = get_template(account, template_id) if template_id is not None else None
    certificates = filter_certificates(account, template, q or "")
    page = certificate_summaries(certificates[offset : offset + limit])
    return listing_answer(page, total=certificates.count(), offset=offset, noun="certificates", line=format_certificate)


class IssuedCertificates(TypedDict):
    """The result of issuing certificates. `batch_id` is the job that creates the PDFs (svc_jobs_get)."""

    issued: int
    did_not_fit: int
    left_this_month: int | None
    batch_id: str
    items: list[CertificateSummary]


def check_printable_texts(recipients: Sequence[Recipient], build_path: Callable[[int, str], str]) -> None:
    """Typeset texts that fonts may be unable to render, before anything is issued.

    These are texts in which letters have combining marks of another script. `build_path` returns the path for an error,
    given the index of the recipient and the field.
    """
    for place, field, text in find_mixed_script_texts(recipients):
        try:
            typeset_document(
                document_blocks.LAYOUT,
                document_blocks.build_document_data([document_blocks.Paragraphs(text)]),
                title="",
            )
        except InvalidInputError as refusal:
            raise InvalidInputError.at_path(build_path(place, field), refusal.issues[0].message) from None


def _check_recipients(account: Account, arguments: Any) -> None:
    check_printable_texts(arguments.recipients, lambda place, field: f"recipients.{place}.{field}")


@box.tool(
    "svc_certs_issue",
    title="Issue certificates",
    about="Issue a certificate to each recipient, with a code that anyone can verify. The signed PDF is usually "
    "ready within a minute. Recipients with an email address are emailed. Stops at your plan's monthly limit "
    "and returns did_not_fit. course, date, hours and custom set default values.",
    short="Issue certificates to recipients and email them.",
    synonyms="award, diploma, create certificates, certify, graduates, participants, course completion, send "
    "certificates, zertifikat ausstellen, urkunde, teilnahmebescheinigung, emitir certificado, diploma, otorgar, "
    "expedir",
    prepare=_check_recipients,
    sends=True,
)
def issue(
    account: Account,
    template_id: TemplateId,
    recipients: Recipients,
    course: Course | None = None,
    date: DateText | None = None,
    hours: Hours | None = None,
    custom: Custom | None = None,
) -> Answer[IssuedCertificates]:
    defaults = {"course": course or "", "date": date or "", "hours": hours or "", "custom": custom or ""}
    return issue_to_recipients(account, template_id, recipients, defaults)


def issue_to_recipients(
    account: Account, template_id: str, recipients: list[Recipient], defaults: dict[str, str]
) -> Answer[IssuedCertificates]:
    """Issue the certificates. `defaults` fill in missing values."""
    try:
        defaults = {**defaults, "date": parse_day_text(defaults["date"])}
    except ValueError as problem:
        raise InvalidInputError.at_path("date", str(problem)) from None
    done = issuance.issue_certificates(get_template(account, template_id), recipients, defaults)
    data: IssuedCertificates = {
        "issued": len(done.certificates),
        "did_not_fit": done.did_not_fit,
        "left_this_month": done.remaining,
        "batch_id": done.job.pk if done.job else "",
        "items": certificate_summaries(done.certificates),
    }

    def format_issue() -> str:
        lines = [f"Issued {format_count(data['issued'], 'certificate')}. {_format_remaining(done.remaining)}"]
        if data["did_not_fit"]:
            advice = account.with_upgrade_hint(KIND, "wait until next month")
            lines.append(f"{data['did_not_fit']:,} exceed this month's limit: {advice}.")
        if data["batch_id"]:
            lines.append(f"Their PDFs are being signed. svc_jobs_get job_id={data['batch_id']} shows progress.")
        return "\n".join([" ".join(lines), "", *format_bullets(data["items"], format_certificate)])

    return Answer(data, format_issue)


class TemplateOrCertificate(TypedDict):
    template: NotRequired[TemplateDetail]
    certificate: NotRequired[CertificateDetail]


@box.tool(
    "svc_certs_get",
    title="Get a certificate or template",
    about="Get a certificate by ID or code, with its state, record, proof and email status. Can also get a template "
    "with its layout and wording. Both include a preview image.",
    short="Get a certificate or template with a preview image.",
    synonyms="view certificate, verify certificate code, preview template, zertifikat ansehen, vorlage ansehen, "
    "ver certificado, ver plantilla",
    reads=True,
)
def get(account: Account, id: CertificateId) -> Answer[TemplateOrCertificate]:
    template = templates_for(account).filter(pk=id).first() if id.isprintable() else None
    if template is not None:
        template.account = account
        result = template_detail(template)
        return Answer(
            {"template": result},
            format_fact_list(escape_markdown(template.name), template_detail_facts(result)),
            picture=lambda: previews.render_image(template),
        )
    (certificate,) = get_certificates(account, [id])
    shown = certificate_detail(certificate)
    words = format_fact_list(escape_markdown(certificate.name), certificate_facts(shown))
    return Answer({"certificate": shown}, words, picture=previews.find_image_renderer(certificate))


def default_texts(account: Account, language: str = "") -> dict[str, Any]:
    """Return the default wording of a new template."""
    language = language or guest_language(account)
    with pdf.certificate_language(language):
        return {
            "title": gettext("Certificate of Completion"),
            "intro": gettext("This is to certify that"),
            "body": gettext("has completed the course {course}."),
            "organization": account.name[:120],
            "language": language,
        }


@box.tool(
    "svc_certs_save_template",
    title="Create or update a certificate template",
    about="Create a certificate template. With template_id, update it: pass only the fields to change. You can set the "
    "layout (eight designs), logo, seal, up to four signers with signature images, and wording with placeholders. "
    "Issued certificates stay unchanged. To preview, use svc_certs_get.",
    short="Create or update a certificate template.",
    synonyms="design certificate, diploma design, layout, signer, signature image, seal, zertifikat gestalten, "
    "vorlage erstellen, urkunde gestalten, diseñar certificado, crear plantilla, firmante",
)
def save_template(
    account: Account, template_id: TemplateId | None = None, **fields: Unpack[TemplateFields]
) -> Answer[TemplateDetail]:
    values: dict[str, Any] = dict(fields)
    if template_id is None:
        if "name" not in values:
            raise InvalidInputError.at_path("name", messages.NAME_NEEDED)
        language = values.setdefault("language", guest_language(account))
        values = {**default_texts(account, language), **values}
        id = Template.open(account, **values).pk
        what = "Created"
    else:
        id = template_id
        get_template(account, id).edit(**values)
        what = "Updated" if has_changed() else "No changes to"
    template = template_detail(get_template(account, id))
    return Answer(
        template,
        format_fact_list(f"{what} the template {escape_markdown(template['name'])}", template_detail_facts(template)),
    )


class EditedCertificates(TypedDict):
    """The current state of each certificate. A corrected one is replaced by a successor with its own code."""

    items: list[CertificateSummary]


@box.tool(
    "svc_certs_edit",
    title="Revoke, restore or correct certificates",
    about="Revoke, restore or correct certificates. A correction issues a replacement with a new code, which doesn't "
    "count toward your plan's limit. The old certificate shows that it was replaced. With notify=true, recipients "
    "are emailed. To resend certificates, pass only notify.",
    short="Revoke, restore, correct or resend certificates.",
    synonyms="invalidate, wrong name, typo, fix spelling, reissue, resend certificate, email again, widerrufen, "
    "korrigieren, name falsch, erneut senden, revocar, corregir, nombre mal escrito, reenviar, "
    "certificate expired, withdraw certificate, change name on certificate, name auf zertifikat ändern",
    sends=True,
)
def edit(
    account: Account,
    ids: Annotated[list[Id], Field(min_length=1, max_length=200, description="Certificate IDs or codes, up to 200.")],
    notify: Notify = False,
    **fields: Unpack[CertificateChanges],
) -> Answer[EditedCertificates]:
    if not fields and not notify:
        raise InvalidInputError.at_path("ids", messages.CHANGE_NEEDED)
    certificates = corrections.edit_certificates(account, get_certificates(account, ids), dict(fields), notify=notify)
    rows = certificate_summaries(certificates)
    return Answer(
        {"items": rows},
        "\n".join(
            [
                f"Current state of {format_count(len(rows), 'certificate')}:",
                "",
                *format_bullets(rows, format_certificate),
            ]
        ),
    )


@box.tool(
    "svc_certs_delete",
    title="Delete certificate templates",
    about="Delete certificate templates. Issued certificates stay valid and verifiable. Certificates can't be "
    "deleted, but you can revoke them with svc_certs_edit. To restore a template, use svc_undo.",
    short="Delete certificate templates. Issued certificates stay valid.",
    synonyms="remove template, löschen, vorlage löschen, eliminar plantilla, borrar",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    if any(id.startswith("crt_") for id in ids):
        raise OperationNotAllowedError(messages.CERTIFICATES_ARE_KEPT)
    templates: list[Template] = get_many_or_404(ids, messages.TEMPLATE_NOT_FOUND, templates_for(account))
    Template.remove_many(templates)
    data: DeletedItems = {"deleted": [{"id": template.pk, "title": str(template)} for template in templates]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {format_count(len(templates), 'template')}.", "", *lines]))
