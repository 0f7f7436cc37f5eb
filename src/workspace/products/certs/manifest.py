"""Certificates that look good in print and that anyone can verify."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.certs.api import export_tools, import_tools, tools
from workspace.products.certs.domain import zip_download
from workspace.products.certs.domain.issuance import compute_usage
from workspace.products.certs.hooks import demo, starter_content
from workspace.products.certs.hooks.checkin import CHECKIN_SOURCE
from workspace.products.certs.hooks.privacy import PERSONAL_DATA
from workspace.products.certs.hooks.takeout import TAKEOUT_TABLES
from workspace.products.certs.models import KIND, Template
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class CertLimits:
    """The limits of a plan.

    `monthly` is the number of certificates that may be issued per calendar month. None means unlimited.
    """

    monthly: int | None


PRODUCT = Manifest(
    key=KIND,
    slug="certs",
    title=owner_gettext_noop("Certificates"),
    noun="certificate template",
    summary=owner_gettext_lazy("Issue certificates that anyone can verify"),
    public_prefix="/v/",
    icon="cert",
    group=ProductGroup.EVENTS,
    trades=starter_content.TRADES,
    plans={
        "free": Plan(0, CertLimits(monthly=25)),
        "pro": Plan(12, CertLimits(monthly=1000)),
    },
    tools=tools_from_modules(tools, import_tools, export_tools),
    models=[Template],
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    files=zip_download.find_download,
    search_fields=("name", "title", "organization", "intro", "body", "description", "criteria"),
    first_task=owner_gettext_lazy("Issue a certificate"),
    search_words="diploma award credential badge course training",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a certificate template"), None, "new make diploma award"),
        SearchCommand(owner_gettext_lazy("Issue certificates"), "issue", "send diploma recipients import"),
    ],
    demo=demo.fill_account,
    usage=compute_usage,
    starter=starter_content.starter_for,
    checkin=CHECKIN_SOURCE,
)
