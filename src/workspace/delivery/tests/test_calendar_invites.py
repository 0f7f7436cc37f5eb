"""An invitation in an email, as a mail server receives it and two calendar parsers read it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
import vobject

from workspace.delivery import mail
from workspace.delivery.mail import Attachment
from workspace.delivery.mail.calendar_invites import Invite
from workspace.lib.ics import Event

pytestmark = pytest.mark.django_db
AT = datetime(2027, 6, 1, 10, tzinfo=ZoneInfo("Europe/Vienna"))
EVENT = Event("bkg_1@x", AT, AT.replace(hour=11), "Termin: Zoë 💈", datetime(2026, 1, 1, tzinfo=UTC), sequence=2)


@pytest.fixture(autouse=True)
def _templates(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "booked.txt").write_text("Subject: Booked\n\nSee you\n")
    (tmp_path / "mail" / "booked.html").write_text("<p>See you</p>")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]


@pytest.mark.parametrize("cancelled", [False, True])
def test_the_invitation_is_inline_and_attached_as_a_file(cancelled: bool, settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "Workspace <robot@book.example>"
    paper = Attachment("map.pdf", "application/pdf", b"%PDF")
    invite = Invite(EVENT, cancelled, organizer="Salon Müller, Söhne", guest="آنا")
    got = mail.parse_message(mail.send("booked", "guest@example.com", {}, invite=invite, attachments=[paper]))
    whole, *attached = got.iter_parts()
    assert [part.get_content_type() for part in whole.iter_parts()] == ["text/plain", "text/html", "text/calendar"]
    inline = list(whole.iter_parts())[-1]
    method = "CANCEL" if cancelled else "REQUEST"
    assert (inline["Content-Type"].params["method"], inline["Content-Type"].params["charset"]) == (method, "utf-8")
    assert [part.get_filename() for part in attached] == ["map.pdf", "invite.ics"]
    content = attached[1].get_content()
    assert inline.get_content().encode().splitlines() == content.splitlines()
    calendar = icalendar.Calendar.from_ical(content)
    [event] = calendar.events
    assert (calendar["METHOD"], event["UID"], event["SEQUENCE"]) == (method, "bkg_1@x", 2)
    assert event["ORGANIZER"] == "mailto:robot@book.example" and event["ATTENDEE"] == "mailto:guest@example.com"
    assert event["ORGANIZER"].params["CN"] == "Salon Müller, Söhne" and event["ATTENDEE"].params["CN"] == "آنا"
    assert event["STATUS"] == ("CANCELLED" if cancelled else "CONFIRMED") and event.start == AT
    assert vobject.readOne(inline.get_content()).vevent.summary.value == "Termin: Zoë 💈"
