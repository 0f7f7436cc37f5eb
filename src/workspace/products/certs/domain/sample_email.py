"""Emailing a sample to the person who edits a template: the email and PDF of a recipient, marked as a sample.

Nothing is issued and nothing is signed.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs import Item
from workspace.delivery.models import Job
from workspace.documents.typesetter import typeset_document
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.certs import messages
from workspace.products.certs.domain import emails, pdf, previews, print_data
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.language import DEFAULT_LANGUAGE

JOB_NAME = "certs.sample"


def start_sample(template: Template, to: str) -> Job:
    """Start the job that renders and sends the sample."""
    return jobs.start(template.account, JOB_NAME, [{"name": template.name, "id": template.pk, "to": to}])


def prepare_samples(account: Account, items: Sequence[Item]) -> list[bytes]:
    return [
        _render_sample(certificate, template)
        for certificate, template in (_build_sample(account, item) for item in items)
    ]


def send_sample(account: Account, item: Item) -> None:
    certificate, template = _build_sample(account, item)
    certificate.email = item.body["to"]
    emails.email_sample(certificate, template, item.ready)


def _build_sample(account: Account, item: Item) -> tuple[Certificate, Template]:
    template = account.cert_templates.filter(pk=item.body["id"], binned_at=None).first()
    if template is None:
        raise OperationNotAllowedError(messages.TEMPLATE_OF_SAMPLE_WAS_DELETED)
    template.account = account
    certificate = previews.build_sample(template)
    certificate.title, certificate.organization = template.title, template.organization
    return certificate, template


def _render_sample(certificate: Certificate, template: Template) -> bytes:
    language = certificate.language or DEFAULT_LANGUAGE
    sheet = pdf.build_certificate_print_data(certificate, pdf.build_design(template, language), template)
    with pdf.certificate_language(language):
        data = {**sheet.data, "stamp": gettext("Sample")}
    return typeset_document(print_data.LAYOUT_PATH, data, title=sheet.title, language=language)
