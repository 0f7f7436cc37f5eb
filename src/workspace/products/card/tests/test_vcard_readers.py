"""The contact file as read by vobject, an independent parser."""

from __future__ import annotations

import io
from typing import Any

import pytest
import vobject
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from workspace.lib.vcard import Contact, build_vcard
from workspace.products.card.domain.contact_file import file_name, render_contact_file
from workspace.products.card.models import Card
from workspace.testing.api import Api
from workspace.testing.samples.card import SAMPLES, make_card

# what people can type; vobject breaks lines at more characters than CRLF
PLAIN = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff"))


def parse_vcard(content: bytes) -> Any:
    [card] = vobject.readComponents(content.decode())
    return card


@given(PLAIN, PLAIN, PLAIN, PLAIN)
def test_any_text_is_read_back_unchanged(full: str, family: str, note: str, label: str) -> None:
    written = Contact(
        full,
        given_name="G",
        family_name=family,
        texts={"ORG": note},
        note=f"{note}\n{label}",
        address=note,
        prefix=label,
        phones=[("1", f"x{label}")],
        links=[(label, "https://example.com/;,x")],
    )
    result = parse_vcard(build_vcard(written))
    assert result.version.value == "3.0"
    assert result.fn.value == full
    assert (result.n.value.family, result.n.value.given, result.n.value.prefix) == (family, "G", label)
    assert result.tel.value == "1"
    assert result.note.value == f"{note}\n{label}"
    if note:
        assert result.org.value == [note]
        assert result.adr.value.street == note
        assert (result.adr.value.city, result.adr.value.code, result.adr.value.country) == ("", "", "")
    assert result.url.value == "https://example.com/%3B%2Cx"
    of_phone, of_link = result.contents["x-ablabel"]
    assert (of_phone.value, of_link.value) == (f"x{label}", label)
    assert result.tel.group == of_phone.group == "item1"
    assert result.url.group == of_link.group == "item2"


@pytest.mark.django_db
def test_every_field_of_a_card_reaches_the_address_book(api: Api) -> None:
    api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    result = parse_vcard(render_contact_file(Card.objects.get()))
    assert result.fn.value == "Jane Doe"
    assert (result.n.value.given, result.n.value.family) == ("Jane", "Doe")
    assert result.org.value == ["Corner Café"]
    assert result.title.value == "Baker"
    assert result.tel.value == "+43 1 234 56 78" and result.tel.type_param == "CELL"
    assert result.email.value == "jane@example.com"
    assert result.email.params["TYPE"] == ["INTERNET", "WORK"]
    assert result.adr.value.street == "1 Main Street, Springfield"
    assert result.note.value == "Bread since 1999."
    urls = [line.value for line in result.contents["url"]]
    assert urls == ["https://example.com", "https://www.instagram.com/corner", "https://example.org"]
    assert [line.value for line in result.contents["x-ablabel"]] == ["Our bread", "example.org"]


def picture(size: tuple[int, int], mode: str = "RGB", form: str = "JPEG") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, "teal").save(out, form)
    return out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(("content", "side"), [(picture((900, 600)), 320), (picture((200, 300), "RGBA", "PNG"), 200)])
def test_a_photo_is_included_small_and_square(content: bytes, side: int, api: Api) -> None:
    from base64 import b64encode

    upload = api.run("svc_upload_file", content=b64encode(content).decode())
    api.run("svc_card_edit", card_id=make_card(api)["id"], photo_id=upload["upload_id"])
    photo = parse_vcard(render_contact_file(Card.objects.get())).photo
    assert (photo.params["ENCODING"], photo.params["TYPE"]) == (["b"], ["JPEG"])
    with Image.open(io.BytesIO(photo.value)) as opened:
        assert (opened.format, opened.size) == ("JPEG", (side, side))


@pytest.mark.django_db
def test_every_number_and_address_has_its_label(api: Api) -> None:
    card = make_card(
        api,
        phone="+43 1 1",
        email="jane@example.com",
    )
    numbers = ["+43 1 2", {"number": "+43 1 3", "label": "Work"}, {"number": "+43 1 4", "label": "Bakery"}]
    addresses = [{"email": "home@example.com", "label": "home"}, {"email": "orders@example.com", "label": "Orders"}]
    api.run("svc_card_edit", card_id=card["id"], more_phones=numbers, more_emails=addresses)
    result = parse_vcard(render_contact_file(Card.objects.get()))
    labels = {line.group: line.value for line in result.contents["x-ablabel"]}
    told = [
        (line.value, labels.get(line.group) or ",".join(line.params["TYPE"]))
        for line in (*result.contents["tel"], *result.contents["email"])
    ]
    assert told == [
        ("+43 1 1", "CELL"),
        ("+43 1 2", "CELL"),
        ("+43 1 3", "WORK,VOICE"),
        ("+43 1 4", "Bakery"),
        ("jane@example.com", "INTERNET,WORK"),
        ("home@example.com", "INTERNET,HOME"),
        ("orders@example.com", "Orders"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("full", "name"), [("Zoë van Beek", "zoe-van-beek.vcf"), ('A"; filename=x', "a-filename-x.vcf"), ("花子", None)]
)
def test_the_file_name_is_ascii(full: str, name: str | None, api: Api) -> None:
    card = api.run("svc_card_create", full_name=full)
    assert file_name(Card.objects.get()) == (name or f"{card['slug']}.vcf")
