"""Static codes: the symbol contains their content, and other readers can read it.

They cannot be changed, and their scans are not counted.
"""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import pytest
import vobject
import zxingcpp
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from pypdf import PdfReader

from workspace.accounts.models import Change, IdempotentCall
from workspace.products.qr.api.text import format_code
from workspace.products.qr.models import Code
from workspace.products.qr.rules.static_content import ValidStaticContent, build_symbol_text
from workspace.qr_symbols.symbol import encode_symbol
from workspace.testing.api import Api

STATIC: TypeAdapter[Any] = TypeAdapter(ValidStaticContent)
WIFI = {"kind": "wifi", "ssid": "Café; \\ „Gäste“", "password": 'so:me,"pa\\ss;word'}
MADE = {
    "wifi": {"static.ssid": "Guests", "static.password": "12345678", "_has": "static.hidden", "static.security": ""},
    "contact": {"static.name": "Anna Huber", "static.email": "anna@example.com", "static.note": ""},
    "email": {"static.email": "hello@example.com"},
    "phone": {"static.phone": "+43 123"},
    "sms": {"static.phone": "+43 123", "static.message": "Hi"},
    "text": {"static.text": "Good morning"},
}
PRINTABLE = st.characters(exclude_categories=["C", "Z"])


def encode_content(**fields: Any) -> str:
    return build_symbol_text(STATIC.validate_python(fields))


def scanned(text: str) -> str:
    """Return the text of the symbol as ZXing reads it."""
    symbol = encode_symbol(text)
    picture = np.full((symbol.size + 8, symbol.size + 8), 255, np.uint8)
    for x, y in symbol.dark:
        picture[y + 4, x + 4] = 0
    [result] = zxingcpp.read_barcodes(picture.repeat(4, 0).repeat(4, 1))
    return str(result.text)


def wifi(text: str) -> dict[str, str]:
    """Parse a Wi-Fi text as phones do: fields end at a semicolon that is not escaped by a backslash."""
    assert text.startswith("WIFI:") and text.endswith(";;")
    fields = re.findall(r"([TSPH]):((?:\\.|[^\\;])*);", text.removeprefix("WIFI:"))
    return {name: re.sub(r"\\(.)", r"\1", value) for name, value in fields}


SPECIAL = st.text(st.sampled_from("\\;,:\"' aäß漢🎉0f") | PRINTABLE, min_size=8, max_size=20)


@settings(max_examples=50)
@given(SPECIAL.filter(lambda text: text == text.strip() and len(text.encode()) <= 32), SPECIAL)
def test_every_network_name_and_password_is_read_unchanged(ssid: str, password: str) -> None:
    result = wifi(scanned(encode_content(kind="wifi", ssid=ssid, password=password)))
    assert result == {"T": "WPA", "S": ssid, "P": password}


def test_open_and_hidden_networks_and_wep_keys_are_encoded() -> None:
    assert encode_content(kind="wifi", ssid="Guests") == "WIFI:T:nopass;S:Guests;;"
    assert wifi(encode_content(kind="wifi", ssid="G", password="12345678", hidden=True))["H"] == "true"
    assert (
        encode_content(kind="wifi", ssid="G", password="0123456789", security="WEP") == "WIFI:T:WEP;S:G;P:0123456789;;"
    )


@settings(max_examples=30)
@given(st.text(PRINTABLE, min_size=1, max_size=40), st.text(PRINTABLE | st.just("\n"), max_size=80))
def test_a_contact_is_parsed_by_vobject(name: str, note: str) -> None:
    text = encode_content(kind="contact", name=name, organization="Beek; Sons, Ltd", phone="+43 1 234", note=note)
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    [card] = vobject.readComponents(scanned(text))
    assert (card.fn.value, card.org.value, card.tel.value) == (name.strip(), ["Beek; Sons, Ltd"], "+431234")
    assert (card.note.value if note.strip() else "") == note.strip()


def test_emails_phone_numbers_and_messages_are_encoded_as_phones_expect() -> None:
    mail = urlsplit(encode_content(kind="email", email="hello@example.com", subject="Käse & Brot?", message="One\nTwo"))
    assert (mail.scheme, unquote(mail.path)) == ("mailto", "hello@example.com")
    assert parse_qs(mail.query) == {"subject": ["Käse & Brot?"], "body": ["One\r\nTwo"]}
    assert encode_content(kind="phone", phone="+43 (1) 234-56") == "tel:+43123456"
    assert encode_content(kind="sms", phone="+43 664 1", message="Yes: today") == "SMSTO:+436641:Yes: today"
    assert scanned(encode_content(kind="text", text="Grüß Gott\n漢字 🎉")) == "Grüß Gott\n漢字 🎉"


