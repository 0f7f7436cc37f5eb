"""Certificates: papers that one would hang on a wall, and that anybody can verify."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.certs.api import export_tools, tools
from workspace.products.certs.domain import downloads
from workspace.products.certs.domain.issuance import issued_this_month
from workspace.products.certs.hooks import demo, starter
from workspace.products.certs.hooks.checkin import DOOR
from workspace.products.certs.hooks.privacy import PERSONAL
from workspace.products.certs.hooks.takeout import CARRIED
from workspace.products.certs.models import KIND, Template
from workspace.publishing.manifest import Group, Manifest
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class CertLimits:
    """`monthly`: how many are issued in a month of the account's; None is unlimited."""

    monthly: int | None


PRODUCT = Manifest(
    key=KIND,
    word="certs",
    title="Certificates",
    noun="certificate template",
    about="Certificates that anyone can verify",
    path="/v/",
    icon="cert",
    group=Group.EVENTS,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, CertLimits(monthly=25)),
        "pro": Plan(12, CertLimits(monthly=1000)),
    },
    tools=tools_in(tools, export_tools),
    things=[Template],
    carried=CARRIED,
    personal=PERSONAL,
    files=downloads.found_at,
    searched=("name", "title", "organization", "lead", "body", "description", "criteria"),
    first_step="Make your first certificate",
    demo=demo.fill,
    used=issued_this_month,
    example=starter.example,
    door=DOOR,
)
