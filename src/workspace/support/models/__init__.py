"""What support keeps."""

from workspace.support.models.ticket import Attachment, Message, Ticket

__all__ = ["Attachment", "Message", "Ticket"]
