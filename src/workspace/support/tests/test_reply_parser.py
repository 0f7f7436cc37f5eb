"""Quotes and signatures added by mail programs are removed, and nothing that the sender wrote is lost."""

from __future__ import annotations

import pytest

from workspace.support.emails import REPLY_MARKER
from workspace.support.html_to_text import convert_html
from workspace.support.reply_parser import extract_new_text

pytestmark = pytest.mark.any_database

GMAIL = """Yes, that works.

On Mon, Nov 2, 2026 at 9:14 AM The team <help+12.0123456789ab@example.com>
wrote:

> ## Write above this line ##
>
> Did it work?
"""
GERMAN = """Ja, danke!

Am 2. November 2026 um 09:14 schrieb Das Team <help@example.com>:

> Hat es geklappt?
"""
SPANISH = "Sí, gracias.\n\nEl lun, 2 nov 2026 a las 9:14, El equipo (<help@example.com>) escribió:\n\n> ¿Funcionó?\n"
OUTLOOK = """Works now.

________________________________
From: The team <help@example.com>
Sent: Monday, 2 November 2026 09:14
To: Marta
Subject: Re: Codes [#12]

Did it work?
"""
OUTLOOK_GERMAN = """Geht jetzt.

Von: Das Team <help@example.com>
Gesendet: Montag, 2. November 2026 09:14
An: Marta
Betreff: AW: Codes

Hat es geklappt?
"""
ORIGINAL = "Thanks\n\n-----Original Message-----\nFrom: x\nDid it work?\n"
IPHONE = (
    "It does.\n\nSent from my iPhone\n\n> On 2 Nov 2026, at 09:14, The team <help@example.com> wrote:\n> \n> Did it?\n"
)
UNMARKED = "It does.\n\nOn 2 Nov 2026, at 09:14, The team <help@example.com> wrote:\n\nDid it work?\n"
SIGNED = "It does.\n-- \nMarta Lindqvist\nCorner Café\n"
BETWEEN = """Here you are.

On Mon, Nov 2, 2026 at 9:14 AM The team <help@example.com> wrote:

> Which code?

The one on the door.

> And which phone?

An old one.
"""
BELOW = "> Which code?\n> And which phone?\n\nThe one on the door.\n"
HARMLESS = """From: here to there it is 3 km.
On Monday we wrote:
* three codes
It ends -- I think -- well.
"""


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (GMAIL, "Yes, that works."),
        (GERMAN, "Ja, danke!"),
        (SPANISH, "Sí, gracias."),
        (OUTLOOK, "Works now."),
        (OUTLOOK_GERMAN, "Geht jetzt."),
        (ORIGINAL, "Thanks"),
        (IPHONE, "It does."),
        (UNMARKED, "It does."),
        (SIGNED, "It does."),
        (BELOW, "The one on the door."),
        (HARMLESS, HARMLESS.strip()),
        (f"Above\n\n> {REPLY_MARKER}\nDid it?\n", "Above"),
        ("> only quoted\n", ""),
        ("", ""),
    ],
)
def test_only_the_new_text_of_an_answer_is_returned(text: str, new: str) -> None:
    assert extract_new_text(text, REPLY_MARKER) == new


def test_answers_between_quoted_lines_are_returned_with_them() -> None:
    kept = extract_new_text(BETWEEN)
    assert [line for line in kept.splitlines() if line] == [
        "Here you are.",
        "On Mon, Nov 2, 2026 at 9:14 AM The team <help@example.com> wrote:",
        "> Which code?",
        "The one on the door.",
        "> And which phone?",
        "An old one.",
    ]


def test_html_is_converted_to_text_with_marked_quotes() -> None:
    page = """<html><head><title>No</title><style>p { color: red }</style></head><body><!-- not this -->
    <p>Yes &amp; <b>thanks</b>,<br>it works</p><script>alert("<p>no</p>")</script><div>5 &lt; 6 &#99999999999;</div>
    <blockquote type="cite"><div>Did it work?</div></blockquote></body></html>"""
    text = convert_html(page)
    assert "\n> Did it work?" in text
    assert extract_new_text(text) == "Yes & thanks,\nit works\n5 < 6"
    assert convert_html("5 < 6 and <3 <!-- open") == "5 < 6 and <3"
    assert convert_html("<style>p {") == ""
