"""Certificates as files: the list as a table, papers and badges one by one or packed."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Sum
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.tabular import csv_table
from workspace.lib.text import counted, escape_markdown
from workspace.products.certs.api.arguments import TemplateId
from workspace.products.certs.api.serializers import certificate_rows
from workspace.products.certs.api.tools import box
from workspace.products.certs.domain import downloads, emails, pdf, sample_email
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.domain.queries import certificates_named, certificates_of, template_of
from workspace.products.certs.models import Template
from workspace.publishing.exports import Export, exported, exported_file
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

MOST = 50_000
COLUMNS = (
    "code", "name", "e-mail", "course", "date", "hours", "custom", "state", "expires", "issued", "link", "pdf", "mail",
)  # fmt: skip


@box.tool("svc_certs_export", title="Export certificates", reads=True)
def export(
    account: Account,
    kind: Annotated[
        Literal["list", "pdf", "badge"], Field(description="All as a table, or sealed PDFs, or Open Badges in JSON")
    ],
    template_id: Annotated[Id, Field(description="Of this template only; all its PDFs or badges as a ZIP")]
    | None = None,
    id: Annotated[Id, Field(description="One certificate, by its id or code: its PDF or badge")] | None = None,
) -> Answer[Export]:
    """A file to save: issued certificates as CSV with codes, states and links; the PDF or the badge of one; or those of
    a template as a ZIP."""
    if kind == "list":
        return _list(account, template_id)
    if id is not None:
        return _one(account, id, kind)
    if template_id is None:
        raise InvalidInput.at("id", "Say which certificate, or which template by template_id")
    return _all(account, template_of(account, template_id), kind)


def _list(account: Account, template_id: str | None) -> Answer[Export]:
    found = certificates_of(account)
    if template_id is not None:
        found = found.filter(template=template_of(account, template_id))
    rows = [
        [
            row["code"], row["name"], row["email"], row["course"], row["date"], row["hours"], row["custom"],
            row["state"], row["expires"], row["issued_at"] or "", row["verify_url"], row["pdf_url"], row["mail"],
        ]
        for row in certificate_rows(found[:MOST])
    ]  # fmt: skip
    text = csv_table.write(COLUMNS, rows)
    return exported(
        "certs", "certificate", "certificates.csv", text, rows=len(rows), kind="list", template_id=template_id
    )


def _one(account: Account, id: str, kind: str) -> Answer[Export]:
    (one,) = certificates_named(account, [id])
    is_pdf = kind == "pdf"
    try:
        content = pdf.sealed(one) if is_pdf else credential.kept(one)
    except FileNotFoundError:
        raise ToolError("It is not there: it is made within a minute, or was erased with the person") from None
    more = f"It is the very file that was sealed, SHA-256 {one.pdf_sha256}." if is_pdf else ""
    name = pdf.name_of(one) if is_pdf else f"badge-{one.shown_code}.json"
    return exported_file("certs", "certificate", name, content, kind=kind, more=more, id=one.pk)


def _all(account: Account, template: Template, kind: str) -> Answer[Export]:
    rows = downloads.among(account, template).exclude(**{downloads.KINDS[kind][0]: ""}).count()
    size = downloads.among(account, template).aggregate(size=Sum("pdf_size"))["size"] or 0 if kind == "pdf" else 0
    url = downloads.url_of(template, kind=kind)
    name = f"{downloads.KINDS[kind][1]}-{template.slug}.zip"
    data: Export = {
        "kind": kind, "file_name": name, "media_type": "application/zip", "size": size, "rows": rows, "file_url": url,
    }  # fmt: skip
    told = (
        f"{counted(rows, 'certificate')} as {name} (application/zip, {size} bytes of content), for who is signed in or "
    )
    return Answer(data, f"{told}sends the key: {url}")


class Sampled(TypedDict):
    job_id: str
    to: str


@box.tool("svc_certs_sample", title="Mail yourself a sample", final=emails.FINAL, rare=True, sends=True)
def sample(caller: Caller, template_id: TemplateId) -> Answer[Sampled]:
    """Mail a sample certificate of a template to yourself, as recipients get it: with the template's words and its PDF,
    both marked as a sample. Nothing is issued. Of a key it goes to the account's owner."""
    to = caller.person.email if caller.person else caller.account.owner.email
    job = sample_email.begin(template_of(caller.account, template_id), to)
    data: Sampled = {"job_id": job.pk, "to": to}
    return Answer(data, f"A sample is on its way to {escape_markdown(to)}. svc_jobs_get job_id={job.pk} tells how far.")
