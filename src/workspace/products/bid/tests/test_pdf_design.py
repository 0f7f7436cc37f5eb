"""The PDF of a proposal: it uses the brand, its rows add up to the totals below them, and there is room to sign."""

from __future__ import annotations

import re
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from workspace.accounts.models import Upload
from workspace.brand.models import Brand
from workspace.delivery.models import Delivery
from workspace.products.bid.domain import pdf as bid_pdf
from workspace.products.bid.domain.pdf import PdfSigningChannel
from workspace.products.bid.models import Decision, Proposal
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.storage.files.images import normalize_image
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid, make_sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("patience")]  # rendering may take longer than usual


def read_pdf(pdf: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf))


def text_of(pdf: bytes) -> str:
    pages = (page.extract_text(extraction_mode="layout") for page in read_pdf(pdf).pages)
    return "\n".join(pages).replace("\u00a0", " ").replace("\u2212", "-")


def amounts(text: str) -> list[Decimal]:
    """Return the last amount of each line that has one."""
    found = (re.findall(r"-?\$[\d,]+\.\d\d", line) for line in text.splitlines())
    return [Decimal(line[-1].replace("$", "").replace(",", "")) for line in found if line]


def fonts_of(pdf: bytes) -> set[str]:
    return {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for page in read_pdf(pdf).pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }


def create_picture(api: Api, color: str) -> Upload:
    content = BytesIO()
    Image.new("RGB", (900, 300), color).save(content, "PNG")
    return Upload.create_image(api.account, normalize_image(content.getvalue()))


def test_the_rows_add_up_to_the_totals_below_them(api: Api) -> None:
    bid = Proposal.objects.get(pk=make_bid(api)["id"])
    text = text_of(bid_pdf.render_pdf(bid))
    table = text[text.index("Amount") : text.index("Totals include")]
    rows, sums = amounts(table.partition("Subtotal")[0]), amounts(table[table.index("Subtotal") :])
    subtotal, discount, tax, total, deposit, balance = sums
    assert len(rows) == 4, "the package, two lines, and the preselected option"
    assert table.index("Package: All day") < table.index("Buffet"), "the package is the first row"
    assert sum(rows) == subtotal
    assert subtotal + discount + tax == total == Decimal(str(api.run("svc_bid_get", id=bid.pk)["totals"]["total"]))
    assert deposit + balance == total
    rest = text[text.index("Totals include") :]
    assert "Package: Morning" in rest and "Cake" in rest, "what was not chosen does not count"


def test_the_signed_pdf_has_only_what_was_agreed(api: Api) -> None:
    bid = get_opened(make_sent(api)["id"])
    approve(bid, Selection("p1", frozenset({"l4"})))
    PdfSigningChannel().send(Delivery.objects.get(kind="bid.seal"))
    text = text_of(bid_pdf.load_signed_pdf(Decision.objects.get()))
    assert "Package: Morning" in text and "Cake" in text
    assert "All day" not in text and "Espresso bar" not in text and "Totals include" not in text


def test_the_pdf_uses_the_brand(api: Api) -> None:
    bid = Proposal.objects.get(pk=make_bid(api)["id"])
    plain = bid_pdf.render_pdf(bid)
    Brand(account=api.account, fonts="warm", colors=["#aa2211"], logo=create_picture(api, "teal")).save()
    api.run("svc_bid_edit", id=bid.pk, image_id=create_picture(api, "navy").pk)
    branded = bid_pdf.render_pdf(Proposal.objects.select_related("account").get(pk=bid.pk))
    assert not any("Fraunces" in font for font in fonts_of(plain)) and any(
        "Fraunces" in font for font in fonts_of(branded)
    )
    assert not read_pdf(plain).pages[0].images and len(read_pdf(branded).pages[0].images) == 2, (
        "the logo and the picture"
    )
    content = read_pdf(branded).pages[0].get_contents()
    assert content is not None and b"0.6666667 0.13333334 0.06666667" in content.get_data(), "the color of the brand"


def test_a_heading_in_letters_that_the_typeface_lacks_uses_one_font(api: Api) -> None:
    Brand(account=api.account, fonts="warm").save()
    bid = Proposal.objects.get(pk=make_bid(api, title="Праздник в саду")["id"])
    pdf = bid_pdf.render_pdf(bid)
    assert "Праздник" in text_of(pdf) and not any("Fraunces" in font for font in fonts_of(pdf))


def test_a_picture_that_is_missing_does_not_prevent_the_pdf(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = create_picture(api, "navy")
    bid = make_bid(api)
    api.run("svc_bid_edit", id=bid["id"], image_id=picture.pk)

    def fail(*_: Any) -> bytes:
        raise FileNotFoundError

    monkeypatch.setattr(Upload, "content_at", fail)
    assert "Garden party" in text_of(bid_pdf.render_pdf(Proposal.objects.get(pk=bid["id"])))


def test_both_parties_have_room_to_sign(api: Api) -> None:
    unsigned = text_of(bid_pdf.render_pdf(Proposal.objects.get(pk=make_bid(api)["id"])))
    end = unsigned[unsigned.index("Approval") :]
    assert "Ada Berger" in end and "Corner Café" in end and end.count("Date") == 2
    bid = get_opened(make_sent(api, 1)["id"])
    approve(bid, strokes=[[[0, 0], [40, 20]], [[5, 5]]])
    PdfSigningChannel().send(Delivery.objects.get(kind="bid.seal"))
    signed = text_of(bid_pdf.load_signed_pdf(Decision.objects.get()))
    end = signed[signed.index("Approval") :]
    assert "Signed by" in end and "ada@example.com (not verified)" in end and "Issued by" in end
