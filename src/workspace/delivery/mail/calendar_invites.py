"""Calendar invitations in an email: inline beside the text, and as an attached file for clients that need one.

    mail.send("booked", guest.email, {…}, account=account, invite=Invite(event), …)

The organizer is the sender of the email and the attendee is its recipient, regardless of the event. Mail clients accept
an invitation only with these addresses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from email.utils import parseaddr

from django.core.mail import EmailMultiAlternatives

from workspace.lib import ics
from workspace.lib.ics import CalendarUser, Event

FILE_NAME = "invite.ics"


@dataclass(frozen=True, slots=True)
class Invite:
    """An invitation to an event.

    `is_cancelled` cancels an earlier invitation with the same UID and a lower sequence. `organizer` and `guest` are
    names."""

    event: Event
    is_cancelled: bool = False
    organizer: str = ""
    guest: str = ""

    def render_ics(self, sender: str, to: str) -> bytes:
        """Render the invitation sent from one address to another."""
        name, address = parseaddr(sender)
        us, them = CalendarUser(address, self.organizer or name, "accepted"), CalendarUser(to, self.guest, "accepted")
        return ics.build_invitation(replace(self.event, organizer=us, attendees=(them,)), cancelled=self.is_cancelled)


def attach_invite(message: EmailMultiAlternatives, invite: Invite) -> bytes:
    """Add the invitation as an alternative to the text, and return its bytes, which are also attached as a file."""
    content = invite.render_ics(str(message.from_email), message.to[0])
    method = "CANCEL" if invite.is_cancelled else "REQUEST"
    # clients show the last alternative that they support
    message.attach_alternative(content.decode().replace("\r\n", "\n"), f"text/calendar; method={method}")
    return content
