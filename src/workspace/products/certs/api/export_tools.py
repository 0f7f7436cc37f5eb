"""Tools that export certificates: the list as a table, and PDFs or badges individually or as a ZIP."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Sum
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown, format_count
from workspace.products.certs import messages
from workspace.products.certs.api.arguments import TemplateId
from workspace.products.certs.api.serializers import certificate_summaries
from workspace.products.certs.api.tools import box
from workspace.products.certs.domain import emails, pdf, sample_email, zip_download
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.domain.queries import certificates_for, get_certificates, get_template
from workspace.products.certs.models import Template
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

MAX_ROWS = 50_000
COLUMNS = (
    "code", "name", "e-mail", "course", "date", "hours", "custom", "state", "expires", "issued", "link", "pdf", "mail",
)  # fmt: skip


@box.tool(
    "svc_certs_export",
    title="Export certificates",
    about="Export issued certificates as CSV, with codes, states and links. Can also export one certificate as a PDF "
    "or badge, or all certificates of a template as a ZIP.",
    short="Export certificates as CSV, PDF, badge or ZIP.",
    synonyms="download certificate, open badge, print, spreadsheet, zertifikate herunterladen, exportieren, "
    "descargar certificado, insignia, exportar",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[
        Literal["list", "pdf", "badge"],
        Field(description="Data to export: a list (CSV), signed PDFs, or Open Badges."),
    ],
    template_id: Annotated[
        Id, Field(description="Only certificates of this template. PDFs and badges are exported as a ZIP.")
    ]
    | None = None,
    id: Annotated[Id, Field(description="ID or code of one certificate.")] | None = None,
) -> Answer[Export]:
    if kind == "list":
        return _export_list(account, template_id)
    if id is not None:
        return _export_file(account, id, kind)
    if template_id is None:
        raise InvalidInputError.at_path("id", messages.CERTIFICATE_OR_TEMPLATE_NEEDED)
    return _export_zip(account, get_template(account, template_id), kind)


def _export_list(account: Account, template_id: str | None) -> Answer[Export]:
    certificates = certificates_for(account)
    if template_id is not None:
        certificates = certificates.filter(template=get_template(account, template_id))
    rows = [
        [
            row["code"], row["name"], row["email"], row["course"], row["date"], row["hours"], row["custom"],
            row["state"], row["expires_on"], row["issued_at"] or "", row["verify_url"], row["pdf_url"], row["mail"],
        ]
        for row in certificate_summaries(certificates[:MAX_ROWS])
    ]  # fmt: skip
    text = csv_table.write(COLUMNS, rows)
    return export_text(
        "certs", "certificate", "certificates.csv", text, rows=len(rows), kind="list", template_id=template_id
    )


def _export_file(account: Account, id: str, kind: str) -> Answer[Export]:
    (certificate,) = get_certificates(account, [id])
    is_pdf = kind == "pdf"
    try:
        content = pdf.load_signed_pdf(certificate) if is_pdf else credential.load_badge(certificate)
    except FileNotFoundError:
        raise OperationNotAllowedError(messages.FILE_NOT_READY) from None
    more = f"This is the original signed file, SHA-256 {certificate.pdf_sha256}." if is_pdf else ""
    name = certificate.pdf_file_name if is_pdf else f"badge-{certificate.formatted_code}.json"
    return export_file("certs", "certificate", name, content, kind=kind, exclusion_note=more, id=certificate.pk)


def _export_zip(account: Account, template: Template, kind: str) -> Answer[Export]:
    rows = (
        zip_download.filter_certificates(account, template)
        .exclude(**{zip_download.DOWNLOAD_KINDS[kind][0]: ""})
        .count()
    )
    size = (
        zip_download.filter_certificates(account, template).aggregate(size=Sum("pdf_size"))["size"] or 0
        if kind == "pdf"
        else 0
    )
    url = zip_download.download_url(template, kind=kind)
    name = f"{zip_download.DOWNLOAD_KINDS[kind][1]}-{template.slug}.zip"
    data: Export = {
        "kind": kind, "file_name": name, "media_type": "application/zip", "size": size, "rows": rows, "file_url": url,
    }  # fmt: skip
    content = f"{format_count(rows, 'certificate')} in {name} (application/zip, {size} bytes of content)"
    return Answer(data, f"{content}. Download it signed in or with an API key: {url}")


class SampleJob(TypedDict):
    job_id: str
    to: str


@box.tool(
    "svc_certs_sample",
    title="Email yourself a sample certificate",
    about="Email yourself a sample (preview) of a certificate template, exactly as recipients get it. The PDF is "
    "marked as a sample, and nothing is issued. With an API key, the sample goes to the account's owner.",
    short="Email yourself a sample of a certificate template.",
    synonyms="preview by email, test certificate, try template, proof, probe, muster, probezertifikat, muestra, "
    "prueba, vista previa",
    final=emails.EMAIL_IS_FINAL,
    rare=True,
    sends=True,
)
def email_sample(caller: Caller, template_id: TemplateId) -> Answer[SampleJob]:
    to = caller.person.email if caller.person else caller.account.owner.email
    job = sample_email.start_sample(get_template(caller.account, template_id), to)
    data: SampleJob = {"job_id": job.pk, "to": to}
    return Answer(data, f"Sending a sample to {escape_markdown(to)}. svc_jobs_get job_id={job.pk} shows progress.")
