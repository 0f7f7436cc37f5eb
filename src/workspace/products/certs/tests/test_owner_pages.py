"""The owner's pages: a live preview, lists that are issued once after a preview, and a single certificate."""

from __future__ import annotations

import base64
import io
import re
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from asn1crypto.x509 import Certificate as X509
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Delivery
from workspace.documents import signing_keys
from workspace.documents.pdf_signature import compute_fingerprint
from workspace.lib import clock
from workspace.products.certs.domain import expiry_notices
from workspace.products.certs.models import Certificate, Template
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db
PEOPLE = "Full Name;Mail;Day;Mark\nAda King;ada@example.com;3/4/2026;1\nBen Okafor;;5/4/2026;2\n"


@pytest.fixture
def api() -> Api:
    return make_api(make_account())


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def home(api: Api) -> str:
    return f"/app/certs/{api.run('svc_certs_save_template', name='Sailing')['id']}"


def work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_the_preview_follows_the_input_and_nothing_is_saved(owner: Client, home: str) -> None:
    def fetch_preview(**fields: str) -> dict[str, Any]:
        result: dict[str, Any] = owner.post(f"{home}/picture", fields).json()
        image = Image.open(io.BytesIO(base64.b64decode(result["picture"].partition(",")[2])))
        assert image.width == 1000
        return result

    plain, other = fetch_preview(title="Certificate of Completion"), fetch_preview(title="Master of Tides")
    assert plain["picture"] != other["picture"] and not other["issues"]
    wrong = fetch_preview(body="has done {corse}", title="Master of Tides")
    assert [issue["path"] for issue in wrong["issues"]] == ["body"] and "{corse}" in wrong["issues"][0]["message"]
    assert wrong["picture"] == other["picture"], "what is refused is left out, the rest is drawn"
    assert Template.objects.get().title == "Certificate of Completion"
    assert owner.get(f"{home}/picture")["Content-Type"] == "image/png"


def test_colors_and_signatures_are_saved_and_signatures_stay_with_their_names(owner: Client, home: str) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (60, 20), "black").save(out, "PNG")
    drawing = SimpleUploadedFile("signature.png", out.getvalue(), "image/png")
    fields = {"name": "Sailing", "title": "T", "_has": "signers", "_colors": "one"}
    colors = {"layout.colors": ["#112233", "#445566"], "layout.design": "night"}
    signers = {"signers.0.name": "Ada", "signers.1.name": "Ben", "signers.1.image": drawing}
    assert owner.post(home, {**fields, **colors, **signers}).status_code == 303
    result = Template.objects.get()
    assert (result.design, result.colors) == ("night", ["#112233"])
    assert result.signature_1 is None and result.signature_2 is not None
    image = result.signature_2_id
    # the first signer is removed: the second moves up with the signature
    assert owner.post(home, {**fields, "_colors": "brand", "signers.0.name": "Ben"}).status_code == 303
    result.refresh_from_db()
    assert (result.colors, result.signature_1_id, result.signature_2_id) == ([], image, None)
    wrong = owner.post(home, {**fields, "body": "{nmae}"})
    assert wrong.status_code == 422 and 'id="f-body-error"' in text(wrong)


def test_a_list_is_mapped_clarified_previewed_and_issued_once(api: Api, owner: Client, home: str) -> None:
    page = f"{home}/issue"
    file = SimpleUploadedFile("people.csv", PEOPLE.encode("utf-16"))
    response = owner.post(page, {"file": file, "course": "Knots"})
    mapped = text(response)
    assert "Full Name" in mapped and '<option value="email" selected>' in mapped and "Don’t import" in mapped
    assert "Month first" not in mapped, "the column Day is not assigned yet"
    data = {"csv": PEOPLE, "course": "Knots", "columns-shown": "1", "_once": "one-form"}
    columns = {f"column-{place}": means for place, means in enumerate(("name", "email", "date", "custom"))}
    response = owner.post(page, {**data, **columns})
    assert "Month first" in text(response) and not Certificate.objects.exists()
    checked = text(owner.post(page, {"order": "dmy", **data, **columns}))
    assert "2 certificates will be issued" in checked and "3 April 2026" in checked
    assert "1 recipient will be emailed" in checked and not Certificate.objects.exists()
    assert "Issue 2 certificates" in checked
    for _ in range(2):  # a second click
        sent = owner.post(page, {"step": "save", "order": "dmy", **data, **columns})
        assert sent.status_code == 303 and "batch=job_" in sent["Location"]
    assert sorted(Certificate.objects.values_list("name", "date", "custom", "course")) == [
        ("Ada King", "2026-04-03", "1", "Knots"),
        ("Ben Okafor", "2026-04-05", "2", "Knots"),
    ]
    listed = text(owner.get(sent["Location"]))
    assert "of 2 certificates" in listed and 'hx-select=".certs-list"' in listed, "it follows the job"
    work_off()
    assert "hx-select" not in text(owner.get(sent["Location"]))
    later = text(owner.post(page, {"csv": PEOPLE}))
    assert '<option value="custom" selected>' in later, "what Mark means is remembered"