@pytest.mark.parametrize(
    ("given", "where", "said"),
    [
        ({"kind": "wifi"}, "ssid", "This field is required"),
        ({"kind": "wifi", "ssid": "ä" * 17}, "ssid", "32"),
        ({"kind": "wifi", "ssid": "G", "password": "short"}, "password", "8 to 63"),
        ({"kind": "wifi", "ssid": "G", "security": "WPA"}, "password", "Enter the password"),
        ({"kind": "wifi", "ssid": "G", "password": "12345678", "security": "nopass"}, "password", "open network"),
        ({"kind": "wifi", "ssid": "G", "password": "123456", "security": "WEP"}, "password", "WEP key"),
        ({"kind": "wifi", "ssid": "G", "text": "x"}, "text", "Not allowed for kind=wifi"),
        ({"kind": "contact", "phone": "+43123"}, "name", "name or an organization"),
        ({"kind": "phone", "phone": "12"}, "phone", "Enter a phone number like"),
        ({"kind": "email", "email": "nobody"}, "email", "valid email address"),
        ({"kind": "text", "text": "ä" * 300}, "", "A QR code can contain at most 500 characters. Remove 100."),
        ({"kind": "event"}, "kind", "wifi"),
    ],
)
def test_an_error_is_reported_at_its_path(given: dict[str, Any], where: str, said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        STATIC.validate_python(given)
    [fault] = refused.value.errors()
    assert ".".join(map(str, fault["loc"])) == where and said in fault["msg"]


@pytest.fixture
def guests(api: Api) -> str:
    """Create a Wi-Fi code and return its id."""
    made = api.run("svc_qr_save", items=[{"name": "Guests", "folder": "Tables", "static": WIFI}])
    [row] = made["items"]
    assert (row["kind"], row["state"], row["scans_well"]) == ("wifi", "static", "good")
    assert row["holds"] == f"Wi-Fi {WIFI['ssid']}" and WIFI["password"] not in str(made.values())
    return str(row["id"])


@pytest.mark.django_db
def test_a_static_code_is_marked_as_such_in_every_answer(api: Api, guests: str) -> None:
    [row] = api.run("svc_qr_list", q="gäste")["items"]
    assert row["public_url"] == row["printed_url"] == row["target_url"] == row["slug"] == ""
    assert "content can’t change after printing, scans are not counted" in format_code(row)
    whole = api.run("svc_qr_get", id=guests, check=True)
    assert whole["content"] == WIFI and whole["scans_well"]["verdict"] == "good" and whole["least_cm"] >= 2
    [result] = api.run("svc_search", q="gäste")["items"]
    assert (result["noun"], result["public_url"]) == ("static QR code", "")
    assert "wifi" in api.run("svc_qr_export", kind="codes")["content"]
    assert "not counted" in api.refuse("svc_qr_stats", id=guests)["message"]


@pytest.mark.django_db
def test_the_content_of_a_static_code_is_fixed_and_it_has_no_address(api: Api, guests: str) -> None:
    for name, value in (("target_url", "example.com"), ("slug", "guests"), ("live", False), ("password", "x")):
        [issue] = api.refuse("svc_qr_edit", id=guests, **{name: value})["issues"]
        assert issue["path"] == name and "static" in issue["message"]
    assert api.refuse("svc_qr_update_target", id=guests, target_url="example.com")["issues"][0]["path"] == "target_url"
    again = api.refuse("svc_qr_save", items=[{"id": guests, "static": WIFI}])["issues"]
    assert [issue["path"] for issue in again] == ["items.0.static"]
    both = api.refuse("svc_qr_save", items=[{"name": "x", "static": WIFI, "target_url": "example.com"}])["issues"]
    assert [issue["path"] for issue in both] == ["items.0.target_url"]
    neither = api.refuse("svc_qr_save", items=[{"name": "x"}])["issues"]
    assert [issue["path"] for issue in neither] == ["items.0.target_url"]
    assert api.run("svc_qr_edit", id=guests, name="Wi-Fi", preset="soft")["name"] == "Wi-Fi"
    assert not Code.objects.get(pk=guests).publication.addresses.exists()
    assert Client().get("/q/").status_code == Client().get("/q/.svg").status_code == 404


@pytest.mark.django_db
def test_a_static_code_can_be_deleted_and_restored(api: Api, guests: str) -> None:
    api.run("svc_qr_delete", ids=[guests])
    assert api.run("svc_qr_list")["total"] == 0
    api.run("svc_undo")
    assert api.run("svc_qr_get", id=guests)["content"] == WIFI
    [copy] = api.run("svc_qr_save", items=[{"name": "Copy", "copy_of": guests}])["items"]
    assert (copy["kind"], api.run("svc_qr_get", id=copy["id"])["content"]) == ("wifi", WIFI)
    refused = api.refuse("svc_qr_save", items=[{"name": "x", "copy_of": guests, "target_url": "example.com"}])
    assert [issue["path"] for issue in refused["issues"]] == ["items.0.target_url"]
    api.run("svc_undo")
    assert Code._base_manager.count() == 1


@pytest.mark.django_db
def test_the_password_is_encrypted_and_stored_nowhere_else(api: Api) -> None:
    body = {"items": [{"name": "Guests", "static": WIFI}]}
    api.post("qr/save", body, **{"Idempotency-Key": "once"})
    code = Code.objects.get()
    stored = [list(model.objects.values()) for model in (Change, IdempotentCall, Code)]
    assert WIFI["password"] not in str(stored) and "pa" not in code.content and code.decrypted_content == WIFI
    assert WIFI["password"] not in str(api.run("svc_activity"))


@pytest.mark.django_db
def test_only_the_owner_can_open_the_picture_of_a_static_code(
    api: Api, stranger: Api, browser: Client, guests: str
) -> None:
    url = urlsplit(api.run("svc_qr_get", id=guests)["svg_url"])
    path = f"{url.path}?{url.query}"
    assert browser.get(path).content.startswith(b"<svg") and Client().get(path).status_code == 302
    assert "No item has this ID" in stranger.refuse("svc_qr_print", thing=guests)["message"]


@pytest.mark.django_db
def test_print_files_explain_the_code_and_show_the_password_only_on_request(api: Api, guests: str) -> None:
    def printed_text(**wishes: Any) -> str:
        made = api.client.get("/files/qr/print", {"thing": guests, "kind": "poster", **wishes}).content
        return PdfReader(io.BytesIO(made)).pages[0].extract_text()

    plain, text = printed_text(), printed_text(include_password="true")
    assert "Scan to join our Wi-Fi" in plain and "Network: Café; \\ „Gäste“" in plain and "pa\\ss" not in plain
    assert 'Password: so:me,"pa\\ss;word' in text
    api.run("svc_brand_edit", languages=["de"])
    assert "Scannen und ins WLAN" in printed_text() and "Netzwerk: Café" in printed_text()


@pytest.mark.django_db
def test_a_code_as_a_pdf_is_a_vector_drawing(api: Api, guests: str) -> None:
    for item in (guests, api.run("svc_qr_create", name="Menu", target_url="example.com")["id"]):
        [page] = PdfReader(io.BytesIO(api.client.get(f"/files/qr/print?thing={item}&format=pdf").content)).pages
        assert not page.images and b" l\n" in page.get_contents().get_data().replace(b" l ", b" l\n")
    assert api.refuse("svc_qr_print", thing=guests, format="pdf", size="512")["issues"][0]["path"] == "size"


@pytest.mark.django_db
def test_every_kind_can_be_created_on_its_page(browser: Client, api: Api) -> None:
    for kind, fields in MADE.items():
        page = browser.get(f"/app/qr/new?kind={kind}").content.decode()
        assert "You can’t change it after printing, and it has no analytics." in page
        form = {"name": kind, "folder": "Fixed", "static.kind": kind, **fields}
        drawn = browser.post(f"/app/qr/new/preview?kind={kind}", form).content.decode()
        assert "Scan it with your phone" in drawn
        response = browser.post(f"/app/qr/new?kind={kind}", form)
        assert response.status_code == 303, response.content.decode()
        path = response["Location"].partition("?")[0]
        shown = browser.get(response["Location"]).content.decode()
        assert (
            "You can’t change this QR code after printing, and it has no analytics." in shown
            and "/results" not in shown
        )
        for tab in ("share", "settings", "look", "check"):
            assert browser.get(f"{path}/{tab}").status_code == 200, tab
        assert browser.get(f"{path}/test")["Location"] == browser.get(f"{path}/results")["Location"] == path
        assert kind in browser.get(f"/app/qr/new?kind={kind}&copy_of={path.rpartition('/')[2]}").content.decode()
    listed = browser.get("/app/qr?folder=Fixed").content.decode()
    assert listed.count("No analytics") == len(MADE) == api.run("svc_qr_list", folder="Fixed")["total"]


@pytest.mark.django_db
def test_an_error_is_shown_at_its_field_and_nothing_is_created(browser: Client, api: Api) -> None:
    form = {"name": "Guests", "static.kind": "wifi", "static.ssid": "", "static.password": "short"}
    response = browser.post("/app/qr/new?kind=wifi", form)
    page = response.content.decode()
    assert response.status_code == 422 and "8 to 63 characters" in page and 'href="#f-static-ssid"' in page
    assert not api.account.codes.exists()
