"""Issuance: invalid input issues nothing, the monthly limit holds, PDFs are signed, emailed and verified."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from workspace.audit_trail.verification import verify_chain
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Delivery
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.certs.models import Certificate
from workspace.products.certs.models.certificate import format_code, parse_code
from workspace.publishing import file_verification
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> Api:
    return make_api(make_account())


def template(api: Api, **more: Any) -> str:
    return str(api.run("svc_certs_save_template", name="Sailing", **more)["id"])


def work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def issue(api: Api, id: str, *recipients: Any, **more: Any) -> dict[str, Any]:
    return api.run("svc_certs_issue", template_id=id, recipients=list(recipients), **more)


def test_each_recipient_gets_a_code_and_defaults_fill_empty_fields(api: Api) -> None:
    id = template(api, valid_months=15)
    people = ["Ada King", {"first_name": "Ben", "last_name": "Okafor", "course": "Tides", "hours": 2.5, "date": "May"}]
    result = issue(
        api, id, *people, {"student": "Ada King", "course": " ", "hours": None}, course="Knots", date="2026-01-31"
    )
    assert (result["issued"], result["did_not_fit"]) == (3, 0)
    rows = result["items"]
    assert [(row["name"], row["course"], row["date"], row["hours"]) for row in rows] == [
        ("Ada King", "Knots", "2026-01-31", ""),
        ("Ben Okafor", "Tides", "May", "2.5"),
        ("Ada King", "Knots", "2026-01-31", ""),
    ]
    assert rows[0]["expires_on"] == "2027-04-30"
    assert len({row["code"] for row in rows}) == 3
    assert all(re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}", row["code"]) for row in rows)
    assert all(row["verify_url"].endswith(f"/v/{row['code']}") for row in rows)


def test_all_errors_are_reported_at_once_and_nothing_is_issued(api: Api) -> None:
    id = template(api)
    people = [
        "Ada",
        {"name": "B", "emial": "b@example.com"},
        {"name": "Fro\u16a0do"},
        {"email": "c@example.com"},
        {"name": "D", "date": "2026-02-30", "email": "nobody", "expires_on": "soon"},
        7,
        "x" * 121,
        {"name": "\u202eevil"},
    ]
    status, body = api.post("certs/issue", {"template_id": id, "recipients": people})
    assert status == 400
    paths = [issue["path"] for issue in body["issues"]]
    expected = ["1.emial", "2.name", "3.name", "4.email", "4.date", "4.expires_on", "5", "6.name", "7.name"]
    assert sorted(paths) == sorted(f"recipients.{path}" for path in expected)
    assert "runic" in str(body)
    assert not Certificate.objects.exists()


def test_marks_that_cannot_be_rendered_on_their_letter_are_rejected_before_anything_is_issued(api: Api) -> None:
    id = template(api)
    status, body = api.post(
        "certs/issue", {"template_id": id, "recipients": ["Ada", {"name": "\ubd0f\u08e6\u302a \u264c\u1de5\u09c1"}]}
    )
    assert status == 400 and [issue["path"] for issue in body["issues"]] == ["recipients.1.name"]


def test_the_monthly_limit_accepts_the_first_and_counts_those_that_did_not_fit(api: Api) -> None:
    api.account.chosen_plans = {"cert": "free"}
    api.account.save()
    id = template(api)
    assert issue(api, id, *[f"Name {n}" for n in range(20)])["left_this_month"] == 5
    result = issue(api, id, *[f"Late {n}" for n in range(8)])
    assert (result["issued"], result["did_not_fit"], result["left_this_month"]) == (5, 3, 0)
    assert [row["name"] for row in result["items"]] == [f"Late {n}" for n in range(5)]
    ids = [row["id"] for row in result["items"]]
    api.run("svc_certs_edit", ids=ids[:1], state="revoked")
    assert issue(api, id, "One more")["did_not_fit"] == 1
    assert api.run("svc_certs_edit", ids=ids[1:2], course="Corrected")["items"][0]["state"] == "valid"
    assert api.run("svc_certs_templates")["left_this_month"] == 0


def test_a_pdf_is_signed_emailed_recorded_and_verified(api: Api) -> None:
    id = template(api, layout={"design": "modern"}, hours_label="Credits")
    row = issue(api, id, {"name": "Ada King", "email": "ada@example.com", "hours": 3}, course="Knots")["items"][0]
    assert (row["sealed"], row["mail"]) == (False, "queued")
    work_off()
    result = api.run("svc_certs_get", id=row["code"].lower())["certificate"]
    assert result["sealed"] and result["holds"] and result["mail"] in ("queued", "kept", "sent")
    assert Delivery.objects.filter(pk=Certificate.objects.get().email_delivery_id).count() == 1
    pdf = api.client.get(f"/v/{row['code']}.pdf")
    assert pdf.status_code == 200 and pdf["Content-Type"] == "application/pdf"
    text = " ".join(PdfReader(BytesIO(pdf.content)).pages[0].extract_text().split())
    assert "Ada King" in text and "Knots" in text and "CREDITS" in text and row["code"] in text
    told = file_verification.verify_file(pdf.content)
    assert told.verdict == "this_file" and told.document is not None and "Ada King" in told.document.what
    assert file_verification.verify_file(pdf.content.replace(b"/Title", b"/Titel", 1)).verdict == "changed"
    assert verify_chain(api.account) == []
    api.run("svc_certs_edit", ids=[row["id"]], state="revoked")
    told = file_verification.verify_file(pdf.content)
    assert told.document is not None and told.document.state == "Revoked on"


def test_a_correction_is_a_new_certificate_and_the_former_one_refers_to_it(api: Api) -> None:
    id = template(api)
    row = issue(api, id, {"name": "Ada Kign", "reference": 7}, course="Knots")["items"][0]
    (new,) = api.run("svc_certs_edit", ids=[row["id"]], name="Ada King")["items"]
    assert new["code"] != row["code"] and (new["name"], new["course"]) == ("Ada King", "Knots")
    former = api.run("svc_certs_get", id=row["id"])["certificate"]
    assert (former["state"], former["replaced_by"]) == ("replaced", new["code"])
    status, body = api.post("certs/edit", {"ids": [row["id"]], "state": "revoked"})
    assert status == 400 and new["code"] in str(body)
    (removed,) = api.run("svc_certs_edit", ids=[new["id"]], state="revoked", reason="Not passed")["items"]
    assert removed["state"] == "revoked"
    assert api.run("svc_certs_edit", ids=[new["id"]], state="valid")["items"][0]["state"] == "valid"
    assert api.run("svc_certs_edit", ids=[new["id"]], expires_on="2020-01-01")["items"][0]["state"] == "expired"


def test_certificates_of_a_deleted_template_remain_valid(api: Api) -> None:
    id = template(api)
    row = issue(api, id, "Ada King")["items"][0]
    work_off()
    api.run("svc_certs_delete", ids=[id])
    assert api.run("svc_certs_get", id=row["id"])["certificate"]["state"] == "valid"
    assert api.client.get(f"/v/{row['code']}").status_code == 200


@pytest.mark.parametrize("language", GUEST_LANGUAGES)
def test_the_page_shows_each_state_in_the_readers_language(api: Api, language: str) -> None:
    id = template(api)
    names = {"valid": "A", "revoked": "B", "expired": "C", "replaced": "D"}
    rows = {row["name"]: row for row in issue(api, id, *names.values())["items"]}
    api.run("svc_certs_edit", ids=[rows["B"]["id"]], state="revoked", reason="Wrong course")
    Certificate.objects.filter(pk=rows["C"]["id"]).update(expires_on=date(2020, 1, 1))
    new = api.run("svc_certs_edit", ids=[rows["D"]["id"]], course="Other")["items"][0]
    data = {}
    for state, name in names.items():
        page = api.client.get(f"/v/{rows[name]['code'].lower().replace('-', ' ')}?lang={language}")
        assert page.status_code == 200 and page["X-Robots-Tag"] == "noindex"
        body = page.content.decode()
        assert f'data-state="{state}"' in body and f'lang="{language}"' in body
        assert ("linkedin.com" in body) == (state == "valid")
        data[state] = re.findall("<h1>(.*?)</h1>", body)[0]
        assert ("Wrong course" in body) == (state == "revoked") and (new["code"] in body) == (state == "replaced")
    unknown = api.client.get(f"/v/0000-0000-0000-0000?lang={language}")
    assert unknown.status_code == 404
    data["unknown"] = re.findall("<h1>(.*?)</h1>", unknown.content.decode())[0]
    assert len(set(data.values())) == 5
    assert (data["valid"] == "This certificate is valid") == (language == "en")


def test_codes_are_parsed_as_people_type_them() -> None:
    assert parse_code("7kq2 m9xd-4tbp-ozrl") == "7KQ2M9XD4TBP0ZR1"
    assert format_code("7KQ2M9XD4TBP0ZR1") == "7KQ2-M9XD-4TBP-0ZR1"
    assert parse_code("7kq2-m9xd-4tbp") == parse_code("sixteen-letters!") == parse_code("") == ""


def test_a_list_is_issued_as_people_write_it_and_one_invalid_cell_rejects_it(api: Api) -> None:
    template = api.run("svc_certs_save_template", name="Sailing")["id"]
    wrong = "Full Name;E-Mail Address;Hours;Valid until\nAda;invalid-email;3;\n;b@example.com;;\nCy;;;soon\n"
    issues = api.refuse("svc_certs_import", template_id=template, csv=wrong)
    assert {issue["path"] for issue in issues["issues"]} == {"csv.2.email", "csv.3.name", "csv.4.expires_on"}
    csv = "Course 7\n\nFull Name;E-Mail Address;Hours;Mark\n=Ada;a@example.com;3;1\nBo;;;2\n"
    looked = api.run("svc_certs_import", template_id=template, csv=csv, dry_run=True)
    assert [row["name"] for row in looked["items"]] == ["=Ada", "Bo"] and looked["items"][0]["hours"] == "3"
    assert looked["warnings"] == [
        "Line 1 is above the heading and is not saved: “Course 7”",
        "Column “Mark” is not saved: 2 cells, such as “1”",
    ]
    assert api.run("svc_certs_list")["total"] == 0
    done = api.run("svc_certs_import", template_id=template, csv=csv, columns={"Mark": "custom"}, course="Knots")
    assert [(row["custom"], row["course"]) for row in done["items"]] == [("1", "Knots"), ("2", "Knots")]
    again = api.run("svc_certs_import", template_id=template, csv="Name;MARK\nCy;3\n")
    assert again["items"][0]["custom"] == "3", "the field of the column is remembered"


def test_the_order_of_unclear_dates_must_be_given(api: Api) -> None:
    template = api.run("svc_certs_save_template", name="Sailing")["id"]
    csv = "Name,Date\nAda,3/4/2026\n"
    [issue] = api.refuse("svc_certs_import", template_id=template, csv=csv)["issues"]
    assert issue["path"] == "day_order" and "3/4/2026" in issue["message"]
    done = api.run("svc_certs_import", template_id=template, csv=csv, day_order="mdy")
    assert done["items"][0]["date"] == "2026-03-04"


def test_undoing_issuance_revokes_certificates_that_someone_may_have(api: Api) -> None:
    id = template(api)
    stored = issue(api, id, "Ada King")
    work_off()
    api.run("svc_undo", change_id=stored["change"]["id"])
    assert api.run("svc_certs_get", id=stored["items"][0]["id"])["certificate"]["state"] == "revoked"
    early = issue(api, id, "Ben Okafor")
    api.run("svc_undo", change_id=early["change"]["id"])
    assert Certificate.objects.count() == 1
    mailed = issue(api, id, {"name": "Cy", "email": "cy@example.com"})
    assert "mail" in mailed["change"]["cannot_be_undone"]
    assert verify_chain(api.account) == []
