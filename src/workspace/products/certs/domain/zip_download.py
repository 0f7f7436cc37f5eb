"""Downloads of all PDFs or badges of a template as a ZIP.

They are for members who are signed in, and for API keys of the account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.products.certs import messages
from workspace.products.certs.domain.queries import certificates_for, get_template, search_certificates
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.zip_stream import ZipMember, stream_zip, unique_name
from workspace.tools.answer import StreamedFile

BATCH_SIZE = 200
DOWNLOAD_KINDS = {"pdf": ("pdf_key", "certificates", "pdf"), "badge": ("badge_key", "badges", "json")}


def find_download(account: Account, id: str, query: Mapping[str, str]) -> StreamedFile | None:
    """Return the ZIP at `/files/TEMPLATE`, or None.

    Depending on `kind`, it contains the PDFs or the badges of the certificates that match `q`. Raise InvalidInputError
    for an unknown kind.
    """
    if not id.startswith("ctm_"):
        return None
    try:
        template = get_template(account, id)
    except NotFoundError:
        return None
    kind = query.get("kind") or "pdf"
    if kind not in DOWNLOAD_KINDS:
        raise InvalidInputError.at_path("kind", messages.NOT_ONE_OF(values=", ".join(DOWNLOAD_KINDS)))
    certificates = filter_certificates(account, template, query.get("q", ""))
    name = f"{DOWNLOAD_KINDS[kind][1]}-{template.slug}.zip"
    return StreamedFile(name, "application/zip", stream_zip(_list_zip_entries(certificates, account, kind)))


def filter_certificates(account: Account, template: Template | None, q: str = "") -> QuerySet[Certificate]:
    certificates = certificates_for(account)
    return search_certificates(
        certificates.filter(template=template) if template is not None else certificates, account, q
    )


def download_url(template: Template, **query: str | None) -> str:
    fields = {name: text for name, text in query.items() if text}
    return f"{settings.BASE_URL}/files/{template.pk}?{urlencode(fields)}"


def _list_zip_entries(certificates: QuerySet[Certificate], account: Account, kind: str) -> Iterator[ZipMember]:
    """Yield the files in batches, so that no cursor stays open during a slow download."""
    column, _, ending = DOWNLOAD_KINDS[kind]
    left = certificates.exclude(**{column: ""})
    names: set[str] = set()
    last = ""
    while some := list((left.filter(pk__gt=last) if last else left).order_by("pk")[:BATCH_SIZE]):
        for certificate in some:
            name = "".join(char if char.isalnum() or char in " .-_" else "_" for char in certificate.name).strip(" .")[
                :80
            ]
            at = (certificate.sealed_at or certificate.created_at).astimezone(account.zone)
            yield ZipMember(
                unique_name(f"{name} {certificate.formatted_code}.{ending}", names), getattr(certificate, column), at
            )
        last = some[-1].pk
