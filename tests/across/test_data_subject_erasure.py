"""Erasure of a person: their email, phone and name are used in everything that guests and owners can enter.

After the erasure, no table and no file contains them.
"""

from __future__ import annotations

import base64
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Change, MemberInvitation, Upload
from workspace.accounts.privacy import data_subjects
from workspace.delivery import mail
from workspace.delivery.models import Delivery, Job
from workspace.lib.data_subject import DataSubject
from workspace.products.card.models import Card, Lead
from workspace.products.waiver.domain.pdf import PdfSigningChannel
from workspace.publishing.models import Report
from workspace.storage.database.transactions import truncate_write_log, write_transaction
from workspace.storage.files import store
from workspace.testing import reviews_guest as reviewer
from workspace.testing.api import Api
from workspace.testing.form_person import submit_person_responses
from workspace.testing.guest_browser import Guest
from workspace.testing.samples import waiver as signer
from workspace.testing.samples.card import submit_lead

EMAIL, NAME = "mark_x7q@person.example", "Xaver Qualmburger"
WRITTEN, AT_HOME, DIGITS = "+43 660 771-23 45", "0660/7712345", "6607712345"
SOUGHT = DataSubject.parse(EMAIL.upper(), WRITTEN)
MARKS = (EMAIL, NAME.lower())

# Tables without personal data of guests: sign-ins and their devices, counters, hashes, derived data.
HOLD_NOBODY = {
    "contenttypes.ContentType",
    "auth.Permission",
    "auth.Group",
    "sessions.Session",
    "account.EmailAddress",
    "account.EmailConfirmation",
    "mfa.Authenticator",
    "usersessions.UserSession",
    "oauth2_provider.IDToken",
    "oauth2_provider.DeviceGrant",
    "accounts.Person",
    "accounts.Membership",
    "rate_limits.CallQuota",
    "accounts.OAuthClient",
    "linked_apps.Registration",
    "linked_apps.AppHealth",
    "accounts.OAuthGrant",
    "accounts.OAuthAccessToken",
    "accounts.OAuthRefreshToken",
    "accounts.ConnectionChoice",
    "accounts.CreditEntry",
    "accounts.DeviceAuthorization",
    "delivery.ScheduledTask",
    "dashboard.Onboarding",
    "dashboard.CheckinSetting",
    "payments.ProviderEvent",
    "publishing.RememberedColumns",
    "accounts.InvitePair",
    "billing.BillingEvent",
    "billing.Customer",
    "billing.PlanGrant",
    "billing.InviteMonth",
    "billing.Invoice",
    "billing.Price",
    "billing.Purchase",
    "billing.Subscription",
    "delivery.NotificationSetting",
    "support.Attachment",
    "bid.BidEvent",
    "event.SessionSpeaker",
    "bid.NumberSequence",
    "waiver.Attendance",
    "audit_trail.Chain",
    "audit_trail.Record",
    "publishing.Address",
    "publishing.Publication",
    "publishing.SearchDocument",
    "publishing.Visit",
    "publishing.UniqueVisitor",
    "storage.VisitorSalt",
    "rate_limits.RateCounter",
    "publishing.VisitCounter",
    "publishing.DailyCounter",
    "publishing.Breakdown",
    "publishing.DailyBreakdown",
    "certs.Issuer",
    "certs.IssuerKey",
    "certs.StatusList",
    "documents.SealKey",
    "storage.Blob",
    "storage.BlobPiece",
    "storage.CacheEntry",
    "storage.SealingKey",
    "storage.InstanceFact",
    "storage.SetAside",  # errors with masked addresses, which are stored for at most 30 days
    "event.StarList",  # ids of sessions under a random token
}


def test_every_table_declares_its_personal_data() -> None:
    told = {model._meta.label for model in data_subjects.registered_models()}
    all_of_them = {model._meta.label for model in apps.get_models() if not model._meta.proxy}
    assert all_of_them - told - HOLD_NOBODY == set(), "name it in the `personal` of its product, or of its room"
    assert told & HOLD_NOBODY == set()


