"""Tables of tickets, messages and inbound emails."""

from workspace.support.models.inbound_mail import InboundMail
from workspace.support.models.ticket import Attachment, Message, Ticket

__all__ = ["Attachment", "InboundMail", "Message", "Ticket"]
