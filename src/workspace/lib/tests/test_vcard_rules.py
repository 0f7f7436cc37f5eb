"""vCard output, byte by byte."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.content_lines import escape_text, fold_line
from workspace.lib.vcard import Contact, build_vcard

WHOLE = Contact(
    full_name="Zoë van Beek",
    given_name="Zoë",
    family_name="van Beek",
    texts={"ORG": "Beek; Sons, Ltd", "TITLE": "Baker"},
    prefix="Dr.",
    suffix="MBA, MSc",
    phones=[("+43 1 234 56 78", ""), ("+43 1 9", "Büro"), ("+43 1 8", "Fax"), ("+43 1 7", "Bakery; yard")],
    emails=[("zoe@example.com", ""), ("me@example.org", "Home"), ("orders@example.com", "Orders")],
    website="https://example.com/a;b,c",
    address="1 Main Street\n1010 Vienna",
    note="Back\\slash",
    links=[("Our bread, daily", "https://example.org/?a=1,2")],
    photo=b"\xff\xd8\xff" + bytes(100),
    uid="card_1",
    source="https://go.example/c/zoe.vcf",
    revised_at=datetime(2026, 11, 21, 9, 30, tzinfo=UTC),
)


def unfolded(content: bytes) -> list[str]:
    return content.decode().replace("\r\n ", "").split("\r\n")


def test_a_complete_contact_has_exactly_these_lines() -> None:
    photo = base64.b64encode(b"\xff\xd8\xff" + bytes(100)).decode()
    assert unfolded(build_vcard(WHOLE)) == [
        "BEGIN:VCARD",
        "VERSION:3.0",
        r"N:van Beek;Zoë;;Dr.;MBA\, MSc",
        "FN:Zoë van Beek",
        r"ORG:Beek\; Sons\, Ltd",
        "TITLE:Baker",
        "TEL;TYPE=CELL:+43 1 234 56 78",
        "TEL;TYPE=WORK,VOICE:+43 1 9",
        "TEL;TYPE=WORK,FAX:+43 1 8",
        "item1.TEL;TYPE=WORK,VOICE:+43 1 7",
        r"item1.X-ABLabel:Bakery\; yard",
        "EMAIL;TYPE=INTERNET,WORK:zoe@example.com",
        "EMAIL;TYPE=INTERNET,HOME:me@example.org",
        "item2.EMAIL;TYPE=INTERNET,WORK:orders@example.com",
        "item2.X-ABLabel:Orders",
        r"ADR;TYPE=WORK:;;1 Main Street\n1010 Vienna;;;;",
        "URL:https://example.com/a%3Bb%2Cc",
        "item3.URL:https://example.org/?a=1%2C2",
        r"item3.X-ABLabel:Our bread\, daily",
        r"NOTE:Back\\slash",
        f"PHOTO;ENCODING=b;TYPE=JPEG:{photo}",
        "SOURCE:https://go.example/c/zoe.vcf",
        "UID:card_1",
        "REV:2026-11-21T09:30:00Z",
        "END:VCARD",
        "",
    ]


def test_a_minimal_contact_has_both_names_and_no_empty_lines() -> None:
    assert build_vcard(Contact("Cher", given_name="Cher")) == (
        b"BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Cher;;;\r\nFN:Cher\r\nEND:VCARD\r\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain: text", "plain: text"),
        ("a;b", r"a\;b"),
        ("a,b", r"a\,b"),
        ("a\\b", r"a\\b"),
        ("a\\nb", r"a\\nb"),
        ("a\nb", r"a\nb"),
        ("a\r\nb", r"a\nb"),
        ("a\rb", r"a\nb"),
        ("a\u2028b", r"a\nb"),
        ("a\x00b\x1bc\td", "a b c d"),
        ("\\;,\n", r"\\\;\,\n"),
    ],
)
def test_text_is_escaped_once(text: str, escaped: str) -> None:
    assert escape_text(text) == escaped


def test_a_line_of_75_octets_is_not_folded_and_a_longer_one_is() -> None:
    assert fold_line("x" * 75) == b"x" * 75 + b"\r\n"
    assert fold_line("x" * 76) == b"x" * 75 + b"\r\n x\r\n"
    # the space that begins a continued line counts as an octet
    assert fold_line("x" * 150) == b"x" * 75 + b"\r\n " + b"x" * 74 + b"\r\n x\r\n"


@pytest.mark.parametrize(("char", "octets"), [("é", 2), ("漢", 3), ("😀", 4)])
def test_a_character_that_does_not_fit_is_moved_to_the_next_line(char: str, octets: int) -> None:
    for before in range(76 - octets, 76):
        lines = fold_line("x" * before + char).split(b"\r\n ")
        assert lines == [b"x" * before, char.encode() + b"\r\n"]
    fits = "x" * (75 - octets) + char
    assert fold_line(fits) == fits.encode() + b"\r\n"


@given(st.text())
def test_any_line_is_folded_into_whole_characters_of_at_most_75_octets(line: str) -> None:
    line = re.sub("[\r\n]", "", line).encode("utf-8", "ignore").decode()
    folded = fold_line(line)
    assert folded.endswith(b"\r\n")
    lines = folded[:-2].split(b"\r\n")
    assert all(len(one) <= 75 for one in lines)
    assert all(one.startswith(b" ") for one in lines[1:])
    for one in lines:
        one.decode()  # no character was split
    assert folded[:-2].replace(b"\r\n ", b"").decode() == line


@given(st.text(), st.text(), st.text())
def test_no_text_breaks_out_of_its_line(name: str, note: str, url: str) -> None:
    labelled = [(name, f"x{note}")]
    content = build_vcard(
        Contact(name, given_name=name, note=note, website=url, phones=labelled, emails=labelled, links=[(note, url)])
    )
    names = [re.split("[:;]", line)[0] for line in unfolded(content)]
    groups = {f"item{n}.{what}" for n in (1, 2, 3) for what in ("TEL", "EMAIL", "URL", "X-ABLabel")}
    expected = {"BEGIN", "VERSION", "N", "FN", "URL", *groups, "NOTE", "END", ""}
    assert set(names) <= expected
    assert names.count("BEGIN") == names.count("END") == 1
    assert b"\n" not in content.replace(b"\r\n", b"") and b"\r" not in content.replace(b"\r\n", b"")