def dump() -> dict[str, str]:
    """Return every table as text."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            found[table] = "\n".join(" ".join(map(_as_text, row)) for row in cursor.fetchall())
    return found


def _as_text(value: Any) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, (bytes, memoryview)) else str(value)


def marked(text: str) -> list[str]:
    text = text.lower()
    return [mark for mark in MARKS if mark in text] + [
        DIGITS for _ in [1] if DIGITS in re.sub(r"[\s().\-/\u00a0]|\\u00a0", "", text)
    ]


def tables_with_marks() -> dict[str, list[str]]:
    return {table: found for table, text in dump().items() if (found := marked(text))}


def files_with_marks() -> list[str]:
    """Return the files of the data folder that contain the marks.

    These are uploads, files of jobs, and the database with its log.
    """
    found = [path for path in (Path(settings.DATA) / "files").rglob("*") if path.is_file()]
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        found += [path for path in map(Path, (name, f"{name}-wal")) if path.exists()]
    return [str(path) for path in found if marked(_read_elsewhere(path).decode("latin-1"))]


def _read_elsewhere(path: Path) -> bytes:
    """Have another process read the file: this one would drop its locks on the database."""
    return subprocess.run(["cat", path], capture_output=True, check=True).stdout


def fill(api: Api) -> dict[str, Any]:
    """Enter the marks wherever text is accepted, including later changes by an owner."""
    # guests: the form of a card, the card by email, a review with a photo
    desk = api.run("svc_card_create", full_name="Front Desk", email="desk@example.com")
    path = f"/c/{desk['slug']}"
    for number, phone in enumerate((WRITTEN, AT_HOME)):
        given = {"name": NAME, "email": EMAIL.title() if number else EMAIL, "phone": phone, "note": "Ring me"}
        assert Guest().send(f"{path}/exchange", **given, agreed="yes").status_code == 303
    others = {"name": "Bea", "email": "bea@example.com", "note": f"Tell {EMAIL} or {WRITTEN} too"}
    assert Guest().send(f"{path}/exchange", **others, agreed="yes").status_code == 303
    assert Guest().send(f"{path}/mail", email=EMAIL).status_code == 303
    page = reviewer.open_page(api.account)
    sent = reviewer.send(page, name=NAME, email=EMAIL, photo=reviewer.photo())
    assert sent.status_code == 303
    submit_person_responses(api, NAME, EMAIL, WRITTEN, AT_HOME)
    # owners: items with their name, edited and undone, deleted and in the bin
    own = api.run("svc_card_create", full_name=NAME, email="xaver@example.com", phone=WRITTEN)
    api.run("svc_card_edit", card_id=own["id"], email=EMAIL)
    edit = api.run("svc_card_edit", card_id=desk["id"], bio=f"Ask {EMAIL}", more_emails=[EMAIL])
    api.run("svc_undo", change_id=edit["change"]["id"])
    api.run("svc_card_edit", card_id=desk["id"], bio=f"Ask {EMAIL}, {AT_HOME}", more_phones=[{"number": AT_HOME}])
    binned = api.run("svc_card_create", full_name=NAME, email=EMAIL)
    api.run("svc_card_delete", ids=[binned["id"]])
    api.run("svc_card_delete", ids=[Lead.objects.filter(email=EMAIL).earliest("id").pk])
    # an invited signer with a child; a mother who names them in her answers
    waiver = api.run("svc_waiver_create", title="Boats", text="I can swim.", questions=[{"label": "Whom do we call?"}])
    api.run("svc_waiver_invite", id=waiver["id"], emails=[EMAIL])
    child = [signer.child(f"{NAME} Jr.", "2019-05-01")]
    them = {"name": NAME, "email": EMAIL.title(), "phone": AT_HOME, "birth_date": "1980-02-03"}
    signing = signer.sign(waiver["id"], api.account, signer=them, participants=child, signer_participates=True)
    PdfSigningChannel().send(Delivery.objects.get(payload__signing=signing.pk))  # the signed PDF and its email
    with_phone = {"name": "Dora", "email": "dora@example.com", "birth_date": "1980-02-03"}
    signer.sign(waiver["id"], api.account, signer=with_phone, answers={"whom_do_we_call": f"{EMAIL}, {WRITTEN}"})
    api.run(
        "svc_waiver_void", signature_ids=[signing.signatures.latest("id").pk], reason=f"{EMAIL} wrote", ask_again=True
    )
    csv = f"name,text,email,source\n{NAME},Fine.,{EMAIL},Fair\nCleo,Ask {EMAIL} about it,,Fair\n"
    api.run("svc_reviews_save_items", page_id=page.pk, csv=csv, consented=True)
    gone = api.run("svc_reviews_save_items", page_id=page.pk, items=[{"name": NAME, "text": "Good", "email": EMAIL}])
    api.run("svc_reviews_save_items", page_id=page.pk, remove=[gone["items"][0]["id"]])
    elements = [{"title": "Write", "url": f"mailto:{EMAIL}"}, {"title": "Us", "url": "example.com"}]
    api.run("svc_links_create", title=f"Book with {EMAIL}", elements=elements)
    code = api.run("svc_qr_create", name=f"Room of {EMAIL}", target_url=f"https://example.com/?to={EMAIL}")
    api.run("svc_qr_update_target", id=code["id"], target_url=f"https://wa.me/43{DIGITS}")
    sections = [{"name": "Cakes", "items": [{"name": "Tart", "description": f"Order at {WRITTEN}"}]}]
    api.run("svc_menu_create", restaurant_name="Corner", intro=f"{EMAIL} bakes", sections=sections)
    status, _ = api.post(
        "call",
        {"name": "svc_card_create", "arguments": {"full_name": "Kept", "bio": EMAIL}},
        **{"Idempotency-Key": "once"},
    )
    assert status == 200
    # files, a list imported as a job, invitations
    for name, content in (("a.csv", f"who\n{WRITTEN}"), (f"{EMAIL}.txt", "nothing")):
        api.run("svc_upload_file", content=base64.b64encode(content.encode()).decode(), name=name)
    codes = [{"name": f"Table {n}", "target_url": f"https://example.com/?n={n}&to={EMAIL}"} for n in range(501)]
    job = api.run("svc_qr_save", items=codes)["job_id"]
    Job.objects.filter(pk=job).update(file_name="codes.csv", file_type="text/csv")
    store.put(job, f"name,to\nTable,{WRITTEN}".encode())
    with write_transaction():
        MemberInvitation.create(api.account, EMAIL, api.account.owner)
    mail.send("review_confirm", EMAIL, {"business": NAME, "title": "x", "url": "y"}, account=api.account)
    Delivery.objects.filter(payload__to=EMAIL).update(last_error=f"550 <{EMAIL}> unknown")
    signing.refresh_from_db()
    return {
        "paper": signing.pdf_key,
        "desk": desk["id"],
        "own": own["id"],
        "page": page.pk,
        "code": code["id"],
        "job": job,
    }


@pytest.mark.django_db(transaction=True)
def test_nothing_about_an_erased_person_is_left(api: Api, stranger: Api) -> None:
    made = fill(api)
    theirs = stranger.run("svc_card_create", full_name="Of another account", email=EMAIL)
    held = {
        "card_lead",
        "reviews_testimonial",
        "waiver_signing",
        "waiver_signinginvitation",
        "accounts_change",
        "delivery_delivery",
    }
    assert held <= set(tables_with_marks())
    by = Change(account=api.account, actor_key="person:1", actor_name="Olive", channel="app")
    done = data_subjects.erase_subject(api.account, SOUGHT, item_ids=[made["own"]], by=by)
    assert (done["lead"], done["testimonial"], done["business card"], done["file"]) == (2, 3, 2, 2), done
    assert (done["form response"], done["file sent with a form"]) == (3, 3), done

    assert stranger.run("svc_card_get", card_id=theirs["id"])["email"] == EMAIL, "another account's is theirs to erase"
    stranger.account.delete()
    truncate_write_log()
    assert tables_with_marks() == {}
    assert files_with_marks() == []

    with pytest.raises(FileNotFoundError):
        store.get(made["paper"])

    # other data is unchanged and usable
    desk = api.run("svc_card_get", card_id=made["desk"])
    assert desk["bio"] == "Ask [erased], [erased]" and desk["more_phones"] == []
    [bea] = api.run("svc_card_leads", card_id=made["desk"])["items"]
    assert bea["note"] == "Tell [erased] or [erased] too"
    [asked] = api.run("svc_form_responses", id=api.run("svc_forms_list")["items"][0]["id"])["items"]
    assert (asked["answers"]["name"], asked["answers"]["note"], asked["files"]) == ("Bea", "Tell [erased] too", [])
    assert not Job.objects.filter(kind="form.export").exists(), "tables in which nobody can be found are gone"
    assert [one["name"] for one in api.run("svc_reviews_list", page_id=made["page"])["items"]] == ["Cleo"]
    assert [one["title"] for one in api.run("svc_links_pages")["items"][0]["elements"]] == ["Us"]
    code = api.run("svc_qr_get", id=made["code"])
    assert (code["name"], code["target_url"]) == ("Room of [erased]", "https://wa.me/")
    assert Guest().get(f"/c/{desk['slug']}").status_code == 200
    assert not Upload.objects.exists(), "their photo and the files have gone as well"
    assert not Session.objects.filter(session_data__contains=EMAIL).exists()
    last = Change.objects.filter(account=api.account).first()
    assert last is not None and last.tool == data_subjects.TOOL_NAME and not last.can_be_undone
    assert "2 leads," in last.summary and last.actor_name == "Olive"
    assert api.run("svc_search", q="Qualmburger")["items"] == []


@pytest.mark.django_db
def test_an_erasure_takes_the_same_queries_for_any_amount_of_data(api: Api) -> None:
    def queries(of: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert data_subjects.erase_subject(api.account, DataSubject.parse(of, ""))
        return len(seen)

    card = Card.objects.get(pk=api.run("svc_card_create", full_name="Desk")["id"])
    page = reviewer.open_page(api.account)
    items = [{"name": f"Ann {n}", "text": "Good", "email": "ann@example.com"} for n in range(41)]
    items.append({"name": "Bob", "text": "Good", "email": "bob@example.com"})
    api.run("svc_reviews_save_items", page_id=page.pk, items=items)
    for number in range(42):
        submit_lead(card, number, email=f"{'ann' if number else 'bob'}@example.com")
    few = queries("bob@example.com")
    assert queries("ann@example.com") <= few + 10, "forty times as much"


@pytest.mark.django_db
def test_an_administrator_erases_data_in_reports(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Desk")
    publication = Card.objects.get(pk=card["id"]).publication
    publication.reports.create(reason="spam", note=f"I am {EMAIL}, stop it", email=EMAIL)
    assert not data_subjects.erase_subject(api.account, SOUGHT), "an owner neither learns nor erases who reported them"
    assert data_subjects.erase_subject(None, SOUGHT)["report"] == 1
    report = Report.objects.get()
    assert (report.email, report.note) == ("", "I am [erased], stop it")
