"""A sample by mail, to whoever makes a template: the mail and the paper as a recipient gets them, marked as what they
are. Nothing is issued and nothing sealed by it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs import Item
from workspace.delivery.models import Job
from workspace.documents.typesetter import typeset
from workspace.lib.errors import ToolError
from workspace.products.certs.domain import emails, pdf, previews, print_data
from workspace.products.certs.models import Certificate, Template
from workspace.publishing.language import USUAL

JOB = "certs.sample"
GONE = "Its template was deleted before the sample was made"


def begin(template: Template, to: str) -> Job:
    """Drawn and sent in the moments after."""
    return jobs.start(template.account, JOB, [{"name": template.name, "id": template.pk, "to": to}])


def prepare(account: Account, items: Sequence[Item]) -> list[bytes]:
    return [_paper(one, template) for one, template in (_somebody(account, item) for item in items)]


def finish(account: Account, item: Item) -> None:
    one, template = _somebody(account, item)
    one.email = item.body["to"]
    emails.sample(one, template, item.ready)


def _somebody(account: Account, item: Item) -> tuple[Certificate, Template]:
    template = account.cert_templates.filter(pk=item.body["id"], binned_at=None).first()
    if template is None:
        raise ToolError(GONE)
    template.account = account
    one = previews.sample(template)
    one.title, one.organization = template.title, template.organization
    return one, template


def _paper(one: Certificate, template: Template) -> bytes:
    language = one.language or USUAL
    sheet = pdf.sheet(one, pdf.look_of(template, language), template)
    with pdf.words_of(language):
        data = {**sheet.data, "stamp": gettext("Sample")}
    return typeset(print_data.LAYOUT, data, title=sheet.title, language=language)
