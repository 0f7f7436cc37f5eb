"""Samples of certificates, for the tests across all products."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

SAMPLES = {
    "svc_certs_templates": lambda made: {},
    "svc_certs_list": lambda made: {"q": "Ada"},
    "svc_certs_issue": lambda made: {
        "template_id": made["cert_template"],
        "recipients": [{"name": "Ada Lovelace", "email": "ada@example.com", "hours": "3", "send": False}],
        "course": "Navigation",
        "date": "2026-11-21",
    },
    "svc_certs_import": lambda made: {
        "template_id": made["cert_template"],
        "csv": "Name,Hours\nAda Lovelace,3\n",
        "course": "Navigation",
    },
    "svc_certs_get": lambda made: {"id": made["certificate"]},
    "svc_certs_save_template": lambda made: {
        "template_id": made["cert_template"],
        "title": "Master of Tides",
        "signers": [{"name": "Marta Holm", "role": "Head"}],
        "layout": {"design": "waves", "colors": ["#17604b"]},
    },
    "svc_certs_edit": lambda made: {"ids": [made["certificate"]], "email": "ada@example.org"},
    "svc_certs_delete": lambda made: {"ids": [made["cert_template"]]},
    "svc_certs_sample": lambda made: {"template_id": made["cert_template"]},
    "svc_certs_export": lambda made: {"kind": "list"},
}


def _certificate(api: Api, number: int) -> Any:
    template = api.account.cert_templates.order_by("id").first()
    assert template is not None
    return api.run("svc_certs_issue", template_id=template.pk, recipients=[f"Ada {number}"])


LISTS = {"svc_certs_list": _certificate}
ADDRESSES = {"id": "cert_template", "code": "cert_code", "certificate": "certificate"}


def create_samples(api: Api) -> dict[str, str]:
    template = api.run("svc_certs_save_template", name="Sailing", criteria="Tie a bowline")
    issued = api.run("svc_certs_issue", template_id=template["id"], recipients=["Ada Lovelace"], course="Knots")
    return {
        "cert_template": template["id"],
        "certificate": issued["items"][0]["id"],
        "cert_code": issued["items"][0]["code"],
    }
