"""Contents of an export, and imports with conflicts or errors."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.test import Client

from workspace.accounts.models import Account, Upload
from workspace.accounts.takeout.exporter import serialize_row
from workspace.accounts.takeout.row_parser import InvalidRowError, build_row
from workspace.accounts.takeout.tables import list_tables
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Job
from workspace.lib import clock
from workspace.publishing.models import Publication
from workspace.storage.files import store
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db
Parts = dict[str, bytes]
CARDS = "tables/card.card.jsonl"
EVENTS = "tables/event.event.jsonl"


def work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def export_account(api: Api) -> bytes:
    id = api.run("svc_account_export")["job_id"]
    work_off()
    return b"".join(store.read_chunks(id))


def import_account(api: Api, content: bytes) -> Any:
    upload = Upload.create_file(api.account, "everything.zip", "application/zip", content)
    id = api.run("svc_account_import", upload_id=upload.pk)["job_id"]
    work_off()
    return api.run("svc_jobs_get", job_id=id)


def read_parts(content: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def build_zip(parts: Parts) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in parts.items():
            pack.writestr(name, content)
    return out.getvalue()


def parse_rows(parts: Parts, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in parts[name].splitlines()]


@pytest.fixture
def archive(api: Api) -> bytes:
    """Return the export of an account with a password-protected card and a static Wi-Fi code."""
    id = api.run("svc_card_create", full_name="Jane Doe")["id"]
    api.run("svc_card_edit", card_id=id, slug="jane", password="open sesame")
    wifi = {"kind": "wifi", "ssid": "Guests", "password": "cake and coffee"}
    api.run("svc_qr_save", items=[{"name": "Wi-Fi", "static": wifi}])
    return export_account(api)


def test_an_export_has_no_secrets_but_the_wifi_password_of_a_printed_code(archive: bytes, api: Api) -> None:
    whole = b"\n".join(read_parts(archive).values())
    publication = Publication.objects.get(slug="jane")
    assert publication.password.encode() not in whole and b"argon2" not in whole
    assert api.key.encode() not in whole and api.account.keys.get().hash.encode() not in whole
    assert b"cake and coffee" in whole


def test_the_link_works_for_an_hour_and_not_if_changed(api: Api, archive: bytes) -> None:
    job = Job.objects.get()
    url = api.run("svc_account_export", job_id=job.pk)["file"]["url"].partition("/files")[2]
    assert Client().get(f"/files{url}").status_code == 200
    assert Client().get(f"/files{url[:-1]}{'a' if url[-1] != 'a' else 'b'}").status_code == 404
    assert Client().get(f"/files/archive/{job.pk}").status_code == 404
    with time_machine.travel(clock.now() + timedelta(minutes=61), tick=False):
        assert Client().get(f"/files{url}").status_code == 404


def test_ids_and_slugs_in_use_are_replaced_and_reported(archive: bytes, api: Api) -> None:
    other = make_api(make_account(name="Moved"))
    told = import_account(other, archive)
    assert (told["state"], told["faulty"]) == ("done", 0), told
    (mine,), (theirs,) = (one.run("svc_card_list")["items"] for one in (api, other))
    assert mine["id"] != theirs["id"] and mine["slug"] == "jane" != theirs["slug"]
    report = b"".join(store.read_chunks(told["job_id"])).decode()
    assert f"/c/jane is already in use, so the page is now at /c/{theirs['slug']}." in report
    assert "had a password" in report
    assert Client().get(f"/c/{theirs['slug']}").content.count(b'type="password"') == 1
    (code,) = other.run("svc_qr_list")["items"]
    assert "cake and coffee" in json.dumps(other.run("svc_qr_get", id=code["id"]))


def test_an_account_with_content_cannot_import(archive: bytes, api: Api) -> None:
    told = import_account(api, archive)
    assert told["faulty"] == 1 and "empty account" in told["faults"][0]["message"]
    assert api.run("svc_card_list")["total"] == 1


def _change_cards(**changes: Any) -> Callable[[Parts], Parts]:
    def change(parts: Parts) -> Parts:
        made = "".join(json.dumps({**row, **changes}) + "\n" for row in parse_rows(parts, CARDS))
        return {**parts, CARDS: made.encode()}

    return change


def _manifest(**changes: Any) -> Callable[[Parts], Parts]:
    def change(parts: Parts) -> Parts:
        told = {**json.loads(parts["manifest.json"]), **changes}
        return {**parts, "manifest.json": json.dumps(told).encode()}

    return change


WRONG: dict[str, tuple[Callable[[Parts], Parts], str]] = {
    "another format": (_manifest(format="zip"), "isn’t an account export"),
    "a later version": (_manifest(version=99), "version 99"),
    "a manifest of another shape": (_manifest(account=[]), "isn’t an account export"),
    "no manifest": (lambda parts: {k: v for k, v in parts.items() if k != "manifest.json"}, "isn’t an account export"),
    "a path": (lambda parts: {**parts, "files/../../etc/passwd": b"x"}, "isn’t part of an export"),
    "an absolute path": (lambda parts: {**parts, "/etc/passwd": b"x"}, "isn’t part of an export"),
    "a table that nobody knows": (
        lambda parts: {**parts, "tables/card.spy.jsonl": b"{}"},
        "Upgrade this instance first",
    ),
    "a table of people": (
        lambda parts: {**parts, "tables/accounts.person.jsonl": b"{}"},
        "Upgrade this instance first",
    ),
    "a table of keys": (
        lambda parts: {**parts, "tables/accounts.apikey.jsonl": b"{}"},
        "Upgrade this instance first",
    ),
    "a file that nothing names": (lambda parts: {**parts, "files/upl_x": b"x"}, "isn’t used by any row"),
    "no JSON": (lambda parts: {**parts, CARDS: b"{nonsense\n"}, "line 1: this line isn’t valid JSON"),
    "deep JSON": (lambda parts: {**parts, CARDS: b"[" * 100_000 + b"\n"}, "line 1: this line isn’t valid JSON"),
    "a number of many digits": (lambda parts: {**parts, CARDS: b'{"id": ' + b"9" * 9_000 + b"}\n"}, "line 1"),
    "half a character": (_change_cards(full_name="\ud800"), "line 1"),
    "NUL": (_change_cards(full_name="a\0b"), "full_name"),
    "a text that is too long": (_change_cards(full_name="x" * 100_000), "full_name"),
    "a number for a text": (_change_cards(full_name=7), "full_name"),
    "a column nobody knows": (_change_cards(is_operator=True), "is_operator"),
    "nothing where something must be": (_change_cards(full_name=None), "full_name"),
    "a huge number": (_change_cards(mailed=10**30), "mailed"),
    "a negative count": (_change_cards(mailed=-1), "mailed"),
    "a truth for a number": (_change_cards(mailed=True), "mailed"),
    "no date": (_change_cards(created_at="yesterday"), "created_at"),
    "a time without its zone": (_change_cards(created_at="2026-01-01T10:00:00"), "created_at"),
    "another shape": (_change_cards(links={"a": 1}), "links"),
    "an address that runs": (_change_cards(website="javascript:alert(1)"), "website"),
    "a publication of another's": (
        _change_cards(publication="pub_somebody"),
        "publication refers to a row",
    ),
    "another account": (_change_cards(account="acc_somebody"), "account refers to another account"),
    "a picture of another's": (_change_cards(photo="upl_somebody"), "photo refers to a row"),
    "one row twice": (lambda parts: {**parts, CARDS: parts[CARDS] * 2}, "conflicts with another row"),
}


def test_an_invalid_zip_is_rejected_with_a_reason_and_changes_nothing(archive: bytes, api: Api) -> None:
    other = make_api(make_account(name="Moved"))
    parts = read_parts(archive)
    before = {table.name: table.model._base_manager.count() for table in list_tables()}
    content = [(name, build_zip(change(dict(parts))), told) for name, (change, told) in WRONG.items()]
    content += [
        ("no ZIP", b"PK\x03\x04 nonsense", "isn’t an account export"),
        ("half a ZIP", archive[: len(archive) // 2], "isn’t an account export"),
        ("bytes that were changed", _damaged(archive), "damaged"),
        ("a bomb", _bomb(parts), "too large to import"),
    ]
    for name, sent, wanted in content:
        told = import_account(other, sent)
        assert told["faulty"] == 1, name
        assert wanted in told["faults"][0]["message"], (name, told["faults"])
        Job.objects.all().delete()
        other.account.uploads.all().delete()
        other.account.changes.all().delete()
        assert {table.name: table.model._base_manager.count() for table in list_tables()} == before, name


def test_a_column_of_an_earlier_version_is_ignored(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.run("svc_card_create", full_name="Jane Doe")
    [table] = [one for one in list_tables() if one.name == "card.card"]
    row = {**serialize_row(table, table.rows_for(api.account).get()), "pager": "0699"}
    with pytest.raises(InvalidRowError, match="'pager' isn’t supported by this version"):
        build_row(table, row)
    then = replace(table, takeout=replace(table.takeout, former_columns=("pager",)))
    assert build_row(then, row).full_name == "Jane Doe"


def _damaged(pack: bytes) -> bytes:
    at = pack.index(CARDS.encode()) + len(CARDS) + 40
    return pack[:at] + bytes([pack[at] ^ 0xFF]) + pack[at + 1 :]


def _bomb(parts: Parts) -> bytes:
    """Return a few megabytes that claim to unpack to gigabytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in parts.items():
            if name != CARDS:
                pack.writestr(name, content)
        told = zipfile.ZipInfo(CARDS)
        told.compress_type = zipfile.ZIP_DEFLATED
        pack.writestr(told, b"\n" * 1000)
        told.file_size = 3 * 1024**3
    return out.getvalue()


