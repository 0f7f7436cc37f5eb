"""The contact file as vobject reads it, which knows nothing of how it was written."""

from __future__ import annotations

import io
from typing import Any

import pytest
import vobject
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from workspace.products.card.contact_file import contact_file, file_name
from workspace.products.card.models import Card
from workspace.products.card.tests.samples import SAMPLES, make_card
from workspace.products.card.vcard import Contact, vcard
from workspace.testing import Api

# what people can type; vobject breaks lines at more characters than CRLF
PLAIN = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff"))


def read(content: bytes) -> Any:
    [card] = vobject.readComponents(content.decode())
    return card


@given(PLAIN, PLAIN, PLAIN, PLAIN)
def test_any_text_comes_back_as_it_was(full: str, family: str, note: str, label: str) -> None:
    written = Contact(
        full,
        given_name="G",
        family_name=family,
        company=note,
        note=f"{note}\n{label}",
        address=note,
        phone="1",
        links=[(label, "https://example.com/;,x")],
    )
    found = read(vcard(written))
    assert found.version.value == "3.0"
    assert found.fn.value == full
    assert (found.n.value.family, found.n.value.given) == (family, "G")
    assert found.note.value == f"{note}\n{label}"
    if note:
        assert found.org.value == [note]
        assert found.adr.value.street == note
        assert (found.adr.value.city, found.adr.value.code, found.adr.value.country) == ("", "", "")
    assert found.url.value == "https://example.com/%3B%2Cx"
    assert found.x_ablabel.value == label
    assert found.url.group == found.x_ablabel.group == "item1"


@pytest.mark.django_db
def test_every_field_of_a_card_reaches_the_address_book(api: Api) -> None:
    api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    found = read(contact_file(Card.objects.get()))
    assert found.fn.value == "Jane Doe"
    assert (found.n.value.given, found.n.value.family) == ("Jane", "Doe")
    assert found.org.value == ["Corner Café"]
    assert found.title.value == "Baker"
    assert found.tel.value == "+43 1 234 56 78" and found.tel.type_param == "CELL"
    assert found.email.value == "jane@example.com"
    assert found.email.params["TYPE"] == ["INTERNET", "WORK"]
    assert found.adr.value.street == "1 Main Street, Springfield"
    assert found.note.value == "Bread since 1999."
    urls = [line.value for line in found.contents["url"]]
    assert urls == ["https://example.com", "https://www.instagram.com/corner", "https://example.org"]
    assert [line.value for line in found.contents["x-ablabel"]] == ["Our bread", "example.org"]


def picture(size: tuple[int, int], mode: str = "RGB", form: str = "JPEG") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, "teal").save(out, form)
    return out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(("content", "side"), [(picture((900, 600)), 320), (picture((200, 300), "RGBA", "PNG"), 200)])
def test_a_photo_goes_along_small_and_square(content: bytes, side: int, api: Api) -> None:
    from base64 import b64encode

    upload = api.run("svc_upload_picture", content=b64encode(content).decode())
    api.run("svc_card_edit", card_id=make_card(api)["id"], photo_id=upload["upload_id"])
    photo = read(contact_file(Card.objects.get())).photo
    assert (photo.params["ENCODING"], photo.params["TYPE"]) == (["b"], ["JPEG"])
    with Image.open(io.BytesIO(photo.value)) as opened:
        assert (opened.format, opened.size) == ("JPEG", (side, side))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("full", "given_name", "family"),
    [
        ("Jane Doe", "Jane", "Doe"),
        ("Mary Jane Doe", "Mary Jane", "Doe"),
        ("Cher", "Cher", ""),
        ("Müller-Lüdenscheidt", "Müller-Lüdenscheidt", ""),
        ("José  García", "José", "García"),
    ],
)
def test_the_last_word_of_a_name_is_guessed_to_be_the_familys(
    full: str, given_name: str, family: str, api: Api
) -> None:
    assert api.run("svc_card_create", full_name=full)["family_name"] == family
    found = read(contact_file(Card.objects.get())).n.value
    assert (found.given, found.family) == (given_name, family)


@pytest.mark.django_db
def test_the_owner_corrects_the_guess_and_a_new_name_is_guessed_anew(api: Api) -> None:
    card = make_card(api)
    edited = api.run(
        "svc_card_edit", card_id=card["id"], full_name="Ana de la Cruz", family_name="de la Cruz", given_name="Ana"
    )
    assert (edited["given_name"], edited["family_name"]) == ("Ana", "de la Cruz")
    assert read(contact_file(Card.objects.get())).n.value.family == "de la Cruz"
    kept = api.run("svc_card_edit", card_id=card["id"], full_name="Ana de la Cruz", title="Baker")
    assert kept["family_name"] == "de la Cruz"
    renamed = api.run("svc_card_edit", card_id=card["id"], full_name="Ana Ruiz")
    assert (renamed["given_name"], renamed["family_name"]) == ("Ana", "Ruiz")
    cleared = api.run("svc_card_edit", card_id=card["id"], given_name="A.", family_name="R.")
    assert cleared["given_name"] == "A."
    assert api.run("svc_card_edit", card_id=card["id"], given_name="", family_name="")["family_name"] == "Ruiz"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("full", "name"), [("Zoë van Beek", "zoe-van-beek.vcf"), ('A"; filename=x', "a-filename-x.vcf"), ("花子", None)]
)
def test_the_files_name_is_plain(full: str, name: str | None, api: Api) -> None:
    card = api.run("svc_card_create", full_name=full)
    assert file_name(Card.objects.get()) == (name or f"{card['slug']}.vcf")