def test_every_invalid_cell_is_marked_and_the_number_above_the_limit_is_shown(
    api: Api, owner: Client, home: str
) -> None:
    page = f"{home}/issue"
    bad = "name,email,date\nAda,invalid-email,2026-01-01\nBen,b@example.com,2026-02-30\n,c@example.com,\n"
    response = owner.post(page, {"csv": bad, "step": "save"})
    assert response.status_code == 422 and not Certificate.objects.exists()
    told = text(response)
    assert "Correct 3 cells in your list." in told and 'value="save"' not in told
    for cell in ("invalid-email", "2026-02-30", ""):
        assert f'<td data-kind="bad"><bdi>{cell}</bdi><span class="li-problem">' in told
    shown = {"columns-shown": "1", "column-0": "name", "column-1": "name"}
    assert "Only one column can be “Name”." in text(owner.post(page, {"csv": bad, **shown}))
    assert owner.post(page, {"csv": " "}).status_code == 422
    api.account.chosen_plans = {"cert": "free"}
    api.account.save()
    many = "\n".join(f"Name {n}" for n in range(30))
    checked = text(owner.post(page, {"csv": many}))
    assert "25 certificates will be issued" in checked and "The last 5 recipients exceed" in checked
    sent = owner.post(page, {"step": "save", "csv": many, "_once": "x"})
    assert sent.status_code == 303 and Certificate.objects.count() == 25


def test_a_certificate_is_corrected_revoked_restored_found_and_exported(api: Api, owner: Client, home: str) -> None:
    id = home.rpartition("/")[2]
    people = [{"name": "Ada Kign", "email": "ada@example.com"}, "Ben Okafor"]
    api.run("svc_certs_issue", template_id=id, recipients=people, course="Knots")
    work_off()
    certificate = Certificate.objects.get(name="Ada Kign")
    page = f"{home}/issued/{certificate.pk}"
    moved = owner.post(page, {"name": "Ada King", "email": "ada@example.com", "course": "Knots"})
    new = Certificate.objects.get(name="Ada King")
    assert moved["Location"].endswith(f"/issued/{new.pk}")
    assert owner.post(page, {"name": "Ada Kign", "email": "ada@example.com", "course": "Knots"}).status_code == 303
    assert Certificate.objects.count() == 3, "nothing was changed"
    here = f"{home}/issued/{new.pk}"
    owner.post(f"{here}/turn", {"act": "revoke", "reason": "Not passed", "notify": "true"})
    assert "Not passed" in text(owner.get(here))
    assert "Ada King" in text(owner.get(f"{home}/issued?state=revoked"))
    assert "Ben Okafor" not in text(owner.get(f"{home}/issued?state=revoked"))
    assert "Ada King" not in text(owner.get(f"{home}/issued?state=valid"))
    owner.post(f"{here}/turn", {"act": "restore"})
    assert Certificate.objects.get(pk=new.pk).revoked_at is None
    work_off()
    links = re.findall(r'href="([^"]*/files/[^"]+)"', owner.get(f"{home}/issued").content.decode())
    packs = [owner.get(link.replace("&amp;", "&").partition("8000")[2] or link) for link in links[:2]]
    names = [ZipFile(io.BytesIO(pack.getvalue())).namelist() for pack in packs]
    assert [len(name) for name in names] == [3, 3]
    assert f"Ada King {new.formatted_code}.pdf" in names[0] and f"Ada King {new.formatted_code}.json" in names[1]
    told = api.run("svc_certs_export", kind="badge", template_id=id)
    assert told["rows"] == 3 and "kind=badge" in told["file_url"]
    foreign = make_api(make_account())
    assert foreign.client.get(f"/files/{id}?kind=pdf").status_code == 404
    assert owner.get(f"{home}/issued/crt_none").status_code == 404


def test_a_signature_is_valid_by_its_librarys_validator_and_the_hash_identifies_the_file(api: Api, home: str) -> None:
    result = api.run("svc_certs_issue", template_id=home.rpartition("/")[2], recipients=["Ada King"])["items"][0]
    work_off()
    pdf = api.client.get(f"/v/{result['code']}.pdf").content
    own = X509.load(signing_keys.list_certificates()[0])
    (seal,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
    status = validate_pdf_signature(seal, ValidationContext(trust_roots=[own]), skip_diff=False)
    assert status.intact and status.valid and status.trusted and status.coverage.name == "ENTIRE_FILE"
    assert compute_fingerprint(pdf) == Certificate.objects.get().pdf_sha256
    page = api.client.get(f"/v/{result['code']}")
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', page.content.decode())
    assert len(page.content) < 10_000 and len(styles) < 6


def test_a_recipient_is_notified_once_a_month_before_expiry(api: Api, home: str) -> None:
    end = clock.today(api.account.time_zone) + timedelta(days=90)
    people = [
        {"name": name, "email": f"{name}@example.com", "expires_on": end.isoformat(), "language": language}
        for name, language in (("ada", "de"), ("ben", "en"))
    ]
    id = home.rpartition("/")[2]
    rows = api.run(
        "svc_certs_issue", template_id=id, recipients=[*people, {"name": "cy", "expires_on": end.isoformat()}]
    )
    short = (clock.now().date() + timedelta(days=40)).isoformat()
    api.run(
        "svc_certs_issue", template_id=id, recipients=[{"name": "d", "email": "d@example.com", "expires_on": short}]
    )
    work_off()
    (look,) = Delivery.objects.filter(kind=expiry_notices.DELIVERY_KIND)
    assert look.next_attempt_at.date() in (end - timedelta(days=30), end - timedelta(days=31))
    api.run("svc_certs_edit", ids=[rows["items"][1]["id"]], state="revoked")
    for _ in range(2):
        expiry_notices.ExpiryNoticeChannel().send(look)
    letters = [str(delivery.payload) for delivery in Delivery.objects.filter(kind="email")]
    (letter,) = [letter for letter in letters if "Läuft bald ab" in letter]
    assert "ada@example.com" in letter and not any("Expires soon" in letter for letter in letters)