def test_a_paid_program_stays_published_once_and_others_become_drafts(api: Api) -> None:
    def published(of: Api) -> list[tuple[bool, int]]:
        rows = of.run("svc_event_list")["items"]
        wholes = [of.run("svc_event_get", id=row["id"]) for row in rows]
        return [(one["published"], one["publishing"]["costs_credits"]) for one in wholes]

    def free() -> Api:
        return make_api(make_account(program="free"))

    first = free()
    Account.objects.filter(pk=first.account.pk).update(event_credits=1)
    id = first.run("svc_event_create", title="Harbour Days")["id"]
    first.run("svc_event_edit", event_id=id, published=True)
    pack = export_account(first)
    forged = read_parts(pack)
    (row,) = parse_rows(forged, EVENTS)
    for said in ("2026-01-01T00:00:00Z", "", None, 7, row["paid_at"][:-1]):
        forged[EVENTS] = json.dumps({**row, "paid_at": said}).encode()
        other = free()
        told = import_account(other, build_zip(forged))
        assert told["faulty"] == 0 and published(other) == [(False, 1)]
        assert b"was imported as a draft" in b"".join(store.read_chunks(told["job_id"]))
    # It still exists in its own account: the same payment does not count for a second one, but a plan does.
    other, larger = free(), make_api(make_account())
    import_account(other, pack)
    import_account(larger, build_zip(forged))
    assert (published(other), published(larger)) == ([(False, 1)], [(True, 0)])
    # It was deleted from that account, and is imported with its payment.
    apps.get_model("event", "Event")._base_manager.filter(pk=id).delete()
    other = free()
    import_account(other, pack)
    assert published(other) == [(True, 0)]
    other.run("svc_event_edit", event_id=id, published=False)
    other.run("svc_event_edit", event_id=id, published=True)
