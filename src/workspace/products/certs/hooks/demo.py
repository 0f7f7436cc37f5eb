"""Demo data: a template of a café that offers courses, and its participants."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.certs.domain import issuance
from workspace.products.certs.domain.recipient_input import parse_recipients
from workspace.products.certs.models import Template


def fill_account(account: Account) -> None:
    if account.cert_templates.exists():
        return
    template = Template.open(
        account,
        name="Barista course",
        title="Certificate of Completion",
        organization=account.name,
        intro="This is to certify that",
        body="has completed the course {course}.",
        criteria="Two days of practice and a final tasting with three baristas.",
        skills=["Espresso", "Milk", "Grinding"],
        signers=[{"name": "Lena Hofer", "role": "Head barista"}],
        layout={"design": "diploma", "seal": "ribbon"},
        language="en",
    )
    names = ["Amira Said", "Ben Okafor", "Łukasz Đặng", "渡邊 恵美子"]
    day = clock.today(account.time_zone).isoformat()
    issuance.issue_certificates(
        template, parse_recipients(names), {"course": "Barista, level 1", "date": day, "hours": "16"}
    )
