"""An invitation in a mail, as calendars take it up: inline beside the text, as one more way to read it, and the same as
a file for those that do not.

    mail.send("booked", guest.email, {…}, account=account, invite=Invite(event), …)

The event's organizer is the address that the mail comes from, its attendee who the mail goes to, whatever the event
says: a mailer believes an invitation from nobody else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from email.utils import parseaddr

from django.core.mail import EmailMultiAlternatives

from workspace.lib import ics
from workspace.lib.ics import CalendarUser, Event

FILE_NAME = "invite.ics"


@dataclass(frozen=True, slots=True)
class Invite:
    """`is_cancelled` takes back what was sent before, by the same UID and a greater sequence. `organizer` and `guest`
    are names."""

    event: Event
    is_cancelled: bool = False
    organizer: str = ""
    guest: str = ""

    def render_ics(self, sender: str, to: str) -> bytes:
        """What goes from one address to the other."""
        name, address = parseaddr(sender)
        us, them = CalendarUser(address, self.organizer or name, "accepted"), CalendarUser(to, self.guest, "accepted")
        return ics.build_invitation(replace(self.event, organizer=us, attendees=(them,)), cancelled=self.is_cancelled)


def attach_invite(message: EmailMultiAlternatives, invite: Invite) -> bytes:
    """Put it beside the text; the same bytes are to go along as the file."""
    content = invite.render_ics(str(message.from_email), message.to[0])
    method = "CANCEL" if invite.is_cancelled else "REQUEST"
    # the last alternative is the one that a reader prefers which understands it
    message.attach_alternative(content.decode().replace("\r\n", "\n"), f"text/calendar; method={method}")
    return content
